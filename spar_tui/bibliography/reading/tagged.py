"""A record of a format whose lines begin with tags."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from connectors.records.clean import harmless


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

    def all(self, *tags: str) -> list[str]:
        return [text for tag in tags for lines in self.values.get(tag, []) if (text := " ".join(lines))]

    def first(self, *tags: str) -> str:
        return next(iter(self.all(*tags)), "")
