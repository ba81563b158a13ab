"""A stored run of any kind as one object: its data and its result."""

from collections.abc import Mapping
from typing import Any

from agents.run.kinds import KINDS, kind_named
from cache import runs
from cache.store import Store
from connectors.entry_points import loaded
from spar_tui.reports.json_objects import json_fields, paper_objects

OBJECTS: Mapping[str, str] = {
    "search": "spar_tui.reports.json_objects:search_object",
    "summary": "spar_tui.reports.json_summary:summary_object",
    "answer": "spar_tui.reports.answer:answer_object",
    "recommendation": "spar_tui.reports.json_recommendation:recommendation_object",
}
"""The functions that build the `--json` object of each kind of run that has one."""


def run_object(store: Store, name: str) -> dict[str, Any]:
    """Return the run with this id: `answer` is the object of its verb's `--json`, None if it has not begun or has
    none; `papers` are those of its result. Raises `NoSuchRun`, `RunError`, `CacheError`."""
    run = runs.get(store, name)
    return {
        "run": run.id,
        "kind": run.kind,
        "question": run.question,
        **json_fields(run, "state started finished"),
        "counts": dict(run.counts),
        "papers": paper_objects(ranked.paper for ranked in runs.result(store, run.id)),
        "answer": _answer(store, run),
    }


def _answer(store: Store, run: runs.Run) -> dict[str, Any] | None:
    if run.kind not in OBJECTS or run.kind not in KINDS:
        return None
    state = kind_named(run.kind).replayed(runs.events(store, run.id))
    if not state.started:
        return None
    answer: dict[str, Any] = loaded(OBJECTS[run.kind])(run.id, state)
    return answer
