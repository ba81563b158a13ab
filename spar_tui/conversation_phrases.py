"""The steps of a conversation in words: each step of a turn on one line."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agents.assistant.events import (
    ChangeDecided,
    ChangeProposed,
    ConversationFinished,
    ConversationStarted,
    MessageReceived,
    ProfileNoted,
    Step,
    StepDone,
    TurnAnswered,
    TurnCriticized,
    TurnPlanned,
)
from agents.assistant.state import ConversationState, Turn
from agents.run.events import PaperFound
from connectors.paper import Paper
from connectors.records.visible import shortened
from spar_tui.phrases import counted, papers_text
from spar_tui.reports.board_log import run_event_text

WHO = {"built-in": "rules", "model": "the model", "person": "you", "simulated": "a benchmark"}
_LONGEST = 300
"""Maximum number of characters of a tool's arguments to show."""


def steps_text(turn: Turn) -> Iterator[str]:
    """Yield who planned the turn, and each step with its arguments and its result."""
    if turn.plan is None:
        return
    steps = counted(len(turn.plan.steps), "step") if turn.plan.steps else "no step"
    again = f", at attempt {turn.plans}" if turn.plans > 1 else ""
    yield f"planned by {WHO.get(turn.plan.by, turn.plan.by)}: {steps}{again}"
    for number, step in enumerate(turn.plan.steps):
        yield f"{number + 1}. {step.tool} {_arguments(step)}: {outcome_text(turn.done.get(number), turn)}"
    for criticism in turn.criticized:
        yield f"criticized by {WHO.get(criticism.by, criticism.by)}: {', '.join(criticism.faults) or 'nothing'}"


def _arguments(step: Step) -> str:
    """Return a tool's arguments on one line."""
    text = json.dumps(dict(step.arguments), ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def outcome_text(outcome: StepDone | None, turn: Turn | None = None) -> str:
    """Return the result of a step; None for a step of `turn` that is not done."""
    if outcome is None:
        return "waits for your yes" if turn and turn.proposed else "not done"
    if outcome.error or outcome.values.get("declined"):
        return outcome.error or "declined"
    parts = [papers_text(len(outcome.papers))] if outcome.papers is not None else []
    parts += [f"given up: {', '.join(outcome.relaxed)}"] if outcome.relaxed else []
    parts += [f"run {outcome.run}"] if outcome.run else []
    parts += [f"{papers_text(len(outcome.shown))} shown"] if outcome.shown and outcome.papers is None else []
    return ", ".join(parts) or "done"


def message_text(event: Any, state: ConversationState) -> str:
    """Format a message on one line; `state` is the conversation with all its messages."""
    match event:
        case ConversationStarted(sources, _, today, model):
            names = ", ".join(sources) or "none"
            return f"on {today}, {f'with the model {model}' if model else f'without a model; live sources: {names}'}"
        case MessageReceived(text) | ChangeProposed(sentence=text):
            return _line(text)
        case TurnPlanned(steps, by):
            calls = [f"{step.tool} {_arguments(step)}" if step.arguments else step.tool for step in steps]
            return f"planned by {WHO[by]}: {', then '.join(calls) or 'no step'}"
        case StepDone(tool=tool):
            return f"{tool}: {outcome_text(event)}"
        case ChangeDecided(allowed):
            return "yes" if allowed else "not confirmed, so nothing was changed"
        case TurnCriticized(faults):
            return f"finds {', '.join(faults) or 'nothing wrong'}"
        case ProfileNoted(facet, text, papers):
            return f"notes for this conversation: {facet} {f'“{text}”' if text else papers_text(len(papers))}"
        case TurnAnswered(text, rows, _, by):
            return f"{_line(text)} ({papers_text(len(rows))} shown; by {'a template' if by == 'built-in' else WHO[by]})"
        case ConversationFinished(seconds):
            return f"answered after {seconds:.1f} s"
        case PaperFound(_, paper):
            return f"shows “{shortened(paper.title)}” ({paper.id})"
    return _line(run_event_text(event))


def _line(text: str) -> str:
    return " ".join(text.split())


def rows_of(state: ConversationState, answer: TurnAnswered) -> list[Paper]:
    """Return the papers that an answer shows, in order."""
    return [state.findings.papers[state.findings.work(row.work)] for row in answer.rows]


DRAFT = "Still being written, not checked yet:"
"""Heading of an answer while a model writes it."""


def draft_lines(sentences: Sequence[str]) -> list[str]:
    """Return the draft of an answer, one line per sentence; the last one is unfinished."""
    return [f"- {sentence}{' …' if sentence is sentences[-1] else ''}" for sentence in sentences]


def with_drafted(draft: frozenset[str], sentences: Iterable[str]) -> frozenset[str]:
    """Return the draft sentences that a person has seen, each in its longest form."""
    for sentence in sentences:
        if not any(other.startswith(sentence) for other in draft):
            draft = frozenset({*(other for other in draft if not sentence.startswith(other)), sentence})
    return draft


def taken_back(draft: Iterable[str], answer: str) -> str:
    """Say that draft sentences which a person has seen are not in the answer; "" if all are."""
    lines = [line.removeprefix("- ") for line in answer.splitlines()]
    number = sum(not any(line.startswith(sentence) for line in lines) for sentence in draft)
    text = f"Left out {counted(number, 'sentence')} of the draft that you saw: the answer has only checked sentences."
    return text if number else ""


def is_list(state: ConversationState, answer: TurnAnswered) -> bool:
    """Whether "the second" and `@2` refer to the papers of the last answer."""
    return bool(answer.rows) and answer.rows == state.listed
