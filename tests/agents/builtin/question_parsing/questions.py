"""Questions with what a person reads in them, in two halves: rules are written for one and measured on the other."""

import hashlib
import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

TODAY = date(2026, 6, 15)
"""The day on which the questions are asked."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question and its labels; `field` is None where none is labelled."""

    text: str
    intent: str
    field: str | None
    since: date | None
    until: date | None
    recent: bool
    authors: tuple[str, ...]
    venues: tuple[str, ...]
    min_citations: int | None
    open_access: bool
    papers: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """Whether this question only reports: fixed by its text."""
        return hashlib.sha256(self.text.encode()).digest()[0] % 2 == 1


@cache
def labelled_questions() -> tuple[Labelled, ...]:
    """All labelled questions, in the order of the file."""
    lines = Path(__file__).with_name("questions.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_labelled(json.loads(line)) for line in lines)


def _labelled(row: dict[str, object]) -> Labelled:
    def day(name: str) -> date | None:
        value = row.get(name)
        return date.fromisoformat(value) if isinstance(value, str) else None

    def words(name: str) -> tuple[str, ...]:
        value = row.get(name, [])
        assert isinstance(value, list)
        return tuple(map(str, value))

    field, venue, fewest = row["field"], row.get("venue", ""), row.get("min_citations")
    assert field is None or isinstance(field, str)
    assert isinstance(venue, str)
    assert fewest is None or isinstance(fewest, int)
    return Labelled(
        text=str(row["text"]),
        intent=str(row["intent"]),
        field=field,
        since=day("since"),
        until=day("until"),
        recent=bool(row.get("recent", False)),
        authors=words("authors"),
        venues=tuple(filter(None, venue.split(" or "))),
        min_citations=fewest,
        open_access=bool(row.get("open_access", False)),
        papers=words("papers"),
    )
