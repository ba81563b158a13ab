"""About two hundred made-up papers and one citation graph, the same behind all services."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32


@dataclass(frozen=True, slots=True)
class Author:
    """A person, or with `collective` a group that signs as one."""

    family: str
    given: str = ""
    collective: bool = False

    @property
    def name(self) -> str:
        return f"{self.given} {self.family}".strip()

    @property
    def initials(self) -> str:
        return "".join(part[0] for part in self.given.replace(".", " ").split())


SHARED_NAMES = frozenset({"Xu", "Zhang"})
"""Family names whose bearers are told apart by their subject: one name, several people."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A person as an index of authors knows them: by a number, with what is theirs."""

    number: int
    name: str
    subject: str
    works: tuple[Work, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """One made-up work. An identifier that is None means that the service does not hold the work.

    `marked_title` is the title with inline markup as PubMed and publishers write it; `sections` are the labelled parts
    of `abstract`. `references` are numbers of other works, `unresolved` are titles of references in no service.
    `preprint` is the number of the preprint of a journal version. `volume` to `publisher` are of the printed form;
    `pages` are `100-110`, or an article number.
    """

    number: int
    topic: str
    field: str
    title: str
    abstract: str | None
    authors: tuple[Author, ...]
    year: int | None
    date: str | None
    venue: str
    kind: str = "article"
    marked_title: str | None = None
    sections: tuple[tuple[str, str], ...] = ()
    doi: str | None = None
    arxiv: str | None = None
    arxiv_version: int = 1
    category: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    s2: str | None = None
    openalex: str | None = None
    references: tuple[int, ...] = ()
    unresolved: tuple[str, ...] = ()
    references_withheld: bool = False
    retracted: bool = False
    open_access: bool = False
    medline_date: str | None = None
    preprint: int | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    language: str = "en"
    indexed: str | None = None
    """The day on which services first had it, where that is not the day on which it appeared."""

    @property
    def corpus_id(self) -> int:
        return 200_000_000 + self.number

    @property
    def first_and_last_page(self) -> tuple[str | None, str | None]:
        """OpenAlex and PubMed tell them apart; an article number is both."""
        first, _, last = (self.pages or "").partition("-")
        return (first or None, last or first or None)

    @property
    def short_pages(self) -> str:
        """MEDLINE's spelling, which leaves out of the last page what it shares with the first: `100-10`."""
        first, dash, last = (self.pages or "").partition("-")
        shared = [place for place in range(len(last)) if len(first) == len(last) and first[:place] == last[:place]]
        return f"{first}{dash}{last[max(shared, default=0) :]}"


class Corpus:
    """Works by number and by every identifier, and who cites whom.

    `merged` maps an old OpenAlex id to the one it was merged into.
    """

    def __init__(self, works: list[Work], merged: dict[str, str]) -> None:
        self.works = works
        self.merged = merged
        self._by_number = {work.number: work for work in works}

    def __getitem__(self, number: int) -> Work:
        return self._by_number[number]

    def __len__(self) -> int:
        return len(self.works)

    @cached_property
    def _cited_by(self) -> dict[int, tuple[int, ...]]:
        found: dict[int, list[int]] = defaultdict(list)
        for work in self.works:
            for number in work.references:
                found[number].append(work.number)
        return {number: tuple(citing) for number, citing in found.items()}

    def references(self, work: Work) -> list[Work]:
        return [self[number] for number in work.references]

    def citations(self, work: Work) -> list[Work]:
        """Works that cite this one, newest first."""
        citing = [self[number] for number in self._cited_by.get(work.number, ())]
        return sorted(citing, key=lambda one: (one.date or str(one.year or 0), one.number), reverse=True)

    def profile_number(self, author: Author, work: Work) -> int:
        """The number of who signs `work` as `author`."""
        return crc32(_signed(author, work).encode()) % 900_000_000

    @cached_property
    def profiles(self) -> dict[int, Profile]:
        """All people by number; groups are none. The newest of their works first."""
        found: dict[int, list[tuple[Author, Work]]] = defaultdict(list)
        for work in self.works:
            for author in work.authors:
                if not author.collective:
                    found[self.profile_number(author, work)].append((author, work))
        return {number: _profile(number, signed) for number, signed in found.items()}

    def find(self, name: str, value: str) -> Work | None:
        """The work whose identifier `name` (doi, arxiv, pmid, pmcid, s2, openalex) is `value`, or None."""
        return self._identifiers.get((name, value.lower()))

    @cached_property
    def _identifiers(self) -> dict[tuple[str, str], Work]:
        names = ("doi", "arxiv", "pmid", "pmcid", "s2", "openalex")
        return {
            (name, value.lower()): work
            for work in self.works
            for name in names
            if (value := getattr(work, name)) is not None
        }

    def named(self, title: str) -> Work:
        """The work of this title, for tests. KeyError when there is none."""
        for work in self.works:
            if work.title == title:
                return work
        raise KeyError(title)

    def journal_version(self, work: Work) -> Work | None:
        return next((one for one in self.works if one.preprint == work.number), None)


def _signed(author: Author, work: Work) -> str:
    return f"{author.name} {work.topic}" if author.family in SHARED_NAMES else author.name


def _profile(number: int, signed: list[tuple[Author, Work]]) -> Profile:
    works = sorted((work for _, work in signed), key=lambda one: (one.date or str(one.year or 0), one.number))
    return Profile(number, signed[0][0].name, works[-1].topic, tuple(reversed(works)))
