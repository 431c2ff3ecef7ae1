// Placeholder until the first type of HTTPServer lands.
