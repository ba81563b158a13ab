"""What a benchmark of summaries says: averages over questions, and the tree against both others at the same depth."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from agents.bench.measures import difference
from agents.bench.summary.measuring import Measures, SummaryRow
from agents.bench.table import aligned
from agents.summary.options import SummaryOptions

COMPARED = ("recall", "facet_coverage", "text_coverage", "rubric_coverage", "aspect_coverage")
ARMS = ("tree", "bm25", "spar")
DIGITS = 6


def report(
    name: str, rows: Sequence[SummaryRow], half: str, options: SummaryOptions, judge: str = "words"
) -> dict[str, Any]:
    """The object of `--json`: averages over the questions that have a measure, and the tree against both others.

    `judge` names who judged the texts.
    """
    arms = {"tree": [row.tree for row in rows], "bm25": [row.bm25 for row in rows], "spar": [row.spar for row in rows]}
    averages: dict[str, Any] = {arm: _averages(some) for arm, some in arms.items()}
    for other in ("bm25", "spar"):
        averages["tree"][f"vs_{other}"] = {
            measure: told
            for measure in COMPARED
            if (told := _compared(arms["tree"], arms[other], measure, options.seed))
        }
    asked = {"half": half, "depth": options.depth, "branch": options.branch, "seed": options.seed, "judge": judge}
    return {"collection": name, "queries": len(rows), **asked, "arms": averages}


def _averages(rows: Sequence[Measures]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: round(fmean(row[name] for row in rows if name in row), DIGITS) for name in names}


def _compared(ours: Sequence[Measures], theirs: Sequence[Measures], measure: str, seed: int) -> dict[str, float | None]:
    pairs = [
        (one[measure], other[measure])
        for one, other in zip(ours, theirs, strict=True)
        if measure in one and measure in other
    ]
    if not pairs:
        return {}
    told = difference([one for one, _ in pairs], [other for _, other in pairs], seed)
    ratio = told.ratio if told.ratio is None else round(told.ratio, DIGITS)
    return {
        "baseline": round(told.baseline, DIGITS),
        "difference": round(told.difference, DIGITS),
        "low": round(told.low, DIGITS),
        "high": round(told.high, DIGITS),
        "ratio": ratio,
        "questions": len(pairs),
    }


def lines_of(result: Mapping[str, Any]) -> list[str]:
    """A report as aligned columns."""
    tree, count = result["arms"]["tree"], result["queries"]
    title = f"{result['collection']} · {count} question{'' if count == 1 else 's'} · half: {result['half']}"
    size = f"summaries of depth {result['depth']}, {result['branch']} facets a node"
    told = [f"{title} · {size} · texts judged by {result['judge']}", ""]
    names = [name for name, value in tree.items() if isinstance(value, float)]
    told += aligned(
        [["", *ARMS], *([name, *(_figure(result["arms"][arm].get(name)) for arm in ARMS)] for name in names)]
    )
    for other in ("bm25", "spar"):
        for measure, one in tree[f"vs_{other}"].items():
            ratio = "-" if one["ratio"] is None else f"{one['ratio']:.2f}"
            told += ["", f"{measure} against {other} with as many papers ({one['questions']} questions)"]
            means = f"{one['baseline'] + one['difference']:.3f} : {one['baseline']:.3f}"
            interval = f"{one['difference']:+.3f} ({one['low']:+.3f} to {one['high']:+.3f})"
            told.append(f"  {means}, difference {interval}, ratio {ratio}")
    return told


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
