"""Merge a pack into the library: keep what is there, and add nothing twice."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from agents.lookup.following import subject_of
from agents.run.errors import RunError
from agents.run.recorder import kept
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from cache import papers, reading_history, runs, shelf, watches
from cache.journal import recorded
from cache.papers import number_of
from cache.shelf import ImportedData
from cache.store import PaperId, Store
from cache.watches import NAME_CAP
from spar_tui.errors import UsageError
from spar_tui.phrases import counts
from spar_tui.sharing.pack import Pack, PackDecision, PackNote, PackPaper, PackWatch

_BY = re.compile(r"^Note by (.+):\n", re.MULTILINE)


def gathered(store: Store, numbers: Sequence[int], names: Sequence[str], by: str) -> Pack:
    """Return a pack by `by`: the saved papers by number, and the watches by name. Raises `CacheError`."""
    entries = shelf.entries(store, numbers)
    papers = [PackPaper(entry.paper, entry.tags, notes_in(entry.note, by), entry.rating) for entry in entries]
    positions = {PaperId(saved_paper.number): index for index, saved_paper in enumerate(entries)}
    stored_watches = [watches.watch(store, name) for name in names]
    return Pack(
        by,
        papers,
        list(_decisions(store, positions)),
        [PackWatch(watch.name, watch.question, watch.parameters) for watch in stored_watches],
    )


def notes_in(note: str, by: str) -> list[PackNote]:
    """Split a note into the person's own part and the parts that came with packs by others."""
    own, *others = _BY.split(note)
    parts = [(by, own), *zip(others[::2], others[1::2], strict=True)]
    return [PackNote(name, text.strip()) for name, text in parts if text.strip()]


def signed(note: PackNote) -> str:
    """Return another person's note as text to add to one's own; `notes_in` recognizes it."""
    return f"Note by {note.by}:\n{note.text}"


def _decisions(store: Store, positions: Mapping[PaperId, int]) -> Iterator[PackDecision]:
    """Yield the decisions on the papers, from the searches that list at least one of them."""
    for run in runs.listing(store, SEARCH.name, positions):
        try:
            _, _, events = kept(SEARCH, store, run.id)
        except RunError:
            continue  # from a later version, or damaged
        state = SEARCH.folded(events)
        for work, decided in state.screened.items():
            number = number_of(store, state.found[work].paper) if work in state.found else None
            if number is not None and number in positions and decided.decision:
                yield PackDecision(positions[number], run.question, decided.decision, decided.reason)


@dataclass(frozen=True, slots=True)
class PackMerge:
    """Result of merging a pack by `by`: counts, by kind, of what is `new` and of what was `there` already."""

    by: str
    new: Mapping[str, int]
    there: Mapping[str, int]

    @property
    def sentence(self) -> str:
        """`3 papers, 1 note from Ann; already there: 2 papers`"""
        new, there = ", ".join(counts(self.new)), ", ".join(counts(self.there))
        return f"{new or 'nothing new'} from {self.by}" + (f"; already there: {there}" if there else "")


def merged(store: Store, pack: Pack, tags: Sequence[str] = ()) -> PackMerge:
    """Save the papers of a pack in one transaction, with its tags and `tags`; notes and decisions are signed.

    A rating is saved only if the paper has no opinion here. A watch gets the sender's name as suffix if its name is
    used by another search. Raises `CacheError`, and `UsageError` for a watch that this version cannot run.
    """
    for watch in pack.watches:
        _check(watch)
    new, there = Counter[str](), Counter[str]()
    with recorded(store):
        numbers = papers.remember(store, [paper.paper for paper in pack.papers])
        _save(store, pack, numbers, tags, new, there)
        for watch in pack.watches:
            (new if _stored(store, watch, pack.by) else there)["watch"] += 1
    return PackMerge(pack.by, +new, +there)


def _save(
    store: Store, pack: Pack, numbers: Sequence[PaperId], tags: Sequence[str], new: Counter[str], there: Counter[str]
) -> None:
    decided = dict[int, list[PackDecision]]()
    for decision in pack.decisions:
        decided.setdefault(decision.paper, []).append(decision)
    for index, (number, pack_paper) in enumerate(zip(numbers, pack.papers, strict=True)):
        entry = shelf.shelved(store, number)
        (there if entry else new)["paper"] += 1
        known_tags = {tag.casefold() for tag in entry.tags} if entry else set()
        for tag in dict.fromkeys((*pack_paper.tags, *tags)):
            (there if tag.casefold() in known_tags else new)["tag"] += 1
        note, notices = entry.note if entry else "", list[str]()
        for kind, text, line in _texts(pack_paper.notes, decided.get(index, ()), pack.by):
            (there if text in note else new)[kind] += 1
            notices += [] if text in note else [line]
        shelf.put_imported(store, [(number, ImportedData((*pack_paper.tags, *tags), "\n\n".join(notices), (), {}))])
        if pack_paper.rating:
            opinion = reading_history.last_said(store, number) or (entry and entry.rating)
            (there if opinion else new)["rating"] += 1
            if not opinion:
                shelf.rate(store, number, pack_paper.rating)


def _texts(notes: Sequence[PackNote], decisions: Sequence[PackDecision], by: str) -> Iterator[tuple[str, str, str]]:
    """Yield each text about a paper: its kind, the part that identifies it, and the full text for the note."""
    for note in notes:
        yield "note", note.text, signed(note)
    for decision in decisions:
        why = f": {decision.reason}" if decision.reason else ""
        line = f"{by} {_DECIDED[decision.decision]} “{decision.question}”{why}."
        yield "decision", line, line


_DECIDED = {"included": "included it for", "excluded": "excluded it from", "later": "left it for later in"}


def _check(watch: PackWatch) -> None:
    try:
        if subject_of(watch.parameters) is None:
            TypeAdapter(SearchOptions).validate_python(dict(watch.parameters))
    except (RunError, ValidationError, KeyError, TypeError):
        raise UsageError(f"this spar cannot run the watch {watch.name}; nothing was imported.") from None


def _stored(store: Store, watch: PackWatch, by: str) -> bool:
    """Store the watch, with a suffixed name if necessary; return whether it is new."""
    by_name = {watch_here.name.casefold(): watch_here for watch_here in watches.watches(store)}
    beside = f"{watch.name[: NAME_CAP // 2]} ({by[: NAME_CAP // 3]})"
    for name in (watch.name, beside):
        same = by_name.get(name.casefold())
        if same is None:
            watches.set_watch(store, name, watch.question, watch.parameters)
            return True
        if (same.question, dict(same.parameters)) == (watch.question, dict(watch.parameters)):
            return False
    return False
