"""The shelf as the app's keys change it: a key turns something on, and off again; a sentence says what was done."""

from collections.abc import Sequence

from agents.tools import shelf_actions
from cache.filters.subjects import Kept
from cache.reading_history import Interaction
from cache.shelf import Feedback, Shelved
from cache.store import Store
from connectors.paper import Paper
from spar_tui.phrases import counted, papers_text

_RATED: dict[Feedback, str] = {1: "Noted: more like this.", -1: "Noted: not relevant.", 0: "Noted: no opinion."}


class PersonalShelf:
    """What the keys do to the shelf. All of it blocks on the disk and raises `CacheError`."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._taken_off: dict[int, Shelved] = {}

    def entry_of(self, paper: Paper) -> Shelved | None:
        """The paper's entry of the shelf."""
        return shelf_actions.entry_of(self.store, paper)

    def saved_among(self, found: Sequence[Paper]) -> frozenset[int]:
        """The places in `found` of the papers that are on the shelf."""
        return shelf_actions.saved_among(self.store, found)

    def kept_among(self, found: Sequence[Paper]) -> dict[int, Kept]:
        """What a filter asks of those of `found` that are on the shelf, by their places."""
        return shelf_actions.kept_among(self.store, found)

    def toggle(self, chosen: Sequence[Paper]) -> str:
        """Save `chosen`; if all of them are saved already, take them off.

        What they lost when they were taken off while the app is open comes back.
        """
        if all(self.entry_of(paper) for paper in chosen):
            lost = [entry for entry in shelf_actions.unsave(self.store, chosen).before if entry]
            self._taken_off |= {entry.number: entry for entry in lost}
            return _taken_off(lost)
        saved = shelf_actions.save(self.store, chosen).after
        lost = [self._taken_off.pop(entry.number) for entry in saved if entry and entry.number in self._taken_off]
        shelf_actions.restore(self.store, lost)
        again = ", with its tags and note as they were" if any(entry.tags or entry.note for entry in lost) else ""
        return f"Saved {_named(chosen)}{again}."

    def write_note(self, paper: Paper, text: str) -> str:
        """Keep `text` as the note about `paper`, which is saved for it if it was not."""
        change = shelf_actions.note(self.store, paper, text, saving=True)
        return f"{'Note kept' if text.strip() else 'Note erased'}{_saved_for_it(change)}."

    def set_tags(self, chosen: Sequence[Paper], before: Sequence[str], after: Sequence[str]) -> str:
        """Give `chosen` the tags that came, and take those off that went; they are saved if they were not."""
        kept = {tag.casefold() for tag in after}
        gone = [tag for tag in before if tag.casefold() not in kept]
        change = shelf_actions.tag(self.store, chosen, after, gone, saving=True)
        return f"Tags of {_named(chosen)}: {', '.join(after) if after else 'none'}{_saved_for_it(change)}."

    def toggle_read(self, chosen: Sequence[Paper]) -> str:
        """Mark `chosen` as read, saving them if need be; as not read if all are read."""
        entries = [self.entry_of(paper) for paper in chosen]
        read = not all(entry and entry.read for entry in entries)
        change = shelf_actions.mark_read(self.store, chosen, read, saving=True)
        state = f"{'read' if read else 'not read'}{_saved_for_it(change)}"
        if len(chosen) == 1:
            return f"{_named(chosen)} is {state}."
        return f"{papers_text(len(chosen))} marked as {state}."

    def toggle_rating(self, paper: Paper, rating: Feedback, run: str | None = None) -> str:
        """As `rate`; saying the same again takes it back."""
        before = shelf_actions.feedback_on(self.store, paper)
        return self.rate(paper, 0 if before == rating else rating, run)

    def rate(self, paper: Paper, rating: Feedback, run: str | None = None) -> str:
        """Say that the person wants more like `paper` (1), nothing like it (-1), or takes that back (0)."""
        shelf_actions.rate(self.store, [paper], rating, run)
        return _RATED[rating]

    def keep_feedback(self, paper: Paper, before: bool | None, now: Feedback, run: str) -> str:
        """Keep what feedback in a search says of the person's taste: who wants more like a paper likes it. What is not
        relevant to one question is not disliked; it only takes back that more was wanted, if that was said `before`."""
        if now > 0 or before:
            shelf_actions.rate(self.store, [paper], 1 if now > 0 else 0, run)
        return _RATED[now]

    def feedback_on(self, paper: Paper) -> Feedback:
        """What the person said last of `paper`."""
        return shelf_actions.feedback_on(self.store, paper)

    def dismiss(self, paper: Paper, run: str | None = None) -> str:
        """Say that `paper` is not for the person: it is not recommended, and those like it less."""
        shelf_actions.dismiss(self.store, [paper], run)
        return "Noted: not for me."

    def bring_back(self, paper: Paper, before: Feedback, run: str | None = None) -> str:
        """Take `dismiss` back; what had been said of `paper` `before` holds again."""
        shelf_actions.undo_dismissal(self.store, shelf_actions.Dismissal((paper,), (before,)))
        return f"Brought back {_named([paper])}."

    def note_interaction(self, paper: Paper, act: Interaction, run: str | None = None) -> None:
        """Note in the reading history what was done with `paper`."""
        shelf_actions.note_interaction(self.store, paper, act, run)


def _saved_for_it(change: shelf_actions.ShelfChange) -> str:
    """That papers came onto the shelf, because what is said of a paper is kept there."""
    new, all_new = len(change.new), len(change.new) == len(change.papers)
    if not new:
        return ""
    who = "it is" if new == len(change.papers) == 1 else "they are" if all_new else f"{new} of them are"
    return f"; {who} saved to the shelf now"


def _taken_off(lost: Sequence[Shelved]) -> str:
    """The sentence about papers that were taken off the shelf; of a single paper, with what it lost."""
    parts = [counted(len(entry.tags), "tag") for entry in lost if entry.tags] if len(lost) == 1 else []
    parts += ["its note"] if len(lost) == 1 and lost[0].note else []
    gone = f", with {' and '.join(parts)}" if parts else ""
    return f"Took {_named([entry.paper for entry in lost])} off the shelf{gone}; saving again brings all back."


def _named(chosen: Sequence[Paper]) -> str:
    """`“A title”`, or how many."""
    return f"“{chosen[0].title}”" if len(chosen) == 1 else papers_text(len(chosen))
