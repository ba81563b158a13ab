"""Putting the entries of a bibliography on the shelf, merged with what is there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

from cache import citation_keys, papers, shelf
from cache.store import Store
from cache.timestamps import utc_now
from spar_tui.bibliography.reading.entries_read import FoundEntry, Problem


@dataclass(frozen=True, slots=True)
class Shelving:
    """The papers' numbers in the order of the entries, which of them are new on the shelf, and what was in the way."""

    numbers: tuple[int, ...]
    new: frozenset[int]
    problems: tuple[Problem, ...]


def put_on_shelf(
    store: Store, entries: Sequence[FoundEntry], folder: Path, tags: Sequence[str] = (), now: datetime | None = None
) -> Shelving:
    """Save the entries with their keys, tags, notes, files and details; files are looked for from `folder`.

    What the person has written stays: notes are added, and a PDF or citation key that is known is kept. Saved in
    transactions of some hundreds, so that what an interruption leaves is whole entries. Raises `CacheError`.
    """
    when = now or utc_now()
    before = shelf.numbers_on_shelf(store)
    numbers: list[int] = []
    problems: list[Problem] = []
    for start in range(0, len(entries), papers.BATCH):
        batch = entries[start : start + papers.BATCH]
        with store.writing():
            saved = shelf.save(store, [entry.paper for entry in batch], tags, when)
            for number, entry in zip(saved, batch, strict=True):
                _add(store, number, entry, folder)
                if entry.key and not citation_keys.keep(store, number, entry.key, when):
                    reason = "its key names another paper here, so it keeps or gets another"
                    problems.append(Problem(entry.line, entry.key, reason, taken=True))
        numbers += saved
    # A later batch may have shown that two works of earlier ones are one.
    there = shelf.numbers_on_shelf(store)
    final = [
        number if number in there else papers.number_of(store, entry.paper) or number
        for number, entry in zip(numbers, entries, strict=True)
    ]
    return Shelving(tuple(final), frozenset(final) - before, tuple(problems))


def _add(store: Store, number: int, entry: FoundEntry, folder: Path) -> None:
    """What the entry tells beside the paper itself."""
    if entry.tags:
        shelf.tag(store, number, entry.tags)
    if entry.details:
        shelf.set_details(store, number, entry.details)
    if not (entry.note or entry.file):
        return
    known = shelf.shelved(store, number)
    if entry.note and known and entry.note not in known.note:
        shelf.set_note(store, number, "\n\n".join(filter(None, (known.note, entry.note))))
    if entry.file and known and not known.pdf:
        shelf.set_pdf(store, number, str(_place(entry.file, folder)))


def _place(file: str, folder: Path) -> Path:
    """The file's path; blanks can have been percent-encoded, and Windows' paths stay what they are elsewhere."""
    if "\\" in file or file[1:3] == ":/":
        return Path(file)
    written = folder / file.removeprefix("file://")
    plain = folder / unquote(file.removeprefix("file://"))
    return written if written == plain or written.exists() else plain
