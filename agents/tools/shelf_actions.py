"""Actions on the shelf, shared by all interfaces: each returns what it changed, for its caller to report.

All block on the disk and raise `CacheError`; those that say so raise `NotOnShelf` for a paper that is not saved.
"""

from collections.abc import Sequence

from agents.tools import shelf_changes
from cache import citation_keys, originals, reading_history, shelf
from cache.conditions.filters import ShelvedPaper
from cache.errors import KeyTaken, NotOnShelf
from cache.journal import recorded
from cache.papers import by_ids, number_of, numbers_of, remember
from cache.reading_history import Feedback, Interaction
from cache.shelf import Shelved
from cache.shelf_undo import ShelfStep, changed_by
from cache.store import Store
from connectors.paper import Paper


def save(store: Store, papers: Sequence[Paper], tags: Sequence[str] = ()) -> ShelfStep:
    """Save papers; those already saved get the tags."""
    return shelf_changes.save(store, remember(store, papers), tags=tags)


def unsave(store: Store, papers: Sequence[Paper]) -> ShelfStep:
    """Remove saved papers, with their tags and notes; skip those not saved."""
    return shelf_changes.take_off(store, [number for number in numbers_of(store, papers) if number is not None])


def tag(
    store: Store, papers: Sequence[Paper], add: Sequence[str] = (), remove: Sequence[str] = (), *, saving: bool = False
) -> ShelfStep:
    """Add tags to saved papers, then remove tags. With `saving`, save the others; else raise `NotOnShelf`."""
    return shelf_changes.tag(store, _numbers(store, papers, saving), add, remove, saving=saving)


def note(store: Store, paper: Paper, text: str, *, saving: bool = False) -> ShelfStep:
    """Replace the note on a saved paper; an empty text erases it. `saving` as in `tag`."""
    [number] = _numbers(store, [paper], saving)
    return shelf_changes.note(store, number, text, saving=saving)


def mark_read(store: Store, papers: Sequence[Paper], read: bool = True, *, saving: bool = False) -> ShelfStep:
    """Mark saved papers as read or not read. `saving` as in `tag`."""
    return shelf_changes.mark_read(store, _numbers(store, papers, saving), read, saving=saving)


def rate(store: Store, papers: Sequence[Paper], rating: Feedback, run: str | None = None) -> ShelfStep:
    """Store that the person wants more like `papers` (1), nothing like them (-1), or withdraws that (0). The rating
    of a paper that is not saved is stored in the reading history only, with its `run`."""
    return shelf_changes.rate(store, _remembered(store, papers), rating, run)


def dismiss(store: Store, papers: Sequence[Paper], run: str | None = None) -> ShelfStep:
    """Store in the reading history, with its `run`, that `papers`, saved or not, are not for the person. Papers
    already dismissed are skipped."""
    return shelf_changes.dismiss(store, _remembered(store, papers), run)


def set_files(store: Store, paper: Paper, paths: Sequence[str], others: Sequence[str] = ()) -> ShelfStep:
    """Replace the file paths of a saved paper: `paths` are the person's choice, `others` were stored before. Raises
    `NotOnShelf`."""
    [number] = _numbers(store, [paper])
    return changed_by(store, [number], lambda: shelf.set_files(store, number, paths, others))


def give_key(store: Store, paper: Paper, key: str, instead_of: str = "") -> None:
    """Make `key` the citation key of a saved paper; its earlier keys still name it.

    If the paper has several imported entries, the key goes to the one called `instead_of`, else to the first. Raises
    `KeyTaken` if the key names another paper, and `NotOnShelf`.
    """
    with recorded(store):
        [number] = _numbers(store, [paper])
        if not citation_keys.choose(store, number, key):
            bearers = [bearer for bearer in [citation_keys.paper_of(store, key)] if bearer is not None]
            others = [f"“{other.title}” ({other.id})" for other in by_ids(store, bearers)]
            raise KeyTaken(key, *(others or ["a paper that cannot be read"]))
        if entries := originals.of_papers(store, [number]).get(number):
            entry_named = next((entry for entry in entries if entry.key == instead_of), entries[0])
            originals.name(store, entry_named.number, key)


def note_interaction(store: Store, paper: Paper, act: Interaction, run: str | None = None) -> None:
    """Store an interaction with `paper` in the reading history, adding the paper to the library if needed."""
    [number] = _remembered(store, [paper])
    reading_history.note_interaction(store, number, act, run)


def entry_of(store: Store, paper: Paper) -> Shelved | None:
    """Return the paper's entry on the shelf."""
    number = number_of(store, paper)
    return None if number is None else shelf.shelved(store, number)


def saved_among(store: Store, papers: Sequence[Paper]) -> frozenset[int]:
    """Return the indices in `papers` of those on the shelf."""
    return frozenset(kept_among(store, papers))


def kept_among(store: Store, papers: Sequence[Paper]) -> dict[int, ShelvedPaper]:
    """Return the shelf data that filters use, by the index in `papers` of each saved paper."""
    saved = shelf.kept(store)
    if not saved:
        return {}
    numbers = (number_of(store, paper) for paper in papers)
    return {index: saved[number] for index, number in enumerate(numbers) if number in saved}


def is_dismissed(store: Store, paper: Paper) -> bool:
    """Whether the person's last opinion on `paper` is a dismissal."""
    number = number_of(store, paper)
    return number is not None and reading_history.last_said(store, number) == "dismissed"


def feedback_on(store: Store, paper: Paper) -> Feedback:
    """Return the person's last rating of `paper`, saved or not; dismissals are not ratings."""
    number = number_of(store, paper)
    return 0 if number is None else feedback_on_number(store, number)


def feedback_on_number(store: Store, number: int) -> Feedback:
    """Like `feedback_on`, by the paper's number."""
    entry = shelf.shelved(store, number)
    return entry.rating if entry else reading_history.last_feedback(store, number)


def _numbers(store: Store, papers: Sequence[Paper], saving: bool = False) -> list[int]:
    """Return the papers' numbers; with `saving`, add the missing papers to the library. Else raise `NotOnShelf` for the
    first that is not saved."""
    if saving:
        return _remembered(store, papers)
    numbers, saved = numbers_of(store, papers), shelf.numbers_on_shelf(store)
    for paper, number in zip(papers, numbers, strict=True):
        if number not in saved:
            raise NotOnShelf(paper.id)
    return [number for number in numbers if number is not None]


def _remembered(store: Store, papers: Sequence[Paper]) -> list[int]:
    """Return the papers' numbers in the library, adding the papers that it lacks."""
    numbers = numbers_of(store, papers)
    new = iter(remember(store, [paper for paper, number in zip(papers, numbers, strict=True) if number is None]))
    return [next(new) if number is None else number for number in numbers]
