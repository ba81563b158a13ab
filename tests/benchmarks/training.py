"""Pairs of a planner's instructions and plan as JSON lines, to train a small planner (the RecLlama of InteRecAgent):
`python -m tests.benchmarks.training > pairs.jsonl`.

The instructions are exactly a planner's prompt: the rules, the tools, the nearest demonstrations and the message; the
plan is the expected answer. The pairs come from the demonstrations, also one's own. `--own` adds the successful turns
of one's own conversations: the messages, and the plans with what they name (titles, notes, tags); no texts of papers.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from agents.assistant.demonstrations import Demonstration, usable
from agents.assistant.disclosure import told_of, under_headings
from agents.assistant.events import ConversationEvent, Step, TurnAnswered, TurnPlanned
from agents.assistant.kind import CONVERSATION
from agents.assistant.planning import INSTRUCTIONS, question
from agents.assistant.state import ConversationState, Turn
from agents.bench.demonstrations import surroundings
from agents.run.recorder import kept
from agents.tools.tool import AnyTool
from cache import runs
from cache.store import Store
from cache.timestamps import utc_now
from spar_tui.cli.verbs.demonstrations import known_demonstrations, table_of_tools
from spar_tui.workspace import open_store, read_settings


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
    if plan is None or plan.by == "person" or not plan.understood or any(done.error for done in turn.outcomes):
        return ()
    if len(turn.criticized) >= turn.plans and turn.criticized[-1].faults:
        return ()
    steps = plan.steps
    while len(steps) > 1 and steps[-1].tool == "remember":
        steps = steps[:-1]
    return steps if all(step.tool in tools for step in steps) else ()


def _pair(context: Mapping[str, object], steps: Iterable[Step], onward: bool, in_words: bool = False) -> dict[str, str]:
    written = [{"tool": step.tool, "arguments": _json(dict(step.arguments))} for step in steps]
    plan = {"steps": written, "onward": onward, "in_words": in_words, "noted": [], "reply": "", "understood": True}
    return {"instructions": f"{INSTRUCTIONS}\n\n{under_headings(context)}", "plan": _json(plan)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def pairs_of_conversations(store: Store) -> Iterator[dict[str, str]]:
    """Yield a training pair for each successful turn of the stored conversations, oldest first."""
    tools, demonstrations = table_of_tools(), known_demonstrations(store)
    for run in reversed(runs.recent(store, 100_000, CONVERSATION.name)):
        yield from pairs_of_conversation(kept(CONVERSATION, store, run.id)[2], tools, demonstrations)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.training", description=__doc__)
    parser.add_argument("--own", action="store_true", help="also from your own conversations")
    wanted = parser.parse_args(arguments)
    with open_store(read_settings()) as store:
        today = utc_now().astimezone().date()
        pairs = list(pairs_of_demonstrations(known_demonstrations(store), table_of_tools(), today))
        pairs += pairs_of_conversations(store) if wanted.own else ()
    print(*map(_json, pairs), sep="\n")


if __name__ == "__main__":
    main()
