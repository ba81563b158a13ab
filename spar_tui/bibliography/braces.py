"""Where LaTeX can be cut: outside braces."""

import re
import sys
from collections.abc import Iterable
from functools import cache
from itertools import chain

_ESCAPED = re.compile(r"\\[\\{}]")
_MARK = re.compile(r"\\[\\{}]|[{}]")


def split(latex: str, separator: str) -> list[str]:
    """`latex` cut where the pattern `separator`, in whatever case and without groups, stands outside braces."""
    if "{" not in latex:
        return _pattern(separator).split(latex)
    # Separators stand at the odd places.
    pieces = _pattern(f"({separator})").split(latex)
    parts, start, depth = list[str](), 0, 0
    for index in range(0, len(pieces), 2):
        piece = pieces[index]
        if "{" in piece or "}" in piece:
            depth += _opened(piece)
        if depth <= 0 or index + 1 == len(pieces):
            parts.append(piece if start == index else "".join(pieces[start : index + 1]))
            start = index + 2
    return parts


@cache
def _pattern(separator: str) -> re.Pattern[str]:
    return re.compile(separator, re.IGNORECASE)


def is_braced(latex: str) -> bool:
    """Whether one pair of braces is around all of it."""
    if not (latex.startswith("{") and latex.endswith("}")) or latex.startswith("{\\"):
        return False
    depth = 0
    for mark in _MARK.finditer(latex):
        depth += (mark[0] == "{") - (mark[0] == "}")
        if depth == 0:
            return mark.end() == len(latex)
    return False


def closing_braces(latex: str, spans: Iterable[tuple[int, int]] = ((0, sys.maxsize),)) -> dict[int, int]:
    """The place of the brace that closes each one, by the place of that, of those in the `spans`; escaped ones and
    those without a partner are none."""
    opened, partners = list[int](), dict[int, int]()
    for mark in chain.from_iterable(_MARK.finditer(latex, *span) for span in spans):
        if mark[0] == "{":
            opened.append(mark.start())
        elif mark[0] == "}" and opened:
            partners[opened.pop()] = mark.start()
    return partners


def _opened(latex: str) -> int:
    """How many more braces are opened in it than closed; escaped ones do not count."""
    if "\\" in latex:
        latex = _ESCAPED.sub("", latex)
    return latex.count("{") - latex.count("}")
