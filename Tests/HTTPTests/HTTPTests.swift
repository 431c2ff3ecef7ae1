// Placeholder until the first test of HTTP lands.
