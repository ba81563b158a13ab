"""A record of a format whose lines begin with tags."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class TaggedRecord:
    """The values of each tag, in their order, and the line where the record begins."""

    line: int
    values: dict[str, list[str]] = field(default_factory=dict)
    last: str = ""
    ended: bool = False

    def add(self, tag: str, text: str) -> None:
        self.values.setdefault(tag, []).append(text.strip())
        self.last = tag

    def go_on(self, text: str) -> None:
        """A line without a tag belongs to the value before it."""
        if self.last and text.strip():
            self.values[self.last][-1] += f" {text.strip()}"

    def all(self, *tags: str) -> list[str]:
        return [text for tag in tags for text in self.values.get(tag, []) if text]

    def first(self, *tags: str) -> str:
        return next(iter(self.all(*tags)), "")
