"""Changes to the shelf entries of many papers, by their numbers: each in one transaction, with the data to undo it
(`cache.shelf_undo.take_back`).

All block on the disk and raise `CacheError`; those that say so raise `NotOnShelf` for a paper that is not saved.
"""

from collections.abc import Callable, Mapping, Sequence

from cache import reading_history, shelf
from cache.reading_history import Feedback
from cache.shelf_undo import ShelfEntry, ShelfStep, changed_by, put_as_it_was
from cache.store import PaperId, Store


def save(
    store: Store, numbers: Sequence[int], had: Mapping[PaperId, ShelfEntry] | None = None, tags: Sequence[str] = ()
) -> ShelfStep:
    """Save papers with `tags`; a paper that was not saved gets back the entry that it `had` before."""

    def do() -> None:
        saved_before = shelf.numbers_on_shelf(store)
        shelf.put(store, numbers, tags)
        fresh = set(numbers) - saved_before
        put_as_it_was(store, {number: entry for number, entry in (had or {}).items() if number in fresh})

    return changed_by(store, numbers, do)


def take_off(store: Store, numbers: Sequence[int]) -> ShelfStep:
    """Remove saved papers, with their tags and notes; skip those not saved."""
    return changed_by(store, numbers, lambda: shelf.unsave(store, numbers))


def tag(
    store: Store, numbers: Sequence[int], add: Sequence[str] = (), remove: Sequence[str] = (), *, saving: bool = False
) -> ShelfStep:
    """Add tags to saved papers, then remove tags. With `saving`, save the others; else raise `NotOnShelf`."""

    def change(number: int) -> None:
        shelf.tag(store, number, add)
        shelf.untag(store, number, remove)

    return _each(store, numbers, change, saving)


def note(store: Store, number: int, text: str, *, saving: bool = False) -> ShelfStep:
    """Replace the note on a saved paper; an empty text erases it. `saving` as in `tag`."""
    return _each(store, [number], lambda number: shelf.set_note(store, number, text), saving)


def mark_read(store: Store, numbers: Sequence[int], read: bool = True, *, saving: bool = False) -> ShelfStep:
    """Mark saved papers as read or not read. `saving` as in `tag`."""
    return _each(store, numbers, lambda number: shelf.mark_read(store, number, read), saving)


def rate(store: Store, numbers: Sequence[int], rating: Feedback, run: str | None = None) -> ShelfStep:
    """Store that the person wants more like the papers (1), nothing like them (-1), or withdraws that (0). The
    rating of a paper that is not saved is stored in the reading history only, with its `run`."""

    def do() -> None:
        saved = shelf.numbers_on_shelf(store)
        for number in numbers:
            if number in saved:
                shelf.rate(store, number, rating, run=run)
            else:
                reading_history.note_feedback(store, number, rating, run)

    return changed_by(store, numbers, do)


def dismiss(store: Store, numbers: Sequence[int], run: str | None = None) -> ShelfStep:
    """Store in the reading history, with its `run`, that papers, saved or not, are not for the person. Papers
    already dismissed are skipped."""
    return _each(store, numbers, lambda number: reading_history.note_dismissal(store, number, run))


def _each(store: Store, numbers: Sequence[int], change: Callable[[int], object], saving: bool = False) -> ShelfStep:
    """Call `change` with each paper; with `saving`, save the papers before."""

    def do() -> None:
        if saving:
            shelf.put(store, numbers)
        for number in numbers:
            change(number)

    return changed_by(store, numbers, do)
