"""Measure answers per question by people's labels, and the difference between two systems.

Ranked measures come from ir-measures (trec_eval's definitions); the gain of nDCG is the grade. Set measures ignore
order: everything retrieved (raw), or what was kept by its judged relevance.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import log2
from statistics import fmean

from agents.bench.collections import RELEVANT
from agents.builtin import lazy_numpy as np

RANKED = ("recall@5", "recall@10", "recall@50", "recall@100", "precision@10", "f1@10", "ndcg@10")
KEPT = ("kept_precision", "kept_recall", "kept_f1")
Measures = Mapping[str, float]
"""Figures by the name of the measure."""
RESAMPLES = 2_000
DIGITS = 6
_WITHIN = (0.025, 0.975)
_NOTHING = 1e-9
"""A mean below this is too small to divide by."""


def ranked_measures(ranking: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """Return the `RANKED` measures of the document ids in `ranking`, best first; ids without a grade are not
    relevant."""
    import ir_measures
    from ir_measures import P, R, nDCG

    measures = {"recall@5": R @ 5, "recall@10": R @ 10, "recall@50": R @ 50, "recall@100": R @ 100}
    measures |= {"precision@10": P @ 10, "ndcg@10": nDCG @ 10}
    # Decreasing scores without ties, because trec_eval orders ties its own way.
    run = {document: float(-rank) for rank, document in enumerate(ranking)}
    values = {
        metric.measure: metric.value
        for metric in ir_measures.iter_calc(list(measures.values()), {"": grades}, {"": run})
    }
    values_by_name = {name: values.get(measure, 0.0) for name, measure in measures.items()}
    values_by_name["f1@10"] = f1(values_by_name["precision@10"], values_by_name["recall@10"])
    return {name: values_by_name[name] for name in RANKED}


def kept_measures(documents: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """Return the precision, recall and F1 of a set of documents; an empty set has precision 0."""
    hits = len(relevant(grades).intersection(documents))
    precision = hits / len(documents) if documents else 0.0
    return dict(
        zip(
            KEPT,
            (precision, share_found(documents, grades), f1(precision, share_found(documents, grades))),
            strict=True,
        )
    )


def share_found(documents: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return the recall of a set of documents."""
    return len(relevant(grades).intersection(documents)) / len(relevant(grades))


def relevant(grades: Mapping[str, int]) -> set[str]:
    """Return the relevant documents."""
    return {document for document, grade in grades.items() if grade >= RELEVANT}


def ndcg(ranking: Sequence[object], relevant: Collection[object], depth: int) -> float:
    """Return the nDCG of the first `depth`, with a gain of 1 for each relevant document."""
    gains = [1 / log2(rank + 2) for rank in range(depth)]
    gained = sum(gain for gain, document in zip(gains, ranking, strict=False) if document in relevant)
    return gained / (sum(gains[: len(relevant)]) or 1.0)


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """The mean difference between two systems over the same questions, with its 95 % interval. `ratio` is the ratio
    of the means, with its own interval; None if the other mean is 0."""

    baseline: float
    difference: float
    low: float
    high: float
    ratio: float | None
    ratio_low: float | None = None
    ratio_high: float | None = None


def compared(ours: Sequence[float], theirs: Sequence[float], seed: int = 0) -> dict[str, float | None]:
    """Return the figures of `difference` by name, rounded for a report."""
    fields = asdict(difference(ours, theirs, seed))
    return {name: value if value is None else round(value, DIGITS) for name, value in fields.items()}


def averages(rows: Sequence[Measures], names: Iterable[str]) -> dict[str, float]:
    """Return the mean of each of the measures `names` over the rows that have it, rounded for a report."""
    return {name: round(fmean(row[name] for row in rows if name in row), DIGITS) for name in names}


def comparisons(
    ours: Sequence[Measures], theirs: Sequence[Measures], names: Iterable[str], seed: int
) -> dict[str, dict[str, float | None]]:
    """Return `compared` of two systems for each of the measures `names`, which every row has."""
    return {name: compared([row[name] for row in ours], [row[name] for row in theirs], seed) for name in names}


def difference(ours: Sequence[float], theirs: Sequence[float], seed: int = 0) -> MeanDifference:
    """Compare by the paired percentile bootstrap over questions (Efron & Tibshirani 1993, §13.3); deterministic per
    seed."""
    draws = np.random.default_rng(seed).integers(len(ours), size=(RESAMPLES, len(ours)))
    means, bases = np.array(ours)[draws].mean(axis=1), np.array(theirs)[draws].mean(axis=1)
    low, high = np.quantile(means - bases, _WITHIN)
    base, mean = fmean(theirs), fmean(ours)
    outcome = MeanDifference(base, mean - base, float(low), float(high), mean / base if base else None)
    if bases.min() < _NOTHING:
        return outcome
    ratio_low, ratio_high = np.quantile(means / bases, _WITHIN)
    return replace(outcome, ratio_low=float(ratio_low), ratio_high=float(ratio_high))
