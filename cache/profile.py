"""The person's own lines about their taste, and the papers that do not count for it.

What the program understands from the reading history is not stored: it follows from the history. If the person forgets
such a line, its papers are set aside: earlier interactions with them no longer count, later ones do.
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
"""Maximum length of a line, in characters."""


class WrittenLine(NamedTuple):
    """A line that the person wrote, and the papers on which it rests, if any."""

    number: int
    facet: Facet
    text: str
    made: datetime
    papers: tuple[PaperId, ...] = ()


def own_lines(store: Store) -> list[WrittenLine]:
    """Return the person's own lines, oldest first."""
    with store.reading() as db:
        rows = db.execute("SELECT id, facet, text, made FROM profile ORDER BY id").fetchall()
        papers = db.execute("SELECT line, paper FROM profile_papers ORDER BY line, paper").fetchall()

    def line_of(row: Sequence[Any]) -> WrittenLine:
        number, facet, text, created = row
        return WrittenLine(
            number, facet, text, parsed(created), tuple(paper for line, paper in papers if line == number)
        )

    return readable("profile", rows, line_of)


def add_line(store: Store, facet: Facet, text: str, papers: Iterable[int] = (), now: datetime | None = None) -> int:
    """Add a line, cleaned; return its number. Raises `ValueError` if it has no words."""
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
    """Replace the text of a line. Raises `NoSuchLine`, and `ValueError` if the text has no words."""
    with store.writing() as db:
        if not db.execute("UPDATE profile SET text = ? WHERE id = ?", (_cleaned(text), number)).rowcount:
            raise NoSuchLine(number)


def forget_line(store: Store, number: int) -> None:
    """Forget one of the person's own lines. Raises `NoSuchLine`."""
    with store.writing() as db:
        if not db.execute("DELETE FROM profile WHERE id = ?", (number,)).rowcount:
            raise NoSuchLine(number)


def set_aside(store: Store, papers: Sequence[int], now: datetime | None = None) -> None:
    """Exclude the interactions with `papers` until now from the person's taste."""
    with store.writing() as db:
        db.executemany(
            "INSERT OR REPLACE INTO set_aside (paper, at) SELECT id, ?2 FROM papers WHERE id = ?1",
            [(paper, stamp(now or utc_now())) for paper in papers],
        )


def papers_set_aside(store: Store) -> dict[PaperId, datetime]:
    """Return the papers set aside, each with the time."""
    rows = store.rows("SELECT paper, at FROM set_aside")
    return dict(readable("set_aside", rows, lambda row: (row[0], parsed(row[1]))))


def forget_profile(store: Store, now: datetime | None = None) -> None:
    """Forget every line, and set aside all papers ever saved or interacted with."""
    with store.writing() as db:
        db.execute("DELETE FROM profile")
        db.execute(
            "INSERT OR REPLACE INTO set_aside (paper, at) SELECT paper, ?1 FROM (SELECT paper FROM acts"
            " UNION SELECT paper FROM shelf)",
            (stamp(now or utc_now()),),
        )


_TABLES = ("profile", "profile_papers", "set_aside")
Snapshot = Sequence[Sequence[tuple[Any, ...]]]


def snapshot(store: Store) -> Snapshot:
    """Return all rows of the profile."""
    with store.reading() as db:
        return [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in _TABLES]


def put_back(store: Store, before: Snapshot) -> None:
    """Replace the profile by the rows of a snapshot."""
    with store.writing() as db:
        for table, rows in zip(_TABLES, before, strict=True):
            db.execute(f"DELETE FROM {table}")
            for row in rows:
                db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def _cleaned(text: str) -> str:
    line = clean_text(text, LINE_CAP)
    if not any(map(str.isalnum, line)):
        raise ValueError("a line of the profile needs words")
    return line
