"""How large a summary is to be, as a person writes it."""

from dataclasses import dataclass, fields

from agents.summary.options import MOST_BRANCH, MOST_DEPTH
from spar_tui.errors import UsageError


@dataclass(frozen=True, slots=True)
class Size:
    """`depth` is how many levels of facets lie below the topic, `branch` how many facets a node may have, `words` about
    how long the text is."""

    depth: int = 2
    branch: int = 4
    words: int = 1_000


BOUNDS = {"depth": (0, MOST_DEPTH), "branch": (1, MOST_BRANCH), "words": (50, 20_000)}
"""The least and the most of each."""


def size_of(**written: str) -> Size:
    """The size that is written. Raises `UsageError`."""
    return Size(**{field.name: _number(written[field.name], *BOUNDS[field.name]) for field in fields(Size)})


def _number(written: str, least: int, most: int) -> int:
    text = written.strip().replace(",", "")
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise UsageError(f"“{written.strip()}” cannot be used; {least:,} to {most:,} is taken.")
    return int(text)
