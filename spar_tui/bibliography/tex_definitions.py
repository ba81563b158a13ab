"""Find the commands that a LaTeX document defines."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_DEFINING = re.compile(
    r"\\(?:(?:(?:re)?new|provide)command\*?\s*+\{?\s*+\\(?P<name>[A-Za-z@]+)\s*+\}?\s*+"
    r"(?:\[(?P<number>\d)\]\s*+(?P<default>\[[^\[\]]*\])?)?"
    r"|(?:New|Renew|Provide|Declare)DocumentCommand\s*+\{?\s*+\\(?P<new>[A-Za-z@]+)\s*+\}?\s*+"
    r"\{(?P<kinds>(?>(?:[^{}]|\{[^{}]*\})*))\}"
    r"|(?:protected\s*+)?[gex]?def\s*+\\(?P<plain>[A-Za-z@]+)\s*+(?P<parameters>(?:#\d)*)"
    r"|let\s*+\\(?P<alias>[A-Za-z@]+)\s*+=?\s*+(?=\\[A-Za-z@]))\s*+(?P<body>\{|\\[A-Za-z@]+)"
)
_MARK = re.compile(r"\\[\\{}]|[{}]")
LONGEST = 1_000
"""Maximum number of characters of a definition."""


class Definition(NamedTuple):
    """A command, the names (`#2`) of its required arguments in order, and what it stands for."""

    name: str
    required: tuple[str, ...]
    body: str


def definitions(tex: str) -> Iterator[Definition]:
    """Yield the commands that `tex` defines."""
    for match in _DEFINING.finditer(tex):
        begin = match.start("body")
        body = match["body"] if match["body"] != "{" else _in_braces(tex[begin : begin + LONGEST])
        if match["new"]:
            kinds = re.findall(r"[A-Za-z]", re.sub(r"\{[^{}]*\}", "", match["kinds"]))
            required = tuple(f"#{place}" for place, kind in enumerate(kinds, 1) if kind in "mv")
        elif match["number"]:
            first = 2 if match["default"] else 1
            required = tuple(f"#{place}" for place in range(first, int(match["number"]) + 1))
        else:
            required = tuple(re.findall(r"#\d", match["parameters"] or ""))
        yield Definition(match["name"] or match["new"] or match["plain"] or match["alias"], required, body)


def _in_braces(text: str) -> str:
    """Return what the braces at the beginning of `text` enclose; "" if they are not closed."""
    depth = 0
    for mark in _MARK.finditer(text):
        depth += (mark[0] == "{") - (mark[0] == "}")
        if depth == 0:
            return text[1 : mark.start()]
    return ""
