// Store: see the map in README.md.
