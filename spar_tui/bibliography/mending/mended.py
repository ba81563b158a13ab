"""Apply corrections to a .bib file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from connectors.records.clean import harmless
from spar_tui.bibliography.mending.mends import Mend
from spar_tui.bibliography.reading.encodings import is_utf8
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.reading.values import value_of
from spar_tui.errors import UsageError

_LINE_END = re.compile(r"\r\n|\r|\n")
_HEAD = re.compile(r"@[ \t]*(\w+)\s*([{(])\s*+([^,\s{}()\"]*+)\s*+,")
_LONGEST_HEAD = 1_000
_UNLIKE = re.compile(r"[^!-~]+")
_NAME = re.compile(r"\s*([\w:.+-]+)\s*=\s*")


class FieldText(NamedTuple):
    """The position of a field from its name to its value; `end` is after its comma, if there is one."""

    name: str
    start: int
    value_start: int
    value_end: int
    end: int


class EntryText(NamedTuple):
    """The position of an entry, from its @ to after its closing character, and of its type."""

    start: int
    end: int
    type_start: int
    type_end: int
    key: str
    fields: tuple[FieldText, ...]

    def field(self, name: str) -> FieldText | None:
        """Return the field with this name (in lower case); None if there is none."""
        return next((field_text for field_text in self.fields if field_text.name.lower() == name), None)


def entry_text(text: str, starts: Sequence[int], entry: FoundEntry) -> EntryText | None:
    """Locate `entry`; None if this simple parser does not read it exactly as the full parser does."""
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
    """Whether a raw value equals the field's in the characters common to all encodings; abbreviations always do."""
    raw, value = present[1], field[1]
    if raw[:1] not in ('"', "{") or "#" in raw:
        return True
    return _UNLIKE.sub("", value_of(raw, {})) == _UNLIKE.sub("", value)


def _entry(text: str, head: re.Match[str]) -> EntryText | None:
    """Parse the entry that begins with `head`; None if it has no fields or no proper end."""
    closing, at = ("}" if head[2] == "{" else ")"), head.end()
    fields = list[FieldText]()
    while name_match := _NAME.match(text, at):
        value_end = _end_of_value(text, name_match.end(), closing)
        comma = re.compile(r"\s*,").match(text, value_end)
        at = comma.end() if comma else value_end
        fields.append(FieldText(name_match[1], name_match.start(1), name_match.end(), value_end, at))
        if not comma:
            break
    last = re.compile(rf"\s*{re.escape(closing)}").match(text, at)
    if not last or not fields:
        return None
    return EntryText(head.start(), last.end(), head.start(1), head.end(1), head[3], tuple(fields))


def _end_of_value(text: str, start: int, closing: str) -> int:
    """Return the end of a value: before the comma or closing character that is outside braces and quotes."""
    last = start
    for at, sign in _outside(text, start):
        if sign == "," or sign == closing:
            break
        if not sign.isspace():
            last = at + 1
    return last


def _outside(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield the characters outside braces and quotes, including the closing ones."""
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
                yield at, '"'  # marks the end of a part of the value
        elif sign == '"' and not depth:
            quoted = not quoted
            yield at, sign
        elif not depth and not quoted:
            yield at, sign
        at += 1


class Edit(NamedTuple):
    """Replace the characters from `start` to `end` by `new`."""

    start: int
    end: int
    new: str


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Return `text` after all `edits`, which must not overlap."""
    parts, at = list[str](), 0
    for edit in sorted(edits):
        parts += (text[at : edit.start], edit.new)
        at = edit.end
    return "".join([*parts, text[at:]])


def edits_of(text: str, entry: EntryText, fields: Mapping[str, str | None], new_type: str = "") -> list[Edit]:
    """Return edits that set these raw values in the entry (None removes the field), and the type if given.

    Existing fields keep their place; new ones are added at the end."""
    edits = [Edit(entry.type_start, entry.type_end, new_type)] if new_type else []
    dropped_names = {name for name, value in fields.items() if value is None}
    fields_left = [field for field in entry.fields if field.name.lower() not in dropped_names]
    new = list[str]()
    for name, value in fields.items():
        there = entry.field(name)
        if there and value is None:
            edits.append(_without(text, there))
        elif there and value is not None:
            edits.append(Edit(there.value_start, there.value_end, value))
        elif value is not None:
            new.append(f"{_named(text, entry, name)}{value}")
    if new and fields_left:
        edits.append(_added(text, fields_left[-1], new))
    return edits


def with_more(raw: str, more: str) -> str:
    """Append `more` to the raw value of a field, inside its last delimiters."""
    return f"{raw[:-1]}{more}{raw[-1]}" if raw[-1:] in ("}", '"') else f"{raw} # {{{more}}}"


def delimited(value: str, raw: str = "{}") -> str:
    """Return `value` as a raw value, with the same delimiters as the old value `raw`."""
    if raw.isdigit() and value.isdigit():
        return value
    plain = raw.startswith('"') and raw.count('"') == 2 and raw.endswith('"')
    return f'"{value}"' if plain and '"' not in value else f"{{{value}}}"


def _named(text: str, entry: EntryText, name: str) -> str:
    """Return `name = ` with the spacing of the entry's fields, aligned with their equals signs if these are aligned."""
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
    """Return an edit that removes a field, with its line if nothing else is on it."""
    line = re.compile(r"[ \t]*(?:\r\n|\r|\n)").match(text, field.end)
    lead = re.search(r"(?:\r\n|\r|\n)([ \t]*)$", text[max(0, field.start - 500) : field.start])
    if line and lead:
        return Edit(field.start - len(lead[1]), line.end(), "")
    blanks = re.compile(r"[ \t]*").match(text, field.end)
    return Edit(field.start, blanks.end() if blanks else field.end, "")


def entry_away(text: str, entry: EntryText) -> Edit:
    """Return an edit that removes an entry, with the rest of its line and one blank line after it."""
    end = entry.end
    if re.search(r"(?:^|[\r\n])[ \t]*$", text[max(0, entry.start - 500) : entry.start]):
        line_end = re.compile(r"[ \t]*(?:\r\n|\r|\n|$)(?:[ \t]*(?:\r\n|\r|\n))?").match(text, end)
        end = line_end.end() if line_end else end
    return Edit(entry.start, end, "")


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_UNUSUAL = "the form of this entry is unusual; change it by hand"


class MendingNote(NamedTuple):
    """A sentence on an entry: what was changed and which source says so, or what was not changed."""

    line: int
    key: str
    sentence: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class Mended:
    """The new bytes, the changes, and the doubts that a person should check."""

    data: bytes
    changes: tuple[MendingNote, ...]
    doubts: tuple[MendingNote, ...]


def mended(raw: bytes, mends: Sequence[Mend]) -> Mended:
    """Apply `mends` of all entries to `raw`, the bytes of a .bib file. Raises `UsageError` for UTF-16."""
    if raw.startswith(_UTF_16):
        raise UsageError("a file in UTF-16 cannot be fixed; save it as UTF-8 first.")
    work = _Work(raw.decode("latin-1"), raw)
    for mend in mends:
        work.add(mend, [fix for fix in mends if fix.joined is mend.entry])
    return Mended(
        edited(work.text, work.edits).encode("latin-1"), tuple(sorted(work.changes)), tuple(sorted(work.doubts))
    )


class _Work:
    def __init__(self, text: str, raw: bytes) -> None:
        self.text, self.starts = text, [0, *(match.end() for match in _LINE_END.finditer(text))]
        self.encoding = "utf-8" if is_utf8(raw) else "ascii"
        self.edits: list[Edit] = []
        self.changes: list[MendingNote] = []
        self.doubts: list[MendingNote] = []

    def add(self, mend: Mend, joining: Sequence[Mend]) -> None:
        """Add the edits of an entry, and of the entries to be joined into it."""
        entry = mend.entry
        self.doubts += [_line(entry, doubt) for doubt in mend.doubts]
        if not (mend.changes or joining):
            return
        own_text = entry_text(self.text, self.starts, entry)
        if not (self.encoding == "utf-8" or all((change.value or "").isascii() for change in mend.changes)):
            # A partial correction would be wrong.
            self.doubts += [_line(entry, f"{mend.changes[0].why}; the encoding of this file cannot store it")]
            mend = Mend(entry)
        if own_text is None:
            self.doubts += [_line(entry, f"{change.why}; {_UNUSUAL}") for change in mend.changes]
            self.doubts += [_line(fix.entry, f"it repeats {_key(entry)}; {_UNUSUAL}") for fix in joining]
            return
        fields, new_type = self._changed(mend, own_text)
        keys = list[str]()
        for double in joining:
            keys += self._join(double, entry, own_text, fields)
        if keys:
            fields["ids"] = delimited(",".join(keys))
        self.edits += edits_of(self.text, own_text, fields, new_type)

    def _changed(self, mend: Mend, own_text: EntryText) -> tuple[dict[str, str | None], str]:
        """Return the raw values of the fields that change, and the new type or ""."""
        fields, new_type = dict[str, str | None](), ""
        for change in mend.changes:
            value = change.value and change.value.encode(self.encoding).decode("latin-1")
            field = own_text.field(change.field)
            raw = self.text[field.value_start : field.value_end] if field else "{}"
            if not change.field:
                new_type, sentence = value or "", f"@{mend.entry.type} becomes @{value}"
            elif value is None:
                fields[change.field], sentence = None, f"{change.field} is removed"
            elif change.more and field:
                fields[change.field], sentence = with_more(raw, f". {value}"), f"{value} is added to {change.field}"
            else:
                fields[change.field], sentence = delimited(value, raw), f"{change.field} becomes {change.value}"
            self.changes.append(_line(mend.entry, f"{sentence}; {change.why}", change.field or "type"))
        return fields, new_type

    def _join(self, double: Mend, first: FoundEntry, own_text: EntryText, fields: dict[str, str | None]) -> list[str]:
        """Remove the entry of `double`, and give `first` the fields that it lacks; return the removed key in a list."""
        double_text = entry_text(self.text, self.starts, double.entry)
        if double_text is None or own_text.field("ids"):
            self.doubts.append(_line(double.entry, f"it repeats {_key(first)}; {_UNUSUAL}"))
            return []
        lost_values = list[str]()
        for field in double_text.fields:
            raw, name = self.text[field.value_start : field.value_end], field.name.lower()
            there = own_text.field(name)
            value = self.text[there.value_start : there.value_end] if there else fields.get(name)
            if value is None and name not in fields:
                fields[name] = raw
            elif value is None or _inner(value) != _inner(raw):
                lost_values.append(name)
        self.edits.append(entry_away(self.text, double_text))
        key, first_key = _key(double.entry), _key(first)
        text = f"it is the same work as {first_key} in line {first.line}, so the two are joined"
        text += f"; not copied, because {first_key} has its own: {', '.join(lost_values)}" * bool(lost_values)
        renamed = bool(key) and key.casefold() != first_key.casefold()
        text += f"; biber finds {key} by the field ids; for BibTeX, cite {first_key} instead of {key}" * renamed
        self.changes.append(_line(double.entry, text, "entry"))
        return [double_text.key] if renamed else []


def _inner(raw: str) -> str:
    """Return a raw value without its delimiters."""
    return raw[1:-1] if raw[:1] + raw[-1:] in ("{}", '""') else raw


def _key(entry: FoundEntry) -> str:
    return entry.original.key if entry.original else entry.key


def _line(entry: FoundEntry, sentence: str, field: str = "") -> MendingNote:
    return MendingNote(entry.line, _key(entry), sentence, field)
