"""The log of a run whose agents exchange messages: all messages of its blackboard, in order."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.run.events import JudgedBy, QueryPlanned, SourceAnswered, Spent, Warned
from agents.run.findings import tally_of
from agents.run.kinds import AnyKind
from cache.runs import Event, Run
from connectors.entry_points import loaded
from spar_tui.phrases import cost_lines
from spar_tui.source_phrases import source_text
from spar_tui.terminal import Style

MESSAGES: Mapping[str, str] = {
    "summary": "spar_tui.summary_trace:message_text",
    "answer": "spar_tui.summary_trace:message_text",
    "recommendation": "spar_tui.recommendation_trace:message_text",
    "conversation": "spar_tui.conversation_phrases:message_text",
}
"""The kinds of runs with such a log, and the function that formats a message of each on one line, given the final
state."""

BY: Mapping[JudgedBy, str] = {
    "built-in": "built-in rules", "model": "the model", "person": "the person", "simulated": "a benchmark",
}  # fmt: skip


def board_log(run: Run, rows: Sequence[Event]) -> dict[str, Any]:
    """Return the stored messages."""
    return {
        "run": run.id,
        "kind": run.kind,
        "state": run.state,
        "messages": [
            {
                "id": row.id,
                "role": row.role,
                "kind": row.kind,
                "content": row.content,
                "score": row.score,
                "timestamp": row.timestamp.isoformat(),
            }
            for row in rows
        ],
    }


def run_event_text(event: object) -> str:
    """Format an event that all kinds of runs have on one line."""
    match event:
        case QueryPlanned(source, query):
            return f"asks {source} for {query}"
        case SourceAnswered():
            return f"{event.source} {source_text(tally_of(event))}"
        case Spent():
            return f"{event.step}: {'; '.join(cost_lines(event)) or 'the model was not asked'}"
        case Warned(sentence):
            return sentence
    return "a step that only `--json` shows"


def log_lines(kind: AnyKind, rows: Sequence[Event], style: Style) -> list[str]:
    """Format the messages for a person: number, time, role, score, and text."""
    message_text: Callable[[Any, Any], str] = loaded(MESSAGES[kind.name])
    state = kind.replayed(rows)
    width = max((len(row.role) for row in rows), default=0)
    lines: list[str] = []
    for row in rows:
        event = kind.codec.decode(row.kind, row.content)
        message = "a step that this version of spar does not know" if event is None else message_text(event, state)
        score = f"{row.score:.2f}" if row.score is not None else "    "
        before = f"{row.id:>4}  {row.timestamp.astimezone():%H:%M:%S}  {row.role:<{width}}  {score}  "
        first, *rest = style.wrapped(message, " " * len(before)) or [""]
        lines += [style.paint(before, "dim") + first.lstrip(), *rest]
    return lines
