"""Runs and their events: the append-only log of everything done for a question.

Events appended together are one row of `event_batches`. When the run ends, its batches become one, in which the events
of each work are adjacent: each repeats the work's record, so they compress well. The rows of `events`, one per event,
are from versions before 15, until they are packed (`pack`).

The run of a killed process stays `running`, with every event that was appended.
"""

import json
import secrets
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from cache import papers
from cache.errors import CacheError, NoRunYet, NoSuchRun
from cache.free_pages import give_back
from cache.packing import compress, decompress
from cache.readable_rows import UNREADABLE, json_object, readable, readable_row
from cache.starter_notes import notes_apart
from cache.store import PaperId, Store
from cache.timestamps import is_moment, parsed, stamp, utc_now
from cache.version import ASKED
from connectors.paper import Paper

Ended = Literal["finished", "interrupted", "failed"]
RunState = Literal["running"] | Ended

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits that are not confused when read aloud."""
FORGET_STEPS = 4
"""Steps after which the rest of a large run's space is left to the daily upkeep, so that nobody waits."""


@dataclass(frozen=True, slots=True)
class Run:
    """One search, summary or conversation, without its events. `counts` is empty until the run has ended."""

    id: str
    kind: str
    question: str
    parameters: Mapping[str, Any]
    state: RunState
    started: datetime
    finished: datetime | None
    counts: Mapping[str, Any]

    @property
    def papers(self) -> int | None:
        """Return the number of papers of the run: for a search, the relevant ones, even if its list shows fewer; for
        other runs, those in the result. None if the run has not ended."""
        figures = (self.counts.get(name) for name in ("relevant", "included", "shown"))
        return next((figure for figure in figures if figure is not None), None)


class Event(NamedTuple):
    """An event of a run; `id` counts from 1 within the run."""

    run: str
    id: int
    role: str
    kind: str
    content: Any
    score: float | None
    timestamp: datetime


class Post(NamedTuple):
    """An event to append; `content` is any JSON value."""

    role: str
    kind: str
    content: Any
    score: float | None = None


class StoredRank(NamedTuple):
    """A paper in a run's result, and its entry as the result showed it."""

    paper: Paper
    entry: Mapping[str, Any]


def start(
    store: Store, kind: str, question: str, parameters: Mapping[str, Any] | None = None, now: datetime | None = None
) -> str:
    """Begin a run; return its id, such as `20261121-0941-k3f2` (local time), which is short and sorts by start."""
    now = now or utc_now()
    with store.writing() as db:
        run = _free_id(db, now)
        db.execute(
            "INSERT INTO runs (id, kind, question, parameters, state, started) VALUES (?, ?, ?, ?, 'running', ?)",
            (run, kind, _storable(question), _json(parameters or {}), stamp(now)),
        )
    return run


def append(
    store: Store, run: str, role: str, kind: str, content: Any, score: float | None = None, now: datetime | None = None
) -> int:
    """Append one event to the run; return its id. It is on the disk when this returns."""
    return extend(store, run, [Post(role, kind, content, score)], now)


def extend(store: Store, run: str, posts: Sequence[Post], now: datetime | None = None) -> int:
    """Append `posts` to the run in order, all or none; return the id of the last."""
    timestamp = stamp(now or utc_now())
    with store.writing() as db:
        _require(db, run)
        last = _last_event(db, run)
        if posts:
            batch = _batch([_line(number, *post, timestamp) for number, post in enumerate(posts, last + 1)])
            _write_batch(db, run, last + len(posts), batch)
    return last + len(posts)


def events(store: Store, run: str, after: int = 0) -> list[Event]:
    """Return the run's events in order, only those after event `after`."""
    rows = list(chain.from_iterable(readable("events", store.rows(_EVENTS, {"run": run}), _events, packed=True)))
    contents = notes_apart(row.content for row in rows)
    return [row._replace(content=content) for row, content in zip(rows, contents, strict=True) if row.id > after]


def last_event(store: Store, run: str) -> int:
    """Return the id of the run's last event; 0 if there is none."""
    with store.reading() as db:
        return _last_event(db, run)


def unpacked(store: Store) -> list[str]:
    """Return the runs with events from versions before 15, which `pack` compresses."""
    return [run for (run,) in store.rows("SELECT DISTINCT run FROM events ORDER BY run")]


def pack(store: Store, run: str) -> None:
    """Compress all events of the run into one batch; leave them unchanged if any cannot be read."""
    with store.writing() as db:
        try:
            batch = _batch([line for row in db.execute(_EVENTS, {"run": run}) for line in _lines(row)])
        except UNREADABLE:
            return
        last = _last_event(db, run)
        db.execute("DELETE FROM events WHERE run = ?", (run,))
        db.execute("DELETE FROM event_batches WHERE run = ?", (run,))
        if last:
            _write_batch(db, run, last, batch)


def finish(
    store: Store,
    run: str,
    state: Ended,
    counts: Mapping[str, Any] | None = None,
    ranked: Sequence[StoredRank] = (),
    now: datetime | None = None,
) -> None:
    """End a run with its result, best paper first, and store the papers. A resumed run may end again."""
    now = now or utc_now()
    with store.writing() as db:
        _require(db, run)
        db.execute(
            "UPDATE runs SET state = ?, finished = ?, counts = ? WHERE id = ?",
            (state, stamp(now), _json(counts or {}), run),
        )
        pack(store, run)
        db.execute("DELETE FROM run_papers WHERE run = ?", (run,))
        numbers = papers.remember(store, [entry.paper for entry in ranked], now)
        db.executemany(
            "INSERT INTO run_papers (run, rank, paper, entry) VALUES (?, ?, ?, ?)",
            [
                (run, rank, number, _json(entry.entry))
                for rank, (number, entry) in enumerate(zip(numbers, ranked, strict=True), 1)
            ],
        )


def set_parameter(store: Store, run: str, name: str, value: Any) -> None:
    """Replace one parameter of a run. Raises `NoSuchRun`."""
    with store.writing() as db:
        parameters = {**_require(db, run).parameters, name: value}
        db.execute("UPDATE runs SET parameters = ? WHERE id = ?", (_json(parameters), run))


def reopen(store: Store, run: str) -> None:
    """Mark an ended run as running; its result stays until it ends again. Raises `NoSuchRun`."""
    with store.writing() as db:
        _require(db, run)
        db.execute("UPDATE runs SET state = 'running', finished = NULL WHERE id = ?", (run,))


def result(store: Store, run: str) -> list[StoredRank]:
    """Return the run's result, best first: each paper as the library has it today, its entry as it was shown."""
    return list(_result(store, "run = ? ORDER BY rank", (run,)))


def entries_of(store: Store, number: int) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the entries of the paper of this number in results, latest first, each with the run's question."""
    sql = (
        "SELECT r.question, p.entry FROM run_papers p JOIN runs r ON r.id = p.run WHERE p.paper = ?"
        " ORDER BY r.started DESC, r.id"
    )
    return readable("run_papers", store.rows(sql, (number,)), lambda row: (row[0], json_object(row[1])))


def listing(store: Store, kind: str, numbers: Collection[int]) -> list[Run]:
    """Return the runs of this kind whose result has one of these papers, oldest first."""
    sql = "SELECT DISTINCT p.run FROM run_papers p JOIN runs r ON r.id = p.run WHERE r.kind = ? AND p.paper = ?"
    with store.reading() as db:
        numbers_of_runs = {run for number in numbers for (run,) in db.execute(sql, (kind, number))}
        return sorted((_require(db, run) for run in numbers_of_runs), key=lambda run: run.started)


def paper_at(store: Store, run: str, rank: int) -> Paper | None:
    """Return the paper at `rank` (from 1) of the run's result; None if the result is shorter."""
    return next((entry.paper for entry in _result(store, "run = ? AND rank = ?", (run, rank))), None)


def get(store: Store, run: str) -> Run:
    """Return the run with this id. Raises `NoSuchRun`."""
    with store.reading() as db:
        return _require(db, run)


def recent(store: Store, limit: int | None = 20, *kinds: str, unasked: bool = False) -> list[Run]:
    """Return the last runs of these kinds (default: all), newest first; `limit` None returns all. Runs `unasked`,
    which the program began by itself and nobody has opened, are included only on request."""
    of_kind = f"AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    condition = "TRUE" if unasked else ASKED
    sql = f"SELECT {_RUN} FROM runs WHERE {condition} {of_kind} ORDER BY started DESC, id DESC LIMIT ?"
    return readable("runs", store.rows(sql, (*kinds, -1 if limit is None else limit)), _run)


def last(store: Store, *kinds: str) -> Run | None:
    """Return the newest run of these kinds (default: all) that somebody asked for; None if there is none."""
    return next(iter(recent(store, 1, *kinds)), None)


def last_end(store: Store, kind: str) -> datetime | None:
    """Return the last time a run of a kind finished; None if none did. Runs `unasked` do not count."""
    condition = f"kind = ? AND state = 'finished' AND {ASKED} AND {is_moment('finished')}"
    sql = f"SELECT max(finished) FROM runs WHERE {condition}"
    (last,) = store.row(sql, (kind,))
    return parsed(last) if last else None


def shown_often(store: Store, kind: str, least: int) -> set[PaperId]:
    """Return the papers in the results of at least `least` finished runs of a kind, without those `unasked`."""
    sql = (
        "SELECT paper FROM run_papers WHERE run IN"
        f" (SELECT id FROM runs WHERE kind = ? AND state = 'finished' AND {ASKED}) GROUP BY paper HAVING count(*) >= ?"
    )
    return {PaperId(paper) for (paper,) in store.rows(sql, (kind, least))}


def resolve(store: Store, text: str, kind: str | None = None) -> str:
    """Return the id of the run that `text` names: its id, the beginning of exactly one id, or `last`, the newest of
    `kind`. Raises `NoSuchRun`."""
    text = text.strip()
    if text == "last":
        newest = last(store, *[kind] if kind else [])
        if newest is None:
            raise NoRunYet(_none_yet(kind if last(store) else None))
        return newest.id
    sql = "SELECT id FROM runs WHERE substr(id, 1, length(?1)) = ?1 AND ?1 != '' ORDER BY id DESC LIMIT 4"
    runs = [row[0] for row in store.rows(sql, (text,))]
    if not runs:
        raise NoSuchRun(_unknown(text))
    if len(runs) > 1 and text not in runs:
        raise NoSuchRun(f"Several runs begin with {text[:60]!r} ({', '.join(runs[:3])} …); write more of the id.")
    return text if text in runs else str(runs[0])


def _none_yet(kind: str | None) -> str:
    """Say why there is no last run; name `kind` if there are runs of other kinds."""
    if kind is None:
        return "There is no run yet; search for something first."
    return f"There is no {kind} yet, only runs of other kinds; `spar history` lists them."


def forget(store: Store, run: str) -> None:
    """Delete a run with its events and result, and return its space to the disk; the papers stay. Raises
    `NoSuchRun`."""
    with store.writing() as db:
        if not db.execute("DELETE FROM runs WHERE id = ?", (run,)).rowcount:
            raise NoSuchRun(_unknown(run))
    with suppress(CacheError):  # the run is deleted already
        give_back(store, FORGET_STEPS)


_RUN = "id, kind, question, parameters, state, started, finished, counts"


def _free_id(db: sqlite3.Connection, now: datetime) -> str:
    while True:
        run = f"{now.astimezone():%Y%m%d-%H%M}-{''.join(secrets.choice(_LETTERS) for _ in range(4))}"
        if not db.execute("SELECT 1 FROM runs WHERE id = ?", (run,)).fetchone():
            return run


def _require(db: sqlite3.Connection, run: str) -> Run:
    row = db.execute(f"SELECT {_RUN} FROM runs WHERE id = ?", (run,)).fetchone()
    if row is None:
        raise NoSuchRun(_unknown(run))
    return readable_row("runs", row, _run)


def _unknown(run: str) -> str:
    return f"No run is called {run[:60]!r}; `spar history` lists them."


def _run(row: Sequence[Any]) -> Run:
    run, kind, question, parameters, state, started, finished, counts = row
    end = parsed(finished) if finished else None
    return Run(run, kind, question, json_object(parameters), state, parsed(started), end, json_object(counts))


_EVENTS = """
    SELECT run, id, NULL, role, kind, content, score, timestamp FROM events WHERE run = :run UNION ALL
    SELECT run, last, events, NULL, NULL, NULL, NULL, NULL FROM event_batches WHERE run = :run ORDER BY 2
"""
"""One statement, so that no other process can move an event between two queries."""


def _events(row: Sequence[Any]) -> list[Event]:
    run, rows = row[0], json.loads(f"[{','.join(_lines(row))}]")
    return [
        Event(run, number, role, kind, content, score, parsed(timestamp))
        for _, number, role, kind, content, score, timestamp in sorted(rows, key=itemgetter(1))
    ]


def _lines(row: Sequence[Any]) -> list[str]:
    """Return the events in a row of `_EVENTS` as lines of a batch: JSON lists that begin with the work and the id."""
    _, number, batch, role, kind, content, score, timestamp = row
    if batch is not None:
        return decompress(batch).split("\n")
    return [_line(number, role, kind, json.loads(content), score, stamp(parsed(timestamp)))]


def _line(number: int, role: str, kind: str, content: Any, score: float | None, timestamp: str) -> str:
    work = content.get("work") if isinstance(content, dict) else None
    return _json([work if type(work) is int else 0, number, role, kind, content, score, timestamp])


def _batch(lines: Iterable[str]) -> bytes:
    """Compress events into one cell, with those of each work adjacent."""
    return compress("\n".join(sorted(lines, key=lambda line: [int(part) for part in line[1:].split(",", 2)[:2]])))


def _write_batch(db: sqlite3.Connection, run: str, last: int, batch: bytes) -> None:
    db.execute("INSERT INTO event_batches (run, last, events) VALUES (?, ?, ?)", (run, last, batch))


def _last_event(db: sqlite3.Connection, run: str) -> int:
    sql = """SELECT CAST(max(coalesce((SELECT max(id) FROM events WHERE run = ?1), 0),
        coalesce((SELECT max(last) FROM event_batches WHERE run = ?1), 0)) AS INTEGER)"""
    last: int = db.execute(sql, (run,)).fetchone()[0]
    return last


def _result(store: Store, where: str, values: tuple[str | int, ...]) -> Iterator[StoredRank]:
    rows = store.rows(f"SELECT paper, entry FROM run_papers WHERE {where}", values)
    for number, entry in readable("run_papers", rows, lambda row: (row[0], json_object(row[1]))):
        for paper in papers.by_ids(store, [number]):
            yield StoredRank(paper, entry)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _storable(text: str) -> str:
    # A command-line argument that is not UTF-8 contains lone surrogates, which no file can store.
    return text.encode("utf-8", "replace").decode()
