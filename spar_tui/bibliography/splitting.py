"""Split an imported entry off the paper that it was joined with."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import reduce

from cache import citation_keys, originals, papers, shelf
from cache.journal import recorded
from cache.originals import KeptOriginal
from cache.store import PaperId, Store
from cache.timestamps import utc_now
from connectors.records.matching import BIBLIOGRAPHY
from connectors.records.merging import merge
from spar_tui.bibliography.reading.entries import found_again
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.errors import Failure


def split_off(store: Store, paper: PaperId, entry: KeptOriginal, now: datetime | None = None) -> PaperId:
    """Make an imported entry a saved paper of its own, with its key and note; return the paper's number.

    Data of the other paper that came only from files is rebuilt from its remaining entries; tags stay with both. Later
    searches and imports keep the two apart. Raises `Failure` if the paper has no other entry.
    """
    others = [kept for kept in originals.of_papers(store, [paper]).get(paper, []) if kept.number != entry.number]
    own_entry, left = (
        found_again(entry.original),
        [other_entry for kept in others if (other_entry := found_again(kept.original))],
    )
    if own_entry is None or not left:
        raise Failure(f"{entry.key} is the only imported entry of its paper, so there is nothing to split.")
    when = now or utc_now()
    with recorded(store):
        _correct(store, paper, own_entry, left, when)
        number = papers.remember_as(store, own_entry.paper, None, when)
        originals.move(store, entry.number, number)
        if entry.key:
            citation_keys.give(store, entry.key, number)
        shelf.put_imported(
            store, [(number, shelf.ImportedData(own_entry.tags, own_entry.note, (), own_entry.details))], when
        )
    return number


def _correct(store: Store, paper: PaperId, gone: FoundEntry, left: Sequence[FoundEntry], now: datetime) -> None:
    """Remove from the paper what came from the entry `gone`."""
    record = papers.by_id(store, paper)
    if {origin.source for origin in record.provenance} == {BIBLIOGRAPHY}:
        papers.correct(store, paper, reduce(merge, (entry.paper for entry in left)), now)
    shelved = shelf.shelved(store, paper)
    if shelved and gone.note and gone.note not in [entry.note for entry in left]:
        rest = shelved.note.replace(gone.note, "").strip("\n")
        shelf.set_note(store, paper, re.sub(r"\n{3,}", "\n\n", rest))
