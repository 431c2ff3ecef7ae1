// Placeholder until the first test of TextLayout lands.
