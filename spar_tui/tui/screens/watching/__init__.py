"""The watches, and the new papers of each."""
