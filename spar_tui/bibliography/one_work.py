"""Whether two entries of bibliographies are of one work: the one rule of import and check.

Two entries that somebody keeps side by side in one file are two works unless nothing they say contradicts: what they
share is not enough, for editorials share title and author, volumes of a book all but their number, and chapters the
DOI of their book. Between files an identifier outweighs how a venue or a name is spelled, but never another place in
print.
"""

import re
from collections.abc import Callable, Iterator

from rapidfuzz import fuzz

from connectors.isbn import isbns
from connectors.paper import Author, Paper, year_of
from connectors.records.matching import family_key, title_key
from spar_tui.bibliography.comparing.venues import SMALL_WORDS
from spar_tui.bibliography.kinds import Kind, kind_of_original
from spar_tui.bibliography.reading.entries_read import FoundEntry

ENOUGH_WORDS = 5
"""Words of a title that tell a work without its year."""
SIMILAR = 85.0
"""Similarity (0-100) of two titles from which a shared identifier is believed; subtitles are often left out."""
_PRINTED = ("volume", "number", "pages", "edition", "chapter", "eid", "isbn")
_ONE_KIND: dict[Kind, Kind] = {"phdthesis": "thesis", "mastersthesis": "thesis", "magazine": "article"}


def one_work(first: FoundEntry, second: FoundEntry, *, one_file: bool) -> bool:
    """Whether the entries are of one work: something says so, and nothing contradicts."""
    shared = bool(set(first.paper.identifiers) & set(second.paper.identifiers))
    if not shared and not _same_words(first.paper, second.paper):
        return False
    return next(contradictions(first, second, strictly=one_file or not shared), None) is None


def contradictions(first: FoundEntry, second: FoundEntry, *, strictly: bool = True) -> Iterator[str]:
    """In what the entries differ that both tell: `volume`, `pages` and so on. Not `strictly`, only what no two
    descriptions of one work differ in."""
    yield from (part for part in _PRINTED if _differ_in(part, first, second))
    for name in ("title", "authors", "year", *(("venue", "type", "address", "identifiers") if strictly else ())):
        if _CONTRADICT[name](first, second, strictly):
            yield name


def in_other_places(first: FoundEntry, second: FoundEntry) -> bool:
    """Whether two entries stand in different places in print: other volumes, pages, editions and the like."""
    return any(_differ_in(part, first, second) for part in _PRINTED)


def _differ_in(part: str, first: FoundEntry, second: FoundEntry) -> bool:
    if part == "isbn":
        numbers = [isbns(entry.details.get(part, "")) for entry in (first, second)]
        if all(numbers):
            return numbers[0].isdisjoint(numbers[1])
    return _differ(_printed(first, part), _printed(second, part))


def _same_words(first: Paper, second: Paper) -> bool:
    """Whether title, authors and year are known and the same."""
    title = title_key(first.title)
    if not title or title != title_key(second.title) or not (first.authors and second.authors):
        return False
    return (first.year is not None and first.year == second.year) or len(title.split()) >= ENOUGH_WORDS


def _differ(first: str, second: str) -> bool:
    return bool(first and second and first != second)


def _printed(entry: FoundEntry, part: str) -> str:
    """A part of where it is printed, letters and digits only; of pages the first."""
    original = entry.original
    text = entry.details.get(part) or (original.value(part) if original and original.format == "bibtex" else "")
    if part == "pages":
        text = re.split(r"[-‐-―−,;+]", text)[0]
    return title_key(text).replace(" ", "").lstrip("0")


def _titles(first: FoundEntry, second: FoundEntry, strictly: bool) -> bool:
    titles = title_key(first.paper.title), title_key(second.paper.title)
    return titles[0] != titles[1] if strictly else fuzz.token_set_ratio(*titles) < SIMILAR


def _authors(first: FoundEntry, second: FoundEntry, strictly: bool) -> bool:
    people = first.paper.authors, second.paper.authors
    if not all(people):
        return False
    if not strictly:
        return family_key(people[0][0].family) != family_key(people[1][0].family)
    if not all(_may_be_one(author, other) for author, other in zip(*people, strict=False)):
        return True
    fewer, more = sorted((first.paper, second.paper), key=lambda paper: len(paper.authors))
    return len(fewer.authors) < len(more.authors) and not fewer.et_al


def _may_be_one(first: Author, second: Author) -> bool:
    initials = first.given[:1].casefold(), second.given[:1].casefold()
    return family_key(first.family) == family_key(second.family) and not _differ(*initials)


def _years(first: FoundEntry, second: FoundEntry, strictly: bool) -> bool:
    spans = [entry.original.value("date") if entry.original else "" for entry in (first, second)]
    if strictly and any("/" in span for span in spans) and _differ(*spans):
        return True
    dates = first.paper.date, second.paper.date
    if not (dates[0] and dates[1]):
        return False
    if strictly:
        return any(_differ(left, other) for left, other in zip(dates[0].split("-"), dates[1].split("-"), strict=False))
    return abs(year_of(dates[0]) - year_of(dates[1])) > 1 and _kind(first) == _kind(second)


def _venues(first: FoundEntry, second: FoundEntry, strictly: bool) -> bool:
    venues = [_words(entry.paper.venue) for entry in (first, second)]
    return bool(venues[0] and venues[1]) and not _abbreviates(min(venues, key=_letters), max(venues, key=_letters))


def _words(venue: str) -> list[str]:
    return [word for word in title_key(venue).split() if word not in SMALL_WORDS]


def _letters(words: list[str]) -> int:
    return sum(map(len, words))


def _abbreviates(short: list[str], long: list[str]) -> bool:
    """Whether each word of a venue begins the word of the other in its place: `J Physiol`, `Journal of Physiology`."""
    return len(short) == len(long) and all(
        word[0] == whole[0] and _in_order(word, whole) for word, whole in zip(short, long, strict=True)
    )


def _in_order(letters: str, word: str) -> bool:
    rest = iter(word)
    return all(letter in rest for letter in letters)


def _types(first: FoundEntry, second: FoundEntry, strictly: bool) -> bool:
    return _kind(first) != _kind(second)


def _kind(entry: FoundEntry) -> str:
    if entry.original is None:
        return entry.paper.type
    kind = kind_of_original(entry.original, entry.paper.type)
    return entry.type if kind == "other" else _ONE_KIND.get(kind, kind)


def _addresses(first: FoundEntry, second: FoundEntry, strictly: bool) -> bool:
    """Of works that are only on the web the address is the place."""
    urls = [(entry.paper.url or "").split("#")[0].rstrip("/") for entry in (first, second)]
    return not (first.paper.identifiers and second.paper.identifiers) and _differ(*urls)


def _identifiers(first: FoundEntry, second: FoundEntry, strictly: bool) -> bool:
    return any(
        _differ(first.paper.identifier(scheme) or "", second.paper.identifier(scheme) or "")
        for scheme in ("doi", "arxiv", "pmid")
    )


_CONTRADICT: dict[str, Callable[[FoundEntry, FoundEntry, bool], bool]] = {
    "title": _titles, "authors": _authors, "year": _years, "venue": _venues, "type": _types, "address": _addresses,
    "identifiers": _identifiers,
}  # fmt: skip
