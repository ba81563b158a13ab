"""How well a candidate fits a person's context: the built-in way of ARAG's NLI agent (§2.2.2).

What speaks for it is the mean support of the history, each paper by its weight. A candidate fits well, with a score
above one half, if it is supported better than the middle paper of the history is by the others. The nearest paper that
the person does not want speaks against it.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from agents.builtin.arithmetic import reckons
from agents.taste.comparison import EXACT, SAMPLE, Compared, heaviest

if TYPE_CHECKING:
    from agents.builtin.taste.catalogue import Floats

MOST_HISTORY = 1_000
"""Papers of the history that each candidate is compared with one by one, the weightiest."""
AGAINST = 0.25
"""What is left of the score of a candidate that is nearer to something unwanted than to anything wanted."""
FEW = 3
"""With fewer papers in the history, the middle candidate is the measure."""
LEAST_BY_VECTORS = 0.1
"""What vectors count for at least, where they count."""
MOST_BY_VECTORS = 10
"""Papers of the history with which vectors count: with twenty they brought nothing that is sure, and with whole
libraries that have keywords a tenth of the score cost 4 % of NDCG@5."""


class Scored(NamedTuple):
    """A candidate's score from 0 to 1; the share of each place of the history in it, the greatest first; and the
    unwanted place that is nearer to it than any wanted one."""

    score: float
    shares: tuple[tuple[int, float], ...]
    against: int | None = None


@reckons
def scored(
    comparison: Compared, candidates: Sequence[int], grounds: int = 3, near: Sequence[float] | None = None
) -> list[Scored]:
    """The candidates at these places, scored; each with its first `grounds` places of the history. Where vectors tell
    how `near` each is (`agents.taste.vectors.nearness`), that counts for `by_vectors`.

    A candidate that the person knows already is no evidence for itself: what the rest of their history says counts.
    """
    import numpy as np

    wanted = heaviest(comparison.wanted, MOST_HISTORY)
    if not wanted or not candidates:
        return [Scored(0.0, ()) for _ in candidates]
    weights = np.array([comparison.wanted[index] for index in wanted])
    support = _support(comparison, wanted, candidates)
    others = weights.sum() - np.equal.outer(wanted, candidates).T @ weights
    weighed = support * weights[:, None] / np.maximum(others, 1e-9)
    totals = weighed.sum(axis=0)
    middle = usual(comparison, wanted) if len(wanted) >= FEW else _median(totals.tolist())
    odds = np.log(np.maximum(totals, 1e-12) / (middle or 1.0))
    if near is not None:
        share = by_vectors(len(wanted))
        odds = (1 - share) * odds + share * np.array(near) * (float(odds.std()) or 1.0)
    scores = 1 / (1 + np.exp(-odds))
    against = _against(comparison, candidates, support.max(axis=0))
    order = np.argsort(-weighed.round(EXACT), axis=0, kind="stable")[:grounds]
    return [
        Scored(
            round(float(score) * (AGAINST if column in against else 1.0), 6),
            tuple(
                (wanted[row], float(weighed[row, column] / total)) for row in order[:, column] if support[row, column]
            )
            if total
            else (),
            against.get(column),
        )
        for column, (score, total) in enumerate(zip(scores.tolist(), totals.tolist(), strict=True))
    ]


def by_vectors(papers: int) -> float:
    """What vectors count for with so many papers in the history: a third with one, a tenth with ten, nothing with more.

    The more papers there are, the more their words, keywords and links tell by themselves (docs/bench.md).
    """
    return max(1 / (papers + 2), LEAST_BY_VECTORS) if papers <= MOST_BY_VECTORS else 0.0


def usual(comparison: Compared, wanted: Sequence[int]) -> float:
    """How well the middle paper of the history is supported by the others."""
    import numpy as np

    some = wanted[:SAMPLE]
    weights = np.array([comparison.wanted[index] for index in some])
    support = comparison.catalogue.support(some, some)
    np.fill_diagonal(support, 0.0)
    others = weights.sum() - weights
    by_others = (support * weights[:, None]).sum(axis=0) / np.maximum(others, 1e-9)
    return _median(by_others.tolist())


def _support(comparison: Compared, history: Sequence[int], candidates: Sequence[int]) -> "Floats":
    """How far each candidate is supported by each paper of the history; none supports itself."""
    support = comparison.catalogue.support(history, candidates)
    rows = {index: row for row, index in enumerate(history)}
    for column, candidate in enumerate(candidates):
        if candidate in rows:
            support[rows[candidate], column] = 0.0
    return support


def _against(comparison: Compared, candidates: Sequence[int], best: "Floats") -> Mapping[int, int]:
    """The columns of candidates that something unwanted supports more than anything wanted, with its place."""
    unwanted = heaviest(comparison.unwanted, MOST_HISTORY)
    if not unwanted:
        return {}
    import numpy as np

    weights = np.array([comparison.unwanted[index] for index in unwanted])
    support = comparison.catalogue.support(unwanted, candidates) * weights[:, None]  # an unwanted one by itself as well
    nearest = support.argmax(axis=0)
    return {
        column: unwanted[int(row)]
        for column, row in enumerate(nearest)
        if support[row, column] > 0 and support[row, column] >= best[column]
    }


def _median(numbers: Sequence[float]) -> float:
    from statistics import median  # which few messages need; numpy's imports more

    return float(median(numbers))
