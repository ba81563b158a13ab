"""What is done to papers of the library by their numbers, many at once: each in one transaction, with what it takes to
take it back (`cache.shelf_undo.take_back`).

Each blocks on the disk and raises `CacheError`; where it says so, `NotOnShelf` for a paper that is not saved.
"""

from collections.abc import Mapping, Sequence

from cache import reading_history, shelf
from cache.reading_history import Feedback
from cache.shelf_undo import Change, Entry, changed_by, put_as_it_was
from cache.store import PaperId, Store


def save(
    store: Store, numbers: Sequence[int], had: Mapping[PaperId, Entry] | None = None, tags: Sequence[str] = ()
) -> Change:
    """Put papers on the shelf, with `tags`; one that was not there gets back what it `had` there once."""

    def do() -> None:
        there = shelf.numbers_on_shelf(store)
        shelf.put(store, numbers, tags)
        put_as_it_was(
            store,
            {
                paper_id: entry
                for paper_id, entry in (had or {}).items()
                if paper_id in numbers and paper_id not in there
            },
        )

    return changed_by(store, numbers, do)


def take_off(store: Store, numbers: Sequence[int]) -> Change:
    """Remove saved papers, with their tags and notes; those that are not there are passed over."""
    return changed_by(store, numbers, lambda: shelf.unsave(store, numbers))


def tag(
    store: Store, numbers: Sequence[int], add: Sequence[str] = (), remove: Sequence[str] = (), *, saving: bool = False
) -> Change:
    """Give saved papers tags, then take tags off them. With `saving` the others are saved, else `NotOnShelf`."""

    def do() -> None:
        if saving:
            shelf.put(store, numbers)
        for number in numbers:
            shelf.tag(store, number, add)
            shelf.untag(store, number, remove)

    return changed_by(store, numbers, do)


def note(store: Store, number: int, text: str, *, saving: bool = False) -> Change:
    """Write the note about a saved paper, in place of what it was; empty erases it. `saving` as in `tag`."""

    def do() -> None:
        if saving:
            shelf.put(store, [number])
        shelf.set_note(store, number, text)

    return changed_by(store, [number], do)


def mark_read(store: Store, numbers: Sequence[int], read: bool = True, *, saving: bool = False) -> Change:
    """Mark saved papers as read or not read. `saving` as in `tag`."""

    def do() -> None:
        if saving:
            shelf.put(store, numbers)
        for number in numbers:
            shelf.mark_read(store, number, read)

    return changed_by(store, numbers, do)


def set_files(store: Store, number: int, paths: Sequence[str], others: Sequence[str] = ()) -> Change:
    """Replace the file paths of a saved paper, as `cache.shelf.set_files`."""
    return changed_by(store, [number], lambda: shelf.set_files(store, number, paths, others))


def rate(store: Store, numbers: Sequence[int], rating: Feedback, run: str | None = None) -> Change:
    """Say that the person wants more like the papers (1), nothing like them (-1), or takes that back (0).

    A paper that is not on the shelf has no rating there; the reading history has it, as said in `run`.
    """

    def do() -> None:
        saved = shelf.numbers_on_shelf(store)
        for number in numbers:
            if number in saved:
                shelf.rate(store, number, rating, run=run)
            else:
                reading_history.note_feedback(store, number, rating, run)

    return changed_by(store, numbers, do)


def dismiss(store: Store, numbers: Sequence[int], run: str | None = None) -> Change:
    """Say that papers, saved or not, are not for the person. It is noted in the reading history, as said in `run`;
    those of which it was said already are passed over."""

    def do() -> None:
        for number in numbers:
            reading_history.note_dismissal(store, number, run)

    return changed_by(store, numbers, do)
