"""A .bib file with the mends made in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spar_tui.bibliography.mending.editing import Edit, delimited, edited, edits_of, entry_away, with_more
from spar_tui.bibliography.mending.entry_text import EntryText, entry_text, line_starts
from spar_tui.bibliography.mending.mends import Mend
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.errors import UsageError

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
        work.add(mend, [one for one in mends if one.joined is mend.entry])
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
        place = self._place(entry)
        if not self._can_hold(mend):
            self.doubts += [_line(entry, f"{mend.changes[0].why}; this file cannot hold its letters")]
            mend = Mend(entry)
        if place is None:
            self.doubts += [_line(entry, f"{change.why}; {_UNUSUAL}") for change in mend.changes]
            self.doubts += [_line(one.entry, f"it is {_key(entry)} again; {_UNUSUAL}") for one in joining]
            return
        fields, new_type = self._changed(mend, place)
        keys = list[str]()
        for double in joining:
            keys += self._join(double, entry, place, fields)
        if keys:
            fields["ids"] = delimited(",".join(keys))
        self.edits += edits_of(self.text, place, fields, new_type)

    def _place(self, entry: FoundEntry) -> EntryText | None:
        return entry_text(self.text, self.starts, entry)

    def _can_hold(self, mend: Mend) -> bool:
        """Whether all values can be written in the file's encoding: half of a mend would be wrong."""
        return self.encoding == "utf-8" or all((change.value or "").isascii() for change in mend.changes)

    def _changed(self, mend: Mend, place: EntryText) -> tuple[dict[str, str | None], str]:
        """The raw values of the fields that change, and the type if it does."""
        fields, new_type = dict[str, str | None](), ""
        for change in mend.changes:
            value = change.value and change.value.encode(self.encoding).decode("latin-1")
            there = place.field(change.field)
            raw = self.text[there.value_start : there.value_end] if there else "{}"
            if not change.field:
                new_type, said = value or "", f"@{mend.entry.type} becomes @{value}"
            elif value is None:
                fields[change.field], said = None, f"{change.field} goes"
            elif change.more and there:
                fields[change.field], said = with_more(raw, f". {value}"), f"{change.field} gets {value} at its end"
            else:
                fields[change.field], said = delimited(value, raw), f"{change.field} becomes {change.value}"
            self.changes.append(_line(mend.entry, f"{said}; {change.why}", change.field or "type"))
        return fields, new_type

    def _join(self, double: Mend, first: FoundEntry, place: EntryText, fields: dict[str, str | None]) -> list[str]:
        """Take the entry of `double` away, and let `first` have the fields that it has not; the key that goes."""
        other = self._place(double.entry)
        if other is None or place.field("ids"):
            self.doubts.append(_line(double.entry, f"it is {_key(first)} again; {_UNUSUAL}"))
            return []
        lost = list[str]()
        for one in other.fields:
            raw, name = self.text[one.value_start : one.value_end], one.name.lower()
            there = place.field(name)
            own = self.text[there.value_start : there.value_end] if there else fields.get(name)
            if own is None and name not in fields:
                fields[name] = raw
            elif own is None or _inner(own) != _inner(raw):
                lost.append(name)
        self.edits.append(entry_away(self.text, other))
        key, kept = _key(double.entry), _key(first)
        told = f"it is the same work as {kept} in line {first.line}, by what both say, and is joined with it"
        told += f"; not taken over, for {kept} has its own: {', '.join(lost)}" * bool(lost)
        renamed = bool(key) and key.casefold() != kept.casefold()
        told += f"; biber finds {key} by the field ids, for BibTeX write {kept} where you cite {key}" * renamed
        self.changes.append(_line(double.entry, told, "entry"))
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
