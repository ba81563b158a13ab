"""The citations among the relevant papers of a search, as far as known, without asking a source."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from agents.search.state import SearchState
from cache import papers
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Paper, WorkId

References = Literal["known", "none listed", "failed", "not kept", "not asked"]
"""What is known of a paper's references: some of them; no source lists any; asking failed; some were listed but not
stored; none was asked."""
Names = Mapping[WorkId, Collection[Identifier]]


class CitationLink(NamedTuple):
    """One paper cites another."""

    citing: WorkId
    cited: WorkId


@dataclass(frozen=True, slots=True)
class MapPaper:
    """A relevant paper of the search; `references` says what is known of its references."""

    work: WorkId
    paper: Paper
    relevance: float
    references: References


@dataclass(frozen=True, slots=True)
class YearCount:
    """The number of papers of a year that the search found, and of the relevant ones."""

    year: int
    found: int
    relevant: int


@dataclass(frozen=True, slots=True)
class CitationMap:
    """The citation map; `papers` are in the order of the answer, `links` sorted. `years` are all from the first to
    the last year of a found paper. `over` means that no more papers come."""

    question: str
    papers: tuple[MapPaper, ...]
    links: tuple[CitationLink, ...]
    years: tuple[YearCount, ...]
    over: bool = True

    @property
    def by_work(self) -> dict[WorkId, MapPaper]:
        return {paper.work: paper for paper in self.papers}

    def cites(self, work: WorkId) -> list[WorkId]:
        """Return the works of the map that `work` cites, as far as known."""
        return [link.cited for link in self.links if link.citing == work]

    def cited_by(self, work: WorkId) -> list[WorkId]:
        """Return the works of the map that are known to cite `work`."""
        return [link.citing for link in self.links if link.cited == work]


def citation_map(state: SearchState, question: str, store: Store) -> CitationMap:
    """Return the map of a search in its current state, with the library's data on its papers' references. Raises
    `CacheError`."""
    return map_of(
        state,
        question,
        cited_names(store, [(candidate.work, state.papers[candidate.work]) for candidate in state.included]),
    )


def cited_names(store: Store, about: Sequence[tuple[WorkId, Paper]]) -> dict[WorkId, frozenset[Identifier]]:
    """Return the identifiers of the works that each paper cites, by its own record or by the library. Raises
    `CacheError`."""
    numbers = papers.numbers_of(store, [paper for _, paper in about])
    return {
        work: frozenset(paper.references).union(papers.cited_names(store, number) if number is not None else ())
        for (work, paper), number in zip(about, numbers, strict=True)
    }


def map_of(state: SearchState, question: str, names: Names) -> CitationMap:
    """Return the map of a search in which each work cites the works with its `names`."""
    relevance_by_work = {candidate.work: candidate.relevance for candidate in state.included}
    links = tuple(
        sorted({*links_by_name(names, {work: state.papers[work] for work in relevance_by_work}), *_followed(state)})
    )
    links = tuple(link for link in links if link.citing in relevance_by_work and link.cited in relevance_by_work)
    work_ids = {link.citing for link in links}.union(work for work in relevance_by_work if names.get(work))
    relevant = tuple(
        MapPaper(work, state.papers[work], relevance, "known" if work in work_ids else _reference_state(state, work))
        for work, relevance in relevance_by_work.items()
    )
    return CitationMap(question, relevant, links, _years(state, relevance_by_work), state.finished is not None)


def links_by_name(names: Names, among: Mapping[WorkId, Paper]) -> Iterator[CitationLink]:
    """Yield the links among the papers `among`: each cites those whose identifiers are in its `names`."""
    bearers = {name: work for work, paper in among.items() for name in paper.identifiers}
    for citing in among:
        for cited in {bearers[name] for name in names.get(citing, ()) if name in bearers} - {citing}:
            yield CitationLink(citing, cited)


def _followed(state: SearchState) -> Iterator[CitationLink]:
    """Yield the links by which the search itself found papers."""
    for work, candidate in state.found.items():
        for finding in candidate.found_by:
            if finding.link_of is not None and (source_work := state.work(finding.link_of)) != work:
                yield (
                    CitationLink(source_work, work) if finding.link == "references" else CitationLink(work, source_work)
                )


def _reference_state(state: SearchState, work: WorkId) -> References:
    """Return why no reference of `work` is known, by the result of the request for them."""
    events = [
        expansion
        for expansion in state.followed
        if expansion.link == "references" and state.work(expansion.seed) == work
    ]
    if not events:
        return "not asked"
    if any(event.listed for event in events):
        return "not kept"
    return "failed" if events[-1].error else "none listed"


def _years(state: SearchState, relevant: Collection[WorkId]) -> tuple[YearCount, ...]:
    counts = Counter(candidate.paper.year for candidate in state.found.values() if candidate.paper.year)
    among = Counter(state.papers[work].year for work in relevant)
    span = range(min(counts), max(counts) + 1) if counts else ()
    return tuple(YearCount(year, counts[year], among[year]) for year in span)
