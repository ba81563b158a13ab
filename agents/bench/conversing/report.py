"""Report a benchmark of the assistant: averages of each task, and the assistant against each plain system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.bench.closed_world import Half
from agents.bench.conversing.measuring import ASSISTANT, MEASURES, PROGRAM, WITHOUT, ConversingRow
from agents.bench.conversing.simulated_person import SHOWN, TURNS
from agents.bench.measures import Measures, averages, comparisons
from agents.bench.table import FigureColumn, figures, gain_lines

OF_TURNS = ("understood", "calls")
OF_A_MODEL = ("understood", "by_model", "calls", "tokens")
_HEADINGS = {
    "hit@5": "Hit@5", "at@5": "AT@5", "recall@5": "Recall@5", "ndcg@20": "NDCG@20", "understood": "understood",
    "calls": "calls a turn", "by_model": "by model", "tokens": "tokens a turn",
}  # fmt: skip
_TITLES = {
    "dialog": f"a simulated person looks for one paper in at most {TURNS} turns",
    "retrieval": "papers asked for by one message",
    "ranking": "20 papers ranked by one message",
}
FAILURES = (
    f"Hit@5: the paper was among the first {SHOWN} shown within {TURNS} turns. AT@5: turns until then; a failure counts"
    f" {TURNS + 1}, less is better."
)
NO_MODEL = (
    "No model was asked. The effects of planning first, demonstrations and reflection need a model and were not"
    " measured."
)
WITH_MODEL = (
    "by model: turns that were done as the model planned them; rules planned the others. spar-plan plans one step at a"
    " time, spar-demonstrations is shown no examples, spar-reflection has no critic."
)


@dataclass(frozen=True, slots=True)
class ConversingTerms:
    """The settings under which the assistant was measured."""

    half: Half = "all"
    seed: int = 0
    model: str | None = None


def report(name: str, of: str, rows: Sequence[ConversingRow], terms: ConversingTerms) -> dict[str, Any]:
    """Return the `--json` object of one collection: for each task the averages of each system. `spar_against` of a
    plain system compares the assistant with it: the difference, the ratio of the means, and their 95 % intervals.
    `of`, `people` or `questions`, says whose requests
    they are, and is the key of their number."""
    return {
        "collection": name,
        of: len({row.case for row in rows}),
        "half": terms.half,
        "seed": terms.seed,
        "model": terms.model,
        "tasks": {task: _of_task(measures, [row for row in rows if row.task == task], terms)
                  for task, measures in MEASURES.items() if any(row.task == task for row in rows)},
        "not_measured": [] if terms.model else ["plan_first", "demonstrations", "reflection"],
    }  # fmt: skip


def _of_task(measures: Sequence[str], rows: Sequence[ConversingRow], terms: ConversingTerms) -> dict[str, Any]:
    of_turns = OF_A_MODEL if terms.model else OF_TURNS
    by_system: dict[str, list[Measures]] = {}
    for row in rows:
        by_system.setdefault(row.system, []).append(row.measures)
    arms: dict[str, Any] = {}
    for system, measures_of_cases in by_system.items():
        names = [*measures, *(of_turns if system in ASSISTANT else ())]
        arms[system] = dict(averages(measures_of_cases, names))
        if system != PROGRAM:
            shared = measures if system not in WITHOUT else names
            arms[system]["spar_against"] = comparisons(by_system[PROGRAM], measures_of_cases, shared, terms.seed)
    return {"cases": len({row.case for row in rows}), "arms": arms}


def lines_of(result: Mapping[str, Any]) -> list[str]:
    """Return the printed lines of one collection."""
    of, singular = ("people", "person") if "people" in result else ("questions", "question")
    count = result[of]
    by = [f"model: {result['model']}"] if result["model"] else []
    lines = [
        " · ".join([result["collection"], f"{count} {singular if count == 1 else of}", f"half: {result['half']}", *by])
    ]
    for task, result_of_task in result["tasks"].items():
        arms: Mapping[str, Any] = result_of_task["arms"]
        columns = [
            FigureColumn(_HEADINGS[name], name) for name in _HEADINGS if any(name in arm for arm in arms.values())
        ]
        gains = (
            (f"spar against {system}", _HEADINGS[name], gain)
            for system, arm in arms.items()
            for name, gain in arm.get("spar_against", {}).items()
        )
        title = f"{_TITLES[task]} ({result_of_task['cases']})"
        lines += ["", title, *figures("", columns, arms), "", *gain_lines(gains)]
    remark = WITH_MODEL if result["model"] else NO_MODEL
    return [*lines, "", *([FAILURES] if "dialog" in result["tasks"] else []), remark]
