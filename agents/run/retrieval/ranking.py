"""What a run found, put in order by built-in reasoning: its sources' lists fused, and the pool that is assessed."""

from collections.abc import Mapping, Sequence

from agents.builtin.arithmetic import fused
from agents.builtin.ranking.bm25 import relevance
from agents.builtin.ranking.features import Pool
from agents.run.events import FoundBy
from connectors.paper import Paper, WorkId

FoundIn = Mapping[WorkId, Sequence[FoundBy]]
"""How each work was found."""


def rank(question: str, papers: Mapping[WorkId, Paper], found_by: FoundIn) -> list[WorkId]:
    """The works `papers`, best first: every list they stand in counts, and their built-in relevance as one more."""
    relevances = dict(zip(papers, relevance(question, list(papers.values())), strict=True))
    by_relevance = sorted(papers, key=lambda work: (-relevances[work], papers[work].id))
    own_ranks = {work: rank for rank, work in enumerate(by_relevance, start=1)}
    scores = {work: _fused(found_by.get(work, ()), own_ranks[work]) for work in papers}
    return sorted(papers, key=lambda work: (-scores[work], -relevances[work], papers[work].id))


def _fused(found: Sequence[FoundBy], own_rank: int) -> float:
    """The fusion over the lists a work stands in, each counted once at its best place."""
    ranks: dict[tuple[str, str], int] = {}
    for entry in found:
        key = (entry.source, entry.query)
        ranks[key] = min(entry.rank, ranks.get(key, entry.rank))
    return fused((*ranks.values(), own_rank))


def pool_of(
    question: str,
    papers: Mapping[WorkId, Paper],
    found_by: FoundIn,
    judged: Mapping[WorkId, float] | None = None,
    words: str = "",
) -> Pool:
    """`papers` in their order with the lists they stand in and their judgements, as features are counted over them.

    They are compared with `words`, which say what `question` asks for where its own do not.
    """
    numbers = {work: number for number, work in enumerate(papers)}
    lists: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for work, number in numbers.items():
        for found in found_by[work]:
            if found.link is None:
                lists.setdefault((found.source, found.query), []).append((found.rank, number))
    ranked = {key: [number for _, number in sorted(entries)] for key, entries in sorted(lists.items())}
    return Pool(
        words or question,
        list(papers.values()),
        [ranking for (_, query), ranking in ranked.items() if query == question],
        [ranking for (_, query), ranking in ranked.items() if query != question],
        {numbers[work]: score for work, score in (judged or {}).items() if work in numbers},
    )
