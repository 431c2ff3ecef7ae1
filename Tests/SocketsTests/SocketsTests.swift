// Placeholder until the first test of Sockets lands.
