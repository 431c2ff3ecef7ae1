// Placeholder until the first type of API lands.
