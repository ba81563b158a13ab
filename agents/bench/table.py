"""Format a benchmark's figures as aligned columns, like the tables of the SPAR paper."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from agents.bench.run import PLAIN

_Arm = Mapping[str, Any]


class FigureColumn(NamedTuple):
    """A column of a table: its heading, the measure in it, and the digits after the point."""

    heading: str
    measure: str
    digits: int = 3


_ANSWER = (
    FigureColumn("F1@10", "f1@10"),
    FigureColumn("R@10", "recall@10"),
    FigureColumn("P@10", "precision@10"),
    FigureColumn("nDCG@10", "ndcg@10"),
    FigureColumn("R@5", "recall@5"),
    FigureColumn("R@50", "recall@50"),
    FigureColumn("R@100", "recall@100"),
)
_SETS = (
    FigureColumn("F1 kept", "kept_f1"),
    FigureColumn("recall", "kept_recall"),
    FigureColumn("precision", "kept_precision"),
    FigureColumn("raw docs", "papers", 1),
    FigureColumn("kept docs", "kept", 1),
    FigureColumn("raw recall", "raw_recall"),
    FigureColumn("asked", "asked", 1),
    FigureColumn("calls", "calls", 1),
    FigureColumn("seconds", "seconds", 2),
)
_COMPARED = ("f1@10", "recall@10", "ndcg@10", "recall@50", "recall@100", "kept_f1", "raw_recall")


def table(result: Mapping[str, Any]) -> list[str]:
    """Return the printed lines of one collection's summary."""
    systems: Mapping[str, _Arm] = result["arms"]
    lines = [_title(result), "", *figures("ranked answer", _ANSWER, systems), "", *figures("as a set", _SETS, systems)]
    gains = (
        (f"{system} against {method}", measure, averages[f"vs_{method}"][measure])
        for system, averages in systems.items()
        for method in PLAIN
        for measure in _COMPARED
        if measure in averages.get(f"vs_{method}", ())
    )
    lines += ["", *gain_lines(gains, "at the same depth")]
    for system, averages in systems.items():
        if tenths := averages.get("reliability"):
            lines += ["", *_reliability(system, tenths, averages["calibration_error"])]
    return lines


def _reliability(system: str, tenths: Sequence[Mapping[str, float]], error: float) -> list[str]:
    rows = [
        [f"{tenth['low']:.1f}", str(tenth["papers"]), number(tenth["judged"], 3), number(tenth["relevant"], 3)]
        for tenth in tenths
    ]
    heading = [f"probability by {system} from … (calibration error {error:.3f})", "papers", "judged", "relevant"]
    return aligned([heading, *rows])


def _title(result: Mapping[str, Any]) -> str:
    count = result["queries"]
    parts = [
        result["collection"],
        f"{count} question{'' if count == 1 else 's'}",
        f"half: {result['half']}",
        result["mode"],
    ]
    parts += [f"judge: {result['judge']}"] if result["judge"] else []
    return " · ".join(parts)


def figures(heading: str, columns: Sequence[FigureColumn], systems: Mapping[str, _Arm]) -> list[str]:
    """Format the figures of each system, a row for each; "-" where it has none."""
    rows = [
        [system, *(number(averages.get(column.measure), column.digits) for column in columns)]
        for system, averages in systems.items()
    ]
    return aligned([[heading, *(column.heading for column in columns)], *rows])


def gain_lines(gains: Iterable[tuple[str, str, Mapping[str, Any]]], heading: str = "") -> list[str]:
    """Format comparisons by measure: the baseline's mean, the difference, the ratio of the means, and the 95 %
    intervals of both."""
    rows = [
        [
            systems,
            measure,
            number(gain["baseline"], 3),
            f"{gain['difference']:+.3f}",
            f"{gain['low']:+.3f} to {gain['high']:+.3f}",
            number(gain["ratio"]),
            f"{number(gain['ratio_low'])} to {number(gain['ratio_high'])}",
        ]
        for systems, measure, gain in gains
    ]
    columns = ["", "baseline", "difference", "95 % interval", "ratio", "95 % interval"]
    return aligned([[heading, *columns], *rows]) if rows else []


def number(value: float | None, digits: int = 2) -> str:
    """Format a figure for a table; "-" for None."""
    return "-" if value is None else f"{value:.{digits}f}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Format rows as lines: the first column left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
