"""Runs and their events: the append-only board that everything done for a question is written on.

Events that are appended together are one row of `event_batches`. When the run ends, all of its batches become one, in
which the events of a work stand side by side: each repeats the work's record, so little is left of it compressed. The
rows of `events`, one for each event, are of versions before 15, until they are packed (`pack`).

A process that is killed leaves its run `running` with every event that it had appended.
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
from cache.errors import CacheError, NoSuchRun
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
"""Without those that are taken for each other when read out."""
FORGET_STEPS = 4
"""After which the rest of a large run's space is left to the daily upkeep, so that nobody waits."""


@dataclass(frozen=True, slots=True)
class Run:
    """One search, summary or conversation, without its events. `counts` are empty until it has ended."""

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
        """How many papers the run came to: the relevant ones of a search, though its list may have room for fewer, else
        those of its result; None if it has not ended."""
        figures = (self.counts.get(name) for name in ("relevant", "included", "shown"))
        return next((figure for figure in figures if figure is not None), None)


class Event(NamedTuple):
    """A message on the board; `id` counts from 1 within the run."""

    run: str
    id: int
    role: str
    kind: str
    content: Any
    score: float | None
    timestamp: datetime


class Post(NamedTuple):
    """A message to be appended; `content` is anything that JSON can hold."""

    role: str
    kind: str
    content: Any
    score: float | None = None


class Ranked(NamedTuple):
    """A paper in a run's result, and the entry that the result showed for it."""

    paper: Paper
    entry: Mapping[str, Any]


def start(
    store: Store, kind: str, question: str, parameters: Mapping[str, Any] | None = None, now: datetime | None = None
) -> str:
    """Begin a run; its id, such as `20261121-0941-k3f2` (local time), is short and sorts by start."""
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
    """Write one event on the run's board; its id. It is on the disk when this returns."""
    return extend(store, run, [Post(role, kind, content, score)], now)


def extend(store: Store, run: str, posts: Sequence[Post], now: datetime | None = None) -> int:
    """Write `posts` on the board in their order, all or none; the id of the last."""
    timestamp = stamp(now or utc_now())
    with store.writing() as db:
        _require(db, run)
        last = _last_event(db, run)
        if posts:
            batch = _batch([_line(number, *post, timestamp) for number, post in enumerate(posts, last + 1)])
            _write_batch(db, run, last + len(posts), batch)
    return last + len(posts)


def events(store: Store, run: str, after: int = 0) -> list[Event]:
    """The run's events in the order in which they were appended, those after event `after` only."""
    with store.reading() as db:
        rows = list(chain.from_iterable(readable("events", db.execute(_EVENTS, {"run": run}), _events, packed=True)))
    contents = notes_apart(row.content for row in rows)
    return [row._replace(content=content) for row, content in zip(rows, contents, strict=True) if row.id > after]


def last_event(store: Store, run: str) -> int:
    """The id of the last event on the run's board; 0 if there is none."""
    with store.reading() as db:
        return _last_event(db, run)


def unpacked(store: Store) -> list[str]:
    """The runs with events of versions before 15, which `pack` makes smaller."""
    with store.reading() as db:
        return [run for (run,) in db.execute("SELECT DISTINCT run FROM events ORDER BY run")]


def pack(store: Store, run: str) -> None:
    """Keep all events of the run in one batch; as they are if one of them cannot be read."""
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
    ranked: Sequence[Ranked] = (),
    now: datetime | None = None,
) -> None:
    """End a run with its result, best paper first; the papers are remembered. A resumed run may be ended again."""
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
    """Let one parameter of a run be another. Raises `NoSuchRun`."""
    with store.writing() as db:
        parameters = {**_require(db, run).parameters, name: value}
        db.execute("UPDATE runs SET parameters = ? WHERE id = ?", (_json(parameters), run))


def reopen(store: Store, run: str) -> None:
    """Let an ended run go on; its result stays until it ends again. Raises `NoSuchRun`."""
    with store.writing() as db:
        _require(db, run)
        db.execute("UPDATE runs SET state = 'running', finished = NULL WHERE id = ?", (run,))


def result(store: Store, run: str) -> list[Ranked]:
    """The run's result, best first; a paper as the library knows it today, its entry as it was shown."""
    return list(_result(store, "run = ? ORDER BY rank", (run,)))


def entries_of(store: Store, number: int) -> list[tuple[str, Mapping[str, Any]]]:
    """What results showed of the paper of this number, the latest first: the run's question, and the entry."""
    sql = (
        "SELECT r.question, p.entry FROM run_papers p JOIN runs r ON r.id = p.run WHERE p.paper = ?"
        " ORDER BY r.started DESC, r.id"
    )
    with store.reading() as db:
        return readable("run_papers", db.execute(sql, (number,)), lambda row: (row[0], json_object(row[1])))


def listing(store: Store, kind: str, numbers: Collection[int]) -> list[Run]:
    """The runs of this kind whose result has one of the papers of these numbers, the oldest first."""
    sql = "SELECT DISTINCT p.run FROM run_papers p JOIN runs r ON r.id = p.run WHERE r.kind = ? AND p.paper = ?"
    with store.reading() as db:
        numbers_of_runs = {run for number in numbers for (run,) in db.execute(sql, (kind, number))}
        return sorted((_require(db, run) for run in numbers_of_runs), key=lambda run: run.started)


def paper_at(store: Store, run: str, rank: int) -> Paper | None:
    """The paper at `rank` (from 1) of the run's result; None if the result is shorter."""
    return next((entry.paper for entry in _result(store, "run = ? AND rank = ?", (run, rank))), None)


def get(store: Store, run: str) -> Run:
    """The run of this id. Raises `NoSuchRun`."""
    with store.reading() as db:
        return _require(db, run)


def recent(store: Store, limit: int | None = 20, *kinds: str, unasked: bool = False) -> list[Run]:
    """The last runs of these kinds, or of all, the newest first, all of them without a `limit`; those `unasked`, which
    the program began by itself and nobody has looked at, only if they are wanted too."""
    of_kind = f"AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    condition = "TRUE" if unasked else ASKED
    sql = f"SELECT {_RUN} FROM runs WHERE {condition} {of_kind} ORDER BY started DESC, id DESC LIMIT ?"
    with store.reading() as db:
        return readable("runs", db.execute(sql, (*kinds, -1 if limit is None else limit)), _run)


def last(store: Store, *kinds: str) -> Run | None:
    """The newest run of these kinds, or of all, that somebody asked for; None if there is none."""
    return next(iter(recent(store, 1, *kinds)), None)


def last_end(store: Store, kind: str) -> datetime | None:
    """When a run of a kind came to its end last; None if none ever did. Those `unasked` do not count."""
    with store.reading() as db:
        ended = f"kind = ? AND state = 'finished' AND {ASKED} AND {is_moment('finished')}"
        sql = f"SELECT max(finished) FROM runs WHERE {ended}"
        (last,) = db.execute(sql, (kind,)).fetchone()
    return parsed(last) if last else None


def shown_often(store: Store, kind: str, least: int) -> set[PaperId]:
    """The papers that stand in the results of at least so many finished runs of a kind, those `unasked` left out."""
    sql = (
        "SELECT paper FROM run_papers WHERE run IN"
        f" (SELECT id FROM runs WHERE kind = ? AND state = 'finished' AND {ASKED}) GROUP BY paper HAVING count(*) >= ?"
    )
    with store.reading() as db:
        return {PaperId(paper) for (paper,) in db.execute(sql, (kind, least))}


def resolve(store: Store, text: str, kind: str | None = None) -> str:
    """The id of the run that `text` names: the id, the beginning of exactly one, or `last`, the newest of `kind`.

    Raises `NoSuchRun`."""
    text = text.strip()
    if text == "last":
        newest = last(store, *[kind] if kind else [])
        if newest is None:
            raise NoSuchRun(_none_yet(kind if last(store) else None))
        return newest.id
    with store.reading() as db:
        sql = "SELECT id FROM runs WHERE substr(id, 1, length(?1)) = ?1 AND ?1 != '' ORDER BY id DESC LIMIT 4"
        runs = [row[0] for row in db.execute(sql, (text,))]
    if not runs:
        raise NoSuchRun(_unknown(text))
    if len(runs) > 1 and text not in runs:
        raise NoSuchRun(f"Several runs begin with {text[:60]!r} ({', '.join(runs[:3])} …); write more of the id.")
    return text if text in runs else str(runs[0])


def _none_yet(kind: str | None) -> str:
    """Why there is no last run, of `kind` if there are others."""
    if kind is None:
        return "There is no run yet; search for something first."
    return f"There is no {kind} yet, only runs of other kinds; `spar history` lists them."


def forget(store: Store, run: str) -> None:
    """Delete a run with its events and result, and give their space back; the papers stay. Raises `NoSuchRun`."""
    with store.writing() as db:
        if not db.execute("DELETE FROM runs WHERE id = ?", (run,)).rowcount:
            raise NoSuchRun(_unknown(run))
    with suppress(CacheError):  # the run is forgotten
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
    ended = parsed(finished) if finished else None
    return Run(run, kind, question, json_object(parameters), state, parsed(started), ended, json_object(counts))


_EVENTS = """
    SELECT run, id, NULL, role, kind, content, score, timestamp FROM events WHERE run = :run UNION ALL
    SELECT run, last, events, NULL, NULL, NULL, NULL, NULL FROM event_batches WHERE run = :run ORDER BY 2
"""
"""One statement, so that another process moves no event between its halves."""


def _events(row: Sequence[Any]) -> list[Event]:
    run, rows = row[0], json.loads(f"[{','.join(_lines(row))}]")
    return [
        Event(run, number, role, kind, content, score, parsed(timestamp))
        for _, number, role, kind, content, score, timestamp in sorted(rows, key=itemgetter(1))
    ]


def _lines(row: Sequence[Any]) -> list[str]:
    """The events in a row of `_EVENTS` as in a batch: each a JSON list that begins with its work and its id."""
    _, number, batch, role, kind, content, score, timestamp = row
    if batch is not None:
        return decompress(batch).split("\n")
    return [_line(number, role, kind, json.loads(content), score, stamp(parsed(timestamp)))]


def _line(number: int, role: str, kind: str, content: Any, score: float | None, timestamp: str) -> str:
    work = content.get("work") if isinstance(content, dict) else None
    return _json([work if type(work) is int else 0, number, role, kind, content, score, timestamp])


def _batch(lines: Iterable[str]) -> bytes:
    """Events as one cell, those of a work side by side."""
    return compress("\n".join(sorted(lines, key=lambda line: [int(part) for part in line[1:].split(",", 2)[:2]])))


def _write_batch(db: sqlite3.Connection, run: str, last: int, batch: bytes) -> None:
    db.execute("INSERT INTO event_batches (run, last, events) VALUES (?, ?, ?)", (run, last, batch))


def _last_event(db: sqlite3.Connection, run: str) -> int:
    sql = """SELECT CAST(max(coalesce((SELECT max(id) FROM events WHERE run = ?1), 0),
        coalesce((SELECT max(last) FROM event_batches WHERE run = ?1), 0)) AS INTEGER)"""
    last: int = db.execute(sql, (run,)).fetchone()[0]
    return last


def _result(store: Store, where: str, values: tuple[str | int, ...]) -> Iterator[Ranked]:
    with store.reading() as db:
        rows = db.execute(f"SELECT paper, entry FROM run_papers WHERE {where}", values).fetchall()
    for number, entry in readable("run_papers", rows, lambda row: (row[0], json_object(row[1]))):
        for paper in papers.by_ids(store, [number]):
            yield Ranked(paper, entry)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _storable(text: str) -> str:
    # An argument of the command line that is no UTF-8 arrives with lone surrogates, which no file can hold.
    return text.encode("utf-8", "replace").decode()
