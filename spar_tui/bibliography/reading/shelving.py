"""Save the entries of a bibliography, with all their data."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from cache import citation_keys, originals, papers, shelf
from cache.conditions.wording import listed
from cache.journal import MOST_PAPERS, Recording, as_one_step, recorded
from cache.originals import KeptOriginal, Original
from cache.paths import resolved
from cache.reading_history import forget_changes
from cache.store import PaperId, Store
from cache.timestamps import utc_now
from connectors.paper import Paper
from connectors.records.clean import clean_text
from connectors.records.matching import same_work
from spar_tui.bibliography.candidates import MOST_COMPARED, Candidates, Describe
from spar_tui.bibliography.citation_key import made_by_preset, unused_key
from spar_tui.bibliography.one_work import Description, contradictions, describe, one_work
from spar_tui.bibliography.reading.entries import found_again
from spar_tui.bibliography.reading.entries_read import FoundEntry, Problem
from spar_tui.bibliography.zotero_json import item_key
from spar_tui.openable_files import is_local_file


class Join(NamedTuple):
    """An entry assigned to a work that is saved already, possibly with another entry. `other` is that entry's key, else
    the work's title; `other_line` its line if it is in the same file.
    """

    line: int
    name: str
    other: str
    other_line: int | None


@dataclass(frozen=True, slots=True)
class Shelving:
    """The papers' numbers in the order of the entries, the newly saved papers, and notes. `updated` has the keys of
    entries that were saved before with other contents.
    """

    numbers: tuple[int, ...]
    new: frozenset[int]
    problems: tuple[Problem, ...]
    joins: tuple[Join, ...] = ()
    updated: tuple[str, ...] = ()


def put_on_shelf(
    store: Store,
    entries: Sequence[FoundEntry],
    folder: Path,
    tags: Sequence[str] = (),
    now: datetime | None = None,
    progress: Callable[[int], None] = lambda more: None,
    *,
    beside: bool = True,
) -> Shelving:
    """Save the entries with their keys, tags, notes, files and details. Relative paths of files start at `folder`; with
    `beside` (the bibliography is in that folder) spar may open files in or below it without asking.

    The person's own data stays: notes and files are added, and a known citation key is kept. Saves in transactions of
    some hundreds, so that an interruption leaves only complete entries; calls `progress` with the number of entries
    saved by each. Raises `CacheError`.
    """
    job = _ImportJob(store, folder, tags, now or utc_now(), beside)
    before = shelf.numbers_on_shelf(store)
    numbers, written = list[int](), 0
    if len(entries) > 2 * MOST_PAPERS:  # most entries that are not stored yet are works of their own
        with store.writing() as db:
            [originals_before] = db.execute("SELECT count(*) FROM originals").fetchone()
            if len(entries) - originals_before > 2 * MOST_PAPERS:
                forget_changes(db)
                written = MOST_PAPERS + 1
    with as_one_step():
        for start in range(0, len(entries), papers.BATCH):
            with _recorded(store, written) as recording:
                numbers += job.take(entries[start : start + papers.BATCH])
            written += len(recording.papers)
            progress(len(numbers) - start)
        with _recorded(store, written):  # last, because another entry may have such a key as its own
            for number, alias in ((number, alias) for number, entry in zip(numbers, entries, strict=True)
                                  for alias in entry.aliases):  # fmt: skip
                citation_keys.keep(store, number, alias, job.now)
    return Shelving(
        tuple(numbers), frozenset(numbers) - before, tuple(job.problems), tuple(job.joins), tuple(job.updated)
    )


@contextmanager
def _recorded(store: Store, written: int) -> Iterator[Recording]:
    """Record the changes for undo, unless the step has `written` more papers than an undo step can hold."""
    if written <= MOST_PAPERS:
        with recorded(store) as recording:
            yield recording
    else:
        with store.writing():
            yield Recording()


class _Described:
    """Describe an entry on the first call and keep the description; most entries are never compared."""

    __slots__ = ("description", "entry")

    def __init__(self, entry: FoundEntry) -> None:
        self.entry = entry
        self.description: Description | None = None

    def __call__(self) -> Description:
        self.description = self.description or describe(self.entry)
        return self.description


class _SavedEntry(NamedTuple):
    """A saved entry of a work, and whether it is in the file being read."""

    entry: FoundEntry
    describe: Describe
    key: str
    here: bool


def _keep(known: list[_SavedEntry], entry: _SavedEntry) -> None:
    """Add an entry unless one with its description is there; at most `MOST_COMPARED`."""
    if len(known) < MOST_COMPARED and all(other.describe() != entry.describe() for other in known):
        known.append(entry)


@dataclass
class _ImportJob:
    """The import of one file's entries."""

    store: Store
    folder: Path
    tags: Sequence[str]
    now: datetime
    beside: bool
    problems: list[Problem] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    candidates: Candidates = field(init=False)
    here: dict[int, list[_SavedEntry]] = field(default_factory=lambda: defaultdict(list))
    """The entries of this file by the number of their work."""
    kept: dict[int, list[_SavedEntry]] = field(default_factory=dict)
    """The library's entries by the number of their work, read when needed for a comparison."""
    keys: set[tuple[int, str]] = field(default_factory=set)
    """The work's number and the key of each entry of this file."""
    joined: set[int] = field(default_factory=set)
    """Saved works joined with an entry of this file: the first such entry can give them its key."""
    stored: set[bytes | str] = field(default_factory=set)
    """The marks of stored originals that entries of the file can share (`originals.marks_of`)."""
    taken: set[str] | None = None
    """All citation keys in lower case, read when two entries want the same key."""

    items: dict[str, tuple[PaperId, KeptOriginal]] | None = None
    """Stored entries that came from Zotero, by their Zotero keys; read when such an entry is imported."""

    def __post_init__(self) -> None:
        self.candidates = Candidates(self.store)

    def take(self, entries: Sequence[FoundEntry]) -> list[PaperId]:
        """Save the entries within one transaction; return the numbers of their works."""
        self.candidates.read_new(entry.paper for entry in entries)
        self.stored |= originals.in_use(
            self.store, ((entry.original, entry.key) for entry in entries if entry.original)
        )
        numbers = [self.number_of(entry) for entry in entries]
        shelf_data = (_shelf_data(entry, self.tags, self.folder, self.beside) for entry in entries)
        shelf.put_imported(self.store, zip(numbers, shelf_data, strict=True), self.now)
        return numbers

    def number_of(self, entry: FoundEntry) -> PaperId:
        """Save the entry's data, and return the number of its work."""
        before = self.number_before(entry)
        describe_entry = _Described(entry)
        if before is None:
            number = self.save_in_work(entry, describe_entry)
        else:
            number = papers.remember_as(self.store, entry.paper, before, self.now)
        _keep(self.here[number], _SavedEntry(entry, describe_entry, entry.key, here=True))
        self.keys.add((number, entry.key))
        self.candidates.add(number, entry.paper, describe_entry)
        return number

    def number_before(self, entry: FoundEntry) -> PaperId | None:
        """Return the work of an entry that was imported before, whether or not the entry has changed."""
        if entry.original is None or not (earlier := self.kept_before(entry.original, entry.key)):
            return None
        number, kept = earlier
        if kept is None:
            originals.refresh(self.store, entry.original)
            return number
        before = found_again(kept.original)
        if before is None or (number, kept.key) in self.keys:
            return None
        shared = set(before.paper.identifiers) & set(entry.paper.identifiers)
        disagreements = set(contradictions(describe(before), describe(entry), strictly=False))
        if disagreements & {"title", "authors"} or (disagreements and not shared):
            return None  # another work with this key, which must not replace the first
        originals.replace(self.store, kept.number, entry.original)
        self.stored.update(originals.marks_of(entry.original, kept.key))
        self.kept.pop(number, None)
        self.updated.append(entry.key or entry.paper.title)
        return number

    def kept_before(self, original: Original, key: str) -> tuple[PaperId, KeptOriginal | None] | None:
        """Return the paper and the stored entry of an earlier import: with equal contents, the same key in the original
        program, or the same citation key."""
        there = not self.stored.isdisjoint(originals.marks_of(original, key))
        earlier = originals.kept_before(self.store, original, key) if there else None
        own = item_key(original)
        if not own or (earlier and earlier[1] is None):
            return earlier
        if self.items is None:
            self.items = {name: kept for kept in originals.every(self.store) if (name := item_key(kept[1].original))}
        if own in self.items:
            return self.items[own]
        return None if earlier and earlier[1] and item_key(earlier[1].original) else earlier

    def save_in_work(self, entry: FoundEntry, describe_entry: Describe) -> PaperId:
        """Save the entry in its work or as a new one; return the work's number."""
        paper_id = self.same_work(entry, describe_entry)
        number = papers.remember_as(self.store, entry.paper, paper_id, self.now)
        key = self.key(entry, number, paper_id is not None)
        if key and paper_id is not None and number not in self.joined:
            self.joined.add(number)
            own = citation_keys.keys_of(self.store, [number]).get(number, "")
            if made_by_preset(own, papers.by_id(self.store, number)):
                citation_keys.choose(self.store, number, key, self.now)
        if entry.original:
            originals.keep(self.store, number, entry.original, key)
            self.stored.update(originals.marks_of(entry.original, key))
        return number

    def same_work(self, entry: FoundEntry, describe_entry: Describe) -> PaperId | None:
        apart: list[Problem] = []
        for number in self.candidates.of(entry.paper, describe_entry):
            description = describe_entry()
            first, other = None, None
            for comparable in self.comparables(number):  # the library is read only while nothing contradicts
                first = first or comparable
                if not one_work(comparable.describe(), description, one_file=comparable.here):
                    other = comparable
                    break
            if other:
                apart += _apart(other, entry, description)
            elif first:
                line = first.entry.line if first.here else None
                self.joins.append(Join(entry.line, entry.key, first.key or first.entry.paper.title, line))
                return number
            for stored in [] if first else papers.by_ids(self.store, [number]):
                if _describes(stored, entry, description):
                    if shelf.shelved(self.store, number):
                        self.joins.append(Join(entry.line, entry.key, stored.title, None))
                    return number
        self.problems += apart[:1]
        return None

    def comparables(self, number: PaperId) -> Iterator[_SavedEntry]:
        """Yield the entries of a work that are compared."""
        if number in self.here:
            yield from self.here[number]
        if number not in self.kept:
            self.kept[number] = []
            for kept in originals.first_of(self.store, number, MOST_COMPARED):
                if entry := found_again(kept.original):
                    _keep(self.kept[number], _SavedEntry(entry, _Described(entry), kept.key, here=False))
        yield from self.kept[number]

    def key(self, entry: FoundEntry, number: int, joined: bool) -> str:
        """Return the entry's key for exports: its own, unless an entry of another work has it, or of the work that it
        is `joined` with. Another work with the key of an earlier entry of the file gets one like it."""
        again = entry.original.key if entry.original and not joined else ""
        wanted = entry.key or (again if again in {earlier for _, earlier in self.keys} else "")
        if not wanted:
            return ""
        key = wanted
        mine = citation_keys.keep(self.store, number, key, self.now)
        called = originals.called(self.store, key) if joined else None
        if not mine or (called and called[1].key == key):
            if self.taken is None:
                self.taken = set(citation_keys.taken(self.store))
            key = unused_key(key, self.taken, first=False)
            citation_keys.keep(self.store, number, key, self.now)
            reason = f"another entry has this key, so {_named(entry)} gets the key {key}"
            self.problems.append(Problem(entry.line, wanted, reason, taken=True, of_key=True))
        if self.taken is not None:
            self.taken.add(key.casefold())
        return key


def _apart(other: _SavedEntry, entry: FoundEntry, description: Description) -> Iterator[Problem]:
    """Report two entries that share an identifier and have nearly the same title and authors, but contradict each
    other."""
    shared = sorted(map(str, set(other.entry.paper.identifiers) & set(entry.paper.identifiers)))
    if shared and not {"title", "authors"} & set(contradictions(other.describe(), description, strictly=False)):
        differences = list(contradictions(other.describe(), description, strictly=other.here))
        line = f" (line {other.entry.line})" if other.here else ""
        name = other.key or _named(other.entry)
        reason = f"it shares {shared[0]} with {name}{line} but differs in {listed(differences)}, so both are kept"
        yield Problem(entry.line, entry.key, reason, taken=True)


def _named(entry: FoundEntry) -> str:
    return f"“{clean_text(entry.paper.title, 60)}”"


def _describes(stored: Paper, entry: FoundEntry, description: Description) -> bool:
    """Whether the entry describes the work in the sources' data, without a different volume, number or pages."""
    imprint = stored.imprint
    details = {"volume": imprint.volume, "number": imprint.number, "pages": imprint.pages}
    work = describe(FoundEntry(0, "", stored, details=details))
    return same_work(stored, entry.paper) and next(contradictions(work, description, strictly=False), None) is None


def _shelf_data(entry: FoundEntry, tags: Sequence[str], folder: Path, beside: bool) -> shelf.ImportedData:
    """Return the entry's shelf data."""
    files = [str(_path_of(file, folder)) for file in entry.files]
    below = (file for file in files if beside and is_local_file(file))
    chosen = [file for file in below if resolved(file).is_relative_to(resolved(folder))]
    return shelf.ImportedData((*tags, *entry.tags), entry.note, files, entry.details, chosen)


def _path_of(file: str, folder: Path) -> Path:
    """Return the file's path; blanks may be percent-encoded, and Windows paths stay unchanged."""
    if "\\" in file or file[1:3] == ":/":
        return Path(file)
    written = folder / file.removeprefix("file://")
    plain = folder / unquote(file.removeprefix("file://"))
    return written if written == plain or is_local_file(str(written)) else plain
