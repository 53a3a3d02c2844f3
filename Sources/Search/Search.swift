// Search: see the map in README.md.
