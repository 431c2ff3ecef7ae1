// Placeholder until the first test of Architecture lands.
