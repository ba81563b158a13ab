"""Papers that the person corrected, with their data before the correction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from cache import papers
from cache.journal import recorded
from cache.paper_json import from_json, to_json
from cache.store import PaperId, Store
from connectors.paper import Paper
from connectors.records.corrections import corrected, corrected_fields, uncorrected


def correct(store: Store, number: PaperId, values: Mapping[str, Any], now: datetime | None = None) -> Paper:
    """Replace fields of a paper by `values` (as `corrected` takes them), permanently, and return the paper. Raises
    `CacheError`."""
    with recorded(store), store.writing() as db:
        paper = papers.by_id(store, number)
        db.execute("INSERT OR IGNORE INTO corrections (paper, before) VALUES (?, ?)", (number, to_json(paper)))
        papers.correct(store, number, corrected(paper, values), now)
        return papers.by_id(store, number)


def take_back(store: Store, number: PaperId, now: datetime | None = None) -> Paper | None:
    """Undo all corrections of a paper, keeping what was learned since, and return it; None if it was not corrected.
    Raises `CacheError`."""
    with recorded(store), store.writing() as db:
        row = db.execute("SELECT before FROM corrections WHERE paper = ?", (number,)).fetchone()
        if row is None:
            return None
        paper = papers.by_id(store, number)
        papers.correct(store, number, uncorrected(paper, from_json(row[0])), now)
        db.execute("DELETE FROM corrections WHERE paper = ?", (number,))
        return papers.by_id(store, number)


def as_corrected(store: Store, paper: Paper) -> Paper:
    """Return the library's version of `paper` if the person corrected it, else `paper`."""
    number = papers.number_of(store, paper)
    stored = papers.by_id(store, number) if number is not None else paper
    return stored if corrected_fields(stored) else paper
