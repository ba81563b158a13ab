"""Taking an imported entry out of a paper that it was joined with."""

from datetime import datetime

from cache import citation_keys, originals, papers, shelf
from cache.originals import Kept
from cache.store import PaperId, Store
from cache.timestamps import utc_now
from spar_tui.bibliography.reading.again import found_again
from spar_tui.errors import Failure


def split_off(store: Store, paper: int, entry: Kept, now: datetime | None = None) -> PaperId:
    """Make one of a paper's imported entries a paper of its own, with its key, on the shelf; its number.

    Whatever is found or imported later, the two stay apart. Raises `Failure` if the entry is all that there is.
    """
    found = found_again(entry.original)
    if found is None or len(originals.of_papers(store, [paper]).get(paper, [])) < 2:
        raise Failure(f"{entry.key} is the only imported entry of its paper, so there is nothing to split.")
    when = now or utc_now()
    with store.writing():
        number = papers.remember_as(store, found.paper, None, when)
        originals.move(store, entry.number, number)
        if entry.key:
            citation_keys.give(store, entry.key, number)
        shelf.put(store, [number], found.tags, when)
        if found.details:
            shelf.set_details(store, number, found.details)
        if found.note:
            shelf.set_note(store, number, found.note)
    return number
