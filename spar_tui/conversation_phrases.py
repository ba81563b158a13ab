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
from agents.run.events import PaperFound, Spent, Warned
from connectors.paper import Paper
from connectors.records.visible import shortened
from spar_tui.phrases import cost_lines, papers_text

WHO = {"built-in": "rules", "model": "the model", "person": "you", "simulated": "a benchmark"}
_LONGEST = 300
"""Maximum number of characters of a tool's arguments to show."""


def steps_text(turn: Turn) -> Iterator[str]:
    """Yield who planned the turn, and each step with its arguments and its result."""
    if turn.plan is None:
        return
    count = len(turn.plan.steps)
    what = "no step" if not count else f"{count} step{'' if count == 1 else 's'}"
    again = f", at attempt {turn.plans}" if turn.plans > 1 else ""
    yield f"planned by {WHO.get(turn.plan.by, turn.plan.by)}: {what}{again}"
    for number, step in enumerate(turn.plan.steps):
        done = turn.done.get(number)
        yield f"{number + 1}. {step.tool} {given_text(step)}: {outcome_text(done, turn)}"
    for criticism in turn.criticized:
        yield f"criticized by {WHO.get(criticism.by, criticism.by)}: {', '.join(criticism.faults) or 'nothing'}"


def given_text(step: Step) -> str:
    """Return a tool's arguments on one line."""
    text = json.dumps(dict(step.arguments), ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def outcome_text(done: StepDone | None, turn: Turn) -> str:
    """Return the result of a step."""
    if done is None:
        return "waits for your yes" if turn.proposed else "not done"
    return _outcome(done)


def _outcome(done: StepDone) -> str:
    if done.error:
        return done.error
    if done.values.get("declined"):
        return "declined"
    parts = [papers_text(len(done.papers))] if done.papers is not None else []
    parts += [f"given up: {', '.join(done.relaxed)}"] if done.relaxed else []
    parts += [f"run {done.run}"] if done.run else []
    parts += [f"{papers_text(len(done.shown))} shown"] if done.shown and done.papers is None else []
    return ", ".join(parts) or "done"


def message_text(event: Any, state: ConversationState) -> str:
    """Format a message on one line; `state` is the conversation with all its messages."""
    match event:
        case ConversationStarted(sources, _, today, model):
            names = ", ".join(sources) or "none"
            return (
                f"on {today}, with the model {model}"
                if model
                else f"on {today}, without a model; live sources: {names}"
            )
        case MessageReceived(text) | ChangeProposed(sentence=text) | Warned(text):
            return _line(text)
        case TurnPlanned(steps, by):
            return f"planned by {WHO[by]}: {', then '.join(_step(step) for step in steps) or 'no step'}"
        case StepDone(tool=tool):
            return f"{tool}: {_outcome(event)}"
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
        case Spent():
            return f"{event.step}: {'; '.join(cost_lines(event)) or 'the model was not asked'}"
    return "a step that only `--json` shows"


def _step(step: Step) -> str:
    return f"{step.tool} {given_text(step)}" if step.arguments else step.tool


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


def with_drafted(seen: frozenset[str], sentences: Iterable[str]) -> frozenset[str]:
    """Return the draft sentences that a person has seen, each in its longest form."""
    for sentence in sentences:
        if not any(other.startswith(sentence) for other in seen):
            seen = frozenset({*(other for other in seen if not sentence.startswith(other)), sentence})
    return seen


def taken_back(seen: Iterable[str], answer: str) -> str:
    """Say that draft sentences which a person has seen are not in the answer; "" if all are."""
    lines = [line.removeprefix("- ") for line in answer.splitlines()]
    gone = sum(not any(line.startswith(sentence) for line in lines) for sentence in seen)
    if not gone:
        return ""
    what = "a sentence" if gone == 1 else f"{gone} sentences"
    return f"Left out {what} that you saw being written: the answer has only checked sentences."


def is_list(state: ConversationState, answer: TurnAnswered) -> bool:
    """Whether "the second" and `@2` refer to the papers of the last answer."""
    return bool(answer.rows) and answer.rows == state.listed
