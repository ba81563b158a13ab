"""The location and the names of a corpus; light to import, for settings and help."""

from pathlib import Path

CORPUS = "corpus"
"""The name of the corpus as a source."""
WORKS = "works"
"""The table that every corpus has."""


def is_remote(location: str) -> bool:
    """Whether `location` is an object store, not a folder."""
    return "://" in location


def exists(location: str) -> bool:
    """Whether there may be a corpus at `location`; always True for an object store, which would have to be asked."""
    return is_remote(location) or Path(location, f"{WORKS}.lance").is_dir()
