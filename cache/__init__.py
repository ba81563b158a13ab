"""One SQLite file that remembers papers, runs and the answers of sources."""
