// HTTP: see the map in README.md.
