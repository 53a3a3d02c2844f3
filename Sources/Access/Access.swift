// Access: see the map in README.md.
