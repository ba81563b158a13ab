"""What a benchmark of summaries says: averages over questions, and the tree against both others at the same depth."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from agents.bench.measures import DIGITS, compared
from agents.bench.summary.measuring import Measures, SummaryRow
from agents.bench.table import aligned, number
from agents.summary.options import SummaryOptions

COMPARED = ("recall", "facet_coverage", "text_coverage", "rubric_coverage", "aspect_coverage")
SYSTEMS = ("tree", "bm25", "spar")
OF_RATIO = ("ratio_low", "ratio_high")


def report(
    name: str, rows: Sequence[SummaryRow], half: str, options: SummaryOptions, judge: str = "words"
) -> dict[str, Any]:
    """The object of `--json`: averages over the questions that have a measure, and the tree against both others.

    `judge` names who judged the texts.
    """
    systems = {
        "tree": [row.tree for row in rows],
        "bm25": [row.bm25 for row in rows],
        "spar": [row.spar for row in rows],
    }
    averages: dict[str, Any] = {system: _averages(some) for system, some in systems.items()}
    for other in ("bm25", "spar"):
        averages["tree"][f"vs_{other}"] = {
            measure: gain
            for measure in COMPARED
            if (gain := _compared(systems["tree"], systems[other], measure, options.seed))
        }
    asked = {"half": half, "depth": options.depth, "branch": options.branch, "seed": options.seed, "judge": judge}
    return {"collection": name, "queries": len(rows), **asked, "arms": averages}


def _averages(rows: Sequence[Measures]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: round(fmean(row[name] for row in rows if name in row), DIGITS) for name in names}


def _compared(ours: Sequence[Measures], theirs: Sequence[Measures], measure: str, seed: int) -> dict[str, float | None]:
    pairs = [
        (our[measure], their[measure])
        for our, their in zip(ours, theirs, strict=True)
        if measure in our and measure in their
    ]
    if not pairs:
        return {}
    gain = compared([our for our, _ in pairs], [their for _, their in pairs], seed)
    return {name: value for name, value in gain.items() if name not in OF_RATIO} | {"questions": len(pairs)}


def lines_of(result: Mapping[str, Any]) -> list[str]:
    """A report as aligned columns."""
    tree, count = result["arms"]["tree"], result["queries"]
    title = f"{result['collection']} · {count} question{'' if count == 1 else 's'} · half: {result['half']}"
    size = f"summaries of depth {result['depth']}, {result['branch']} facets a node"
    lines = [f"{title} · {size} · texts judged by {result['judge']}", ""]
    names = [name for name, value in tree.items() if isinstance(value, float)]
    lines += aligned(
        [
            ["", *SYSTEMS],
            *([name, *(number(result["arms"][system].get(name), 3) for system in SYSTEMS)] for name in names),
        ]
    )
    for other in ("bm25", "spar"):
        for measure, gain in tree[f"vs_{other}"].items():
            ratio = number(gain["ratio"])
            lines += ["", f"{measure} against {other} with as many papers ({gain['questions']} questions)"]
            means = f"{gain['baseline'] + gain['difference']:.3f} : {gain['baseline']:.3f}"
            interval = f"{gain['difference']:+.3f} ({gain['low']:+.3f} to {gain['high']:+.3f})"
            lines.append(f"  {means}, difference {interval}, ratio {ratio}")
    return lines
