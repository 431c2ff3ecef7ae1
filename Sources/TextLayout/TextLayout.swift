// Placeholder until the first type of TextLayout lands.
