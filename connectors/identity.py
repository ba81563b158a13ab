"""Which records are the same work, and how they become one.

Two records are the same work by DOI, arXiv id, PMID or another shared identifier; failing that, by title, first
author and year within one. A preprint and its published version are joined and both kept.

`merge` chooses each field by a total order over everything that is remembered about it (value, source, version),
and unites what can be united. So it is commutative, associative and idempotent: the order in which sources answer
changes nothing.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import astuple, replace
from typing import NamedTuple

from rapidfuzz import fuzz

from connectors.identifiers import Identifier, Scheme, closed
from connectors.paper import Paper, Provenance, Version

_TEX_COMMAND = re.compile(r"\\[a-zA-Z]+")
_NO_LETTERS = re.compile(r"[^a-z0-9]+")
SIMILAR_TITLE = 95.0
"""Edit similarity (0-100) from which two long titles by one first author are one title."""

_TRUST = {"pubmed": 6, "openalex": 5, "semanticscholar": 4, "arxiv": 3, "starter": 2, "google": 1}
"""Whose bibliographic facts go first when two sources differ; abstracts go by length instead."""


# --- sameness ---------------------------------------------------------------------------------------------------


def same_work(one: Paper, other: Paper) -> bool:
    """Whether two records describe the same work."""
    if set(one.identifiers) & set(other.identifiers):
        return not _strangers(one, other)
    return not _distinct(one, other) and _same_words(one, other)


def _strangers(one: Paper, other: Paper) -> bool:
    """Whether records that share an identifier share nothing else: then the identifier is wrong in one of them."""
    if not (one.authors and other.authors):
        return False
    families = [{family_key(person.family) for person in paper.authors} for paper in (one, other)]
    if families[0] & families[1]:
        return False
    return fuzz.token_set_ratio(title_key(one.title), title_key(other.title)) < 50


def _distinct(one: Paper, other: Paper) -> bool:
    """Whether the records bear different names within a scheme that names a version once."""
    if one.published and other.published and one.published.doi and other.published.doi:
        return True  # not shared, or `same_work` had ended before
    schemes: tuple[Scheme, ...] = ("arxiv", "pmid")
    for scheme in schemes:
        names = one.identifier(scheme), other.identifier(scheme)
        if all(names) and names[0] != names[1]:
            return True
    return False


def _same_words(one: Paper, other: Paper) -> bool:
    titles = title_key(one.title), title_key(other.title)
    if not all(titles) or _first_author(one) != _first_author(other) or not _first_author(one):
        return False
    exact = titles[0] == titles[1]
    if one.year is None or other.year is None:
        return exact and len(titles[0].split()) >= 5
    if abs(one.year - other.year) > 1:
        return False
    return exact or _almost_equal(*titles)


def _almost_equal(one: str, other: str) -> bool:
    # "Part 1" and "Part 2", "GPT-3" and "GPT-4" differ by a letter and are two works.
    numbers = [re.findall(r"\d+|\b[ivx]+\b", title) for title in (one, other)]
    return min(len(one), len(other)) >= 20 and numbers[0] == numbers[1] and fuzz.ratio(one, other) >= SIMILAR_TITLE


def title_key(title: str) -> str:
    """A title's letters and digits in lower case without accents, TeX commands or punctuation."""
    text = _TEX_COMMAND.sub(" ", title)
    if text.isascii():
        return " ".join(_NO_LETTERS.sub(" ", text.lower()).split())
    text = unicodedata.normalize("NFKD", text.casefold())
    letters = (char if char.isalnum() else " " for char in text if not unicodedata.combining(char))
    return " ".join("".join(letters).split())


def family_key(family: str) -> str:
    """A family name for comparison: the last word, so that `van der Berg`, `Berg` and `Van Der Berg` agree."""
    words = title_key(family.replace("-", " ")).split()
    return words[-1] if words else ""


def _first_author(paper: Paper) -> str:
    return family_key(paper.authors[0].family) if paper.authors else ""


# --- grouping ---------------------------------------------------------------------------------------------------


class Added(NamedTuple):
    """The work that a new record belongs to, merged so far, and the works it showed to be the same one."""

    work: int
    paper: Paper
    absorbed: tuple[int, ...]


class Works:
    """Records grouped into works as they arrive; which records form a work does not depend on their order."""

    def __init__(self) -> None:
        self._records: list[Paper] = []
        self._leader: list[int] = []
        self._merged: dict[int, Paper] = {}
        self._by_key: dict[Hashable, list[int]] = defaultdict(list)

    def add(self, paper: Paper) -> Added:
        """Take a record in, and say which work it belongs to now."""
        number = len(self._records)
        self._records.append(paper)
        self._leader.append(number)
        self._merged[number] = paper
        absorbed = []
        for other in sorted({candidate for key in _asked_keys(paper) for candidate in self._by_key.get(key, ())}):
            if same_work(self._records[other], paper):
                absorbed += self._join(other, number)
        for key in _stored_keys(paper):
            self._by_key[key].append(number)
        work = self._work(number)
        return Added(work, self._merged[work], tuple(gone for gone in absorbed if gone != number))

    def papers(self) -> list[Paper]:
        """Every work, in the order of their first records."""
        return [self._merged[number] for number in sorted(self._merged)]

    def __len__(self) -> int:
        return len(self._merged)

    def _work(self, number: int) -> int:
        while self._leader[number] != number:
            number = self._leader[number]
        return number

    def _join(self, one: int, other: int) -> list[int]:
        first, second = sorted((self._work(one), self._work(other)))
        if first == second:
            return []
        self._leader[second] = first
        self._merged[first] = merge(self._merged[first], self._merged.pop(second))
        return [second]


def merge_all(papers: Iterable[Paper]) -> list[Paper]:
    """The works that `papers` are records of, in the order of their first record."""
    works = Works()
    for paper in papers:
        works.add(paper)
    return works.papers()


def _stored_keys(paper: Paper) -> list[Hashable]:
    first = _first_author(paper)
    return [*paper.identifiers, *([(first, paper.year), (first,)] if first else [])]


def _asked_keys(paper: Paper) -> list[Hashable]:
    """Where a record of the same work could be: its names, and its first author within a year of it."""
    first = _first_author(paper)
    if not first:
        return list(paper.identifiers)
    if paper.year is None:
        return [*paper.identifiers, (first,)]
    return [*paper.identifiers, *((first, year) for year in (None, paper.year - 1, paper.year, paper.year + 1))]


# --- merging ----------------------------------------------------------------------------------------------------


def merge(one: Paper, other: Paper) -> Paper:
    """One record of a work from two: the better value of each field, all identifiers, both versions."""
    best = {name: max((one, other), key=lambda paper, n=name: _order(paper, n)) for name in _ORDERS}  # type: ignore[misc]
    provenance = [entry for name, paper in best.items() if (entry := _told(paper, name))]
    return replace(
        one,
        **{name: getattr(paper, name) for name, paper in best.items()},
        identifiers=closed((*one.identifiers, *other.identifiers)),
        retracted=one.retracted or other.retracted,
        preprint=_better_version(one.preprint, other.preprint),
        published=_better_version(one.published, other.published),
        provenance=tuple(sorted(provenance)),
    )


def _told(paper: Paper, field: str) -> Provenance | None:
    return next((entry for entry in paper.provenance if entry.field == field), None)


def _order(paper: Paper, field: str) -> tuple[object, ...]:
    """A key under which equal means: same value, same source, same version."""
    told = _told(paper, field) or Provenance(field, "", preprint=True)
    value = getattr(paper, field)
    known = value not in (None, "", ())
    return (
        known,
        *_ORDERS[field](value, told),
        _TRUST.get(told.source, 0),
        told.source,
        not told.preprint,
        repr(value),
    )


def _published_first(_: object, told: Provenance) -> tuple[object, ...]:
    return (not told.preprint,)


def _fullest_names(value: tuple[object, ...], told: Provenance) -> tuple[object, ...]:
    """More authors first (lists are cut at 100 by some), then more given names written out."""
    written_out = sum(len(getattr(person, "given", "").replace(".", "").split(" ")[0]) > 1 for person in value)
    return (len(value), written_out, not told.preprint)


def _most_precise(value: str | None, told: Provenance) -> tuple[object, ...]:
    return (not told.preprint, len(value or ""))


def _longest_honest(value: str, told: Provenance) -> tuple[object, ...]:
    """A whole abstract before a cut one, a source's before a shelf's own words, then the longer."""
    cut = value.endswith(("…", "..."))
    page_not_abstract = len(value) > 6_000
    return (told.source != "starter", not cut, not page_not_abstract, len(value))


def _largest(value: object, told: Provenance) -> tuple[object, ...]:
    return (value if isinstance(value, int) else -1,)


def _longest(value: tuple[object, ...], told: Provenance) -> tuple[object, ...]:
    return (len(value),)


_ORDERS: dict[str, Callable[..., tuple[object, ...]]] = {
    "title": _published_first,
    "abstract": _longest_honest,
    "authors": _fullest_names,
    "date": _most_precise,
    "venue": _published_first,
    "type": _published_first,
    "citation_count": _largest,
    "references": _longest,
    "pdf": _published_first,
    "url": _published_first,
    "language": _published_first,
}


def _better_version(one: Version | None, other: Version | None) -> Version | None:
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda version: (_known_parts(version), _comparable(version)))


def _known_parts(version: Version) -> int:
    return sum(part not in (None, "") for part in astuple(version))


def _comparable(version: Version) -> tuple[str, ...]:
    return tuple(part or "" for part in astuple(version))


def names_of(papers: Iterable[Paper]) -> set[Identifier]:
    """All identifiers of `papers`."""
    return {name for paper in papers for name in paper.identifiers}
