"""What the sources know of papers that somebody else has named: for checking a bibliography.

Identifiers are looked up in batches at every source that understands them, and those that none of them knows at the
registries of such names. A paper that nobody knows by its names, or that has none, is looked for by its title; so is a
preprint of which nobody who knows it says where it has appeared, because what it became can have a record of its own.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from rapidfuzz import fuzz

from connectors.capability import Capability
from connectors.errors import NotConfigured, SourceError
from connectors.http.deadline import deadline
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.matching import first_author, same_work, title_key
from connectors.source import Query, Source, usable_names

LOOKUP_SECONDS = 30.0
TITLE_SECONDS = 15.0
SIMILAR = 90.0
"""Edit similarity (0-100) from which a title that was searched for counts as found."""
_TELLING_WORDS = 5
"""Words of a title that name a work without its authors."""
_HITS = 5
_APPEARS_WITHIN = 5
"""Years from a preprint to its publication; after more, a paper of its title is as likely to be another one."""
_REGISTERED_AT_ONCE = 10
"""Names looked up at a registry before it has its full time again: it is asked for one after the other."""
_PATIENCE = 2
"""Failures in a row after which a source is not asked for more titles."""
_NO_SOURCES: Mapping[str, Source] = MappingProxyType({})


@dataclass(slots=True)
class RecordLookup:
    """What was said of one paper: `by_name` and `by_title` the records by source, `unknown` to those who answered that
    they have none, `silent` those who could not be asked, with the reason. `published` is a record of what a preprint
    became, as far as its title, first author and year tell."""

    by_name: dict[str, Paper] = field(default_factory=dict)
    by_title: dict[str, Paper] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    silent: dict[str, str] = field(default_factory=dict)
    published: Paper | None = None

    @property
    def records(self) -> list[Paper]:
        """The records, those found by an identifier first."""
        return [*self.by_name.values(), *self.by_title.values()]


async def look_up_records(
    papers: Sequence[Paper],
    sources: Mapping[str, Source],
    told: Callable[[int], None] = lambda more: None,
    registries: Mapping[str, Source] = _NO_SOURCES,
) -> list[RecordLookup]:
    """What `sources` know of each of `papers`, and `registries` of those that no source knows by its name; `told` is
    called with how many more of them all are through with."""
    lookups = [RecordLookup() for _ in papers]
    through = dict.fromkeys(sources, 0)
    done = 0

    def reached(source: str, number: int) -> None:
        nonlocal done
        through[source] = number
        if (least := min(through.values())) > done:
            told(least - done)
            done = least

    await asyncio.gather(*(_by_names(papers, lookups, source) for source in sources.values()))
    pairs = list(zip(papers, lookups, strict=True))
    await asyncio.gather(*(_registered(pairs, registry) for registry in registries.values()))
    await asyncio.gather(*(_by_titles(pairs, source, partial(reached, name)) for name, source in sources.items()))
    return lookups


async def _registered(pairs: Sequence[tuple[Paper, RecordLookup]], registry: Source) -> None:
    """Look up at `registry` those that no source knows by a name; once it fails, no more of them."""
    unknown = [
        (paper, lookup)
        for paper, lookup in pairs
        if not lookup.by_name and usable_names(paper.identifiers, registry.schemes)
    ]
    for start in range(0, len(unknown), _REGISTERED_AT_ONCE):
        batch = unknown[start : start + _REGISTERED_AT_ONCE]
        await _looked_up([paper for paper, _ in batch], [lookup for _, lookup in batch], registry)
        if failed := next((why for _, lookup in batch if (why := lookup.silent.get(registry.name))), None):
            for _, lookup in unknown[start + len(batch) :]:
                lookup.silent[registry.name] = failed
            return


async def _by_names(papers: Sequence[Paper], lookups: Sequence[RecordLookup], source: Source) -> None:
    """Look all papers up at once by the names that `source` understands, if it is one to be asked first."""
    if Capability.LOOKUP in source.capabilities:
        await _looked_up(papers, lookups, source)


async def _looked_up(papers: Sequence[Paper], lookups: Sequence[RecordLookup], source: Source) -> None:
    usable = [usable_names(paper.identifiers, source.schemes) for paper in papers]
    asked = [(lookup, names) for lookup, names in zip(lookups, usable, strict=True) if names]
    unresolved = list(dict.fromkeys(name for _, names in asked for name in names))
    if not unresolved:
        return
    try:
        async with deadline(source.name, LOOKUP_SECONDS):
            answer = await source.lookup(unresolved)
    except SourceError as error:
        for lookup, _ in asked:
            _silent(lookup, source, error)
        return
    known: dict[Identifier, Paper] = {name: paper for paper in answer.papers for name in paper.identifiers}
    for lookup, names in asked:
        found = next((known[name] for name in names if name in known), None)
        if found:
            lookup.by_name[source.name] = found
        elif answer.partial:
            lookup.silent[source.name] = "answered only in part."
        else:
            lookup.unknown.add(source.name)


async def _by_titles(
    pairs: Sequence[tuple[Paper, RecordLookup]], source: Source, reached: Callable[[int], None]
) -> None:
    """Search `source` for the titles, one after the other; what was found elsewhere meanwhile is spared.

    `reached` is called with how many papers it is through with.
    """
    failed = 0
    for place, (paper, lookup) in enumerate(pairs if Capability.SEARCH in source.capabilities else ()):
        reached(place)
        if not title_key(paper.title):
            continue
        known = bool(lookup.records)
        # A source that knows no DOI cannot tell of another one.
        if source.name in lookup.silent or (
            known and not ("doi" in source.schemes and _may_have_appeared(paper, lookup))
        ):
            continue
        if failed >= _PATIENCE:
            if not known:
                lookup.silent[source.name] = "was not asked any more, because it had failed."
            continue
        try:
            async with deadline(source.name, TITLE_SECONDS):
                answer = await source.search(Query(paper.title, limit=_HITS))
        except SourceError as error:
            failed += 1
            if not known:
                lookup.unknown.discard(source.name)
                _silent(lookup, source, error)
            continue
        failed = 0
        if not known:
            _take(answer.papers, paper, lookup, source)
        if _may_have_appeared(paper, lookup):
            lookup.published = next((found for found in answer.papers if _has_become(paper, found)), None)
    reached(len(pairs))


def _take(found: Sequence[Paper], paper: Paper, lookup: RecordLookup, source: Source) -> None:
    if match := next((record for record in found if _is_meant(record, paper)), None):
        lookup.by_title[source.name] = match
    else:
        lookup.unknown.add(source.name)


def _may_have_appeared(paper: Paper, lookup: RecordLookup) -> bool:
    """Whether `paper` is a preprint and nobody has said yet where it has appeared."""
    return paper.type == "preprint" and not lookup.published and not any(record.published for record in lookup.records)


def _has_become(paper: Paper, found: Paper) -> bool:
    """Whether a search result is what a preprint became: as for two records of one work, but years can lie between."""
    if not (found.published and found.published.doi):
        return False
    if paper.year and found.year and not -1 <= found.year - paper.year <= _APPEARS_WITHIN:
        return False
    return same_work(replace(paper, date=found.date), found)


def _silent(lookup: RecordLookup, source: Source, error: SourceError) -> None:
    if not isinstance(error, NotConfigured):
        lookup.silent[source.name] = error.sentence


def _is_meant(found: Paper, paper: Paper) -> bool:
    """Whether a search result bears the title, by an author of the paper if both say who wrote them.

    If not, a title of a few words is not enough: many works are called "Introduction".
    """
    if fuzz.ratio(title_key(found.title), title_key(paper.title)) < SIMILAR:
        return False
    families = {title_key(author.family) for author in paper.authors}
    theirs = {title_key(author.family) for author in found.authors}
    if not families or not theirs:
        return len(title_key(paper.title).split()) >= _TELLING_WORDS or (paper.year or 0) == found.year
    return bool(families & theirs) or first_author(found) == first_author(paper)
