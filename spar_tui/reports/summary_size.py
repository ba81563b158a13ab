"""The size of a summary, as a person writes it."""

from dataclasses import dataclass, fields

from agents.summary.options import MOST_BRANCH, MOST_DEPTH
from spar_tui.errors import UsageError


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a summary: `depth` is the number of facet levels below the topic, `branch` the maximum number of
    facets per node, `words` the approximate length of the text."""

    depth: int = 2
    branch: int = 4
    words: int = 1_000


BOUNDS = {"depth": (0, MOST_DEPTH), "branch": (1, MOST_BRANCH), "words": (50, 20_000)}
"""The minimum and maximum of each."""


def size_of(**raws: str) -> Size:
    """Parse the size. Raises `UsageError`."""
    return Size(**{field.name: _number(raws[field.name], *BOUNDS[field.name]) for field in fields(Size)})


def _number(raws: str, least: int, most: int) -> int:
    text = raws.strip().replace(",", "")
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise UsageError(f"“{raws.strip()}” cannot be used; use {least:,} to {most:,}.")
    return int(text)
