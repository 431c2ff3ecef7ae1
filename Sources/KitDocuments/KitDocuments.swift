// Placeholder until the first type of KitDocuments lands.
