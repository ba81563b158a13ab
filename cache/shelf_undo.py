"""Taking back what was done to papers on the shelf: what was there before comes back exactly, and an act is as if never
done.

Only what is still as the change left it is taken back: what somebody else changed in between stays.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cache.reading_history import last_said
from cache.store import PaperId, Store


class Entry(NamedTuple):
    """What is kept of a paper, as the tables have it; `saved` is None if it is not on the shelf.

    `said` is what the person said of it last (`cache.reading_history.last_said`).
    """

    saved: str | None = None
    read: str | None = None
    rating: int = 0
    note: str = ""
    pdf: str | None = None
    details: str = "{}"
    tags: tuple[str, ...] = ()
    said: str | None = None


class _Act(NamedTuple):
    """A row of the reading history; its number alone may be another's by now."""

    id: int
    paper: int
    act: str
    at: str


@dataclass(frozen=True, slots=True)
class Change:
    """What was kept of the papers that a change changed, before and after it, and the acts that it noted."""

    before: Mapping[PaperId, Entry]
    after: Mapping[PaperId, Entry]
    acts: tuple[_Act, ...] = ()

    @property
    def papers(self) -> tuple[PaperId, ...]:
        """The papers that are not as they were."""
        return tuple(self.before)

    @property
    def new(self) -> tuple[PaperId, ...]:
        """The papers that came onto the shelf."""
        return tuple(one for one, was in self.before.items() if was.saved is None and self.after[one].saved is not None)

    @property
    def gone(self) -> tuple[PaperId, ...]:
        """The papers that left the shelf."""
        return tuple(one for one, was in self.before.items() if was.saved is not None and self.after[one].saved is None)


def changed_by(store: Store, numbers: Iterable[int], do: Callable[[], object]) -> Change:
    """Do `do` in one transaction; what it changed of the papers of these numbers. Raises what `do` raises."""
    papers = [PaperId(number) for number in dict.fromkeys(numbers)]
    with store.writing() as db:
        before = _entries(store, papers)
        [last] = db.execute("SELECT coalesce(max(id), 0) FROM acts").fetchone()
        do()
        after = _entries(store, papers)
        acts = tuple(_Act(*row) for row in db.execute("SELECT id, paper, act, at FROM acts WHERE id > ?", (last,)))
    changed = [paper for paper in papers if before[paper] != after[paper]]
    return Change({paper: before[paper] for paper in changed}, {paper: after[paper] for paper in changed}, acts)


def take_back(store: Store, change: Change) -> frozenset[PaperId]:
    """Let everything be as it was before `change`, in one transaction; the papers of which that could be done.

    Of the others somebody has changed the same since, or the library no longer has them.
    """
    with store.writing() as db:
        there = {paper for paper in change.papers if _is_known(db, paper)}
        now = _entries(store, there)
        back = frozenset(paper for paper in there if _untouched(change.before[paper], change.after[paper], now[paper]))
        for paper in back:
            _put_back(db, paper, change.before[paper], change.after[paper])
        db.executemany(
            "DELETE FROM acts WHERE id = ? AND paper = ? AND act = ? AND at = ?",
            [act for act in change.acts if act.paper in back],
        )
    return back


def put_as_it_was(store: Store, entries: Mapping[PaperId, Entry]) -> None:
    """Give saved papers the place on the shelf that they had in `entries`, with all that was said of them there."""
    with store.writing() as db:
        for paper, entry in entries.items():
            _put_back(db, paper, entry, Entry())


def _entries(store: Store, papers: Collection[PaperId]) -> dict[PaperId, Entry]:
    with store.reading() as db:
        return {paper: _entry(store, db, paper) for paper in papers}


def _entry(store: Store, db: sqlite3.Connection, paper: PaperId) -> Entry:
    said = last_said(store, paper)
    row = db.execute("SELECT saved, read, rating, note, pdf, details FROM shelf WHERE paper = ?", (paper,)).fetchone()
    if row is None:
        return Entry(said=said)
    tags = tuple(tag for (tag,) in db.execute("SELECT tag FROM tags WHERE paper = ? ORDER BY tag", (paper,)))
    return Entry(*row)._replace(tags=tags, said=said)


def _is_known(db: sqlite3.Connection, paper: PaperId) -> bool:
    return db.execute("SELECT 1 FROM papers WHERE id = ?", (paper,)).fetchone() is not None


def _untouched(before: Entry, after: Entry, now: Entry) -> bool:
    """Whether all that the change changed is as it left it. With a paper's place on the shelf goes all that is said of
    it there, so nothing of that may be another's."""
    if before.saved != after.saved and after[:-1] != now[:-1]:
        return False
    return all(is_now == left for was, left, is_now in zip(before, after, now, strict=True) if was != left)


def _put_back(db: sqlite3.Connection, paper: PaperId, before: Entry, after: Entry) -> None:
    """Write what of `before` differs from `after`."""
    if before[:-1] == after[:-1]:
        return
    if before.tags != after.tags:
        db.execute("DELETE FROM tags WHERE paper = ?", (paper,))
        db.executemany("INSERT INTO tags (paper, tag) VALUES (?, ?)", [(paper, tag) for tag in before.tags])
    if before.saved is None:
        db.execute("DELETE FROM shelf WHERE paper = ?", (paper,))
        return
    db.execute(
        "INSERT INTO shelf (paper, saved) VALUES (?, ?) ON CONFLICT (paper) DO UPDATE SET saved = excluded.saved",
        (paper, before.saved),
    )
    for column in ("read", "rating", "note", "pdf", "details"):
        if (value := getattr(before, column)) != getattr(after, column):
            db.execute(f"UPDATE shelf SET {column} = ? WHERE paper = ?", (value, paper))
