"""How good an answer is, question by question, by people's labels; and how far two ways differ.

Ranked measures come from ir-measures (trec_eval's definitions); the grade itself is nDCG's gain. Measures of a set
have no order: everything retrieved (raw), or what was kept by its judged relevance.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import log2
from statistics import fmean

from agents.bench.collections import RELEVANT

RANKED = ("recall@5", "recall@10", "recall@50", "recall@100", "precision@10", "f1@10", "ndcg@10")
KEPT = ("kept_precision", "kept_recall", "kept_f1")
RESAMPLES = 2_000
DIGITS = 6
_WITHIN = (0.025, 0.975)
_NOTHING = 1e-9
"""A mean below this is no measure for another."""


def ranked_measures(ranking: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """`RANKED` for the document ids in `ranking`, best first; ids without a grade count as not relevant."""
    import ir_measures
    from ir_measures import P, R, nDCG

    measures = {"recall@5": R @ 5, "recall@10": R @ 10, "recall@50": R @ 50, "recall@100": R @ 100}
    measures |= {"precision@10": P @ 10, "ndcg@10": nDCG @ 10}
    # Falling scores without ties, or trec_eval would put equal ones into an order of its own.
    run = {document: float(-rank) for rank, document in enumerate(ranking)}
    values = {
        metric.measure: metric.value
        for metric in ir_measures.iter_calc(list(measures.values()), {"": grades}, {"": run})
    }
    values_by_name = {name: values.get(measure, 0.0) for name, measure in measures.items()}
    values_by_name["f1@10"] = f1(values_by_name["precision@10"], values_by_name["recall@10"])
    return {name: values_by_name[name] for name in RANKED}


def kept_measures(kept: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """Precision, recall and F1 of a set of documents; nothing kept has a precision of 0."""
    hits = len(relevant(grades).intersection(kept))
    precision = hits / len(kept) if kept else 0.0
    return dict(
        zip(KEPT, (precision, share_found(kept, grades), f1(precision, share_found(kept, grades))), strict=True)
    )


def share_found(documents: Sequence[str], grades: Mapping[str, int]) -> float:
    """The recall of a set of documents."""
    return len(relevant(grades).intersection(documents)) / len(relevant(grades))


def relevant(grades: Mapping[str, int]) -> set[str]:
    """The documents that answer the question."""
    return {document for document, grade in grades.items() if grade >= RELEVANT}


def ndcg(ranking: Sequence[object], relevant: Collection[object], depth: int) -> float:
    """The order of the first `depth`, where each relevant one gains 1."""
    gains = [1 / log2(rank + 2) for rank in range(depth)]
    gained = sum(gain for gain, document in zip(gains, ranking, strict=False) if document in relevant)
    return gained / (sum(gains[: len(relevant)]) or 1.0)


def f1(precision: float, recall: float) -> float:
    """The harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one way is from another over the same questions: the mean difference and its 95 % interval.

    `ratio` is that of the means, with its own interval; None when the other's mean is 0.
    """

    baseline: float
    difference: float
    low: float
    high: float
    ratio: float | None
    ratio_low: float | None = None
    ratio_high: float | None = None


def compared(ours: Sequence[float], theirs: Sequence[float], seed: int = 0) -> dict[str, float | None]:
    """As `difference`, its figures by name, rounded for a report."""
    fields = asdict(difference(ours, theirs, seed))
    return {name: value if value is None else round(value, DIGITS) for name, value in fields.items()}


def difference(ours: Sequence[float], theirs: Sequence[float], seed: int = 0) -> Difference:
    """The paired percentile bootstrap over questions (Efron & Tibshirani 1993, §13.3); one seed, one answer."""
    import numpy as np

    draws = np.random.default_rng(seed).integers(len(ours), size=(RESAMPLES, len(ours)))
    means, bases = np.array(ours)[draws].mean(axis=1), np.array(theirs)[draws].mean(axis=1)
    low, high = np.quantile(means - bases, _WITHIN)
    base, mean = fmean(theirs), fmean(ours)
    outcome = Difference(base, mean - base, float(low), float(high), mean / base if base else None)
    if bases.min() < _NOTHING:
        return outcome
    ratio_low, ratio_high = np.quantile(means / bases, _WITHIN)
    return replace(outcome, ratio_low=float(ratio_low), ratio_high=float(ratio_high))
