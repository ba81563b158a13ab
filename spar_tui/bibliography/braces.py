"""Find where LaTeX can be cut: outside braces."""

import re
import sys
from collections.abc import Iterable
from functools import cache
from itertools import chain

_ESCAPED = re.compile(r"\\[\\{}]")
_MARK = re.compile(r"\\[\\{}]|[{}]")


COMMA, SEMICOLON = r"(?<!\\),", r"(?<!\\);"
r"""Separators of lists; `\,` and `\;` are spaces."""


def split(latex: str, separator: str) -> list[str]:
    """Split `latex` at each match of `separator` outside braces, ignoring case; the pattern must have no groups."""
    if "{" not in latex:
        return _pattern(separator).split(latex)
    # Separators have odd indices.
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
    """Whether a single pair of braces encloses all of `latex`."""
    if not (latex.startswith("{") and latex.endswith("}")) or latex.startswith("{\\"):
        return False
    depth = 0
    for mark in _MARK.finditer(latex):
        depth += (mark[0] == "{") - (mark[0] == "}")
        if depth == 0:
            return mark.end() == len(latex)
    return False


def closing_braces(latex: str, spans: Iterable[tuple[int, int]] = ((0, sys.maxsize),)) -> dict[int, int]:
    """Map the index of each opening brace in the `spans` to that of its closing brace. Ignores escaped braces and those
    without a partner."""
    starts, partners = list[int](), dict[int, int]()
    for mark in chain.from_iterable(_MARK.finditer(latex, *span) for span in spans):
        if mark[0] == "{":
            starts.append(mark.start())
        elif mark[0] == "}" and starts:
            partners[starts.pop()] = mark.start()
    return partners


def _opened(latex: str) -> int:
    """Return the number of opening minus closing braces, without escaped ones."""
    if "\\" in latex:
        latex = _ESCAPED.sub("", latex)
    return latex.count("{") - latex.count("}")
