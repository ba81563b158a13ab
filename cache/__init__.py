"""One SQLite file that stores papers, runs and the answers of sources."""
