r"""A reader of .bib files that shares nothing with the program: what an entry holds, letter for letter.

Only what every reader agrees on is understood: `@type{key, name = value # value, …}`, braces, quotation marks,
`@string`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_ENTRY = re.compile(r"^[ \t]*@[ \t]*(\w+)\s*([{(])", re.MULTILINE)
_KEY = re.compile(r"\s*([^\s,=]+)\s*,")
_STRING_OR_FIELD = re.compile(r"\s*([^\s=,{}\"#%'()]+)\s*=\s*")
_BARE = re.compile(r"[^\s,#{}\"]+")
MONTHS = dict.fromkeys("jan feb mar apr may jun jul aug sep oct nov dec".split())


class PlainEntry(NamedTuple):
    """An entry as it stands in a file: its type and the names of its fields in lower case, the values without
    delimiters, blank space as one blank."""

    type: str
    key: str
    fields: Mapping[str, str]


def plain_entries(text: str) -> Iterator[PlainEntry]:
    """The entries that are closed, have a key, and are read without a doubt."""
    strings: dict[str, str] = {month: month for month in MONTHS}
    for start in _ENTRY.finditer(text):
        kind, closer = start[1].lower(), "}" if start[2] == "{" else ")"
        if kind in ("comment", "preamble"):
            continue
        key = None if kind == "string" else _KEY.match(text, start.end())
        if key is None and kind != "string":
            continue
        fields = _fields(text, key.end() if key else start.end(), closer, strings)
        if fields is None:
            continue
        if kind == "string":
            strings |= fields
        elif key:
            yield PlainEntry(kind, key[1], {name: plain for name, value in fields.items() if (plain := value.strip())})


def _fields(text: str, at: int, closer: str, strings: Mapping[str, str]) -> dict[str, str] | None:
    """The fields up to the brace that ends the entry; None if there is something else."""
    found: dict[str, str] = {}
    while True:
        at = _blank(text, at, ",")
        if text[at : at + 1] == closer:
            return found
        name = _STRING_OR_FIELD.match(text, at)
        if name is None:
            return None
        value = _value(text, name.end(), strings)
        if value is None:
            return None
        content, at = value
        found.setdefault(name[1].lower(), re.sub(r"\s+", " ", content))
        at = _blank(text, at)
        if text[at : at + 1] not in (",", closer):
            return None


def _value(text: str, at: int, strings: Mapping[str, str]) -> tuple[str, int] | None:
    parts: list[str] = []
    while True:
        at = _blank(text, at)
        if text[at : at + 1] == "{":
            end = _closing(text, at + 1, "}")
        elif text[at : at + 1] == '"':
            end = _closing(text, at + 1, '"')
        else:
            bare = _BARE.match(text, at)
            if bare is None:
                return None
            parts.append(strings.get(bare[0].lower(), bare[0]))
            end = None
            at = bare.end()
        if end is not None:
            if end < 0:
                return None
            parts.append(text[at + 1 : end])
            at = end + 1
        at = _blank(text, at)
        if text[at : at + 1] != "#":
            return "".join(parts), at
        at += 1


def _closing(text: str, at: int, closer: str) -> int:
    """Where the value that begins at `at` is closed; braces within count. -1 if a line begins another entry first."""
    depth = 0
    for found in re.compile(r'[{}"]|\n[ \t]*@\w+[{(]').finditer(text, at):
        if len(found[0]) > 1:
            return -1
        if depth == 0 and found[0] == closer:
            return found.start()
        depth += {"{": 1, "}": -1}.get(found[0], 0)
    return -1


def _blank(text: str, at: int, more: str = "") -> int:
    while at < len(text) and (text[at].isspace() or text[at] in more):
        at += 1
    return at
