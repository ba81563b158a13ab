"""Where a corpus lies, and what it is called: light to import, for settings and help."""

from pathlib import Path

CORPUS = "corpus"
"""The name of the corpus as a source."""
WORKS = "works"
"""The table without which there is no corpus."""


def is_remote(location: str) -> bool:
    """Whether `location` is an object store, not a folder."""
    return "://" in location


def exists(location: str) -> bool:
    """Whether there may be a corpus at `location`: of an object store that is known only when it is asked."""
    return is_remote(location) or Path(location, f"{WORKS}.lance").is_dir()
