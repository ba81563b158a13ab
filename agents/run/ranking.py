"""What a run found, put in order by built-in reasoning: the lists of its sources fused, and the pool that is assessed.

Reciprocal-rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009; a list gives 1 / (60 + rank).
"""

from collections.abc import Iterable, Mapping, Sequence

from agents.builtin.ranking.bm25 import relevance
from agents.builtin.ranking.features import Pool
from agents.run.events import FoundBy
from connectors.paper import Paper

FUSION = 60

FoundIn = Mapping[int, Sequence[FoundBy]]
"""How each work was found."""


def rank(question: str, papers: Mapping[int, Paper], found_by: FoundIn) -> list[int]:
    """The works `papers`, best first: every list they stand in counts, and their built-in relevance as one more."""
    relevances = dict(zip(papers, relevance(question, list(papers.values())), strict=True))
    by_relevance = sorted(papers, key=lambda work: (-relevances[work], papers[work].id))
    own_ranks = {work: place for place, work in enumerate(by_relevance, start=1)}
    scores = {work: _fused(found_by.get(work, ()), own_ranks[work]) for work in papers}
    return sorted(papers, key=lambda work: (-scores[work], -relevances[work], papers[work].id))


def _fused(found: Sequence[FoundBy], own_rank: int) -> float:
    """The fusion over the lists a work stands in, each counted once at its best place."""
    places: dict[tuple[str, str], int] = {}
    for entry in found:
        key = (entry.source, entry.query)
        places[key] = min(entry.rank, places.get(key, entry.rank))
    return fused((*places.values(), own_rank))


def fused(places: Iterable[int]) -> float:
    """What places (from 1) in several lists are worth together."""
    return sum(1 / (FUSION + place) for place in places)


def pool_of(
    question: str, papers: Mapping[int, Paper], found_by: FoundIn, judged: Mapping[int, float] | None = None
) -> Pool:
    """`papers` in their order with the lists they stand in and their judgements, as features are counted over them."""
    numbers = {work: number for number, work in enumerate(papers)}
    lists: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for work, number in numbers.items():
        for way in found_by[work]:
            if way.link is None:
                lists.setdefault((way.source, way.query), []).append((way.rank, number))
    ranked = {key: [number for _, number in sorted(entries)] for key, entries in sorted(lists.items())}
    return Pool(
        question,
        list(papers.values()),
        [ranking for (_, query), ranking in ranked.items() if query == question],
        [ranking for (_, query), ranking in ranked.items() if query != question],
        {numbers[work]: score for work, score in (judged or {}).items() if work in numbers},
    )
