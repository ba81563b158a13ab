"""A .bib file with the mends made in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from connectors.records.clean import harmless
from spar_tui.bibliography.mending.mends import Mend
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.reading.values import value_of
from spar_tui.errors import UsageError

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
        return next((field_text for field_text in self.fields if field_text.name.lower() == name), None)


def line_starts(text: str) -> list[int]:
    """Where each line begins; the first is line 1, at index 0."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def entry_text(text: str, starts: Sequence[int], entry: FoundEntry) -> EntryText | None:
    """Where `entry` stands; None if it is written in a way that is not read here just as the reader reads it."""
    if entry.original is None or not 0 < entry.line <= len(starts):
        return None
    end = starts[entry.line] if entry.line < len(starts) else len(text)
    near = _HEAD.finditer(text, starts[entry.line - 1], end + _LONGEST_HEAD)
    heads = [head for head in near if head.start() < end]
    read = [_entry(text, head) for head in heads if head[1].lower() == entry.type]
    entry_texts = [candidate for candidate in read if candidate and _is(text, candidate, entry)]
    return entry_texts[0] if len(entry_texts) == 1 else None


def _is(text: str, entry_text: EntryText, entry: FoundEntry) -> bool:
    assert entry.original is not None
    raws = [(field.name, text[field.value_start : field.value_end]) for field in entry_text.fields]
    fields = [(name, raw) for name, raw in raws if harmless(value_of(raw, {}))]
    return (
        len({name.lower() for name, _ in raws}) == len(raws)
        and [name for name, _ in fields] == [name for name, _ in entry.original.fields]
        and all(map(_holds, fields, entry.original.fields))
        and entry_text.key == entry.original.key.encode().decode("latin-1")
    )


def _holds(present: tuple[str, str], field: tuple[str, str]) -> bool:
    """Whether a raw value is the field's, by the signs that every encoding shares; abbreviations can be any."""
    raw, value = present[1], field[1]
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
    left = [field for field in entry.fields if field.name.lower() not in dropped]
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
    columns = {text.index("=", field.start) - field.start for field in entry.fields}
    if len(columns) == 1 < len(entry.fields) and before:
        return f"{name.ljust(columns.pop() - 1)} ={after}"
    return f"{name}{before}={after}"


def _added(text: str, last: FieldText, new: Sequence[str]) -> Edit:
    lead = re.search(r"(?:\r\n|\r|\n)[ \t]*$", text[max(0, last.start - 500) : last.start])
    between = lead[0] if lead else " "
    if text[last.value_end : last.end].strip() == ",":
        return Edit(last.end, last.end, "".join(f"{between}{line}," for line in new))
    return Edit(last.value_end, last.value_end, "".join(f",{between}{line}" for line in new))


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


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_UNUSUAL = "it is written in a way that is left alone; change it by hand"


class Line(NamedTuple):
    """What is said of an entry: what was changed and by whose word, or what was not."""

    line: int
    key: str
    sentence: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class Mended:
    """The new bytes, what was changed, and what a person has to look at."""

    data: bytes
    changes: tuple[Line, ...]
    doubts: tuple[Line, ...]


def mended(raw: bytes, mends: Sequence[Mend]) -> Mended:
    """`raw`, the bytes of a .bib file, with `mends` of all its entries. Raises `UsageError` for UTF-16."""
    if raw.startswith(_UTF_16):
        raise UsageError("a file in UTF-16 is not mended; save it as UTF-8 first.")
    work = _Work(raw.decode("latin-1"), raw)
    for mend in mends:
        work.add(mend, [fix for fix in mends if fix.joined is mend.entry])
    return Mended(
        edited(work.text, work.edits).encode("latin-1"), tuple(sorted(work.changes)), tuple(sorted(work.doubts))
    )


class _Work:
    def __init__(self, text: str, raw: bytes) -> None:
        self.text, self.starts = text, line_starts(text)
        self.encoding = _encoding(raw)
        self.edits: list[Edit] = []
        self.changes: list[Line] = []
        self.doubts: list[Line] = []

    def add(self, mend: Mend, joining: Sequence[Mend]) -> None:
        """The edits of an entry, with those entries that go into it."""
        entry = mend.entry
        self.doubts += [_line(entry, doubt) for doubt in mend.doubts]
        if not (mend.changes or joining):
            return
        entry_text = self._place(entry)
        if not self._can_hold(mend):
            self.doubts += [_line(entry, f"{mend.changes[0].why}; this file cannot hold its letters")]
            mend = Mend(entry)
        if entry_text is None:
            self.doubts += [_line(entry, f"{change.why}; {_UNUSUAL}") for change in mend.changes]
            self.doubts += [_line(fix.entry, f"it is {_key(entry)} again; {_UNUSUAL}") for fix in joining]
            return
        fields, new_type = self._changed(mend, entry_text)
        keys = list[str]()
        for double in joining:
            keys += self._join(double, entry, entry_text, fields)
        if keys:
            fields["ids"] = delimited(",".join(keys))
        self.edits += edits_of(self.text, entry_text, fields, new_type)

    def _place(self, entry: FoundEntry) -> EntryText | None:
        return entry_text(self.text, self.starts, entry)

    def _can_hold(self, mend: Mend) -> bool:
        """Whether all values can be written in the file's encoding: half of a mend would be wrong."""
        return self.encoding == "utf-8" or all((change.value or "").isascii() for change in mend.changes)

    def _changed(self, mend: Mend, entry_text: EntryText) -> tuple[dict[str, str | None], str]:
        """The raw values of the fields that change, and the type if it does."""
        fields, new_type = dict[str, str | None](), ""
        for change in mend.changes:
            value = change.value and change.value.encode(self.encoding).decode("latin-1")
            there = entry_text.field(change.field)
            raw = self.text[there.value_start : there.value_end] if there else "{}"
            if not change.field:
                new_type, sentence = value or "", f"@{mend.entry.type} becomes @{value}"
            elif value is None:
                fields[change.field], sentence = None, f"{change.field} goes"
            elif change.more and there:
                fields[change.field], sentence = with_more(raw, f". {value}"), f"{change.field} gets {value} at its end"
            else:
                fields[change.field], sentence = delimited(value, raw), f"{change.field} becomes {change.value}"
            self.changes.append(_line(mend.entry, f"{sentence}; {change.why}", change.field or "type"))
        return fields, new_type

    def _join(self, double: Mend, first: FoundEntry, entry_text: EntryText, fields: dict[str, str | None]) -> list[str]:
        """Take the entry of `double` away, and let `first` have the fields that it has not; the key that goes."""
        other = self._place(double.entry)
        if other is None or entry_text.field("ids"):
            self.doubts.append(_line(double.entry, f"it is {_key(first)} again; {_UNUSUAL}"))
            return []
        lost = list[str]()
        for field in other.fields:
            raw, name = self.text[field.value_start : field.value_end], field.name.lower()
            there = entry_text.field(name)
            own = self.text[there.value_start : there.value_end] if there else fields.get(name)
            if own is None and name not in fields:
                fields[name] = raw
            elif own is None or _inner(own) != _inner(raw):
                lost.append(name)
        self.edits.append(entry_away(self.text, other))
        key, kept = _key(double.entry), _key(first)
        text = f"it is the same work as {kept} in line {first.line}, by what both say, and is joined with it"
        text += f"; not taken over, for {kept} has its own: {', '.join(lost)}" * bool(lost)
        renamed = bool(key) and key.casefold() != kept.casefold()
        text += f"; biber finds {key} by the field ids, for BibTeX write {kept} where you cite {key}" * renamed
        self.changes.append(_line(double.entry, text, "entry"))
        return [other.key] if renamed else []


def _inner(raw: str) -> str:
    """The raw value of a field as it stands between its delimiters."""
    return raw[1:-1] if raw[:1] + raw[-1:] in ("{}", '""') else raw


def _key(entry: FoundEntry) -> str:
    return entry.original.key if entry.original else entry.key


def _line(entry: FoundEntry, sentence: str, field: str = "") -> Line:
    return Line(entry.line, _key(entry), sentence, field)


def _encoding(raw: bytes) -> str:
    """What letters beyond ASCII are written in: UTF-8 where the file is, else none."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return "ascii"
    return "utf-8"
