"""Pairs of instructions and plan to train a small planner on (InteRecAgent §3.5, RecLlama): the instructions are word
for word what a planner is told, the plan is what it has to answer."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from agents.assistant.demonstrations.generating import surroundings
from agents.assistant.demonstrations.kept import Demonstration, usable
from agents.assistant.disclosure import told_of, under_headings
from agents.assistant.events import ConversationEvent, Step, TurnAnswered, TurnPlanned
from agents.assistant.planning import INSTRUCTIONS, question
from agents.assistant.state import ConversationState, Turn
from agents.tools.tool import AnyTool

WHAT_IS_IN_IT = (
    "your messages in these conversations, the plans that were made for them with what you named (titles, notes and"
    " tags that you wrote there), and how many papers they left; no keys, no texts of papers, nothing from your"
    " library, notes or reading history"
)
"""What pairs of own conversations hold."""


def pairs_of_demonstrations(
    demonstrations: Sequence[Demonstration], tools: Mapping[str, AnyTool], today: date
) -> Iterator[dict[str, str]]:
    """A pair for each demonstration that can be done with `tools`; it is not among its own examples."""
    known = usable(demonstrations, tools)
    for one in known:
        others = [other for other in known if other is not one]
        told = question(one.intent, tools, others, surroundings(today, one.onward))
        yield _pair(told, one.plan, one.onward)


def pairs_of_conversation(
    events: Iterable[ConversationEvent], tools: Mapping[str, AnyTool], demonstrations: Sequence[Demonstration]
) -> Iterator[dict[str, str]]:
    """A pair for each turn that came out well: planned, done without a fault, and answered."""
    state = ConversationState()
    told: dict[str, Any] = {}
    for event in events:
        if isinstance(event, TurnPlanned) and state.turns and state.turns[-1].plan is None:
            told = told_of(state)
        state = state.apply(event)
        if isinstance(event, TurnAnswered) and (steps := _good(state.turns[-1], tools)):
            turn = state.turns[-1]
            assert turn.plan is not None
            yield _pair(
                question(turn.message, tools, demonstrations, told), steps, turn.plan.onward, turn.plan.in_words
            )


def _good(turn: Turn, tools: Mapping[str, AnyTool]) -> tuple[Step, ...]:
    """The steps of a turn that came out well, without those that ask about what was said before; () if it did not."""
    plan = turn.plan
    if plan is None or plan.by == "person" or not plan.understood or any(done.error for done in turn.outcomes):
        return ()
    if len(turn.criticized) >= turn.plans and turn.criticized[-1].faults:
        return ()
    steps = plan.steps
    while len(steps) > 1 and steps[-1].tool == "remember":
        steps = steps[:-1]
    return steps if all(step.tool in tools for step in steps) else ()


def _pair(told: Mapping[str, object], steps: Iterable[Step], onward: bool, in_words: bool = False) -> dict[str, str]:
    written = [{"tool": step.tool, "arguments": _json(dict(step.arguments))} for step in steps]
    plan = {"steps": written, "onward": onward, "in_words": in_words, "noted": [], "reply": "", "understood": True}
    return {"instructions": f"{INSTRUCTIONS}\n\n{under_headings(told)}", "plan": _json(plan)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
