"""Gather what a person shares: saved papers with what is said of them, and stored searches."""

import re
from collections.abc import Iterator, Mapping, Sequence

from agents.run.errors import RunError
from agents.run.recorder import kept
from agents.search.kind import SEARCH
from cache import runs, shelf, watches
from cache.papers import number_of
from cache.store import PaperId, Store
from spar_tui.sharing.pack import Pack, PackDecision, PackNote, PackPaper, PackWatch

_BY = re.compile(r"^Note by (.+):\n", re.MULTILINE)


def gathered(store: Store, numbers: Sequence[int], names: Sequence[str], by: str) -> Pack:
    """The saved papers of these numbers, and the watches of these `names`, as `by` shares them. Raises `CacheError`."""
    entries = shelf.entries(store, numbers)
    papers = [PackPaper(one.paper, one.tags, notes_in(one.note, by), one.rating) for one in entries]
    places = {PaperId(one.number): place for place, one in enumerate(entries)}
    stored = [watches.watch(store, name) for name in names]
    return Pack(
        by,
        papers,
        list(_decisions(store, places)),
        [PackWatch(one.name, one.question, one.parameters) for one in stored],
    )


def notes_in(note: str, by: str) -> list[PackNote]:
    """The parts of a note: what is the person's own, and what others wrote that came with packs."""
    own, *others = _BY.split(note)
    parts = [(by, own), *zip(others[::2], others[1::2], strict=True)]
    return [PackNote(name, text.strip()) for name, text in parts if text.strip()]


def signed(note: PackNote) -> str:
    """A note of somebody else as it stands in the own one, so that `notes_in` finds it again."""
    return f"Note by {note.by}:\n{note.text}"


def _decisions(store: Store, places: Mapping[PaperId, int]) -> Iterator[PackDecision]:
    """What was decided of the papers in the searches that list one of them."""
    for run in runs.listing(store, SEARCH.name, places):
        try:
            _, _, events = kept(SEARCH, store, run.id)
        except RunError:
            continue  # a later version made it, or it is damaged
        state = SEARCH.folded(events)
        for work, decided in state.screened.items():
            number = number_of(store, state.found[work].paper) if work in state.found else None
            if number is not None and number in places and decided.decision:
                yield PackDecision(places[number], run.question, decided.decision, decided.reason)
