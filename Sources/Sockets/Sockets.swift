// Placeholder until the first type of Sockets lands.
