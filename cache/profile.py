"""What the person has written of their own taste, and the papers that are not to count for it.

What the program understands from the reading history is not kept here: it follows from the history. A line of it that
the person forgets sets the papers aside that it rests on: what was done with them until then says nothing any more,
what is done with them later does.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple, get_args

from cache.errors import NoSuchLine
from cache.readable_rows import readable
from cache.store import PaperId, Store
from cache.timestamps import parsed, stamp, utc_now
from connectors.records.clean import clean_text

Facet = Literal["like", "dislike", "expect"]
FACETS: tuple[Facet, ...] = get_args(Facet)
LINE_CAP = 500
"""Letters of a line."""


class Line(NamedTuple):
    """A line of the person's own, and the papers it rests on: none if it was simply written."""

    number: int
    facet: Facet
    text: str
    made: datetime
    papers: tuple[PaperId, ...] = ()


def own_lines(store: Store) -> list[Line]:
    """The person's own lines, the oldest first."""
    with store.reading() as db:
        rows = db.execute("SELECT id, facet, text, made FROM profile ORDER BY id").fetchall()
        papers = db.execute("SELECT line, paper FROM profile_papers ORDER BY line, paper").fetchall()

    def line_of(row: Sequence[Any]) -> Line:
        number, facet, text, made = row
        return Line(number, facet, text, parsed(made), tuple(paper for line, paper in papers if line == number))

    return readable("profile", rows, line_of)


def add_line(store: Store, facet: Facet, text: str, papers: Iterable[int] = (), now: datetime | None = None) -> int:
    """Write a line, which is cleaned; its number. Raises `ValueError` if it has no words."""
    with store.writing() as db:
        number = db.execute(
            "INSERT INTO profile (facet, text, made) VALUES (?, ?, ?)", (facet, _cleaned(text), stamp(now or utc_now()))
        ).lastrowid
        db.executemany(
            "INSERT OR IGNORE INTO profile_papers (line, paper) SELECT ?1, id FROM papers WHERE id = ?2",
            [(number, paper) for paper in papers],
        )
    return number or 0


def change_line(store: Store, number: int, text: str) -> None:
    """Let a line say something else. Raises `NoSuchLine`, and `ValueError` if it has no words."""
    with store.writing() as db:
        if not db.execute("UPDATE profile SET text = ? WHERE id = ?", (_cleaned(text), number)).rowcount:
            raise NoSuchLine(number)


def forget_line(store: Store, number: int) -> None:
    """Forget a line of the person's own. Raises `NoSuchLine`."""
    with store.writing() as db:
        if not db.execute("DELETE FROM profile WHERE id = ?", (number,)).rowcount:
            raise NoSuchLine(number)


def set_aside(store: Store, papers: Sequence[int], now: datetime | None = None) -> None:
    """Let what was done with `papers` until now say nothing of the person's taste."""
    with store.writing() as db:
        db.executemany(
            "INSERT OR REPLACE INTO set_aside (paper, at) SELECT id, ?2 FROM papers WHERE id = ?1",
            [(paper, stamp(now or utc_now())) for paper in papers],
        )


def papers_set_aside(store: Store) -> dict[PaperId, datetime]:
    """The papers that are set aside, each with when that was."""
    with store.reading() as db:
        rows = db.execute("SELECT paper, at FROM set_aside")
        return dict(readable("set_aside", rows, lambda row: (row[0], parsed(row[1]))))


def forget_profile(store: Store, now: datetime | None = None) -> None:
    """Forget every line, and set all papers aside that were ever saved or that anything was done with."""
    with store.writing() as db:
        db.execute("DELETE FROM profile")
        db.execute(
            "INSERT OR REPLACE INTO set_aside (paper, at) SELECT paper, ?1 FROM (SELECT paper FROM acts"
            " UNION SELECT paper FROM shelf)",
            (stamp(now or utc_now()),),
        )


def _cleaned(text: str) -> str:
    cleaned = clean_text(text, LINE_CAP)
    if not any(map(str.isalnum, cleaned)):
        raise ValueError("a line of the profile needs words")
    return cleaned
