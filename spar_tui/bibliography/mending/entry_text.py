"""Where an entry of a .bib file and each of its fields stand, so that a part can be changed and all else stays.

A text here is the file's bytes, one character each (Latin-1): TeX's signs are ASCII in every encoding that is mended,
and what is not touched comes out byte for byte.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from connectors.records.clean import harmless
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.reading.values import value_of

_LINE_END = re.compile(r"\r\n|\r|\n")
_HEAD = re.compile(r"@[ \t]*(\w+)\s*([{(])\s*+([^,\s{}()\"]*+)\s*+,")
_LONGEST_HEAD = 1_000
_UNLIKE = re.compile(r"[^!-~]+")
_NAME = re.compile(r"\s*([\w:.+-]+)\s*=\s*")


class FieldText(NamedTuple):
    """A field from its name to its value; `end` lies behind its comma, if there is one."""

    name: str
    start: int
    value_start: int
    value_end: int
    end: int


class EntryText(NamedTuple):
    """An entry from its @ to behind its closing sign, with the place of its type."""

    start: int
    end: int
    type_start: int
    type_end: int
    key: str
    fields: tuple[FieldText, ...]

    def field(self, name: str) -> FieldText | None:
        """The field of this name, whatever its case."""
        return next((one for one in self.fields if one.name.lower() == name), None)


def line_starts(text: str) -> list[int]:
    """Where each line begins; the first is line 1, at index 0."""
    return [0, *(found.end() for found in _LINE_END.finditer(text))]


def entry_text(text: str, starts: Sequence[int], entry: FoundEntry) -> EntryText | None:
    """Where `entry` stands; None if it is written in a way that is not read here just as the reader reads it."""
    if entry.original is None or not 0 < entry.line <= len(starts):
        return None
    end = starts[entry.line] if entry.line < len(starts) else len(text)
    near = _HEAD.finditer(text, starts[entry.line - 1], end + _LONGEST_HEAD)
    heads = [head for head in near if head.start() < end]
    read = [_entry(text, head) for head in heads if head[1].lower() == entry.type]
    found = [one for one in read if one and _is(text, one, entry)]
    return found[0] if len(found) == 1 else None


def _is(text: str, found: EntryText, entry: FoundEntry) -> bool:
    assert entry.original is not None
    raws = [(one.name, text[one.value_start : one.value_end]) for one in found.fields]
    told = [(name, raw) for name, raw in raws if harmless(value_of(raw, {}))]
    return (
        len({name.lower() for name, _ in raws}) == len(raws)
        and [name for name, _ in told] == [name for name, _ in entry.original.fields]
        and all(map(_holds, told, entry.original.fields))
        and found.key == entry.original.key.encode().decode("latin-1")
    )


def _holds(found: tuple[str, str], field: tuple[str, str]) -> bool:
    """Whether a raw value is the field's, by the signs that every encoding shares; abbreviations can be any."""
    raw, value = found[1], field[1]
    if raw[:1] not in ('"', "{") or "#" in raw:
        return True
    return _UNLIKE.sub("", value_of(raw, {})) == _UNLIKE.sub("", value)


def _entry(text: str, head: re.Match[str]) -> EntryText | None:
    """The entry that begins with `head`; None if it does not end as an entry does."""
    closing, at = ("}" if head[2] == "{" else ")"), head.end()
    fields = list[FieldText]()
    while named := _NAME.match(text, at):
        value_end = _end_of_value(text, named.end(), closing)
        comma = re.compile(r"\s*,").match(text, value_end)
        at = comma.end() if comma else value_end
        fields.append(FieldText(named[1], named.start(1), named.end(), value_end, at))
        if not comma:
            break
    last = re.compile(rf"\s*{re.escape(closing)}").match(text, at)
    if not last or not fields:
        return None
    return EntryText(head.start(), last.end(), head.start(1), head.end(1), head[3], tuple(fields))


def _end_of_value(text: str, start: int, closing: str) -> int:
    """Behind the last sign of the value: before the comma or the closing sign that stands in no braces or quotes."""
    last = start
    for at, sign in _outside(text, start):
        if sign == "," or sign == closing:
            break
        if not sign.isspace():
            last = at + 1
    return last


def _outside(text: str, start: int) -> Iterator[tuple[int, str]]:
    """The signs outside of braces and quotes, the closing ones of both among them."""
    depth, quoted, at = 0, False, start
    while at < len(text):
        sign = text[at]
        if sign == "\\" and at + 1 < len(text) and (depth or quoted):
            at += 2
            continue
        if sign == "{":
            depth += 1
        elif sign == "}" and (depth or quoted):
            depth -= 1
            if not depth and not quoted:
                yield at, '"'  # a part of the value ends here
        elif sign == '"' and not depth:
            quoted = not quoted
            yield at, sign
        elif not depth and not quoted:
            yield at, sign
        at += 1
