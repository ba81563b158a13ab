"""Where LaTeX can be cut: outside braces."""

import re
from collections.abc import Iterator
from functools import cache


def split(latex: str, separator: str) -> list[str]:
    """`latex` cut where the pattern `separator`, in whatever case, stands outside braces."""
    if "{" not in latex:
        return re.split(separator, latex, flags=re.IGNORECASE)
    parts, start = [], 0
    for found, depth in _marks(latex, separator):
        if found["cut"] and depth <= 0:
            parts.append(latex[start : found.start()])
            start = found.end()
    return [*parts, latex[start:]]


def is_braced(latex: str) -> bool:
    """Whether one pair of braces is around all of it."""
    if not (latex.startswith("{") and latex.endswith("}")) or latex.startswith("{\\"):
        return False
    return all(depth > 0 or found.end() == len(latex) for found, depth in _marks(latex, _NOTHING))


_NOTHING = "(?!)"


def _marks(latex: str, separator: str) -> Iterator[tuple[re.Match[str], int]]:
    """The separators and braces, each with how many braces are open after it; escaped ones do not count."""
    depth = 0
    for found in _pattern(separator).finditer(latex):
        depth += (found[0] == "{") - (found[0] == "}")
        yield found, depth


@cache
def _pattern(separator: str) -> re.Pattern[str]:
    return re.compile(rf"\\[\\{{}}]|[{{}}]|(?P<cut>{separator})", re.IGNORECASE)
