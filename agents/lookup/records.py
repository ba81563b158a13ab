"""Look up papers that are cited, as in a bibliography: by identifiers first, then by titles.

Identifiers go to every source in parallel, in batches. Papers that no identifier decided are searched by title at one
source after another; different papers are at different sources at the same time. A cited preprint is searched by title
also if it was found, unless its record names its publication, because the published version can have its own record.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from types import MappingProxyType

from rapidfuzz import fuzz

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
"""Edit similarity (0-100) from which a search result has the title that was searched for."""
SIMILAR_BY_SAME = 75.0
"""The same for a title by the same authors."""
NEAR = 50.0
"""The same from which a record counts as the closest of a paper that was not found."""
_TELLING_WORDS = 5
"""Number of words from which a title identifies a work without its authors."""
_HITS = 5
_APPEARS_WITHIN = 5
"""Years from a preprint to its publication; after more, a paper with its title may be another work."""
_LOOKED_UP_AT_ONCE = 200
"""Number of papers to look up at a source per deadline."""
_REGISTERED_AT_ONCE = 10
"""The same at a registry, which is asked for one identifier at a time."""
_PATIENCE = 2
"""Number of failures in a row after which a source is not asked for more titles."""
_NO_SOURCES: Mapping[str, Source] = MappingProxyType({})


@dataclass(slots=True)
class RecordLookup:
    """The results for one paper: records `by_name` and `by_title` by source, `unknown` the sources without a record,
    `silent` the sources that could not be asked, with the reason. `published` is a record of the published version
    of a preprint, by title, first author and year. `nearest` is the record, with its source, whose title is most
    similar among results of the title search that are not the paper."""

    by_name: dict[str, Paper] = field(default_factory=dict)
    by_title: dict[str, Paper] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    silent: dict[str, str] = field(default_factory=dict)
    published: Paper | None = None
    nearest: tuple[str, Paper] | None = None

    @property
    def records(self) -> list[Paper]:
        """All records, those found by an identifier first."""
        return [*self.by_name.values(), *self.by_title.values()]


_Pairs = Sequence[tuple[Paper, RecordLookup]]
Decided = Callable[[int, RecordLookup], bool]
"""Whether the paper at this index needs no further source."""


def known_at_all(index: int, lookup: RecordLookup) -> bool:
    """Count any record as decisive."""
    return bool(lookup.records)


async def look_up_records(
    papers: Sequence[Paper],
    sources: Mapping[str, Source],
    progress: Callable[[int], None] = lambda more: None,
    registries: Mapping[str, Source] = _NO_SOURCES,
    decided: Decided = known_at_all,
    library: Source | None = None,
    done: Callable[[int, RecordLookup], None] = lambda index, lookup: None,
) -> list[RecordLookup]:
    """Look up each of `papers` at `sources`, and at `registries` those whose identifiers no source knows; `progress`
    is called with the number newly decided or done, `done` with the results so far for the paper at an index. A paper
    that has records but is not `decided` is searched by title at sources of all fields until two know it. Papers
    without identifiers get those of `library`, if it has them, before the title search."""
    lookups = [RecordLookup() for _ in papers]
    pairs = list(zip(papers, lookups, strict=True))
    places = {id(lookup): index for index, lookup in enumerate(lookups)}
    counted = set[int]()
    able = [source for source in sources.values() if Capability.LOOKUP in source.capabilities]
    names = await names_in(library, papers) if library is not None else [()] * len(papers)
    with_names = [
        (replace(paper, identifiers=own), lookup) for (paper, lookup), own in zip(pairs, names, strict=True) if own
    ]
    searches = [_TitleSearch(source) for source in sorted(sources.values(), key=_turn)
                if Capability.SEARCH in source.capabilities]  # fmt: skip

    def note(index: int, is_enough: bool) -> None:
        done(index, lookups[index])
        if is_enough and index not in counted:
            counted.add(index)
            progress(1)

    async def identified(pairs: _Pairs, source: Source, at_once: int, from_library: bool = False) -> None:
        async for changed in _looked_up(pairs, source, at_once, from_library):
            for lookup in changed:
                note(index := places[id(lookup)], decided(index, lookup))

    async def search(index: int) -> None:
        await _by_title(*pairs[index], searches, lambda: decided(index, lookups[index]))
        note(index, True)

    async def by_identifiers(indexes: Sequence[int]) -> None:
        of_library = (identified(with_names, source, _LOOKED_UP_AT_ONCE, from_library=True) for source in able)
        await asyncio.gather(*(identified(pairs, source, _LOOKED_UP_AT_ONCE) for source in able), *of_library)
        nameless = [pair for pair in pairs if not pair[1].by_name]
        await asyncio.gather(*(identified(nameless, source, _REGISTERED_AT_ONCE) for source in registries.values()))
        await asyncio.gather(*map(search, indexes))

    named = [index for index, paper in enumerate(papers) if paper.identifiers or names[index]]
    others = sorted(set(range(len(papers))) - set(named))
    await asyncio.gather(by_identifiers(named), *map(search, others))
    return lookups


def _turn(source: Source) -> tuple[bool, bool, float]:
    """Return the sort key of a source for title searches: sources on this machine first, then those of all fields,
    fastest first."""
    spec = SOURCES.get(source.name)
    return (True, not spec.covers_all_fields, spec.rate_limit.gap) if spec else (False, False, 0.0)


async def _looked_up(
    pairs: _Pairs, source: Source, at_once: int, from_library: bool
) -> AsyncIterator[Sequence[RecordLookup]]:
    """Look the papers up by the identifiers that `source` supports; stop when it fails. Yield the results that got a
    record. `from_library` identifiers come from the library: their records count as found by title, and failures are
    ignored."""
    named_pairs = ((paper, lookup, usable_names(paper.identifiers, source.schemes)) for paper, lookup in pairs)
    requests = [(paper, lookup, names) for paper, lookup, names in named_pairs if names]
    for start in range(0, len(requests), at_once):
        batch = requests[start : start + at_once]
        try:
            async with deadline(source.name, LOOKUP_SECONDS):
                answer = await source.lookup(list(dict.fromkeys(name for *_, names in batch for name in names)))
        except SourceError as error:
            for _, lookup, _ in () if from_library else requests[start:]:
                _silent(lookup, source, error)
            return
        by_identifier: dict[Identifier, Paper] = {}
        for record in answer.papers:
            by_identifier |= {
                name: merge(by_identifier[name], record) if name in by_identifier else record
                for name in record.identifiers
            }
        changed = list[RecordLookup]()
        for paper, lookup, names in batch:
            match = next((by_identifier[name] for name in names if name in by_identifier), None)
            if from_library:
                if match and _is_meant(match, paper):
                    lookup.by_title[source.name] = match
                    changed.append(lookup)
            elif match:
                lookup.by_name[source.name] = match
                changed.append(lookup)
            elif answer.partial:
                lookup.silent[source.name] = "answered only in part."
            else:
                lookup.unknown.add(source.name)
        yield changed


class _TitleSearch:
    """Title searches at one source, as many in parallel as it allows, until it fails twice in a row."""

    def __init__(self, source: Source) -> None:
        spec = SOURCES.get(source.name)
        self.source, self.name = source, source.name
        self.covers_all_fields = spec is None or spec.covers_all_fields
        self._free = asyncio.Semaphore(spec.rate_limit.in_flight if spec else 1)
        self._failed = 0
        self._closed = False

    async def search(self, paper: Paper, lookup: RecordLookup, is_due: Callable[[], bool]) -> Sequence[Paper] | None:
        """Return the papers that the source finds for the title; None if it could not be asked, with the reason in
        `lookup`, or if the search is no longer due when its turn comes."""
        async with self._free:
            if self._closed or not is_due():
                return None
            if self._failed >= _PATIENCE:
                self._say_silent(lookup, "was not asked again after it failed.")
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
    """Search for the title at one source after another until the paper is decided."""
    if not title_key(paper.title):
        return
    searched = False  # whether the published version was searched for
    for search in searches:
        if search.name in lookup.silent:
            continue

        def unsettled(by: _TitleSearch = search) -> bool:
            if not lookup.records:
                return True
            return by.covers_all_fields and len(lookup.records) < 2 and not decided()

        # A source without DOIs cannot name the published version.
        appeared = not searched and "doi" in search.source.schemes and _may_have_appeared(paper, lookup)
        if not appeared and not unsettled():
            continue
        papers = await search.search(paper, lookup, (lambda: True) if appeared else unsettled)
        if papers is None:
            continue
        if unsettled():
            _take(papers, paper, lookup, search.source)
        if "doi" in search.source.schemes and _may_have_appeared(paper, lookup):
            searched = True
            lookup.published = next((candidate for candidate in papers if _has_become(paper, candidate)), None)


def _take(candidates: Sequence[Paper], paper: Paper, lookup: RecordLookup, source: Source) -> None:
    """Store the candidate that is the paper by its title, or else the closest candidate."""
    ranked = sorted(candidates, key=lambda record: -_likeness(record, paper))
    if match := next((record for record in ranked if _is_meant(record, paper)), None):
        names = set(match.identifiers)
        others = (record for record in ranked if record is not match and names & set(record.identifiers))
        lookup.by_title[source.name] = reduce(merge, others, match)  # a corpus has one record per dump
        return
    if source.name not in lookup.by_name:
        lookup.unknown.add(source.name)
    near = ranked[0] if ranked and _likeness(ranked[0], paper) >= NEAR else None
    if near and (lookup.nearest is None or _likeness(near, paper) > _likeness(lookup.nearest[1], paper)):
        lookup.nearest = source.name, near


def _likeness(record: Paper, paper: Paper) -> float:
    return fuzz.ratio(title_key(record.title), title_key(paper.title))


def _may_have_appeared(paper: Paper, lookup: RecordLookup) -> bool:
    """Whether `paper` is a preprint and no record names its publication yet."""
    return paper.type == "preprint" and not lookup.published and not any(record.published for record in lookup.records)


def _has_become(paper: Paper, candidate: Paper) -> bool:
    """Whether a search result is the published version of a preprint: as for two records of one work, but years may
    lie between."""
    if not (candidate.published and candidate.published.doi):
        return False
    if paper.year and candidate.year and not -1 <= candidate.year - paper.year <= _APPEARS_WITHIN:
        return False
    return same_work(replace(paper, date=candidate.date), candidate)


def _silent(lookup: RecordLookup, source: Source, error: SourceError) -> None:
    if not isinstance(error, NotConfigured):
        lookup.silent[source.name] = error.sentence


def _is_meant(candidate: Paper, paper: Paper) -> bool:
    """Whether a search result is the paper: the title matches and the authors do not contradict it.

    A short title alone is not enough: many works are called "Introduction". With other authors the title must be long
    and identical; with the same authors it may differ more. With the same first author within a year, one of them may
    lack its subtitle.
    """
    likeness = _likeness(candidate, paper)
    is_distinctive = len(title_key(paper.title).split()) >= _TELLING_WORDS
    families = {title_key(author.family) for author in paper.authors}
    theirs = {title_key(author.family) for author in candidate.authors}
    if not families or not theirs:
        return likeness >= SIMILAR and (is_distinctive or (paper.year or 0) == candidate.year)
    if first_author(candidate) == first_author(paper) and lacks_subtitle(candidate.title, paper.title):
        return abs((paper.year or 0) - (candidate.year or 0)) <= 1
    if first_author(candidate) == first_author(paper) or families & theirs:
        shared = len(families & theirs) / max(len(families), len(theirs))
        return likeness >= (SIMILAR_BY_SAME if len(families & theirs) > 1 and shared > 0.5 else SIMILAR)
    return is_distinctive and title_key(candidate.title) == title_key(paper.title)


_TITLE_HITS = 5


async def names_in(library: Source, papers: Sequence[Paper]) -> list[tuple[Identifier, ...]]:
    """The identifiers under which `library` has each of `papers` that comes without one; none for the others.

    They only say where to look: what a source has under them is the evidence.
    """
    return list(await asyncio.gather(*(_names_of(library, paper) for paper in papers)))


async def _names_of(library: Source, paper: Paper) -> tuple[Identifier, ...]:
    if paper.identifiers or not title_key(paper.title):
        return ()
    try:
        match = await library.search(Query(paper.title, limit=_TITLE_HITS))
    except SourceError:
        return ()  # then it is searched for elsewhere, as without a library
    return next((record.identifiers for record in match.papers if same_work(paper, record)), ())
