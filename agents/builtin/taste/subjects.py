"""Several subjects: a person with two finds both among the first few papers that are recommended, not their mean.

A subject is a group of the papers of a history (`agents.taste.comparison`), and goes by its place among the groups.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import TypeVar

Key = TypeVar("Key", bound=int)
FIRST = 5
"""Each subject of the person is among the first few, if anything on it was recalled."""
LEAST_SHARE = 0.15
"""The part of the history that a subject has at least for that."""
LARGE_SHARE = 0.3
"""The same where a model, which was told the subjects, has put the candidates in order."""


def weighty(groups: Sequence[Sequence[int]], weights: Mapping[int, float], least: float) -> list[list[int]]:
    """The groups that are so large a part of a history; smaller ones count as one, if they are so together. So do
    single papers beside groups of several: one paper is no subject yet."""
    total = sum(weights.values()) or 1.0
    least_papers = 2 if any(len(group) > 1 for group in groups) else 1

    def share(papers: Sequence[int]) -> float:
        return sum(weights.get(paper, 0.0) for paper in papers) / total

    def counts(papers: Sequence[int]) -> bool:
        return len(papers) >= least_papers and share(papers) >= least

    rest = [paper for group in groups if not counts(group) for paper in group]
    large = [list(group) for group in groups if counts(group)]
    return [*large, rest] if counts(rest) else large


def subjects_of(supports: Mapping[Key, Mapping[int, float]], groups: Sequence[Sequence[int]]) -> dict[Key, int]:
    """The subject that most of each candidate's score rests on, by the `supports` of papers of the history; one that
    rests mostly on papers of no group is left out."""
    group_of = {paper: index for index, group in enumerate(groups) for paper in group}
    found: dict[Key, int] = {}
    for candidate, papers in supports.items():
        resting: defaultdict[int | None, float] = defaultdict(float)
        for paper, support in papers.items():
            resting[group_of.get(paper)] += support
        most = max(resting, key=lambda group: resting[group], default=None)
        if most is not None:
            found[candidate] = most
    return found


def with_every_subject(
    order: Sequence[Key], subject_of: Mapping[Key, int], subjects: int, barred: Set[Key] = frozenset()
) -> tuple[list[Key], list[Key]]:
    """`order` with the best of each of so many subjects among the first few, and those that were raised to there; what
    is `barred` is never raised, and a subject that is there keeps one at least."""
    raised: list[Key] = []
    first = list(order[:FIRST])
    for wanted in range(subjects):
        there = Counter(map(subject_of.get, first))
        best = next((candidate for candidate in order[FIRST:] if subject_of.get(candidate) == wanted), None)
        spare = [candidate for candidate in reversed(first)
                 if candidate not in raised and there[subject_of.get(candidate)] > 1]  # fmt: skip
        if wanted in there or best is None or not spare or best in barred:
            continue
        first = [candidate for candidate in first if candidate != spare[0]] + [best]
        raised.append(best)
    kept = set(first)
    return [*first, *(candidate for candidate in order if candidate not in kept)], raised
