// REST: see the map in README.md.
