"""The numbered list that each terminal has shown last, whatever made it: `@3` is its third paper."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from cache import papers
from cache.readable_rows import json_object
from cache.store import Store
from cache.timestamps import stamp, utc_now
from connectors.paper import Paper

_NAME = "lists shown last"
MOST_TERMINALS = 20
"""Terminals whose lists are kept, the latest ones."""


@dataclass(frozen=True, slots=True)
class ShownList:
    """A list: the result of `run`, or papers of the library by their numbers."""

    run: str = ""
    numbers: tuple[int, ...] = ()


def note(store: Store, terminal: str, run: str = "", listed: Sequence[Paper] = ()) -> None:
    """Keep that `terminal` shows the result of `run`, or the papers `listed`. Raises `CacheError`."""
    numbers = [] if run else papers.remember(store, listed)
    with store.writing() as db:
        row = db.execute("SELECT value FROM upkeep WHERE name = ?", (_NAME,)).fetchone()
        shown = json_object(row[0]) if row else {}
        shown[terminal] = {"at": stamp(utc_now()), "run": run, "papers": numbers}
        kept = sorted(shown.items(), key=lambda entry: entry[1]["at"])[-MOST_TERMINALS:]
        db.execute("INSERT OR REPLACE INTO upkeep VALUES (?, ?)", (_NAME, json.dumps(dict(kept))))


def last(store: Store, terminal: str) -> ShownList | None:
    """The list that `terminal` has shown last; None if it has shown none. Raises `CacheError`."""
    with store.reading() as db:
        row = db.execute("SELECT value FROM upkeep WHERE name = ?", (_NAME,)).fetchone()
    shown = (json_object(row[0]) if row else {}).get(terminal)
    return ShownList(shown["run"], tuple(shown["papers"])) if shown else None
