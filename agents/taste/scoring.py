"""Score how well a candidate fits a person's context: the built-in version of ARAG's NLI agent (§2.2.2).

The weighted mean support of the history counts for it. A candidate fits well, with a score above one half, if its
support exceeds that of the median paper of the history by the others. The closest unwanted paper counts against it.

If a model computes vectors, meaning counts too: a candidate's closeness to the history is the mean cosine of its best
three papers. Only the recall set and a short history get vectors; each is computed once and stored.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from agents.builtin import lazy_numpy as np
from agents.builtin.arithmetic import reckons
from agents.taste.comparison import EXACT, SAMPLE, Compared, heaviest

BEST_NEAR = 3
"""Number of papers of the history, the closest, whose mean cosine counts."""
MOST_HISTORY = 1_000
"""Number of papers of the history with which each candidate is compared, the heaviest."""
AGAINST = 0.25
"""Factor on the score of a candidate that is closer to something unwanted than to anything wanted."""
FEW = 3
"""With fewer papers in the history, the median candidate is the reference."""
LEAST_BY_VECTORS = 0.1
"""Minimum weight of vectors where they count."""
MOST_BY_VECTORS = 10
"""Maximum number of papers in the history for which vectors count: with twenty they showed no reliable gain, and
with whole libraries with keywords a weight of a tenth cost 4 % of NDCG@5."""


class Scored(NamedTuple):
    """A candidate's score from 0 to 1; the share of each paper of the history in it, largest first; and the unwanted
    paper that is closer to it than any wanted one."""

    score: float
    shares: tuple[tuple[int, float], ...]
    against: int | None = None


@reckons
def scored(
    comparison: Compared, candidates: Sequence[int], grounds: int = 3, near: Sequence[float] | None = None
) -> list[Scored]:
    """Score the candidates at these indices, each with its `grounds` best papers of the history. If vectors tell how
    `near` each is (`nearness`), that counts with the weight `by_vectors`.

    A candidate in the history is no evidence for itself: the rest of the history counts.
    """
    history = heaviest(comparison.wanted, MOST_HISTORY)
    if not history or not candidates:
        return [Scored(0.0, ()) for _ in candidates]
    weights = np.array([comparison.wanted[index] for index in history])
    support = _support(comparison, history, candidates)
    others = weights.sum() - np.equal.outer(history, candidates).T @ weights
    weighted = support * weights[:, None] / np.maximum(others, 1e-9)
    totals = weighted.sum(axis=0)
    middle = usual(comparison, history) if len(history) >= FEW else _median(totals.tolist())
    odds = np.log(np.maximum(totals, 1e-12) / (middle or 1.0))
    if near is not None:
        share = by_vectors(len(history))
        odds = (1 - share) * odds + share * np.array(near) * (float(odds.std()) or 1.0)
    scores = 1 / (1 + np.exp(-odds))
    against = _against(comparison, candidates, support.max(axis=0))
    order = np.argsort(-weighted.round(EXACT), axis=0, kind="stable")[:grounds]
    return [
        Scored(
            round(float(score) * (AGAINST if column in against else 1.0), 6),
            tuple(
                (history[row], float(weighted[row, column] / total)) for row in order[:, column] if support[row, column]
            )
            if total
            else (),
            against.get(column),
        )
        for column, (score, total) in enumerate(zip(scores.tolist(), totals.tolist(), strict=True))
    ]


def by_vectors(papers: int) -> float:
    """Return the weight of vectors for a history of this many papers: a third for one, a tenth for ten, 0 for more.

    The more papers there are, the more their words, keywords and links suffice (docs/bench.md).
    """
    return max(1 / (papers + 2), LEAST_BY_VECTORS) if papers <= MOST_BY_VECTORS else 0.0


def usual(comparison: Compared, history: Sequence[int]) -> float:
    """Return the support of the median paper of the history by the others."""
    some = history[:SAMPLE]
    weights = np.array([comparison.wanted[index] for index in some])
    support = comparison.catalogue.support(some, some)
    np.fill_diagonal(support, 0.0)
    others = weights.sum() - weights
    by_others = (support * weights[:, None]).sum(axis=0) / np.maximum(others, 1e-9)
    return _median(by_others.tolist())


def _support(comparison: Compared, history: Sequence[int], candidates: Sequence[int]) -> "np.Floats":
    """Return the support of each candidate by each paper of the history; no paper supports itself."""
    support = comparison.catalogue.support(history, candidates)
    rows = {index: row for row, index in enumerate(history)}
    for column, candidate in enumerate(candidates):
        if candidate in rows:
            support[rows[candidate], column] = 0.0
    return support


def _against(comparison: Compared, candidates: Sequence[int], best: "np.Floats") -> Mapping[int, int]:
    """Return the columns of candidates that an unwanted paper supports more than any wanted one, with the unwanted
    index."""
    unwanted = heaviest(comparison.unwanted, MOST_HISTORY)
    if not unwanted:
        return {}
    weights = np.array([comparison.unwanted[index] for index in unwanted])
    # an unwanted paper also supports itself
    support = comparison.catalogue.support(unwanted, candidates) * weights[:, None]
    nearest = support.argmax(axis=0)
    return {
        column: unwanted[int(row)]
        for column, row in enumerate(nearest)
        if support[row, column] > 0 and support[row, column] >= best[column]
    }


def _median(numbers: Sequence[float]) -> float:
    from statistics import median  # imported here, because few messages need it; numpy's imports more

    return float(median(numbers))


@reckons
def nearness(vectors: Mapping[int, bytes], candidates: Sequence[int], history: Sequence[int]) -> list[float]:
    """Return the closeness of each of `candidates` to the `history`, both keys of `vectors`, in standard deviations
    of the candidates: above 0 if closer than the median paper of the history is to the others."""

    def rows(keys: Sequence[int]) -> "np.Floats":
        return np.array([np.frombuffer(vectors[key], dtype="<f2") for key in keys], dtype=float)

    history_rows, candidate_rows = rows(history), rows(candidates)
    scores = _mean_of_best(candidate_rows @ history_rows.T)
    among = history_rows @ history_rows.T
    np.fill_diagonal(among, -1.0)
    usual = np.median(_mean_of_best(among)) if len(history) > BEST_NEAR else np.median(scores)
    return [float(odds) for odds in (scores - usual) / (scores.std() or 1.0)]


def _mean_of_best(cosines: "np.Floats") -> "np.Floats":
    best: np.Floats = np.sort(cosines, axis=1)[:, -BEST_NEAR:].mean(axis=1)
    return best
