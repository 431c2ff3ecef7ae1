// Placeholder until the first type of JSON lands.
