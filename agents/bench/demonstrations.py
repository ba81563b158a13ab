"""Generate demonstrations with the model (InteRecAgent §3.3). Input-first: an intent, then its plan. Output-first: a
plan, an intent for it, and a plan for that intent, which must be the same.

The model reads no papers for this, only demonstrations.
"""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any, Literal

from pydantic import BaseModel

from agents.assistant.demonstrations import Demonstration, normal, usable
from agents.assistant.disclosure import bus, told_of, under_headings
from agents.assistant.events import ConversationEvent, Step, TurnAnswered, TurnPlanned
from agents.assistant.planning import INSTRUCTIONS, plan_of, question
from agents.assistant.reading import CHOOSING
from agents.assistant.state import ConversationState, Turn
from agents.builtin.text.remarks import in_english
from agents.llm.prompt import Prompt
from agents.tools.tool import AnyTool
from connectors.records.clean import clean_text

BATCH = 5
"""Number of intents per request."""
SEEDS = 8
LONGEST_INTENT = 300
Ask = Callable[[Prompt, type[Any]], Awaitable[Any]]
Method = Literal["input-first", "output-first"]


@dataclass(frozen=True)
class Tried:
    """A generated demonstration, and the reason against it; "" for none."""

    method: Method
    intent: str
    demonstration: Demonstration | None = None
    against: str = ""


class Intent(BaseModel):
    """What a person might say, for the plan of this id where one is given."""

    id: str = ""
    text: str = ""


class Intents(BaseModel):
    """The requested answer of the model."""

    intents: list[Intent]


_INPUT = """\
You write requests that a person may put to a research assistant over their library of papers. Emulate the examples \
in kind and tone, on other subjects and in other words; name only things that such a library may have.
intents: as many as "Count" says, each with text, at most 30 words, and id empty. The examples are data. Answer with \
one JSON object that has "intents"."""
_OUTPUT = """\
You write requests that a person may put to a research assistant over their library of papers. For each of the plans \
write the one request, in natural words, for which exactly this plan would be made: it says all that the arguments \
say and nothing more. "@2" is the second of the papers shown last, "@shown" all of those, "@it" the one looked at \
last, "@all" every candidate; "onward" plans go on from papers spoken of before.
intents: one for each plan, with its id and text, at most 40 words. The plans are data. Answer with one JSON object \
that has "intents"."""


async def generated(
    ask: Ask, count: int, earlier: Sequence[Demonstration], tools: Mapping[str, AnyTool], today: date, dice: Random
) -> AsyncGenerator[Tried, None]:
    """Yield up to `count` demonstrations, half of them by each method, as they are checked; stop early if `ask`
    returns no answer. Keep those without a reason against them."""
    seeds = usable(earlier, tools)
    earlier_intents = {demonstration.intent.casefold() for demonstration in earlier}
    remaining = count
    method: Method = "input-first"
    while remaining > 0:
        sample = dice.sample(seeds, min(BATCH, remaining, len(seeds)))
        intents = await _intents(ask, method, sample, seeds, dice)
        if not intents:
            return
        for intent, plan in intents[:remaining]:
            remaining -= 1
            if intent.casefold() in earlier_intents:
                yield Tried(method, intent, against="it is there already")
                continue
            earlier_intents.add(intent.casefold())
            attempt = await _planned(ask, method, intent, plan, seeds, tools, today)
            if attempt is None:
                return
            yield attempt
        method = "output-first" if method == "input-first" else "input-first"


async def _intents(
    ask: Ask, method: Method, sample: Sequence[Demonstration], seeds: Sequence[Demonstration], dice: Random
) -> list[tuple[str, Demonstration | None]]:
    """Return the intents that the model writes, each with the demonstration for whose plan it was written."""
    if method == "input-first":
        examples = [demonstration.intent for demonstration in dice.sample(seeds, min(SEEDS, len(seeds)))]
        parts: dict[str, object] = {"Examples": examples, "Count": len(sample)}
        answer = await ask(Prompt("assistant-intents", 1, _INPUT, under_headings(parts), 900), Intents)
        candidates: list[tuple[str, Demonstration | None]] = (
            [(intent.text, None) for intent in answer.intents] if answer else []
        )
    else:
        plans = {f"p{number}": demonstration for number, demonstration in enumerate(sample, start=1)}
        parts = {
            "Plans": [
                {"id": name, "onward": demonstration.onward, "plan": demonstration.as_object()["plan"]}
                for name, demonstration in plans.items()
            ]
        }
        answer = await ask(Prompt("assistant-intents-of-plans", 1, _OUTPUT, under_headings(parts), 900), Intents)
        candidates = (
            [(intent.text, plans[intent.id]) for intent in answer.intents if intent.id in plans] if answer else []
        )
    clean = [(clean_text(text, LONGEST_INTENT), plan) for text, plan in candidates[: len(sample)]]
    return [(text, plan) for text, plan in clean if any(map(str.isalpha, text)) and in_english(text)]


async def _planned(
    ask: Ask,
    method: Method,
    intent: str,
    target: Demonstration | None,
    seeds: Sequence[Demonstration],
    tools: Mapping[str, AnyTool],
    today: date,
) -> Tried | None:
    """Plan an intent and check the plan against the wanted one; None if there was no answer."""
    # with the wanted plan among the examples the check would prove nothing
    others = [seed for seed in seeds if seed is not target]
    onward = target.onward if target else False
    read = await plan_of(ask, intent, tools, others, surroundings(today, onward))
    if read is None:
        return None
    answer, steps, wrong, _ = read
    if wrong or not steps:
        return Tried(method, intent, against=wrong[0] if wrong else "no plan was made for it")
    if target and normal(steps, tools) != normal(target.plan, tools):
        return Tried(method, intent, against="the plan made for it is another than the one it was written for")
    onward = answer.onward or not any(step.tool in CHOOSING for step in steps)
    return Tried(method, intent, Demonstration(intent, steps, target.onward if target else onward))


def surroundings(today: date, onward: bool) -> dict[str, Any]:
    """Return the planner's context for a demonstration; one that continues from papers has ten shown before."""
    at_hand = bus(10, 10, True) if onward else bus(None, 0, False)
    return {"Today": today.isoformat(), "Sources": [], "Dialog": [], "At hand": at_hand}


WHAT_IS_IN_IT = (
    "your messages in these conversations, the plans that were made for them with what you named (titles, notes and"
    " tags that you wrote there), and how many papers they left; no keys, no texts of papers, nothing from your"
    " library, notes or reading history"
)
"""Description of the pairs made from the person's conversations."""


def pairs_of_demonstrations(
    demonstrations: Sequence[Demonstration], tools: Mapping[str, AnyTool], today: date
) -> Iterator[dict[str, str]]:
    """Yield a training pair for each demonstration that `tools` can do; a demonstration is never its own example."""
    usable_ones = usable(demonstrations, tools)
    for demonstration in usable_ones:
        others = [other for other in usable_ones if other is not demonstration]
        parts = question(demonstration.intent, tools, others, surroundings(today, demonstration.onward))
        yield _pair(parts, demonstration.plan, demonstration.onward)


def pairs_of_conversation(
    events: Iterable[ConversationEvent], tools: Mapping[str, AnyTool], demonstrations: Sequence[Demonstration]
) -> Iterator[dict[str, str]]:
    """Yield a training pair for each successful turn: planned, carried out without an error, and answered."""
    state = ConversationState()
    context: dict[str, Any] = {}
    for event in events:
        if isinstance(event, TurnPlanned) and state.turns and state.turns[-1].plan is None:
            context = told_of(state)
        state = state.apply(event)
        if isinstance(event, TurnAnswered) and (steps := _good(state.turns[-1], tools)):
            turn = state.turns[-1]
            assert turn.plan is not None
            yield _pair(
                question(turn.message, tools, demonstrations, context), steps, turn.plan.onward, turn.plan.in_words
            )


def _good(turn: Turn, tools: Mapping[str, AnyTool]) -> tuple[Step, ...]:
    """Return the steps of a successful turn, without final `remember` steps; () if it failed."""
    plan = turn.plan
    if plan is None or plan.by == "person" or not plan.understood or any(outcome.error for outcome in turn.outcomes):
        return ()
    if len(turn.criticized) >= turn.plans and turn.criticized[-1].faults:
        return ()
    steps = plan.steps
    while len(steps) > 1 and steps[-1].tool == "remember":
        steps = steps[:-1]
    return steps if all(step.tool in tools for step in steps) else ()


def _pair(context: Mapping[str, object], steps: Iterable[Step], onward: bool, in_words: bool = False) -> dict[str, str]:
    steps_as_json = [{"tool": step.tool, "arguments": _json(dict(step.arguments))} for step in steps]
    plan = {
        "steps": steps_as_json,
        "onward": onward,
        "in_words": in_words,
        "noted": [],
        "reply": "",
        "understood": True,
    }
    return {"instructions": f"{INSTRUCTIONS}\n\n{under_headings(context)}", "plan": _json(plan)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
