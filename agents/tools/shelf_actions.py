"""What can be done with the shelf, once for all who do it: each action says what it changed, and its caller tells it.

Each blocks on the disk and raises `CacheError`; where it says so, `NotOnShelf` for a paper that is not saved.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from cache import citation_keys, originals, reading_history, shelf
from cache.errors import KeyTaken, NotOnShelf
from cache.filters.subjects import Kept
from cache.papers import by_ids, number_of, remember
from cache.reading_history import Interaction
from cache.shelf import Feedback, Shelved
from cache.store import Store
from connectors.paper import Paper

Action = Literal["save", "unsave", "tag", "note", "mark_read", "rate", "set_files", "give_key"]


@dataclass(frozen=True, slots=True)
class ShelfChange:
    """What `action` did to `papers`: for each of them, its shelf entry before and after; None where there is none."""

    action: Action
    papers: tuple[Paper, ...]
    before: tuple[Shelved | None, ...]
    after: tuple[Shelved | None, ...]

    @property
    def new(self) -> tuple[Paper, ...]:
        """The papers that came onto the shelf."""
        states = zip(self.papers, self.before, self.after, strict=True)
        return tuple(paper for paper, before, after in states if after and not before)

    @property
    def there(self) -> tuple[Paper, ...]:
        """The papers that were on the shelf already."""
        return tuple(paper for paper, before in zip(self.papers, self.before, strict=True) if before)


def save(store: Store, papers: Sequence[Paper], tags: Sequence[str] = ()) -> ShelfChange:
    """Put papers on the shelf; those that are there get the tags."""
    before = _entries(store, papers)
    numbers = shelf.save(store, papers, tags)
    return ShelfChange("save", tuple(papers), before, _numbered(store, numbers))


def unsave(store: Store, papers: Sequence[Paper]) -> ShelfChange:
    """Take papers off the shelf, with their tags and notes; those that are not there are passed over."""
    before = _entries(store, papers)
    shelf.unsave(store, [entry.number for entry in before if entry])
    return ShelfChange("unsave", tuple(papers), before, (None,) * len(papers))


def restore(store: Store, entries: Sequence[Shelved]) -> ShelfChange:
    """Put papers back on the shelf with all that the person had said about them: undoes `unsave`."""
    papers = [entry.paper for entry in entries]
    before = _entries(store, papers)
    numbers = shelf.save(store, papers)
    for number, entry in zip(numbers, entries, strict=True):
        shelf.tag(store, number, entry.tags)
        shelf.set_note(store, number, entry.note)
        shelf.mark_read(store, number, entry.read is not None, entry.read)
        shelf.set_details(store, number, entry.details)
        if entry.files:
            shelf.set_files(store, number, entry.files)
        if entry.rating:
            shelf.rate(store, number, entry.rating)
    return ShelfChange("save", tuple(papers), before, _numbered(store, numbers))


def tag(
    store: Store, papers: Sequence[Paper], add: Sequence[str] = (), remove: Sequence[str] = (), *, saving: bool = False
) -> ShelfChange:
    """Give saved papers tags, then take tags off them. With `saving` the others are saved, else `NotOnShelf`."""

    def change(number: int) -> None:
        shelf.tag(store, number, add)
        shelf.untag(store, number, remove)

    return _change(store, "tag", papers, change, saving)


def note(store: Store, paper: Paper, text: str, *, saving: bool = False) -> ShelfChange:
    """Write the note about a saved paper, in place of what it was; empty erases it. `saving` as in `tag`."""
    return _change(store, "note", [paper], lambda number: shelf.set_note(store, number, text), saving)


def mark_read(store: Store, papers: Sequence[Paper], read: bool = True, *, saving: bool = False) -> ShelfChange:
    """Mark saved papers as read or not read. `saving` as in `tag`."""
    return _change(store, "mark_read", papers, lambda number: shelf.mark_read(store, number, read), saving)


def rate(store: Store, papers: Sequence[Paper], rating: Feedback, run: str | None = None) -> ShelfChange:
    """Say that the person wants more like `papers` (1), nothing like them (-1), or takes that back (0).

    A paper that is not on the shelf has no rating there; the reading history has it, as said in `run`.
    """
    before = _entries(store, papers)
    for paper, entry in zip(papers, before, strict=True):
        if entry:
            shelf.rate(store, entry.number, rating, run=run)
        else:
            reading_history.note_feedback(store, _remembered(store, paper), rating, run)
    return ShelfChange("rate", tuple(papers), before, _entries(store, papers))


@dataclass(frozen=True, slots=True)
class Dismissal:
    """Papers that are not for the person from now on; `before` is what they had said of each."""

    papers: tuple[Paper, ...]
    before: tuple[Feedback, ...]


def dismiss(store: Store, papers: Sequence[Paper], run: str | None = None) -> Dismissal:
    """Say that `papers`, saved or not, are not for the person. It is noted in the reading history, as said in `run`;
    those of which it was said already are passed over."""
    numbers = {paper: _remembered(store, paper) for paper in papers}
    new = [paper for paper in numbers if reading_history.last_said(store, numbers[paper]) != "dismissed"]
    before = tuple(feedback_on(store, paper) for paper in new)
    for paper in new:
        reading_history.note_dismissal(store, numbers[paper], run)
    return Dismissal(tuple(new), before)


def undo_dismissal(store: Store, dismissal: Dismissal) -> None:
    """Let the person have said of the papers what they had said before."""
    for paper, rating in zip(dismissal.papers, dismissal.before, strict=True):
        rate(store, [paper], rating)


def set_files(store: Store, paper: Paper, paths: Sequence[str]) -> ShelfChange:
    """Keep where the files of a saved paper lie, in place of what was known. Raises `NotOnShelf`."""
    return _change(store, "set_files", [paper], lambda number: shelf.set_files(store, number, paths), saving=False)


def give_key(store: Store, paper: Paper, key: str, instead_of: str = "") -> ShelfChange:
    """Let `key` be the citation key of a saved paper; those that it had go on naming it.

    Of a paper with several imported entries the one that was called `instead_of`, else the first, gets the key.
    Raises `KeyTaken` if it names another paper, `NotOnShelf`.
    """

    def change(number: int) -> None:
        if not citation_keys.choose(store, number, key):
            bearers = [bearer for bearer in [citation_keys.paper_of(store, key)] if bearer is not None]
            [other] = by_ids(store, bearers)
            raise KeyTaken(key, f"“{other.title}” ({other.id})")
        if entries := originals.of_papers(store, [number]).get(number):
            called = next((entry for entry in entries if entry.key == instead_of), entries[0])
            originals.name(store, called.number, key)

    return _change(store, "give_key", [paper], change, saving=False)


def note_interaction(store: Store, paper: Paper, act: Interaction, run: str | None = None) -> None:
    """Note in the reading history what was done with `paper`, which is remembered if it was not."""
    reading_history.note_interaction(store, _remembered(store, paper), act, run)


def entry_of(store: Store, paper: Paper) -> Shelved | None:
    """The paper's entry of the shelf."""
    number = number_of(store, paper)
    return None if number is None else shelf.shelved(store, number)


def saved_among(store: Store, papers: Sequence[Paper]) -> frozenset[int]:
    """The places in `papers` of those that are on the shelf."""
    return frozenset(kept_among(store, papers))


def kept_among(store: Store, papers: Sequence[Paper]) -> dict[int, Kept]:
    """What a filter asks of those of `papers` that are on the shelf, by their places."""
    saved = shelf.kept(store)
    if not saved:
        return {}
    numbers = (number_of(store, paper) for paper in papers)
    return {place: saved[number] for place, number in enumerate(numbers) if number in saved}


def is_dismissed(store: Store, paper: Paper) -> bool:
    """Whether the person said last of `paper` that it is not for them."""
    number = number_of(store, paper)
    return number is not None and reading_history.last_said(store, number) == "dismissed"


def feedback_on(store: Store, paper: Paper) -> Feedback:
    """What the person said last of `paper`, on the shelf or off it, but for a dismissal."""
    number = number_of(store, paper)
    if number is None:
        return 0
    entry = shelf.shelved(store, number)
    return entry.rating if entry else reading_history.last_feedback(store, number)


def _change(
    store: Store, action: Action, papers: Sequence[Paper], change: Callable[[int], None], saving: bool
) -> ShelfChange:
    """Do `change` with the number of each paper. A paper that is not on the shelf is saved, or raises `NotOnShelf`."""
    before = _entries(store, papers)
    missing = [paper for paper, entry in zip(papers, before, strict=True) if entry is None]
    if missing and not saving:
        raise NotOnShelf(missing[0].id)
    numbers = shelf.save(store, papers) if missing else [entry.number for entry in before if entry]
    for number in numbers:
        change(number)
    return ShelfChange(action, tuple(papers), before, _numbered(store, numbers))


def _entries(store: Store, papers: Sequence[Paper]) -> tuple[Shelved | None, ...]:
    return tuple(entry_of(store, paper) for paper in papers)


def _numbered(store: Store, numbers: Sequence[int]) -> tuple[Shelved | None, ...]:
    return tuple(shelf.shelved(store, number) for number in numbers)


def _remembered(store: Store, paper: Paper) -> int:
    """The paper's number in the library; it is remembered if it was not."""
    number = number_of(store, paper)
    return number if number is not None else remember(store, [paper])[0]
