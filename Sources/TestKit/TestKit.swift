// Placeholder until the first type of TestKit lands.
