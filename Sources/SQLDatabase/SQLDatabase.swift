// Placeholder until the first type of SQLDatabase lands.
