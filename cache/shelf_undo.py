"""Taking back what was done to papers on the shelf: what was there before comes back exactly, and an act is as if never
done.

Only what is still as the change left it is taken back: what somebody else changed in between stays. The last changes
are kept in the library, so that another process can take them back.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import uuid4

from cache.reading_history import LAST_CHANGES, forget_changes, last_said
from cache.store import PaperId, Store

MOST_KEPT = 50
"""Changes that are kept at most."""
MOST_PAPERS = 2_000
"""Papers of a change up to which it is kept; with a larger one those before it are forgotten."""
_STEP: ContextVar[str | None] = ContextVar("_STEP", default=None)


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
        change = Change({paper: before[paper] for paper in changed}, {paper: after[paper] for paper in changed}, acts)
        if changed:
            _keep(db, change)
    return change


@contextmanager
def as_one_step() -> Iterator[None]:
    """Keep the changes made inside as one step, which `take_back_last` takes back together."""
    token = _STEP.set(uuid4().hex)
    try:
        yield
    finally:
        _STEP.reset(token)


class StepBack(NamedTuple):
    """The papers of the last step, as they were `before` it and `after` it, and those of which it was taken back."""

    before: Mapping[PaperId, Entry]
    after: Mapping[PaperId, Entry]
    back: frozenset[PaperId]


def take_back_last(store: Store) -> StepBack | None:
    """Take back the last step that any process made and nobody took back; None if none is kept. Raises
    `CacheError`."""
    with store.writing() as db:
        kept = _kept(db)
        changes = [one.change for one in kept if one.step == kept[-1].step]
        if not changes:
            return None
        before = {paper: entry for change in reversed(changes) for paper, entry in change.before.items()}
        after = {paper: entry for change in changes for paper, entry in change.after.items()}
        left = {paper for change in reversed(changes) for paper in {*change.papers} - take_back(store, change)}
        return StepBack(before, after, frozenset(before) - left)


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
        _write_kept(db, [one for one in _kept(db) if one.change != change])
    return back


class _KeptChange(NamedTuple):
    """A change that is kept, and the step that it is of."""

    step: str
    change: Change


def _keep(db: sqlite3.Connection, change: Change) -> None:
    if len(change.papers) > MOST_PAPERS:
        forget_changes(db)
    else:
        _write_kept(db, [*_kept(db), _KeptChange(_STEP.get() or uuid4().hex, change)][-MOST_KEPT:])


def _kept(db: sqlite3.Connection) -> list[_KeptChange]:
    """The changes that are kept, the last one at the end; none if they cannot be read."""
    row = db.execute("SELECT value FROM upkeep WHERE name = ?", (LAST_CHANGES,)).fetchone()
    with suppress(ValueError, TypeError):
        return [
            _KeptChange(step, Change(_entries_in(before), _entries_in(after), tuple(_Act(*act) for act in acts)))
            for step, before, after, acts in json.loads(row[0] if row else "[]")
        ]
    return []


def _entries_in(rows: Iterable[Sequence[Any]]) -> dict[PaperId, Entry]:
    return {paper: Entry(*entry)._replace(tags=tuple(entry[6])) for paper, entry in rows}


def _write_kept(db: sqlite3.Connection, kept: Iterable[_KeptChange]) -> None:
    rows = [(step, [*change.before.items()], [*change.after.items()], change.acts) for step, change in kept]
    db.execute("INSERT OR REPLACE INTO upkeep VALUES (?, ?)", (LAST_CHANGES, json.dumps(rows, ensure_ascii=False)))


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
