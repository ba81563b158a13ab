"""Measure the answer to a question by the papers that are known to be relevant.

Ranked measures come from ir-measures (trec_eval's definitions); the gain of nDCG is the grade. Set measures ignore
order: everything retrieved (raw), or what was kept by its judged relevance.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

RANKED = ("recall@5", "recall@10", "recall@50", "recall@100", "precision@10", "f1@10", "ndcg@10")
KEPT = ("kept_precision", "kept_recall", "kept_f1")
Measures = Mapping[str, float]
"""Figures by the name of the measure."""
DIGITS = 6
RELEVANT = 1
"""The lowest grade of a relevant document."""


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


def kept_measures(kept: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """Return the precision, recall and F1 of a set of documents; an empty set has precision 0."""
    hits = len(relevant(grades).intersection(kept))
    precision = hits / len(kept) if kept else 0.0
    return dict(
        zip(KEPT, (precision, share_found(kept, grades), f1(precision, share_found(kept, grades))), strict=True)
    )


def share_found(documents: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return the recall of a set of documents."""
    return len(relevant(grades).intersection(documents)) / len(relevant(grades))


def relevant(grades: Mapping[str, int]) -> set[str]:
    """Return the relevant documents."""
    return {document for document, grade in grades.items() if grade >= RELEVANT}


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def qualities(
    ranking: Sequence[str], retrieved: Sequence[str], kept: Sequence[str] | None, grades: Mapping[str, int]
) -> dict[str, float]:
    """Return the measures of a ranked answer, of everything retrieved, and of what was kept, if anything judges."""
    measures = {**ranked_measures(ranking, grades), "raw_recall": share_found(retrieved, grades)}
    return measures if kept is None else {**measures, **kept_measures(kept, grades)}


def averages(rows: Sequence[Measures], names: Iterable[str]) -> dict[str, float]:
    """Return the mean of each of the measures `names` over the rows that have it, rounded for a report."""
    return {name: round(fmean(row[name] for row in rows if name in row), DIGITS) for name in names}
