"""The person's shelf as the app's screens use it: each deed blocks on the disk, and is told of in a sentence."""

from collections.abc import Sequence

from cache import papers, reading_history, shelf
from cache.reading_history import Interaction
from cache.shelf import Feedback, Shelved
from cache.store import Store
from connectors.paper import Paper
from spar_tui.phrases import counted, papers_text

_RATED: dict[Feedback, str] = {1: "Noted: more like this.", -1: "Noted: not relevant.", 0: "Noted: no opinion."}


class PersonalShelf:
    """Saves, takes off, notes, tags, rates, and keeps the reading history. All of it raises `CacheError`."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._taken_off: dict[int, Shelved] = {}

    def standing(self, paper: Paper) -> Shelved | None:
        """The paper as it stands on the shelf."""
        number = papers.number_of(self.store, paper)
        return None if number is None else shelf.shelved(self.store, number)

    def saved_among(self, found: Sequence[Paper]) -> frozenset[int]:
        """The places in `found` of the papers that are on the shelf."""
        there = shelf.numbers_on_shelf(self.store)
        if not there:
            return frozenset()
        return frozenset(place for place, one in enumerate(found) if papers.number_of(self.store, one) in there)

    def toggle(self, chosen: Sequence[Paper]) -> str:
        """Save `chosen`; if all of them are saved already, take them off."""
        standing = [self.standing(one) for one in chosen]
        there = [one for one in standing if one]
        if len(there) == len(chosen):
            return self._take_off(there)
        numbers = shelf.save(self.store, chosen)
        restored = [self._restore(number) for number in numbers]
        again = ", with its tags and note as they were" if any(restored) else ""
        return f"Saved {_named(chosen)}{again}."

    def _take_off(self, there: Sequence[Shelved]) -> str:
        shelf.unsave(self.store, [one.number for one in there])
        self._taken_off |= {one.number: one for one in there}
        lost = [counted(len(one.tags), "tag") for one in there if one.tags] if len(there) == 1 else []
        lost += ["its note"] if len(there) == 1 and there[0].note else []
        gone = f", with {' and '.join(lost)}" if lost else ""
        return f"Took {_named([one.paper for one in there])} off the shelf{gone}; saving again brings all back."

    def _restore(self, number: int) -> bool:
        """Give a paper back what it lost when it was taken off in this sitting; whether there was anything."""
        before = self._taken_off.pop(number, None)
        if before is None:
            return False
        shelf.tag(self.store, number, before.tags)
        shelf.set_note(self.store, number, before.note)
        shelf.mark_read(self.store, number, before.read is not None, before.read)
        if before.pdf:
            shelf.set_pdf(self.store, number, before.pdf)
        if before.rating:
            shelf.rate(self.store, number, before.rating)
        return bool(before.tags or before.note)

    def write_note(self, paper: Paper, text: str) -> str:
        """Keep `text` as the note about `paper`, which is saved for it if it was not."""
        new = self.standing(paper) is None
        number = shelf.save(self.store, [paper])[0] if new else self._number(paper)
        shelf.set_note(self.store, number, text)
        kept = "Note kept" if text.strip() else "Note erased"
        return f"{kept}; the paper is saved to the shelf." if new else f"{kept}."

    def set_tags(self, chosen: Sequence[Paper], before: Sequence[str], after: Sequence[str]) -> str:
        """Give `chosen` the tags that came, and take those off that went; they are saved if they were not."""
        numbers = shelf.save(self.store, chosen)
        kept = {tag.casefold() for tag in after}
        gone = [tag for tag in before if tag.casefold() not in kept]
        for number in numbers:
            shelf.untag(self.store, number, gone)
            shelf.tag(self.store, number, after)
        told = ", ".join(after) if after else "none"
        return f"Tags of {_named(chosen)}: {told}."

    def toggle_read(self, chosen: Sequence[Paper]) -> str:
        """Mark `chosen` as read, saving them if need be; as not read if all are read."""
        standing = [self.standing(one) for one in chosen]
        read = not all(one and one.read for one in standing)
        for number in shelf.save(self.store, chosen):
            shelf.mark_read(self.store, number, read)
        return f"{_named(chosen)} is {'read' if read else 'not read'}." if len(chosen) == 1 else (
            f"{papers_text(len(chosen))} marked as {'read' if read else 'not read'}."
        )  # fmt: skip

    def toggle_rating(self, paper: Paper, rating: Feedback, run: str | None = None) -> str:
        """As `rate`; saying the same again takes it back."""
        standing = self.standing(paper)
        before = standing.rating if standing else reading_history.opinion(self.store, self._number(paper))
        return self.rate(paper, 0 if before == rating else rating, run)

    def rate(self, paper: Paper, rating: Feedback, run: str | None = None) -> str:
        """Say that the person wants more like `paper` (1), nothing like it (-1), or takes that back (0).

        A paper that is not on the shelf has no rating there; the reading history has it.
        """
        standing, number = self.standing(paper), self._number(paper)
        if standing:
            shelf.rate(self.store, number, rating)
        else:
            reading_history.note_feedback(self.store, number, rating, run)
        return _RATED[rating]

    def note_interaction(self, paper: Paper, act: Interaction, run: str | None = None) -> None:
        """Note in the reading history what was done with `paper`, which is remembered if it was not."""
        reading_history.note_interaction(self.store, self._number(paper), act, run)

    def _number(self, paper: Paper) -> int:
        """The paper's number; it is remembered if it was not."""
        number = papers.number_of(self.store, paper)
        return number if number is not None else papers.remember(self.store, [paper])[0]


def _named(chosen: Sequence[Paper]) -> str:
    """`“A title”`, or how many."""
    return f"“{chosen[0].title}”" if len(chosen) == 1 else papers_text(len(chosen))
