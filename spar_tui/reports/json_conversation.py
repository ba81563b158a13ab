"""The object of `spar chat --json`: the turns with their answers, papers and steps."""

from collections.abc import Sequence
from typing import Any

from agents.assistant.state import ConversationState, Turn
from spar_tui.conversation_phrases import rows_of
from spar_tui.reports.json_objects import cost_object, json_fields, paper_object


def conversation_object(run: str, state: ConversationState, first: int = 0) -> dict[str, Any]:
    """Return a conversation from its turn `first` (from 0) on."""
    return {
        "run": run,
        "turns": [_turn(state, turn) for turn in state.turns[first:]],
        "candidates": None if state.candidates is None else len(state.candidates),
        "cost": cost_object(state.findings.cost, state.finished.seconds if state.finished else None),
    }


def _turn(state: ConversationState, turn: Turn) -> dict[str, Any]:
    answer, plan = turn.answer, turn.plan
    papers = rows_of(state, answer) if answer else []
    return {
        "message": turn.message,
        **json_fields(plan, "understood"),
        "planned_by": plan.by if plan else None,
        "steps": _steps(turn),
        "proposed": turn.proposed.sentence if turn.proposed else None,
        "answer": answer.text if answer else None,
        "answered_by": answer.by if answer else None,
        "offers": [offer.label for offer in turn.offers],
        "papers": [paper_object(paper, rank) for rank, paper in enumerate(papers, start=1)],
        "document": (answer.document or None) if answer else None,
    }


def _steps(turn: Turn) -> Sequence[dict[str, Any]]:
    steps = []
    for number, step in enumerate(turn.plan.steps if turn.plan else ()):
        done = turn.done.get(number)
        steps.append(
            {
                "tool": step.tool,
                "arguments": dict(step.arguments),
                "done": done is not None and not done.error,
                "found": None if done is None or done.papers is None else len(done.papers),
                "values": dict(done.values) if done else {},
                "notes": list(done.notes) if done else [],
                "relaxed": list(done.relaxed) if done else [],
                **json_fields(done, "run error"),
            }
        )
    return steps
