"""What a benchmark says: averages over questions, and each system against the baseline."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from agents.bench.cases import Half
from agents.bench.measures import DIGITS, compared
from agents.bench.reliability import calibration_error, reliability
from agents.bench.run import Row
from agents.search.options import Mode


@dataclass(frozen=True, slots=True)
class Terms:
    """Under what terms a benchmark ran, for whoever wants to repeat it."""

    half: Half = "all"
    seed: int = 0
    limit: int = 100
    mode: Mode = "fast"
    judge: str | None = None


def summary(name: str, rows: Sequence[Row], terms: Terms) -> dict[str, Any]:
    """The object of `--json` for one collection: macro averages by system, over the questions in `rows`.

    A system's `vs_bm25`, and `vs_rm3+links` where that was measured, give for each measure that the plain way has too
    its mean at the same depth, the difference with its 95 % interval, and the ratio. The `reliability` of one that
    judges is told in tenths of the probability, over the papers of all questions.
    """
    by_system: dict[str, list[Row]] = {}
    for row in rows:
        by_system.setdefault(row.system, []).append(row)
    questions = {row.question for row in rows}
    systems = {system: _system(of_system, terms.seed) for system, of_system in by_system.items()}
    return {"collection": name, "queries": len(questions), **asdict(terms), "arms": systems}


def _system(rows: Sequence[Row], seed: int) -> dict[str, Any]:
    averages = {name: round(fmean(row.measures[name] for row in rows), DIGITS) for name in rows[0].measures}
    plain = {f"vs_{way}": _compared(rows, way, seed) for way in rows[0].plain}
    return averages | plain | _reliability(rows)


def _reliability(rows: Sequence[Row]) -> dict[str, Any]:
    tenths = reliability(judged for row in rows for judged in row.judged)
    if not tenths:
        return {}
    told = [{name: round(value, DIGITS) for name, value in asdict(tenth).items()} for tenth in tenths]
    return {"calibration_error": round(calibration_error(tenths), DIGITS), "reliability": told}


def _compared(rows: Sequence[Row], way: str, seed: int) -> dict[str, Any]:
    return {
        name: compared([row.measures[name] for row in rows], [row.plain[way][name] for row in rows], seed)
        for name in rows[0].plain[way]
    }
