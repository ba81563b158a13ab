"""Bibliographies: from papers to entries, and from entries to files that other programs read without errors."""
