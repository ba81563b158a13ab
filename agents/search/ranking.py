"""One order from many: reciprocal-rank fusion of the sources' lists and the built-in relevance.

Reciprocal-rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009; a list gives 1 / (60 + rank).
"""

from collections.abc import Iterable, Mapping, Sequence

from agents.builtin.ranking.bm25 import relevance
from agents.run.events import FoundBy
from agents.search.events import Ranked
from connectors.paper import Paper

FUSION = 60


def rank(question: str, papers: Mapping[int, Paper], found_by: Mapping[int, Sequence[FoundBy]]) -> tuple[Ranked, ...]:
    """`papers` in the order to show them; the keys are the works' numbers in the run.

    The score is the share of what a paper would have that every list puts first.
    """
    works = list(papers)
    relevances = dict(zip(works, relevance(question, [papers[work] for work in works]), strict=True))
    lists = {(found.source, found.query) for work in works for found in found_by.get(work, ())}
    best = (len(lists) + 1) / (FUSION + 1)
    own_ranks = {work: place for place, work in enumerate(_by_relevance(papers, relevances), start=1)}
    scores = {work: _fused(found_by.get(work, ()), own_ranks[work]) / best for work in works}
    order = sorted(works, key=lambda work: (-scores[work], -relevances[work], papers[work].id))
    return tuple(Ranked(work, round(scores[work], 6), round(relevances[work], 6)) for work in order)


def _by_relevance(papers: Mapping[int, Paper], relevances: Mapping[int, float]) -> list[int]:
    return sorted(papers, key=lambda work: (-relevances[work], papers[work].id))


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
