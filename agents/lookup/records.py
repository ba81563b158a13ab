"""What sources know of papers that are named, as in a bibliography: by identifiers first, then by titles.

Identifiers go to every source at once, in batches. Titles are searched for what no identifier decided, at one source
after the other until it is decided; different papers are at different sources meanwhile. A cited preprint is searched
for by its title also where it is known, unless its record says where it has appeared, because what it became can have
a record of its own.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from types import MappingProxyType

from rapidfuzz import fuzz

from agents.lookup.known_names import names_in
from connectors.capability import Capability
from connectors.errors import NotConfigured, SourceError
from connectors.http.deadline import deadline
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.matching import first_author, lacks_subtitle, same_work, title_key
from connectors.records.merging import merge
from connectors.registry import SOURCES
from connectors.source import Query, Source, usable_names

LOOKUP_SECONDS = 30.0
TITLE_SECONDS = 15.0
SIMILAR = 90.0
"""Edit similarity (0-100) from which a title that was searched for counts as found."""
SIMILAR_BY_SAME = 75.0
"""The same for a title by the same authors."""
NEAR = 50.0
"""The same from which a record is told as the nearest of a paper that was not found."""
_TELLING_WORDS = 5
"""Words of a title that name a work without its authors."""
_HITS = 5
_APPEARS_WITHIN = 5
"""Years from a preprint to its publication; after more, a paper of its title is as likely to be another one."""
_LOOKED_UP_AT_ONCE = 200
"""Papers looked up at a source before it has its full time again."""
_REGISTERED_AT_ONCE = 10
"""The same at a registry, which is asked for one name after the other."""
_PATIENCE = 2
"""Failures in a row after which a source is not asked for more titles."""
_NO_SOURCES: Mapping[str, Source] = MappingProxyType({})


@dataclass(slots=True)
class RecordLookup:
    """What was said of one paper: `by_name` and `by_title` the records by source, `unknown` to those who answered that
    they have none, `silent` those who could not be asked, with the reason. `published` is a record of what a preprint
    became, as far as its title, first author and year tell. `nearest` is the record with the most similar title of
    those that were found by title and are not of the paper, with its source."""

    by_name: dict[str, Paper] = field(default_factory=dict)
    by_title: dict[str, Paper] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    silent: dict[str, str] = field(default_factory=dict)
    published: Paper | None = None
    nearest: tuple[str, Paper] | None = None

    @property
    def records(self) -> list[Paper]:
        """The records, those found by an identifier first."""
        return [*self.by_name.values(), *self.by_title.values()]


Decided = Callable[[int, RecordLookup], bool]
"""Whether what was said of the paper at this place needs no further source."""


def known_at_all(index: int, lookup: RecordLookup) -> bool:
    """Decide by any record."""
    return bool(lookup.records)


async def look_up_records(
    papers: Sequence[Paper],
    sources: Mapping[str, Source],
    progress: Callable[[int], None] = lambda more: None,
    registries: Mapping[str, Source] = _NO_SOURCES,
    decided: Decided = known_at_all,
    library: Source | None = None,
) -> list[RecordLookup]:
    """What `sources` know of each of `papers`, and `registries` of those that no source knows by its name; `progress`
    is called with how many more of them are done. A paper that has records but is not `decided` is searched by title
    at sources of all fields until two sources know it. Papers without identifiers that `library` has are looked up by
    the identifiers there before they are searched for."""
    lookups = [RecordLookup() for _ in papers]
    pairs = list(zip(papers, lookups, strict=True))
    able = [source for source in sources.values() if Capability.LOOKUP in source.capabilities]
    await asyncio.gather(*(_looked_up(pairs, source, _LOOKED_UP_AT_ONCE) for source in able))
    if library is not None:
        named = zip(pairs, await names_in(library, papers), strict=True)
        kept = [(replace(paper, identifiers=names), lookup) for (paper, lookup), names in named if names]
        await asyncio.gather(*(_looked_up(kept, source, _LOOKED_UP_AT_ONCE, borrowed=True) for source in able))
    nameless = [pair for pair in pairs if not pair[1].by_name]
    await asyncio.gather(*(_looked_up(nameless, registry, _REGISTERED_AT_ONCE) for registry in registries.values()))
    searches = [_TitleSearch(source) for source in sorted(sources.values(), key=_turn)
                if Capability.SEARCH in source.capabilities]  # fmt: skip

    async def search(index: int) -> None:
        await _by_title(*pairs[index], searches, lambda: decided(index, lookups[index]))
        progress(1)

    await asyncio.gather(*map(search, range(len(pairs))))
    return lookups


def _turn(source: Source) -> tuple[bool, bool, float]:
    """When a source is asked for titles: those on this machine first, then those of all fields, the quickest first."""
    spec = SOURCES.get(source.name)
    return (True, not spec.covers_all_fields, spec.rate_limit.gap) if spec else (False, False, 0.0)


async def _looked_up(
    pairs: Sequence[tuple[Paper, RecordLookup]], source: Source, at_once: int, borrowed: bool = False
) -> None:
    """Look the papers up by the names that `source` understands; once it fails, no more of them.

    `borrowed` names are not the papers' own: what is found by them counts as found by title, and nothing found or no
    answer says nothing."""
    named = ((paper, lookup, usable_names(paper.identifiers, source.schemes)) for paper, lookup in pairs)
    requests = [(paper, lookup, names) for paper, lookup, names in named if names]
    for start in range(0, len(requests), at_once):
        batch = requests[start : start + at_once]
        try:
            async with deadline(source.name, LOOKUP_SECONDS):
                answer = await source.lookup(list(dict.fromkeys(name for *_, names in batch for name in names)))
        except SourceError as error:
            for _, lookup, _ in () if borrowed else requests[start:]:
                _silent(lookup, source, error)
            return
        by_identifier: dict[Identifier, Paper] = {}
        for record in answer.papers:
            by_identifier |= {
                name: merge(by_identifier[name], record) if name in by_identifier else record
                for name in record.identifiers
            }
        for paper, lookup, names in batch:
            match = next((by_identifier[name] for name in names if name in by_identifier), None)
            if borrowed:
                if match and _is_meant(match, paper):
                    lookup.by_title[source.name] = match
            elif match:
                lookup.by_name[source.name] = match
            elif answer.partial:
                lookup.silent[source.name] = "answered only in part."
            else:
                lookup.unknown.add(source.name)


class _TitleSearch:
    """One source that is asked for titles, for as many at once as it allows, until it fails twice in a row."""

    def __init__(self, source: Source) -> None:
        spec = SOURCES.get(source.name)
        self.source, self.name = source, source.name
        self.covers_all_fields = spec is None or spec.covers_all_fields
        self._free = asyncio.Semaphore(spec.rate_limit.in_flight if spec else 1)
        self._failed = 0
        self._closed = False

    async def search(self, paper: Paper, lookup: RecordLookup, wanted: Callable[[], bool]) -> Sequence[Paper] | None:
        """The papers that the source finds for the title; None, and why in `lookup`, if it could not be asked, or is
        not `wanted` any more when its turn comes."""
        async with self._free:
            if self._closed or not wanted():
                return None
            if self._failed >= _PATIENCE:
                self._say_silent(lookup, "was not asked any more, because it had failed.")
                return None
            try:
                async with deadline(self.name, TITLE_SECONDS):
                    answer = await self.source.search(Query(paper.title, limit=_HITS))
            except NotConfigured:
                self._closed = True
                return None
            except SourceError as error:
                self._failed += 1
                self._say_silent(lookup, error.sentence)
                return None
            self._failed = 0
            return answer.papers

    def _say_silent(self, lookup: RecordLookup, why: str) -> None:
        if not lookup.records:
            lookup.unknown.discard(self.name)
            lookup.silent[self.name] = why


async def _by_title(
    paper: Paper, lookup: RecordLookup, searches: Sequence[_TitleSearch], decided: Callable[[], bool]
) -> None:
    """Search for the title at one source after the other, until it is decided what the paper is."""
    if not title_key(paper.title):
        return
    sought = False  # whether what a preprint became was searched for
    for search in searches:
        if search.name in lookup.silent:
            continue

        def unsettled(by: _TitleSearch = search) -> bool:
            if not lookup.records:
                return True
            return by.covers_all_fields and len(lookup.records) < 2 and not decided()

        # A source that knows no DOI cannot tell of another one.
        appeared = not sought and "doi" in search.source.schemes and _may_have_appeared(paper, lookup)
        if not appeared and not unsettled():
            continue
        papers = await search.search(paper, lookup, (lambda: True) if appeared else unsettled)
        if papers is None:
            continue
        if unsettled():
            _take(papers, paper, lookup, search.source)
        if "doi" in search.source.schemes and _may_have_appeared(paper, lookup):
            sought = True
            lookup.published = next((candidate for candidate in papers if _has_become(paper, candidate)), None)


def _take(candidates: Sequence[Paper], paper: Paper, lookup: RecordLookup, source: Source) -> None:
    """Keep the record of the paper among those `candidates` by its title, or the nearest of them."""
    ranked = sorted(candidates, key=lambda record: -_likeness(record, paper))
    if match := next((record for record in ranked if _is_meant(record, paper)), None):
        names = set(match.identifiers)
        others = (record for record in ranked if record is not match and names & set(record.identifiers))
        lookup.by_title[source.name] = reduce(merge, others, match)  # a corpus has a record of each dump
        return
    if source.name not in lookup.by_name:
        lookup.unknown.add(source.name)
    near = ranked[0] if ranked and _likeness(ranked[0], paper) >= NEAR else None
    if near and (lookup.nearest is None or _likeness(near, paper) > _likeness(lookup.nearest[1], paper)):
        lookup.nearest = source.name, near


def _likeness(record: Paper, paper: Paper) -> float:
    return fuzz.ratio(title_key(record.title), title_key(paper.title))


def _may_have_appeared(paper: Paper, lookup: RecordLookup) -> bool:
    """Whether `paper` is a preprint and nobody has said yet where it has appeared."""
    return paper.type == "preprint" and not lookup.published and not any(record.published for record in lookup.records)


def _has_become(paper: Paper, candidate: Paper) -> bool:
    """Whether a search result is what a preprint became: as for two records of one work, but years can lie between."""
    if not (candidate.published and candidate.published.doi):
        return False
    if paper.year and candidate.year and not -1 <= candidate.year - paper.year <= _APPEARS_WITHIN:
        return False
    return same_work(replace(paper, date=candidate.date), candidate)


def _silent(lookup: RecordLookup, source: Source, error: SourceError) -> None:
    if not isinstance(error, NotConfigured):
        lookup.silent[source.name] = error.sentence


def _is_meant(candidate: Paper, paper: Paper) -> bool:
    """Whether a search result is of the paper: it bears the title, and who wrote it does not contradict.

    A title of a few words alone is not enough: many works are called "Introduction". By other authors than the paper's
    it must be the same title to the letter, and a telling one; by the same authors it may be less alike. By the same
    first author within a year, one of them may lack its subtitle.
    """
    likeness = _likeness(candidate, paper)
    telling = len(title_key(paper.title).split()) >= _TELLING_WORDS
    families = {title_key(author.family) for author in paper.authors}
    theirs = {title_key(author.family) for author in candidate.authors}
    if not families or not theirs:
        return likeness >= SIMILAR and (telling or (paper.year or 0) == candidate.year)
    if first_author(candidate) == first_author(paper) and lacks_subtitle(candidate.title, paper.title):
        return abs((paper.year or 0) - (candidate.year or 0)) <= 1
    if first_author(candidate) == first_author(paper) or families & theirs:
        shared = len(families & theirs) / max(len(families), len(theirs))
        return likeness >= (SIMILAR_BY_SAME if len(families & theirs) > 1 and shared > 0.5 else SIMILAR)
    return telling and title_key(candidate.title) == title_key(paper.title)
