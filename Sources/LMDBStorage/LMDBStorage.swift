// LMDBStorage: see the map in README.md.
