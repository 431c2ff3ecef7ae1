// Placeholder until the first test of API lands.
