"""Records of formats whose lines begin with tags."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO

from connectors.records.clean import harmless
from spar_tui.bibliography.reading.entries_read import Problem


@dataclass(slots=True)
class TaggedRecord:
    """The values of each tag in order, and the first line of the record."""

    line: int
    tagged: list[tuple[str, list[str]]] = field(default_factory=list)
    """Each tag with the lines of its value, as in the file."""
    values: dict[str, list[list[str]]] = field(default_factory=dict)
    """The lines of each value by tag."""
    ended: bool = False
    blank_line: tuple[int, int] = (0, 0)
    """The line behind the last blank line, and the number of values before it."""

    @classmethod
    def of(cls, line: int, fields: Iterable[tuple[str, str]]) -> "TaggedRecord":
        """Make a record from tags and values."""
        record = cls(line)
        for tag, text in fields:
            record.add(tag, text)
        return record

    def add(self, tag: str, text: str) -> None:
        lines = [text.strip()]
        self.tagged.append((tag, lines))
        self.values.setdefault(tag, []).append(lines)

    def after_title(self, tag: str) -> "TaggedRecord | None":
        """Split off what follows the last blank line if the value of `tag` stands before it; None if it does not."""
        line, count = self.blank_line
        if tag not in dict(self.tagged[:count]) or tag in dict(self.tagged[count:]):
            return None
        rest = TaggedRecord(line, ended=self.ended)
        for name, lines in self.tagged[count:]:
            rest.tagged.append((name, lines))
            rest.values.setdefault(name, []).append(lines)
            self.values[name].pop()
        del self.tagged[count:]
        return rest

    def go_on(self, text: str) -> None:
        """Add a line without a tag to the value before it."""
        if self.tagged and text.strip():
            self.tagged[-1][1].append(text.strip())

    def lines(self) -> Iterable[tuple[str, str]]:
        """Return the tags and their values as text, in the order of the file, without empty ones."""
        return ((tag, text) for tag, parts in self.tagged if (text := harmless(" ".join(filter(None, parts)))))

    def listed(self, *tags: str) -> Iterator[tuple[str, str]]:
        """Like `lines`, but with one value per line for these tags."""
        for tag, parts in self.tagged:
            yield from ((tag, part) for part in (parts if tag in tags else [" ".join(filter(None, parts))]) if part)

    def all(self, *tags: str) -> list[str]:
        return [text for tag in tags for lines in self.values.get(tag, ()) if (text := " ".join(lines))]

    def in_order(self, *tags: str) -> list[str]:
        """Return the values of these tags in the order of the file."""
        return [" ".join(parts) for tag, parts in self.tagged if tag in tags and any(parts)]

    def first(self, *tags: str) -> str:
        texts = (" ".join(lines) for tag in tags for lines in self.values.get(tag, ()))
        return next(filter(None, texts), "")


def unended(records: Sequence[TaggedRecord]) -> list[Problem]:
    """Report the records without their last line `ER`; if only the last record lacks it, the file is cut off there."""
    lacking = [record for record in records if not record.ended]
    cut_off = len(records) > 1 and lacking == [records[-1]]
    reason = "it has no end (ER); the rest was read"
    return [Problem(record.line, record.first("ID"), reason, taken=True, to_end=cut_off) for record in lacking]


def cut_off(records: Sequence[TaggedRecord], text: str) -> list[Problem]:
    """Report the last record of a format without an end of records if the text ends within a line, and the record lacks
    a tag that all others have and ends with a tag that ends no other."""
    *others, last = records or [TaggedRecord(0)]
    in_all = set.intersection(*({*record.values} for record in others)) if others else set[str]()
    ends = {record.tagged[-1][0] for record in others}
    whole = text.endswith("\n") or in_all <= last.values.keys() or last.tagged[-1][0] in ends
    return [] if whole else [Problem(last.line, "", "it ends early; the rest was read", taken=True, to_end=True)]


def tagged_records(
    text: str,
    line: re.Pattern[str],
    begins: Callable[[str, TaggedRecord, bool], bool],
    titles: Collection[str],
    last: str = "",
    of_file: Collection[str] = (),
) -> Iterator[TaggedRecord]:
    """Yield the records of a text; `line` matches a line with a tag and its value, and other lines continue a value.

    `begins` decides from a tag, the open record and whether a blank line precedes whether a record begins. One also
    begins without an open record, and at a blank line between two of the same tag of `titles`, so that no record is
    lost if its first line is missing. A record ends with the tag `last`, if given; a record that is cut off before it
    has not `ended`. Tags `of_file` belong to no record.
    """
    record: TaggedRecord | None = None
    blank = True
    for number, written in enumerate(StringIO(text.replace("\n\ufeff", "\n").lstrip("\ufeff")), start=1):
        match = line.fullmatch(written.rstrip())
        tag = match[1].upper() if match else ""
        if match and tag in of_file:
            pass
        elif match and tag == last:
            if record:
                record.ended = True
                yield record
            record = None
        elif match:
            if record and begins(tag, record, blank):
                yield record
                record = None
            record = record or TaggedRecord(number, ended=not last)
            if blank:
                record.blank_line = number, len(record.tagged)
            if tag in titles and (rest := record.after_title(tag)):
                yield record
                record = rest
            record.add(tag, match[2] or "")
        elif record:
            record.go_on(written)
        blank = not written.strip()
    if record:
        yield record
