"""Find the works of a bibliography at the sources."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from connectors.batches import in_batches
from connectors.capability import Capability
from connectors.errors import SourceError
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.pdf.cited import CitedWork
from connectors.pdf.reading import SOURCE
from connectors.records.build import UNTITLED, author, build_paper, partial_date
from connectors.records.matching import family_key, first_author, same_work, title_key
from connectors.source import Query, Source, usable_names

BATCH = 50
"""Identifiers per look-up: a failure costs no more than these."""
AT_ONCE = 4
"""Number of parallel title searches; each source's limiter delays them further."""
_CANDIDATES = 3
_TITLE_WORDS = 3
"""Minimum number of words of a title to search for: shorter ones match too many works."""


async def resolved(
    works: Sequence[CitedWork], sources: Mapping[str, Source], limit: int, *, keep_unresolved: bool = False
) -> tuple[Paper, ...]:
    """Return the papers of `works`, in order, each once; those that no source knows are left out.

    Identifiers are looked up first, then at most `limit` titles are searched for, each once. The sources are asked in
    order, the next one for what is still missing. A candidate is accepted only if title, first author and year agree.
    With `keep_unresolved`, a work with title, author and year is kept as a bare record. Never raises a `SourceError`:
    works whose sources fail stay unresolved.
    """
    papers = await resolved_each(works, sources, limit)
    if keep_unresolved:
        for index, work in enumerate(works):
            if index not in papers and _searchable(work) and work.first_author and work.year:
                papers[index] = _bare(work)
    resolutions: dict[str, Paper] = {}
    for index in sorted(papers):
        resolutions.setdefault(papers[index].id, papers[index])
    return tuple(resolutions.values())


async def resolved_each(works: Sequence[CitedWork], sources: Mapping[str, Source], limit: int) -> dict[int, Paper]:
    """Return the papers by the index of their work, found as by `resolved`."""
    bare = [_bare(work) for work in works]
    papers: dict[int, Paper] = {}
    for source in sources.values():
        if Capability.LOOKUP in source.capabilities:
            await _look_up(source, bare, papers)
    await _search(list(sources.values()), works, bare, papers, limit)
    return papers


def _bare(work: CitedWork) -> Paper:
    person = author(work.first_author)
    return build_paper(
        SOURCE,
        title=work.title,
        authors=[person] if person else [],
        date=partial_date(work.year),
        identifiers=work.identifiers,
    )


async def _look_up(source: Source, bare: Sequence[Paper], papers: dict[int, Paper]) -> None:
    """Add the papers that `source` finds by the identifiers of missing works."""
    missing = [index for index in range(len(bare)) if index not in papers]
    names: dict[Identifier, None] = {}
    for index in missing:
        names |= dict.fromkeys(usable_names(bare[index].identifiers, source.schemes)[:1])
    identifiers = list(names)
    by_identifier: dict[Identifier, Paper] = {}
    for batch in in_batches(identifiers, BATCH):
        try:
            answer = await source.lookup(batch)
        except SourceError:
            return  # the next batch would fail too; the other sources and the titles remain
        for paper in answer.papers:
            by_identifier |= dict.fromkeys(paper.identifiers, paper)
    for index in missing:
        candidates = [by_identifier[name] for name in bare[index].identifiers if name in by_identifier]
        if candidate := next((paper for paper in candidates if _same_by_name(bare[index], paper)), None):
            papers[index] = candidate


def _same_by_name(bare: Paper, paper: Paper) -> bool:
    # A truncated or misprinted identifier leads to another work: then neither author nor title agrees.
    return not bare.authors or bare.title == UNTITLED or same_work(bare, paper)


async def _search(
    sources: Sequence[Source], works: Sequence[CitedWork], bare: Sequence[Paper], papers: dict[int, Paper], limit: int
) -> None:
    """Add the papers that sources find by the titles of missing works."""
    by_title: dict[str, list[int]] = {}
    for index, work in enumerate(works):
        if index not in papers and _searchable(work):
            by_title.setdefault(title_key(work.title), []).append(index)
    able = [source for source in sources if Capability.SEARCH in source.capabilities]
    titles = list(by_title.values())[: max(limit, 0)]
    for group in in_batches(titles, AT_ONCE):
        if not able:
            return
        source = able[0]
        answers = await asyncio.gather(*(_candidates(source, works[same[0]].title) for same in group))
        if None in answers:
            able.remove(source)  # down, or out of budget: the next source takes over
        for same, candidates in zip(group, answers, strict=True):
            for index in same:
                if paper := next(
                    (candidate for candidate in candidates or () if _agrees(works[index], bare[index], candidate)), None
                ):
                    papers[index] = paper


async def _candidates(source: Source, title: str) -> Iterable[Paper] | None:
    """Return the papers that `source` finds by a title; None if it failed."""
    try:
        return (await source.search(Query(title, limit=_CANDIDATES))).papers
    except SourceError:
        return None


def _searchable(work: CitedWork) -> bool:
    return len(title_key(work.title).split()) >= _TITLE_WORDS


def _agrees(work: CitedWork, bare: Paper, paper: Paper) -> bool:
    """Whether a paper found by title is the work: the same title without contradictions, or almost the same title
    with matching first author and year."""
    if title_key(work.title) != title_key(paper.title):
        return same_work(bare, paper)
    other_author = bool(work.first_author and paper.authors) and family_key(work.first_author) != first_author(paper)
    other_year = bool(work.year and paper.year) and abs((work.year or 0) - (paper.year or 0)) > 1
    return not (other_author and other_year)
