"""Small values that a library keeps by name: its secret, the check of references that can be resumed, and the numbered
list that each terminal has shown last (`@3` is its third paper)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from cache import papers
from cache.paper_json import from_json, to_json
from cache.readable_rows import json_object
from cache.store import Store
from cache.timestamps import stamp, utc_now
from connectors.paper import Paper

_SECRET, _CHECK, _LISTS = "secret", "check begun", "lists shown last"


def kept_value(store: Store, name: str) -> str | None:
    """Return the value called `name`. Raises `CacheError`."""
    row = store.row("SELECT value FROM upkeep WHERE name = ?", (name,))
    return str(row[0]) if row else None


def keep_value(store: Store, name: str, value: str) -> None:
    """Store a value, replacing an earlier one. Raises `CacheError`."""
    store.write("INSERT OR REPLACE INTO upkeep VALUES (?, ?)", (name, value))


def library_secret(store: Store) -> str:
    """Return a random text per library, which no author of a paper can know; the first call creates it. It is stored,
    because a model's reply can only be found again if the prompt is the same. Raises `CacheError`."""
    if (secret := kept_value(store, _SECRET)) is not None:
        return secret
    with store.writing():  # another process may have created it meanwhile
        secret = kept_value(store, _SECRET) or token_hex(16)
        keep_value(store, _SECRET, secret)
    return secret


def store_check(store: Store, command: Mapping[str, Any]) -> None:
    """Store the `command` of a check of references, so that `spar check --resume` can resume it."""
    keep_value(store, _CHECK, json.dumps(command))


def forget_check(store: Store, command: Mapping[str, Any]) -> None:
    """Forget the `command`, unless another check has begun since. Raises `CacheError`."""
    store.write("DELETE FROM upkeep WHERE name = ? AND value = ?", (_CHECK, json.dumps(command)))


def stored_check(store: Store) -> dict[str, Any]:
    """Return the command of the unfinished check; {} if there is none. Raises `CacheError`."""
    return json_object(kept_value(store, _CHECK) or "{}")


MOST_TERMINALS = 20
"""Maximum number of terminals whose lists are stored, the latest ones."""


@dataclass(frozen=True, slots=True)
class ShownList:
    """A list: the result of `run`, or papers, each as its number in the library, or as JSON if the library does not
    have it, because printing a paper does not add it to the library."""

    run: str = ""
    entries: tuple[int | str, ...] = ()

    def paper_at(self, store: Store, position: int) -> Paper | None:
        """Return the paper at `position`, from 1; None if there is none. Raises `CacheError`."""
        entry = next(iter(self.entries[position - 1 : position]), None) if position > 0 else None
        if isinstance(entry, str):
            return from_json(entry)
        return next(iter(papers.by_ids(store, [entry])), None) if entry is not None else None


def note_list(store: Store, terminal: str, run: str = "", listing: Sequence[Paper] = ()) -> None:
    """Store that `terminal` shows the result of `run`, or the papers `listing`. Raises `CacheError`."""
    numbers = papers.numbers_of(store, listing)
    entries = [to_json(paper) if number is None else number for number, paper in zip(numbers, listing, strict=True)]
    with store.writing():
        lists = json_object(kept_value(store, _LISTS) or "{}")
        lists[terminal] = {"at": stamp(utc_now()), "run": run, "papers": entries}
        latest = sorted(lists.items(), key=lambda entry: entry[1]["at"])[-MOST_TERMINALS:]
        keep_value(store, _LISTS, json.dumps(dict(latest)))


def last_list(store: Store, terminal: str) -> ShownList | None:
    """Return the last list of `terminal`; None if there is none. Raises `CacheError`."""
    stored = json_object(kept_value(store, _LISTS) or "{}").get(terminal)
    return ShownList(stored["run"], tuple(stored["papers"])) if stored else None
