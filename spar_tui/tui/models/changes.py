"""What the person changed since the app was opened, kept to be taken back, the last first."""

from collections.abc import Callable
from dataclasses import dataclass

from agents.tools.change_phrases import change_text
from cache.journal import newest
from cache.shelf_undo import Change, Entry
from cache.store import PaperId, Store
from cache.taking_back import StepBack, take_back, take_back_last
from spar_tui.phrases import papers_text

Then = Callable[[], object]


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Beside:
    """What was changed beside the shelf, such as what a search was told: `take_back` takes it back, `stands` says
    whether it is still as it was left."""

    take_back: Then
    stands: Callable[[], bool] = _always


@dataclass(frozen=True, slots=True)
class Done:
    """A change, said so that it can follow “Undone:”."""

    name: str
    change: Change
    beside: Beside | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What came of it, in a sentence; `also` is to be called by the app, if there is anything else to take back."""

    told: str
    also: Then | None = None


class Changes:
    """The changes of a session, in their order, and those that others made since it began."""

    def __init__(self, begun: str) -> None:
        """`begun` is the name of the newest change when the app opened (`cache.journal.newest`)."""
        self._begun = begun
        self._done: list[Done] = []
        self._ever = False

    def note(self, name: str, change: Change, beside: Beside | None = None) -> None:
        """Keep what was done, if anything was."""
        if change.papers or beside:
            self._done.append(Done(name, change, beside))
            self._ever = True

    def take_back_last(self, store: Store) -> TakenBack:
        """Take back the last change that was not taken back yet. Blocks on the disk; raises `CacheError`, and then
        nothing has changed."""
        mine = next((name for one in reversed(self._done) if (name := one.change.recording.name)), self._begun)
        if newest(store) > max(mine, self._begun) and (step := take_back_last(store)):
            return _of_others(step)
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

    def had(self, paper: PaperId) -> Entry | None:
        """What a paper had on the shelf, if the last change of it here was to take it off."""
        last = next((one.change for one in reversed(self._done) if paper in one.change.before), None)
        return last.before[paper] if last and paper in last.gone else None


def _of_others(step: StepBack) -> TakenBack:
    """What came of a step that a verb, the chat or an agent made."""
    [first, *others] = step.papers.items()
    number, paper = first
    named = papers_text(len(step.papers)) if others else f"“{paper.title}”"
    name = f"{change_text(step.rows[number])}: {named}"
    left = len(step.papers.keys() - step.back)
    if left == len(step.papers):
        return TakenBack(f"Not undone: {name}. It was changed since.")
    stay = f"; {left:,} changed since, so not undone" if left else ""
    return TakenBack(f"Undone: {name}{stay}.")
