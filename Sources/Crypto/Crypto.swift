// Crypto: see the map in README.md.
