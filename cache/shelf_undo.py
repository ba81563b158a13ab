"""Changes of saved papers, with their shelf data before and after, so that they can be shown and undone
(`cache.taking_back`)."""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cache.journal import Recording, recorded
from cache.reading_history import last_said
from cache.store import PaperId, Store


class ShelfEntry(NamedTuple):
    """The stored data of a paper; `saved` is None if it is not on the shelf. `said` is the person's last opinion
    (`cache.reading_history.last_said`)."""

    saved: str | None = None
    read: str | None = None
    rating: int = 0
    note: str = ""
    pdf: str | None = None
    details: str = "{}"
    tags: tuple[str, ...] = ()
    said: str | None = None


@dataclass(frozen=True, slots=True)
class ShelfStep:
    """The data of the changed papers before and after a change, and the rows that it wrote."""

    before: Mapping[PaperId, ShelfEntry]
    after: Mapping[PaperId, ShelfEntry]
    recording: Recording = field(default_factory=Recording)

    @property
    def papers(self) -> tuple[PaperId, ...]:
        """The papers that changed."""
        return tuple(self.before)

    @property
    def new(self) -> tuple[PaperId, ...]:
        """The papers added to the shelf."""
        return tuple(paper for paper in self.before if not self.before[paper].saved and self.after[paper].saved)

    @property
    def gone(self) -> tuple[PaperId, ...]:
        """The papers removed from the shelf."""
        return tuple(paper for paper in self.before if self.before[paper].saved and not self.after[paper].saved)


def changed_by(store: Store, numbers: Iterable[int], do: Callable[[], object]) -> ShelfStep:
    """Call `do` in one transaction; return what it changed of these papers. Raises what `do` raises."""
    papers = [PaperId(number) for number in dict.fromkeys(numbers)]
    with store.writing():
        before = _entries(store, papers)
        with recorded(store) as recording:
            do()
        after = _entries(store, papers)
    papers_changed = [paper for paper in papers if before[paper] != after[paper]]
    return ShelfStep(
        {paper: before[paper] for paper in papers_changed}, {paper: after[paper] for paper in papers_changed}, recording
    )


def put_as_it_was(store: Store, entries: Mapping[PaperId, ShelfEntry]) -> None:
    """Restore the shelf entries of saved papers from `entries`, with all their data."""
    columns = ("saved", "read", "rating", "note", "pdf", "details")
    sql = (
        f"INSERT INTO shelf (paper, {', '.join(columns)}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (paper) DO UPDATE SET " + ", ".join(f"{column} = excluded.{column}" for column in columns)
    )
    with store.writing() as db:
        for paper, entry in entries.items():
            if entry.saved is not None:
                db.execute(sql, (paper, *entry[: len(columns)]))
                db.execute("DELETE FROM tags WHERE paper = ?", (paper,))
                db.executemany("INSERT INTO tags (paper, tag) VALUES (?, ?)", [(paper, tag) for tag in entry.tags])


def _entries(store: Store, papers: Collection[PaperId]) -> dict[PaperId, ShelfEntry]:
    with store.reading() as db:
        return {paper: _entry(store, db, paper) for paper in papers}


def _entry(store: Store, db: sqlite3.Connection, paper: PaperId) -> ShelfEntry:
    interactions = last_said(store, paper)
    row = db.execute("SELECT saved, read, rating, note, pdf, details FROM shelf WHERE paper = ?", (paper,)).fetchone()
    if row is None:
        return ShelfEntry(said=interactions)
    tags = tuple(tag for (tag,) in db.execute("SELECT tag FROM tags WHERE paper = ? ORDER BY tag", (paper,)))
    return ShelfEntry(*row)._replace(tags=tags, said=interactions)
