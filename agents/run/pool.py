"""The papers of a run as what the built-in judge weighs against each other."""

from collections.abc import Mapping, Sequence

from agents.builtin.ranking.features import Pool
from agents.run.findings import Findings
from connectors.paper import Paper


def pool_of(
    question: str,
    findings: Findings,
    papers: Mapping[int, Paper],
    order: Sequence[int],
    judged: Mapping[int, float] = {},  # never changed
) -> Pool:
    """`papers` in `order`, with the lists they stand in, those for the question itself first, and the scores of those
    that were `judged`."""
    index = {work: number for number, work in enumerate(order)}
    lists: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for work in order:
        for found in findings.found[work].found_by:
            if found.link is None:
                lists.setdefault((found.source, found.query), []).append((found.rank, index[work]))
    ranked = {key: [number for _, number in sorted(entries)] for key, entries in sorted(lists.items())}
    return Pool(
        question,
        [papers[work] for work in order],
        [numbers for (_, query), numbers in ranked.items() if query == question],
        [numbers for (_, query), numbers in ranked.items() if query != question],
        {index[work]: score for work, score in judged.items()},
    )
