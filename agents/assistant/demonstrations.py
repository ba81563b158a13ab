"""Demonstrations: messages with their plans, and the search for those nearest to a message."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from agents.assistant.events import Step
from agents.builtin.ranking.bm25 import bm25, idf
from agents.builtin.text.terms import terms
from agents.tools.tool import AnyTool, ToolError
from cache.store import Store

NEAREST = 3
"""Number of demonstrations in a planner's prompt (InteRecAgent §4.1)."""
OWN = "demonstrations.jsonl"
"""File name of the person's own demonstrations, beside the library."""


@dataclass(frozen=True)
class Demonstration:
    """A message of a person and the plan for it; `onward` if it is about the papers mentioned before."""

    intent: str
    plan: tuple[Step, ...]
    onward: bool = False

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object for files and prompts."""
        steps = [{"tool": step.tool, "arguments": dict(step.arguments)} for step in self.plan]
        return {"intent": self.intent, "onward": self.onward, "plan": steps}


def read_demonstration(value: Any) -> Demonstration:
    """Parse a demonstration from a JSON value. Raises `ValueError` if it is not valid."""
    try:
        steps = tuple(Step(str(step["tool"]), dict(step["arguments"])) for step in value["plan"])
        intent = str(value["intent"]).strip()
    except (KeyError, TypeError, ValueError):
        raise ValueError("it is not a demonstration: it needs an intent and a plan.") from None
    if not intent or not steps:
        raise ValueError("it is not a demonstration: intent or plan is empty.")
    return Demonstration(intent, steps, bool(value.get("onward")))


@lru_cache(maxsize=1)
def shipped() -> tuple[Demonstration, ...]:
    """Return the demonstrations that come with the program."""
    text = files(__package__).joinpath("demonstrations.jsonl").read_text("utf-8")
    return tuple(read_demonstration(json.loads(line)) for line in text.splitlines() if line.strip())


def own_file(store: Store) -> Path:
    """Return the path of the person's own demonstrations."""
    return store.path.parent / OWN


def own(store: Store) -> tuple[Demonstration, ...]:
    """Return the person's own demonstrations; skips invalid lines. Blocks on the disk."""
    try:
        lines = own_file(store).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ()
    demonstrations: list[Demonstration] = []
    for line in lines:
        try:
            demonstrations.append(read_demonstration(json.loads(line)))
        except (ValueError, RecursionError):
            continue
    return tuple(demonstrations)


def keep(store: Store, made: Iterable[Demonstration]) -> None:
    """Append to the person's own demonstrations, in a file that only the person can read. Raises `OSError`."""
    path = own_file(store)
    lines = [json.dumps(demonstration.as_object(), ensure_ascii=False) for demonstration in made]
    path.touch(mode=0o600)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def usable(demonstrations: Iterable[Demonstration], tools: Mapping[str, AnyTool]) -> list[Demonstration]:
    """Return the demonstrations whose steps `tools` can all do."""
    return [demonstration for demonstration in demonstrations if normal(demonstration.plan, tools) is not None]


def normal(plan: Iterable[Step], tools: Mapping[str, AnyTool]) -> list[tuple[str, str]] | None:
    """Return the normal form of a plan, equal for plans that mean the same; None if `tools` cannot do it."""
    phrases: list[tuple[str, str]] = []
    for step in plan:
        tool = tools.get(step.tool)
        if tool is None:
            return None
        try:
            arguments = tool.read(step.arguments)
        except ToolError:
            return None
        phrases.append((step.tool, json.dumps(arguments.model_dump(mode="json"), sort_keys=True)))
    return phrases


def nearest(message: str, demonstrations: Sequence[Demonstration], most: int = NEAREST) -> list[Demonstration]:
    """Return the demonstrations whose intents are most similar to a message by BM25 over shared words, the nearest
    last, next to the message in the prompt. Omits those without a shared word."""
    texts = [_words(demonstration.intent) for demonstration in demonstrations]
    words = list(dict.fromkeys(_words(message[:2_000])))
    weights = {term: idf(sum(term in text for text in texts), len(texts)) for term in words}
    scores = bm25(weights, texts)
    order = sorted(range(len(texts)), key=lambda index: (-scores[index], index))[:most]
    return [demonstrations[index] for index in reversed(order) if scores[index] > 0]


@lru_cache(maxsize=2_000)
def _words(text: str) -> "Counter[str]":
    """Return the terms of a text, and the small words that tell requests apart: *these*, *like*, *not*, *who*."""
    small = [word for word in text.lower().replace("?", " ? ").split() if word in _TELLING]
    return Counter([*terms(text), *small])


_TELLING = frozenset("these those them it second first third like not but who what which my mine ? all".split())
