"""Where a corpus lies, and what it is called: light to import, for settings and help."""

from pathlib import Path

CORPUS = "corpus"
"""The name of the corpus as a source."""
WORKS = "works"
"""The table without which there is no corpus."""


def is_remote(place: str) -> bool:
    """Whether `place` is an object store, not a folder."""
    return "://" in place


def exists(place: str) -> bool:
    """Whether there may be a corpus at `place`: of an object store that is known only when it is asked."""
    return is_remote(place) or Path(place, f"{WORKS}.lance").is_dir()
