"""Runs that an earlier version kept, and what it said of them; README.md says how they were made."""

import gzip
import json
import sqlite3
from contextlib import closing
from operator import itemgetter
from pathlib import Path
from typing import Any

from cache.packing import decompress

HERE = Path(__file__).parent
RUNS: dict[str, str] = json.loads((HERE / "runs.json").read_text("utf-8"))
"""The ids of the kept runs by what they are."""


def unpacked(home: Path, library: str = "library") -> Path:
    """`home`, as `tests.spar_tui.running` has it, with a kept library in it."""
    (home / "spar").mkdir()
    (home / "spar" / "spar.db").write_bytes(gzip.decompress((HERE / f"{library}.db.gz").read_bytes()))
    return home


def said(name: str) -> Any:
    """The JSON that the earlier version printed, by the name of its file here."""
    return json.loads((HERE / name).read_text("utf-8"))


def stored(home: Path, sql: str, *values: str) -> list[Any]:
    """What `sql` gives in the library of `home`, read without the program; rows of one column as that column."""
    with closing(sqlite3.connect(home / "spar" / "spar.db")) as db:
        rows = db.execute(sql, values).fetchall()
    return [row[0] if len(row) == 1 else row for row in rows]


def stored_events(home: Path, run: str) -> list[list[Any]]:
    """The events of a run, read by SQL: id, role, kind, content, score, timestamp."""
    one_by_one = "SELECT id, role, kind, content, score, timestamp FROM events WHERE run = ?"
    if not stored(home, "SELECT name FROM sqlite_schema WHERE name = 'event_batches'"):
        plain, batches = stored(home, one_by_one, run), []
    else:  # in one statement, for the upkeep of the library may be packing them
        both = f"{one_by_one} UNION ALL SELECT NULL, NULL, NULL, events, NULL, NULL FROM event_batches WHERE run = ?"
        told = stored(home, both, run, run)
        plain, batches = [row for row in told if row[0] is not None], [row[3] for row in told if row[0] is None]
    rows = [[number, role, kind, json.loads(content), *rest] for number, role, kind, content, *rest in plain]
    for batch in batches:
        rows += [json.loads(line)[1:] for line in decompress(batch).splitlines()]
    return sorted(rows, key=itemgetter(0))


def board(home: Path, run: str) -> list[dict[str, Any]]:
    """The events of a run as they are stored, in the form of `--jsonl`."""
    return [{"event": kind, "role": role, **content} for _, role, kind, content, *_ in stored_events(home, run)]


def lost(before: Any, now: Any, at: str = "") -> list[str]:
    """Where `now` has not what `before` had, both of them JSON; what objects have besides is no loss."""
    if isinstance(before, dict) and isinstance(now, dict):
        return [
            place
            for name, value in before.items()
            for place in (lost(value, now[name], f"{at}/{name}") if name in now else [f"{at}/{name}"])
        ]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        return [
            place
            for at_, (old, new) in enumerate(zip(before, now, strict=True))
            for place in lost(old, new, f"{at}/{at_}")
        ]
    return [] if before == now else [f"{at}: {before!r} became {now!r}"]
