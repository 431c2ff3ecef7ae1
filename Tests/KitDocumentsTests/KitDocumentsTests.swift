// Placeholder until the first test of KitDocuments lands.
