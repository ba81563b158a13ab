"""The numbered list that each terminal has shown last: `@3` is its third paper."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from cache import papers
from cache.kept_values import keep_value, kept_value
from cache.paper_json import from_json, to_json
from cache.readable_rows import json_object
from cache.store import Store
from cache.timestamps import stamp, utc_now
from connectors.paper import Paper

_NAME = "lists shown last"
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


def note(store: Store, terminal: str, run: str = "", listed: Sequence[Paper] = ()) -> None:
    """Store that `terminal` shows the result of `run`, or the papers `listed`. Raises `CacheError`."""
    numbers = papers.numbers_of(store, listed)
    entries = [to_json(paper) if number is None else number for number, paper in zip(numbers, listed, strict=True)]
    with store.writing():
        shown = json_object(kept_value(store, _NAME) or "{}")
        shown[terminal] = {"at": stamp(utc_now()), "run": run, "papers": entries}
        latest = sorted(shown.items(), key=lambda entry: entry[1]["at"])[-MOST_TERMINALS:]
        keep_value(store, _NAME, json.dumps(dict(latest)))


def last(store: Store, terminal: str) -> ShownList | None:
    """Return the last list of `terminal`; None if there is none. Raises `CacheError`."""
    shown = json_object(kept_value(store, _NAME) or "{}").get(terminal)
    return ShownList(shown["run"], tuple(shown["papers"])) if shown else None
