"""What stands in a bibliography that is to be added to: its entries with their keys, and what is broken in it.

The text is looked at and never written again, so a file that no parser likes can still be added to.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from spar_tui.bibliography.bibtex import Capabilities


@dataclass(slots=True)
class Target:
    """The entries of a file, whatever they say."""

    entries: dict[int, str] = field(default_factory=dict)
    """The key of the first entry that begins in a line (from 1); "" if it has none."""
    keys: dict[str, str] = field(default_factory=dict)
    """Keys as they are written, by the casefolded key."""
    broken: list[str] = field(default_factory=list)
    """One sentence for each place that is no whole entry."""
    unclosed: int | None = None
    """The line of an entry that the file ends inside of."""
    dialect: Capabilities | None = None

    def add(self, line: int, key: str) -> None:
        """An entry that was found."""
        self.entries.setdefault(line, key)
        if key:
            self.keys.setdefault(key.casefold(), key)


_START = re.compile(r"@[ \t]*([a-zA-Z]+)\s*([{(])")
_NEW_LINE_ENTRY = re.compile(r"^[ \t]*@[ \t]*[a-zA-Z]+\s*[{(]", re.MULTILINE)
_MARK = re.compile(r"\\\\|[{})]|@[ \t]*[a-zA-Z]+\s*\(|\n(?=[ \t]*@[ \t]*[a-zA-Z]+\s*[{(][^{}=\n]*+\n)")
_KEY = re.compile(r"\s*([^\s,{}()\"=#%]+)\s*,")
_ONLY_BIBLATEX = re.compile(
    r"(?:^|,)[ \t]*+(?:journaltitle|date|eprinttype|eprintclass|location)\s*="
    r"|^[ \t]*@(?:online|set|xdata|thesis|report)\b",
    re.MULTILINE | re.IGNORECASE,
)


def read_bib(text: str) -> Target:
    """What stands in the text of a .bib file."""
    target, place, lines, ends = Target(), 0, [found.start() for found in re.finditer("\n", text)], _ends(text)

    def line_of(found: re.Match[str]) -> int:
        return bisect_left(lines, found.start()) + 1

    while found := _START.search(text, place):
        end = ends.get(found.end() - 1)
        if end is None:
            again = _NEW_LINE_ENTRY.search(text, found.end())
            if again is None:
                target.unclosed = line_of(found)
                break
            target.broken.append(f"line {line_of(found)}: @{found[1]} is not closed")
            place = again.start()
            continue
        if found[1].lower() not in ("comment", "string", "preamble"):
            key = _KEY.match(text, found.end(), end - 1)
            _add(target, line_of(found), found[1], key[1] if key else "")
        place = end
    if target.keys:
        target.dialect = "biblatex" if _ONLY_BIBLATEX.search(text) else "bibtex"
    return target


def _ends(text: str) -> dict[int, int]:
    """The place behind the brace or parenthesis that closes each one, by the place of that; not of those that are not
    closed. A line that begins another entry inside means that the brace was forgotten."""
    opened, ends = list[int](), dict[int, int]()
    for found in _MARK.finditer(text):
        mark = found[0][-1]
        if mark in "{(":
            opened.append(found.end() - 1)
        elif mark == "\n":
            opened.clear()
        elif mark == ")" and opened and text[opened[-1]] == "(":
            ends[opened.pop()] = found.end()
        elif mark == "}":
            while opened and text[opened[-1]] == "(":
                ends[opened.pop()] = found.end()
            if opened:
                ends[opened.pop()] = found.end()
    return ends


def _add(target: Target, line: int, kind: str, key: str) -> None:
    if not key:
        target.broken.append(f"line {line}: @{kind} has no citation key")
    elif key.casefold() in target.keys:
        target.broken.append(f"line {line}: the key {key} stands in the file already")
    target.add(line, key)


def read_ris(text: str) -> Target:
    """What stands in the text of a RIS file."""
    target, key, began = Target(), "", 0
    for line, content in enumerate(text.split("\n"), 1):
        tag, _, value = content.partition("  -")
        tag = tag.lstrip("\ufeff")
        if tag == "TY":
            if began:
                target.broken.append(f"line {began}: the record has no ER line")
            key, began = "", line
        elif tag == "ER" and began:
            target.add(began, key)
            began = 0
        elif tag == "ID":
            key = key or value.strip()
    target.unclosed = began or None
    return target
