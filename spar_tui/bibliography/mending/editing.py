"""Changing fields of an entry as a careful person would: in the entry's own layout, and nothing else of the file."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from spar_tui.bibliography.mending.entry_text import EntryText, FieldText


class Edit(NamedTuple):
    """Signs `start` to `end` of a text become `new`."""

    start: int
    end: int
    new: str


def edited(text: str, edits: Sequence[Edit]) -> str:
    """`text` with all `edits`, of which no two overlap."""
    parts, at = list[str](), 0
    for edit in sorted(edits):
        parts += (text[at : edit.start], edit.new)
        at = edit.end
    return "".join([*parts, text[at:]])


def edits_of(text: str, entry: EntryText, fields: Mapping[str, str | None], new_type: str = "") -> list[Edit]:
    """What makes the entry have these raw values (None: not the field), and the type if one is given.

    A field that is there keeps its place; a new one goes behind the last."""
    edits = [Edit(entry.type_start, entry.type_end, new_type)] if new_type else []
    dropped = {name for name, value in fields.items() if value is None}
    left = [one for one in entry.fields if one.name.lower() not in dropped]
    new = list[str]()
    for name, value in fields.items():
        there = entry.field(name)
        if there and value is None:
            edits.append(_without(text, there))
        elif there and value is not None:
            edits.append(Edit(there.value_start, there.value_end, value))
        elif value is not None:
            new.append(f"{_named(text, entry, name)}{value}")
    if new and left:
        edits.append(_added(text, left[-1], new))
    return edits


def with_more(raw: str, more: str) -> str:
    """The raw value of a field with `more` behind it, within its last delimiters."""
    return f"{raw[:-1]}{more}{raw[-1]}" if raw[-1:] in ("}", '"') else f"{raw} # {{{more}}}"


def delimited(value: str, raw: str = "{}") -> str:
    """`value` as a raw value, in the way of the one that it takes the place of."""
    if raw.isdigit() and value.isdigit():
        return value
    plain = raw.startswith('"') and raw.count('"') == 2 and raw.endswith('"')
    return f'"{value}"' if plain and '"' not in value else f"{{{value}}}"


def _named(text: str, entry: EntryText, name: str) -> str:
    """`name = ` in the way of the entry's fields, with the same blanks, or its sign below theirs if these are."""
    last = entry.fields[-1]
    before, _, after = text[last.start + len(last.name) : last.value_start].partition("=")
    columns = {text.index("=", one.start) - one.start for one in entry.fields}
    if len(columns) == 1 < len(entry.fields) and before:
        return f"{name.ljust(columns.pop() - 1)} ={after}"
    return f"{name}{before}={after}"


def _added(text: str, last: FieldText, new: Sequence[str]) -> Edit:
    lead = re.search(r"(?:\r\n|\r|\n)[ \t]*$", text[max(0, last.start - 500) : last.start])
    between = lead[0] if lead else " "
    if text[last.value_end : last.end].strip() == ",":
        return Edit(last.end, last.end, "".join(f"{between}{one}," for one in new))
    return Edit(last.value_end, last.value_end, "".join(f",{between}{one}" for one in new))


def _without(text: str, field: FieldText) -> Edit:
    """The field away, with its line where it has one of its own."""
    line = re.compile(r"[ \t]*(?:\r\n|\r|\n)").match(text, field.end)
    lead = re.search(r"(?:\r\n|\r|\n)([ \t]*)$", text[max(0, field.start - 500) : field.start])
    if line and lead:
        return Edit(field.start - len(lead[1]), line.end(), "")
    blanks = re.compile(r"[ \t]*").match(text, field.end)
    return Edit(field.start, blanks.end() if blanks else field.end, "")


def entry_away(text: str, entry: EntryText) -> Edit:
    """The whole entry away, with the rest of its line and one blank line behind it."""
    end = entry.end
    if re.search(r"(?:^|[\r\n])[ \t]*$", text[max(0, entry.start - 500) : entry.start]):
        rest = re.compile(r"[ \t]*(?:\r\n|\r|\n|$)(?:[ \t]*(?:\r\n|\r|\n))?").match(text, end)
        end = rest.end() if rest else end
    return Edit(entry.start, end, "")
