"""A small library of several fields for the tests of reading, such as a person who writes a thesis may have."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cache import reading_history, shelf
from cache.papers import remember
from cache.store import PaperId, Store
from connectors.identifiers import doi
from connectors.paper import Author, Paper, PaperType

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
_PAPERS = Path(__file__).parent / "library.txt"
"""One paper a line: short name, title, people, venue, date, citations, type, abstract, tags, note, read, rating."""
UNSAVED = frozenset({"retract", "rust", "dark"})


def fill(store: Store) -> dict[str, PaperId]:
    """Put the library into an empty store; return the numbers of papers by short name. Raises `CacheError`."""
    numbers: dict[str, PaperId] = {}
    with store.writing():
        for place, line in enumerate(_PAPERS.read_text("utf-8").splitlines()):
            name, title, people, venue, date, cited, kind, abstract, tags, note, read, rating = line.split("|")
            paper = _paper(place, title, people, venue, date, int(cited), kind, abstract)  # type: ignore[arg-type]
            [number] = remember(store, [paper], NOW - timedelta(days=300))
            numbers[name] = number
            if name in UNSAVED:
                continue
            shelf.put(store, [number], tags.split(), NOW - timedelta(days=200 - 4 * place))
            if note:
                shelf.set_note(store, number, note)
            if read:
                shelf.mark_read(store, number, True, NOW - timedelta(days=30))
            if rating != "0":
                shelf.rate(store, number, 1 if rating == "1" else -1, NOW - timedelta(days=30))
        reading_history.note_interaction(store, numbers["bert"], "opened", now=NOW - timedelta(days=2))
    return numbers


def _paper(
    place: int, title: str, people: str, venue: str, date: str, cited: int, kind: PaperType, abstract: str
) -> Paper:
    names = [person.split(" ") for person in people.split("; ")]
    authors = tuple(Author(" ".join(parts[:-1]), parts[-1]) for parts in names)
    name = doi(f"10.5555/reading.{place}")
    assert name is not None
    return Paper(
        title, abstract, authors, date, venue, kind, (name,), cited, retracted=title.startswith("Ileal"),
        pdf="https://example.org/a.pdf" if place % 3 == 0 else None,
    )  # fmt: skip
