// Placeholder until the first test of RowLayout lands.
