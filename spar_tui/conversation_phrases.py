"""What was done in a conversation, in words: each step of a turn as one line, for whoever unfolds them."""

import json
from collections.abc import Iterator

from agents.assistant.events import Step, StepDone, TurnAnswered
from agents.assistant.state import ConversationState, Turn
from connectors.paper import Paper
from spar_tui.phrases import papers_text

WHO = {"built-in": "rules", "model": "the model", "person": "your word"}
_LONGEST = 300
"""Letters of what a tool was given that are shown."""


def steps_text(turn: Turn) -> Iterator[str]:
    """Who planned the turn, and each step with what it was given and what it came to."""
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
    """What a tool was given, in one line."""
    told = json.dumps(dict(step.arguments), ensure_ascii=False)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"


def outcome_text(done: StepDone | None, turn: Turn) -> str:
    """What came of a step."""
    if done is None:
        return "waits for your word" if turn.proposed else "not done"
    if done.error:
        return done.error
    if done.values.get("declined"):
        return "declined"
    told = [papers_text(len(done.papers))] if done.papers is not None else []
    told += [f"given up: {', '.join(done.relaxed)}"] if done.relaxed else []
    told += [f"run {done.run}"] if done.run else []
    told += [f"{papers_text(len(done.shown))} shown"] if done.shown and done.papers is None else []
    return ", ".join(told) or "done"


def rows_of(state: ConversationState, answer: TurnAnswered) -> list[Paper]:
    """The papers that an answer shows, in its order."""
    return [state.findings.papers[state.findings.work(row.work)] for row in answer.rows]


def is_list(state: ConversationState, answer: TurnAnswered) -> bool:
    """Whether the papers of the last answer are the list that "the second" and `@2` are of."""
    return bool(answer.rows) and answer.rows == state.listed
