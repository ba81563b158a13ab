"""A record of a format whose lines begin with tags."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from io import StringIO

from connectors.records.clean import harmless
from spar_tui.bibliography.reading.entries_read import Problem


@dataclass(slots=True)
class TaggedRecord:
    """The values of each tag, in their order, and the line where the record begins."""

    line: int
    tagged: list[tuple[str, list[str]]] = field(default_factory=list)
    """Each tag with the lines of its value, as they stand in the file."""
    values: dict[str, list[list[str]]] = field(default_factory=dict)
    """The lines of each value by tag."""
    ended: bool = False

    @classmethod
    def of(cls, line: int, fields: Iterable[tuple[str, str]]) -> "TaggedRecord":
        """The record that has these values."""
        record = cls(line)
        for tag, text in fields:
            record.add(tag, text)
        return record

    def add(self, tag: str, text: str) -> None:
        lines = [text.strip()]
        self.tagged.append((tag, lines))
        self.values.setdefault(tag, []).append(lines)

    def go_on(self, text: str) -> None:
        """A line without a tag belongs to the value before it."""
        if self.tagged and text.strip():
            self.tagged[-1][1].append(text.strip())

    def lines(self) -> Iterable[tuple[str, str]]:
        """The tags with their values as text, in the order of the file; those without one are left out."""
        return ((tag, text) for tag, parts in self.tagged if (text := harmless(" ".join(filter(None, parts)))))

    def listed(self, *tags: str) -> Iterator[tuple[str, str]]:
        """As `lines`, with a value of its own for each line of these tags."""
        for tag, parts in self.tagged:
            yield from ((tag, part) for part in (parts if tag in tags else [" ".join(filter(None, parts))]) if part)

    def all(self, *tags: str) -> list[str]:
        return [text for tag in tags for lines in self.values.get(tag, ()) if (text := " ".join(lines))]

    def first(self, *tags: str) -> str:
        texts = (" ".join(lines) for tag in tags for lines in self.values.get(tag, ()))
        return next(filter(None, texts), "")


def unended(record: TaggedRecord) -> Problem:
    """That a record lacks its last line, as one has in which a file is cut off."""
    return Problem(record.line, record.first("ID"), "it has no end (ER); what there is was read", taken=True)


def tagged_records(
    text: str, line: re.Pattern[str], begins: Callable[[str, TaggedRecord | None, bool], bool], last: str = ""
) -> Iterator[TaggedRecord]:
    """The records of a text whose lines begin with a tag, told by `line` with its value, or go on.

    `begins` says of a tag, the record that is open and whether a blank line stands before whether a record begins. It
    ends with the tag `last` if there is such a tag; one that the file is cut off in has not `ended` then.
    """
    record: TaggedRecord | None = None
    blank = True
    for number, written in enumerate(StringIO(text.replace("\n\ufeff", "\n").lstrip("\ufeff")), start=1):
        match = line.fullmatch(written.rstrip())
        if match and match[1] == last:
            if record:
                record.ended = True
                yield record
            record = None
        elif match and begins(match[1], record, blank):
            if record:
                yield record
            record = TaggedRecord(number, ended=not last)
            record.add(match[1], match[2] or "")
        elif match and record:
            record.add(match[1], match[2] or "")
        elif record:
            record.go_on(written)
        blank = not written.strip()
    if record:
        yield record
