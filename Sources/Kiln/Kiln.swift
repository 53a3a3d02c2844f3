// Kiln: see the map in README.md.
