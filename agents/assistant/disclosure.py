"""What a language model learns in a conversation: all that leaves the machine. `DISCLOSED` lists it in words.

The planner and the critic get the person's own words, counts and names of tools, but not one word of a paper, a note, a
tag or an earlier question, so no text in these can make a tool run. Only the step that words an answer reads papers,
and it cannot run tools. All data in the prompts is JSON under headings.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agents.assistant.events import ProfileNoted, Step, StepDone, TurnPlanned
from agents.assistant.state import ConversationState, Turn
from agents.run.step import text_of
from agents.tools.tool import AnyTool
from connectors.paper import Paper

if TYPE_CHECKING:
    from pydantic import BaseModel

TURNS = 8
"""Number of earlier turns that the planner gets."""
MESSAGE = 1_000
"""Maximum number of characters of each earlier message; the current message is sent in full."""
ROWS = 10
ABSTRACT = 1_200
LINES = 30
CELL = 200
DAY = "YYYY, YYYY-MM or YYYY-MM-DD"
PERSONAL = re.compile(r"\b(?:shelf|tags|reading|runs|run_papers)\b", re.IGNORECASE)
"""Views of what the person did and wrote: results of queries that read them are not sent."""
DISCLOSED = (
    (
        f"your message, and from the {TURNS} turns before it your messages (the first {MESSAGE:,} letters of each), the"
        " tools used with their arguments, and how many papers they kept and showed"
    ),
    "today's date, the names of the sources in use, and the number of candidate papers",
    (
        "to judge a plan: its steps, the number of papers after each, and whether one failed; never the reason, because"
        " it might quote a title"
    ),
    (
        f"only if your question asks what papers say: for up to {ROWS} of the candidates, the title, authors, venue,"
        f" date, citations and the first {ABSTRACT:,} letters of the abstract (of spar's note if there is none); or as"
        f" many rows of a query, with the first {CELL} letters of each cell"
    ),
    (
        "only if your question asks what suits you: what you said in this conversation that you like, and up to"
        f" {LINES} lines that you wrote in your profile"
    ),
)
"""The data that leaves the machine when a conversation uses a language model."""
NOT_DISCLOSED = "your notes, tags, files, reading history or name, or any other paper of the library"


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def under_headings(parts: Mapping[str, object]) -> str:
    """Return the parts of a prompt, each as JSON under its heading."""
    return "\n\n".join(f"{heading}:\n{as_json(value)}" for heading, value in parts.items())


# The input of the planner and the critic


def table_of(tools: Iterable[AnyTool]) -> list[dict[str, Any]]:
    """Return the tools as the planner's prompt lists them."""
    return [
        {
            "tool": tool.name,
            "purpose": tool.purpose,
            "arguments": arguments_of(tool),
            **({"changes": True} if tool.changes else {}),
        }
        for tool in tools
    ]


def arguments_of(tool: AnyTool) -> dict[str, str]:
    """Return the arguments of a tool by name, each with its type or choices; `!` marks the required ones."""
    shape: type[BaseModel] = tool.arguments
    return dict(_arguments(shape))


@lru_cache(maxsize=256)
def _arguments(shape: "type[BaseModel]") -> Mapping[str, str]:
    schema = shape.model_json_schema()
    needed, defs = schema.get("required", ()), schema.get("$defs", {})
    return {
        name: (DAY if name in ("since", "until") else _form(given, defs)) + ("!" if name in needed else "")
        for name, given in schema.get("properties", {}).items()
    }


def _form(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _form(defs[schema["$ref"].rpartition("/")[2]], defs)
    if choices := schema.get("anyOf"):
        return _form(next(choice for choice in choices if choice.get("type") != "null"), defs)
    if "enum" in schema:
        return "|".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"[{_form(schema.get('items', {}), defs)}]"
    least, most = schema.get("minimum"), schema.get("maximum")
    bounds = f" {least}..{most}" if least is not None and most is not None else ""
    return f"{schema.get('type', 'text')}{bounds}".replace("string", "text")


def steps_as_told(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """Return steps of a plan in the form in which the model writes them."""
    return [{"tool": step.tool, "arguments": dict(step.arguments)} for step in steps]


def dialog_of(state: ConversationState) -> list[dict[str, Any]]:
    """Return the turns before the current one, as the planner's prompt shows them."""
    return [_turn(turn) for turn in state.turns[:-1][-TURNS:]]


def _turn(turn: Turn) -> dict[str, Any]:
    plan = turn.plan or TurnPlanned(())
    # The turn before has planned, and shown to the model, the steps that the person agreed to.
    steps = [{"tool": step.tool} for step in plan.steps] if plan.by == "person" else steps_as_told(plan.steps)
    numbers = next((len(done.papers) for done in reversed(turn.outcomes) if done.papers is not None), None)
    shown = len(turn.answer.rows) if turn.answer else 0
    waits = {"waits_for_yes": True} if turn.proposed else {}
    return {"person": turn.message[:MESSAGE], "plan": steps, "candidates": numbers, "shown": shown, **waits}


def told_of(state: ConversationState) -> dict[str, Any]:
    """Return the context of a planner beside the message and the tools, before anything of the turn is planned."""
    assert state.started is not None
    return {
        "Today": state.started.today.isoformat(),
        "Sources": list(state.started.sources),
        "Dialog": dialog_of(state),
        "At hand": bus_before(state.turns[-1]),
    }


def bus_before(turn: Turn) -> dict[str, Any]:
    """Return the numbers of papers at hand when a message came."""
    return bus(None if turn.began is None else len(turn.began), len(turn.shown_before), turn.focus_before is not None)


def bus(candidates: int | None, shown: int, looked_at: bool) -> dict[str, Any]:
    """Return the numbers of papers at hand; `candidates` None is the whole library."""
    return {
        "candidates": "whole library" if candidates is None else candidates,
        "shown_last": shown,
        "one_looked_at": looked_at,
    }


def tracker_of(steps: Sequence[Step], outcomes: Iterable[StepDone]) -> list[dict[str, Any]]:
    """Return the outcome of each step, in counts alone."""
    return [
        {
            "step": done.step + 1,
            "tool": steps[done.step].tool,
            "outcome": "unknown paper" if done.unknown else "failed" if done.error else "done",
            **({"candidates": len(done.papers)} if done.papers is not None else {}),
            **({"shown": len(done.shown)} if done.shown else {}),
            **({"found": count} if isinstance(count := done.values.get("found"), int) else {}),
            **({"gave_up": [name.partition(":")[0] for name in done.relaxed]} if done.relaxed else {}),
            **({"text": True} if done.text else {}),
        }
        for done in outcomes
        if done.step < len(steps)
    ]


# The input of the step that words an answer


def paper_told(name: str, paper: Paper) -> dict[str, Any]:
    """Return a paper as the prompt shows it."""
    facts = {
        "title": paper.title[:300],
        "authors": [author.name for author in paper.authors[:6]],
        "venue": paper.venue[:CELL],
        "date": paper.date,
        "citations": paper.citation_count,
        "retracted": paper.retracted or None,
        **text_of(paper, ABSTRACT),
    }
    return {"id": name, **{key: value for key, value in facts.items() if value not in (None, "", [])}}


def row_told(name: str, cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a query's result as the prompt shows it."""
    shortened = {key: value[:CELL] if isinstance(value, str) else value for key, value in cells.items()}
    return {**shortened, "id": name}


def wishes(noted: Iterable[ProfileNoted], own: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """Return what the person said that they like: first the lines of their profile, then those of this conversation."""
    notes = [(note.facet, note.text) for note in noted if note.text]
    return [{"facet": facet, "text": text[:300]} for facet, text in [*own, *notes][-LINES:]]
