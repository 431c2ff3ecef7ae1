// Placeholder until the first test of HTTPServer lands.
