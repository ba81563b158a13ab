"""Stored searches that are repeated from time to time, and the papers that each has already shown."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from cache import papers
from cache.errors import NoSuchWatch
from cache.readable_rows import json_object, readable
from cache.store import PaperId, Store
from cache.timestamps import parsed, stamp, utc_now
from connectors.paper import Paper
from connectors.records.clean import clean_text

NAME_CAP = 100
_UNSHOWN = ""
"""Marks a paper that was never shown but existed when the watch began, so it is not new."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A stored search, or a followed author or paper, according to `parameters`; `last_asked` is when it ran
    last, `shown` the number of papers shown so far, and `looks` the times at which each source last answered it
    completely."""

    name: str
    question: str
    parameters: Mapping[str, Any]
    made: datetime
    last_asked: datetime | None
    shown: int
    looks: Mapping[str, datetime] = field(default_factory=dict)

    def since(self, source: str) -> datetime:
        """Return the moment from which on what appears in `source` is new: its last complete answer, else the beginning
        of the watch. Earlier versions recorded only when the watch was asked."""
        return self.looks.get(source) or (self.made if self.looks else self.last_asked or self.made)


@dataclass(frozen=True, slots=True)
class ShownPaper:
    """A paper that a stored search has shown, and when."""

    watch: str
    paper: Paper
    seen: datetime


def set_watch(
    store: Store, name: str, question: str, parameters: Mapping[str, Any], now: datetime | None = None
) -> str:
    """Store a search under `name` and return the cleaned name; changing a watch keeps the list of papers that it has
    shown."""
    name = clean_text(name, NAME_CAP)
    values = (name, question, json.dumps(dict(parameters)), stamp(now or utc_now()))
    store.write(
        "INSERT INTO watches (name, question, parameters, made) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (name) DO UPDATE SET question = excluded.question, parameters = excluded.parameters",
        values,
    )
    return name


def watches(store: Store) -> list[Watch]:
    """Return all stored searches, ordered by name."""
    with store.reading() as db:
        rows = db.execute(
            "SELECT name, question, parameters, made, asked,"
            " (SELECT count(*) FROM watch_papers WHERE watch = name AND seen > ?) FROM watches ORDER BY name",
            (_UNSHOWN,),
        ).fetchall()
        look_rows = db.execute("SELECT name, source, looked FROM watch_looks JOIN watches ON name = watch").fetchall()
    looks = readable("watch_looks", look_rows, lambda row: (row[0], row[1], parsed(row[2])))
    return [
        replace(watch, looks={source: moment for name, source, moment in looks if name == watch.name})
        for watch in readable("watches", rows, _watch)
    ]


def _watch(row: Sequence[Any]) -> Watch:
    name, question, parameters, created, last_run, count = row
    return Watch(
        name, question, json_object(parameters), parsed(created), parsed(last_run) if last_run else None, count
    )


def watch(store: Store, name: str) -> Watch:
    """Return the stored search with this name, ignoring case. Raises `NoSuchWatch`."""
    for stored in watches(store):
        if stored.name.casefold() == clean_text(name, NAME_CAP).casefold():
            return stored
    raise NoSuchWatch(name)


def drop_watch(store: Store, name: str) -> None:
    """Delete a stored search; its papers and runs stay. Raises `NoSuchWatch`."""
    stored = watch(store, name)
    store.write("DELETE FROM watches WHERE name = ?", (stored.name,))


def unseen(store: Store, name: str, candidates: Sequence[Paper]) -> list[Paper]:
    """Return the `candidates` that the watch has not shown and that did not exist when it began, in order."""
    numbers_shown = {number for (number,) in store.rows("SELECT paper FROM watch_papers WHERE watch = ?", (name,))}
    return [paper for paper in candidates if papers.number_of(store, paper) not in numbers_shown]


def found_since(store: Store, since: datetime) -> set[PaperId]:
    """Return the papers that any watch has shown for the first time since then."""
    return {
        PaperId(paper) for (paper,) in store.rows("SELECT paper FROM watch_papers WHERE seen >= ?", (stamp(since),))
    }


def shown_last(store: Store, names: Sequence[str], limit: int) -> list[ShownPaper]:
    """Return the papers that the stored searches `names` have shown, latest first, at most `limit`."""
    marks = ", ".join("?" * len(names))
    sql = (
        f"SELECT watch, paper, seen FROM watch_papers WHERE watch IN ({marks}) AND seen > ?"
        " ORDER BY seen DESC, watch, paper LIMIT ?"
    )
    rows = store.rows(sql, (*names, _UNSHOWN, limit))
    by_number = {number: papers.by_ids(store, [number]) for _, number, _ in rows}
    return [
        ShownPaper(watch, paper, parsed(shown_at)) for watch, number, shown_at in rows for paper in by_number[number]
    ]


def note_asked(store: Store, name: str, now: datetime | None = None) -> None:
    """Store that the watch was asked."""
    store.write("UPDATE watches SET asked = ? WHERE name = ?", (stamp(now or utc_now()), name))


def note_looked(store: Store, name: str, sources: Iterable[str], moment: datetime) -> None:
    """Record that `sources`, asked at `moment`, answered the watch completely and all their news was shown."""
    with store.writing() as db:
        db.executemany(
            "INSERT INTO watch_looks (watch, source, looked) VALUES (?, ?, ?)"
            " ON CONFLICT (watch, source) DO UPDATE SET looked = max(looked, excluded.looked)",
            [(name, source, stamp(moment)) for source in sources],
        )


def note_shown(store: Store, name: str, shown_papers: Sequence[Paper], now: datetime | None = None) -> None:
    """Store that the watch has shown these papers, adding them to the library. Call this only once the person can
    have read them."""
    when = now or utc_now()
    _note(store, name, shown_papers, when, stamp(when))


def note_there(store: Store, name: str, present: Sequence[Paper], now: datetime | None = None) -> None:
    """Store that these papers existed before the watch began: they are not new, although it has not shown them."""
    _note(store, name, present, now or utc_now(), _UNSHOWN)


def _note(store: Store, name: str, papers_noted: Sequence[Paper], now: datetime, shown_at: str) -> None:
    with store.writing() as db:
        numbers = papers.remember(store, papers_noted, now)
        db.executemany(
            "INSERT OR IGNORE INTO watch_papers (watch, paper, seen) VALUES (?, ?, ?)",
            [(name, number, shown_at) for number in numbers],
        )
