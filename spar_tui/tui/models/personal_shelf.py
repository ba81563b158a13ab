"""Changes to the shelf by the app's keys: a key sets something, then unsets it; a sentence reports the change.

The changes can be undone (`Changes`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from agents.tools import shelf_actions, shelf_changes
from agents.tools.change_phrases import change_text
from cache import citation_keys, page_texts, shelf
from cache import papers as library
from cache.journal import made_here, newest
from cache.originals import choose, chosen_among
from cache.reading_history import Feedback
from cache.shelf_texts import plain_note
from cache.shelf_undo import ShelfEntry, ShelfStep
from cache.store import PaperId, Store
from cache.taking_back import StepBack, take_back, take_back_last
from connectors.paper import Paper
from connectors.records.visible import shortened
from spar_tui.math_text import title_text
from spar_tui.openable_files import OpenableFile, openable_file
from spar_tui.phrases import counted, papers_text, sentence

Then = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Beside:
    """A change outside the shelf, such as feedback to a search: `take_back` undoes it, `stands` checks that nothing has
    changed it since."""

    take_back: Then
    stands: Callable[[], bool] = lambda: True


@dataclass(frozen=True, slots=True)
class UndoableChange:
    """A change; its `name` can follow “Undone:”."""

    name: str
    change: ShelfStep
    beside: Beside | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The result of an undo, in a sentence; `also` is what the app must call to undo the rest, if anything."""

    sentence: str
    also: Then | None = None


@dataclass(frozen=True, slots=True)
class OthersChange:
    """The last change, made by another process: its name, and a question whether to undo it."""

    name: str
    question: str


class Changes:
    """The changes of a session, in order, and the changes that others made since it began."""

    def __init__(self, begun: str) -> None:
        """`begun` is the name of the newest change when the app opened (`cache.journal.newest`)."""
        self._begun = begun
        self._done: list[UndoableChange] = []
        self._ever = False

    def note(self, name: str, change: ShelfStep, beside: Beside | None = None) -> None:
        """Record a change, unless nothing changed."""
        if change.papers or beside:
            self._done.append(UndoableChange(name, change, beside))
            self._ever = True

    def last_of_others(self, store: Store) -> OthersChange | None:
        """Return the last change if another process made it, and it is not undone yet."""
        name = self._last_unnoted(store)
        if not name or made_here(name) or (step := take_back_last(store, only_look=True)) is None:
            return None
        return OthersChange(name, f"The last change was made outside this app: {_change_named(step)}. Undo it?")

    def _last_unnoted(self, store: Store) -> str:
        """Return the name of the last change if no key made it, and it is not undone yet; else ""."""
        mine = next((name for done in reversed(self._done) if (name := done.change.recording.name)), self._begun)
        name = newest(store)
        return name if name > max(mine, self._begun) else ""

    def take_back_last(self, store: Store, agreed: str = "") -> TakenBack:
        """Undo the last change that is not undone yet; one of others only if it is the one called `agreed`. Blocks on
        the disk; raises `CacheError`, and then nothing has changed."""
        with store.writing():  # so that no other change comes in between
            if name := self._last_unnoted(store):
                step = take_back_last(store) if name == agreed or made_here(name) else None
                return _unnoted(step) if step else TakenBack("Not undone: there is a newer change now. Try again.")
        if not self._done:
            return TakenBack(f"Nothing {'more ' if self._ever else ''}to undo.")
        last = self._done[-1]
        stands = last.beside is None or last.beside.stands()
        back, every = len(take_back(store, last.change.recording)) if stands else 0, len(last.change.papers)
        self._done.pop()
        also = last.beside.take_back if last.beside else None
        if not stands or (back < every and not back):
            it = "It was" if every <= 1 else "All were"
            return TakenBack(f"Not undone: {last.name}. {it} changed or removed elsewhere since.")
        if back < every:
            rest = every - back
            left = f"{rest:,} of {every:,} {'was' if rest == 1 else 'were'} changed elsewhere since, so not undone"
            return TakenBack(f"Undone: {last.name}; {left}.", also)
        return TakenBack(f"Undone: {last.name}.", also)

    def had(self, paper: PaperId) -> ShelfEntry | None:
        """Return the former entry of a paper if the last change to it here removed it from the shelf."""
        last = next((done.change for done in reversed(self._done) if paper in done.change.before), None)
        return last.before[paper] if last and paper in last.gone else None


def _unnoted(step: StepBack) -> TakenBack:
    """Return the result of undoing a change that a command, the chat or another process made."""
    change, left = _change_named(step), len(step.papers.keys() - step.back)
    if left == len(step.papers):
        return TakenBack(f"Not undone: {change}. {'It was' if left == 1 else 'All were'} changed since.")
    stay = f"; {left:,} changed since, so not undone" if left else ""
    return TakenBack(f"Undone: {change}{stay}.")


def _change_named(step: StepBack) -> str:
    """Return the papers of a change and what it did to the first, such as `3 papers (tagged rag)`."""
    [first, *others] = step.papers.items()
    number, paper = first
    named = papers_text(len(step.papers)) if others else f"“{shortened(title_text(paper))}”"
    return f"{named} ({change_text(step.rows[number])})"


def tags_changed(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the added and the removed tags, regardless of case."""
    kept, there = {tag.casefold() for tag in after}, {tag.casefold() for tag in before}
    came = [tag for tag in after if tag.casefold() not in there]
    return came, [tag for tag in before if tag.casefold() not in kept]


_RATED: dict[Feedback, str] = {1: "Liked: more like this.", -1: "Marked as not relevant.", 0: "Rating removed."}
_SAID: dict[Feedback, str] = {1: "more like {}", -1: "not relevant: {}", 0: "no opinion on {}"}


class PersonalShelf:
    """What keys do to papers, which are given by their numbers in the library. All methods block on the disk and raise
    `CacheError`; `undo_key` returns the key that undoes changes, back to the change `begun` (by default the newest)."""

    def __init__(self, store: Store, undo_key: Callable[[], str], begun: str | None = None) -> None:
        self.store = store
        self._changes = Changes(newest(store) if begun is None else begun)
        self._undo_key = undo_key

    def numbers(self, some: Iterable[Paper]) -> list[PaperId]:
        """Return the numbers of papers in the library, after adding those that it lacks."""
        return list(dict.fromkeys(library.remember(self.store, some)))

    def names(self, numbers: Sequence[PaperId]) -> list[str]:
        """Return a name for each paper by which a verb finds only this paper: its citation key, else its id."""
        keys = citation_keys.keys_of(self.store, numbers)
        unnamed = [number for number in numbers if number not in keys]
        ids = {number: paper.id for number, paper in library.numbered(self.store, unnamed).items()}
        return [name for number in numbers if (name := keys.get(number) or ids.get(number))]

    def file_of(self, paper: Paper) -> OpenableFile:
        """Return the file of the paper that can be opened."""
        entry = shelf_actions.entry_of(self.store, paper)
        files = entry.files if entry else ()
        return openable_file(files, chosen_among(self.store, files))

    def choose_file(self, file: OpenableFile) -> None:
        """Record that the person chose the file, so that it opens without asking from now on."""
        with self.store.writing() as db:
            choose(db, [file.named])

    def tags_of_all(self, numbers: Sequence[PaperId]) -> list[str]:
        """Return the tags that all of the papers have."""
        tagged = shelf.tags_of(self.store, numbers)
        common = set.intersection(*(set(tagged[number]) for number in numbers)) if numbers else set()
        return [tag for tag in (tagged[numbers[0]] if numbers else ()) if tag in common]

    def save(self, numbers: Sequence[PaperId]) -> str | None:
        """Save papers; return None if all are saved already.

        Papers that were removed while the app is open get back what they had.
        """
        had = {number: entry for number in numbers if (entry := self._changes.had(number))}
        change = shelf_changes.save(self.store, numbers, had)
        if not change.new:
            return None
        self._changes.note(f"saved {self._named(change.new)}", change)
        again = any(had[paper_id].tags or had[paper_id].note for paper_id in change.new if paper_id in had)
        with_tags = ", with its earlier tags and note" if again else ""
        return f"Saved {self._named(numbers)}{with_tags}; {self._undo_key()} undoes this."

    def take_off(self, numbers: Sequence[PaperId]) -> str:
        """Remove papers from the shelf."""
        texts = page_texts.among(self.store, numbers)
        change = shelf_changes.take_off(self.store, numbers)
        if not change.gone:
            return "It is not on the shelf."
        name = f"removed {self._named(change.gone)} from the shelf"
        self._changes.note(name, change)
        back = f"{self._undo_key()} undoes this"
        read_again = ", and :fetch reads the text of PDFs again" if texts else ""
        return f"{sentence(name)}{_lost(change)}; {back}{read_again}."

    def write_note(self, number: PaperId, before: str, text: str) -> str:
        """Store `text`, which the person made of the note `before`, as the note about a paper; save the paper if
        needed. If the note was changed elsewhere meanwhile, keep it and add `text` below."""
        with self.store.writing():
            entry = shelf.shelved(self.store, number)
            now = entry.note if entry else ""
            changed = now not in ("", plain_note(before), plain_note(text))
            change = shelf_changes.note(self.store, number, f"{now}\n\n{text}" if changed else text, saving=True)
        named = self._named([number])
        if not change.papers:
            why = "was changed elsewhere; it was not erased" if changed else "did not change"
            return f"The note about {named} {why}."
        done = "wrote" if text.strip() else "erased"
        self._changes.note(f"{done} the note about {named}", change)
        below = ", below the text written elsewhere" if changed else ""
        return f"Note {'saved' if text.strip() else 'erased'}{below}{_saved_for_it(change, 1)}."

    def set_tags(self, numbers: Sequence[PaperId], before: Sequence[str], after: Sequence[str]) -> str:
        """Add the tags that are only in `after`, remove those only in `before`, and save papers if needed."""
        # Only the person's changes: a tag that was removed elsewhere meanwhile does not come back.
        add, remove = tags_changed(before, after)
        if len(numbers) > 1 and (add or remove):  # they may have other tags too
            return self.change_tags(numbers, add, remove)
        change = self._tag(numbers, add, remove)
        tags = ", ".join(after) if after else "none"
        return f"Tags of {self._named(numbers)}: {tags}{_saved_for_it(change, len(numbers))}."

    def change_tags(self, numbers: Sequence[PaperId], add: Sequence[str], remove: Sequence[str]) -> str:
        """Add the tags `add` to papers and remove the tags `remove`; save the papers if needed."""
        change = self._tag(numbers, add, remove)
        came, gone = _changed_tags(change)
        had, lacked = tags_changed(came, add)[0], tags_changed(gone, remove)[0]
        parts = [" ".join([*(f"+{tag}" for tag in came), *(f"-{tag}" for tag in gone)])]
        parts += [f"already tagged {', '.join(had)}"] if had else []
        parts += [f"no tag {', '.join(lacked)} to remove"] if lacked else []
        named, text = self._named(numbers), "; ".join(filter(None, parts))
        done = f"Tagged {named}" if came or gone else f"Tags of {named} did not change"
        return f"{done}: {text}{_saved_for_it(change, len(numbers))}."

    def _tag(self, numbers: Sequence[PaperId], add: Sequence[str], remove: Sequence[str]) -> ShelfStep:
        with self.store.writing():
            saved = shelf.numbers_on_shelf(self.store)
            some = numbers if add else [number for number in numbers if number in saved]  # removing a tag saves nothing
            change = shelf_changes.tag(self.store, some, add, remove, saving=True)
        came, gone = (", ".join(tags) for tags in _changed_tags(change))
        named = self._named(numbers)
        done = [f"tagged {named} {came}"] if came else []
        done += [f"removed the tag {gone}" + (f" from {named}" if not came else "")] if gone else []
        self._changes.note(" and ".join(done) or f"saved {named}", change)
        return change

    def mark_read(self, numbers: Sequence[PaperId], read: bool | None = None) -> tuple[str, bool]:
        """Mark papers as `read` or not, saving them if needed; without it, as not read if all are read. Return the
        sentence about it, and whether they are read now."""
        if read is None:
            read = len(shelf.read_among(self.store, numbers)) < len(numbers)
        change = shelf_changes.mark_read(self.store, numbers, read, saving=True)
        state, named = "read" if read else "not read", self._named(numbers)
        self._changes.note(f"marked {named} as {state}", change)
        sentence = f"{named} is {state}" if len(numbers) == 1 else f"{named} marked as {state}"
        return f"{sentence}{_saved_for_it(change, len(numbers))}.", read

    def toggle_rating(
        self, number: PaperId, rating: Feedback, run: str | None = None, beside: Beside | None = None
    ) -> str:
        """Record that the person wants more like a paper (1) or nothing like it (-1), or withdraw the same rating."""
        before = shelf_actions.feedback_on_number(self.store, number)
        now: Feedback = 0 if before == rating else rating
        return self._rated(number, now, shelf_changes.rate(self.store, [number], now, run), beside)

    def keep_feedback(self, number: PaperId, before: bool | None, now: Feedback, run: str, beside: Beside) -> str:
        """Record feedback in a search as taste: a relevant paper counts as liked. A paper that is not relevant to one
        question does not count as disliked; this only withdraws an earlier like (`before`)."""
        tells = now > 0 or before
        change = shelf_changes.rate(self.store, [number], 1 if now > 0 else 0, run) if tells else ShelfStep({}, {})
        return self._rated(number, now, change, beside)

    def _rated(self, number: PaperId, now: Feedback, change: ShelfStep, beside: Beside | None) -> str:
        self._changes.note(_SAID[now].format(self._named([number])), change, beside)
        return _RATED[now]

    def dismiss(self, number: PaperId, run: str | None, beside: Beside) -> str:
        """Record that a paper is not for the person: it is not recommended again, and similar papers less."""
        change = shelf_changes.dismiss(self.store, [number], run)
        self._changes.note(f"not for me: {self._named([number])}", change, beside)
        return f"Removed from the list; {self._undo_key()} undoes this."

    def note_decision(self, name: str, beside: Beside) -> None:
        """Make a decision in a run undoable; the run stores it, the shelf does not."""
        self._changes.note(name, ShelfStep({}, {}), beside)

    def last_of_others(self) -> OthersChange | None:
        """Return the last change if another process made it."""
        return self._changes.last_of_others(self.store)

    def take_back(self, agreed: str = "") -> TakenBack:
        """Undo the last change; one of others only if it is the one called `agreed`."""
        return self._changes.take_back_last(self.store, agreed)

    def _named(self, numbers: Sequence[PaperId]) -> str:
        """Return `“A title”`, or the number of papers."""
        papers = library.by_ids(self.store, numbers) if len(numbers) == 1 else []
        return f"“{shortened(title_text(papers[0]))}”" if papers else papers_text(len(numbers))


def _changed_tags(change: ShelfStep) -> tuple[list[str], list[str]]:
    """Return the tags that a change added to papers, and those that it removed."""
    pairs = [tags_changed(change.before[number].tags, change.after[number].tags) for number in change.papers]
    came, gone = (list(dict.fromkeys(tag for pair in pairs for tag in pair[side])) for side in (0, 1))
    return came, gone


def _saved_for_it(change: ShelfStep, of: int) -> str:
    """Return a clause on the papers, out of `of`, that the change also saved; "" if none."""
    new = len(change.new)
    if not new:
        return ""
    who = "it is" if new == of == 1 else "they are" if new == of else f"{new} of them are"
    return f"; {who} saved to the shelf now"


def _lost(change: ShelfStep) -> str:
    """Return a clause on the tags and note that a single removed paper lost."""
    if len(change.gone) != 1:
        return ""
    [entry] = (change.before[paper_id] for paper_id in change.gone)
    parts = [counted(len(entry.tags), "tag")] if entry.tags else []
    parts += ["its note"] if entry.note else []
    return f", with {' and '.join(parts)}" if parts else ""
