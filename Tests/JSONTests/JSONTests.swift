// Placeholder until the first test of JSON lands.
