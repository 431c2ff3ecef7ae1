// Placeholder until the first test of SQLDatabase lands.
