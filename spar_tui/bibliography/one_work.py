"""Decide whether two entries of bibliographies describe one work; the same rule serves import and check.

Within one file, two entries are one work only if nothing contradicts it. Shared values are not enough: editorials share
title and author, volumes of a book everything but their number, and chapters the DOI of their book. Between files, an
identifier outweighs differences in the spelling of names or venues, but never a different volume, page or edition.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rapidfuzz import fuzz

from cache.shelf_texts import DETAILS
from connectors.identifiers import Identifier, Scheme
from connectors.isbn import isbns
from connectors.paper import year_of
from connectors.records.build import is_arxiv_name
from connectors.records.matching import family_key, title_key
from connectors.records.publication import edition_number
from spar_tui.bibliography.comparing.venues import SMALL_WORDS
from spar_tui.bibliography.kinds import Kind, kind_of_original
from spar_tui.bibliography.reading.entries_read import FoundEntry

ENOUGH_WORDS = 5
"""Minimum number of words of a title that identifies a work without its year."""
SIMILAR = 85.0
"""Minimum similarity (0-100) of two titles for a shared identifier to count; subtitles are often left out."""
_PRINTED = ("volume", "number", "pages", "edition", "chapter", "eid", "isbn")
_NAMES: tuple[Scheme, ...] = ("doi", "arxiv", "pmid")
_ONE_KIND: dict[Kind, Kind] = {"phdthesis": "thesis", "mastersthesis": "thesis", "magazine": "article"}


class Description(NamedTuple):
    """The compared values of an entry. Entries with equal descriptions compare alike with every other entry."""

    identifiers: frozenset[Identifier]
    names: tuple[str, ...]
    """Identifiers in the order of `_NAMES`; "" for missing ones."""
    title: str
    people: tuple[tuple[str, str], ...]
    """Key of the family name and initial of each author."""
    et_al: bool
    date: str
    span: str
    venue: tuple[str, ...]
    kind: str
    address: str
    printed: tuple[str, ...]
    """The values of `_PRINTED`, only letters and digits; only the first page, and an edition as a number."""
    isbns: frozenset[str]

    def values(self) -> Iterator[tuple[str, str]]:
        """Yield the values in which entries of one title and first author can differ, each with its field's name."""
        values = [*zip((*_NAMES, *_PRINTED), (*self.names, *self.printed), strict=True), ("kind", self.kind),
                ("year", str(year_of(self.date)) if self.date else ""), ("venue", " ".join(self.venue)),
                ("url", self.address), ("authors", " ".join(family for family, _ in self.people))]  # fmt: skip
        yield from (part for part in values if part[1])


def describe(entry: FoundEntry) -> Description:
    """Return the description of an entry for comparisons."""
    paper, original = entry.paper, entry.original
    return Description(
        frozenset(paper.identifiers),
        tuple(paper.identifier(scheme) or "" for scheme in _NAMES),
        title_key(paper.title),
        tuple((family_key(author.family), author.given[:1].casefold()) for author in paper.authors),
        paper.et_al,
        paper.date or "",
        original.value("date") if original else "",
        tuple(word for word in title_key(paper.venue).split() if word not in SMALL_WORDS),
        _kind(entry),
        (paper.url or "").split("#")[0].rstrip("/"),
        tuple(_printed(entry, part) for part in _PRINTED),
        isbns(entry.details.get("isbn", "")),
    )


def one_work(first: Description, second: Description, *, one_file: bool) -> bool:
    """Whether two entries describe one work: they share evidence, and nothing contradicts."""
    # Chapters may have the ISBN of their book.
    one_book = first.kind == second.kind == "book" and first.isbns & second.isbns
    shared = bool(first.identifiers & second.identifiers or one_book)
    if not shared and not _same_words(first, second):
        return False
    differences = contradictions(first, second, strictly=one_file or not shared)
    return all(name == "further authors" and not one_file for name in differences)


def contradictions(first: Description, second: Description, *, strictly: bool = True) -> Iterator[str]:
    """Yield the fields known in both entries in which they differ: `volume`, `pages` and so on. Not `strictly`, only
    those that never differ within one work."""
    yield from _other_places(first, second)
    details = ("further authors", "venue", "type", "address", "identifiers") if strictly else ()
    for name in ("title", "authors", "year", *details):
        if _CONTRADICT[name](first, second, strictly):
            yield name


def in_other_places(first: Description, second: Description) -> bool:
    """Whether two entries have different volumes, pages, editions or the like."""
    return next(_other_places(first, second), None) is not None


def in_other_books(first: Description, second: Description) -> bool:
    """Whether both are parts of books whose titles are not alike: each has an introduction."""
    venues = " ".join(first.venue), " ".join(second.venue)
    parts = {first.kind, second.kind} <= {"chapter", "inbook"}
    return parts and all(venues) and fuzz.token_set_ratio(*venues) < SIMILAR


def _other_places(first: Description, second: Description) -> Iterator[str]:
    for part, first_value, second_value in zip(_PRINTED, first.printed, second.printed, strict=True):
        if part == "isbn" and first.isbns and second.isbns:
            if first.isbns.isdisjoint(second.isbns):
                yield part
        elif _differ(first_value, second_value):
            yield part


def _same_words(first: Description, second: Description) -> bool:
    """Whether both entries have the same title and authors, and the same year or a long title."""
    if not first.title or first.title != second.title or not (first.people and second.people):
        return False
    same_year = first.date and second.date and year_of(first.date) == year_of(second.date)
    return bool(same_year) or len(first.title.split()) >= ENOUGH_WORDS


def _differ(first: str, second: str) -> bool:
    return bool(first and second and first != second)


def _printed(entry: FoundEntry, part: str) -> str:
    original = entry.original
    text = entry.details.get(part, "")
    if part not in DETAILS and original and original.format == "bibtex":
        text = "" if is_arxiv_name(value := original.value(part)) else value
    if not text:
        return ""
    if part == "pages":
        text = re.split(r"[-‐-―−,;+]", text)[0]
    if part == "edition":
        text = str(edition_number(text) or text)
    return title_key(text).replace(" ", "").lstrip("0")


def _titles(first: Description, second: Description, strictly: bool) -> bool:
    titles = first.title, second.title
    return titles[0] != titles[1] if strictly else fuzz.token_set_ratio(*titles) < SIMILAR


def _authors(first: Description, second: Description, strictly: bool) -> bool:
    people = first.people, second.people
    if not all(people):
        return False
    if not strictly:
        return people[0][0][0] != people[1][0][0]
    for (family, initial), (other_family, other_initial) in zip(*people, strict=False):
        if family != other_family or _differ(initial, other_initial):
            return True
    return False


def _further_authors(first: Description, second: Description, strictly: bool) -> bool:
    """Whether only one of two lists of authors is incomplete. In two files, a person may have shortened one."""
    if not (first.people and second.people):
        return False
    fewer, more = sorted((first, second), key=lambda description: len(description.people))
    return len(fewer.people) < len(more.people) and not fewer.et_al


def _years(first: Description, second: Description, strictly: bool) -> bool:
    spans = first.span, second.span
    if strictly and any("/" in span for span in spans) and _differ(*spans):
        return True
    dates = first.date, second.date
    if not all(dates):
        return False
    if strictly:
        return any(
            _differ(first_year, second_year)
            for first_year, second_year in zip(dates[0].split("-"), dates[1].split("-"), strict=False)
        )
    return abs(year_of(dates[0]) - year_of(dates[1])) > 1 and first.kind == second.kind


def _venues(first: Description, second: Description, strictly: bool) -> bool:
    short, long = sorted((first.venue, second.venue), key=lambda words: sum(map(len, words)))
    return bool(short and long) and not _abbreviates(short, long)


def _abbreviates(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether each word of a venue abbreviates the word at its place in the other: `J Physiol`, `Journal of
    Physiology`. A number abbreviates nothing."""
    return len(short) == len(long) and all(
        word == long_word or (word.isalpha() and word[0] == long_word[0] and _in_order(word, long_word))
        for word, long_word in zip(short, long, strict=True)
    )


def _in_order(letters: str, word: str) -> bool:
    letters_left = iter(word)
    return all(letter in letters_left for letter in letters)


def _types(first: Description, second: Description, strictly: bool) -> bool:
    return first.kind != second.kind


def _kind(entry: FoundEntry) -> str:
    if entry.original is None:
        return entry.paper.type
    kind = kind_of_original(entry.original, entry.paper.type)
    return entry.type if kind == "other" else _ONE_KIND.get(kind, kind)


def _addresses(first: Description, second: Description, strictly: bool) -> bool:
    """Whether the addresses differ, unless both entries have identifiers."""
    return not (first.identifiers and second.identifiers) and _differ(first.address, second.address)


def _identifiers(first: Description, second: Description, strictly: bool) -> bool:
    return any(map(_differ, first.names, second.names))


_CONTRADICT: dict[str, Callable[[Description, Description, bool], bool]] = {
    "title": _titles, "authors": _authors, "further authors": _further_authors, "year": _years, "venue": _venues,
    "type": _types, "address": _addresses, "identifiers": _identifiers,
}  # fmt: skip
