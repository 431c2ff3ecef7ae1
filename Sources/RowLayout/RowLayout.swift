// Placeholder until the first type of RowLayout lands.
