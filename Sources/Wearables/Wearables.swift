// Wearables: see the map in README.md.
