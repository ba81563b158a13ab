"""The person's taste as stated in a conversation: it counts in this conversation, and when enough is new the person is
asked to add it to the profile (InteRecAgent §3.2, the short-term and the long-term user profile)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agents.assistant.events import ProfileNoted, Step, TurnPlanned
from agents.assistant.state import ConversationState, Turn
from agents.builtin.text.terms import terms
from agents.tools.paper_names import named_papers
from agents.tools.tool import ToolContext, ToolError
from cache.profile import FACETS, Facet
from cache.store import PaperId

GROWN = 5
"""Number of new statements from which on they are proposed for the profile."""
LONGEST = 300
_SAY: Mapping[str, Mapping[str, Facet]] = {
    "resemble": {"papers": "like", "words": "like", "unlike": "dislike", "unlike_words": "dislike"},
    "filter": {"without": "dislike"},
    "rank": {"prefer": "like", "words": "like", "unwanted": "dislike"},
}
"""What the arguments of tools say about the person's taste."""
_GOODBYE = re.compile(
    r"(?:ok(?:ay)?[\s,.!]+|thanks?(?:\s+you)?[\s,.!]+)*(?:(?:good\s*)?bye(?:[\s-]*bye)?|see\s+you(?:\s+later)?|quit|exit"
    r"|that(?:'s|\s+is|\s+was)\s+(?:all|it)(?:\s+for\s+(?:now|today))?)[\s,.!]*",
    re.IGNORECASE,
)


def is_goodbye(message: str) -> bool:
    """Whether the person ends the conversation."""
    return bool(_GOODBYE.fullmatch(" ".join(message.replace("’", "'").split())))


def noted_of(
    state: ConversationState, context: ToolContext, planned: TurnPlanned, wishes: Sequence[tuple[str, str]]
) -> list[ProfileNoted]:
    """Return the taste that the person stated in the message of `planned`: what they want more of or none of, what to
    remember, and what a model understood (`wishes`). Text counts only if the message has all its words. Blocks on the
    disk."""
    message = set(terms(state.turns[-1].message))
    entries: list[tuple[Facet, str]] = []
    alike = any(step.tool == "resemble" for step in planned.steps)  # with it, a condition says what not to be like
    for step in planned.steps:
        entries += _of_step(step) if step.tool != "filter" or alike else []
    for name, text in wishes:
        facet = next((candidate for candidate in FACETS if candidate == name.strip().lower()), None)
        entries += [(facet, text)] if facet else []
    noted = [
        _noted(context, facet, text.strip()[:LONGEST])
        for facet, text in dict.fromkeys(entries)
        if text.startswith("@") or ((words := set(terms(text))) and words <= message)
    ]
    earlier = {(note.facet, note.text.casefold(), note.papers) for note in state.noted}
    return [
        candidate
        for candidate in noted
        if candidate and (candidate.facet, candidate.text.casefold(), candidate.papers) not in earlier
    ]


def with_what_grew(state: ConversationState, planned: TurnPlanned, noted: Sequence[ProfileNoted]) -> TurnPlanned:
    """Add steps that remember what the person stated, if there are enough statements or they say goodbye. Each
    statement is proposed once, and never with another change, so that a yes means one thing."""
    steps = [step for step in remembering(state, noted) if step not in planned.steps]
    due = len(steps) >= GROWN or (bool(steps) and is_goodbye(state.turns[-1].message))
    if not due:
        return planned
    return replace(planned, steps=(*planned.steps, *steps))


def remembering(state: ConversationState, noted: Iterable[ProfileNoted] = ()) -> tuple[Step, ...]:
    """Return the steps that add to the profile the statements, including `noted`, that were not proposed before."""
    questions = {
        (step.arguments.get("facet"), str(step.arguments.get("text")).casefold())
        for turn in state.turns
        for step in _put_to_the_person(turn)
        if step.tool == "remember"
    }
    lines = dict.fromkeys((note.facet, note.text) for note in (*state.noted, *noted) if note.text)
    return tuple(
        Step("remember", {"facet": facet, "text": text})
        for facet, text in lines
        if (facet, text.casefold()) not in questions
    )


def _put_to_the_person(turn: Turn) -> Iterator[Step]:
    """Yield the steps of an answered turn that were proposed or done."""
    if turn.answer is not None:
        proposed = {change.step for change in turn.proposed.changes} if turn.proposed else set()
        yield from (turn.step(number) for number in sorted(proposed | turn.done.keys()))


def _of_step(step: Step) -> list[tuple[Facet, str]]:
    """Return what a step says about the person's taste."""

    def named(argument: str) -> list[str]:
        value: Any = step.arguments.get(argument, ())
        return [str(name) for name in ([value] if isinstance(value, str) else value) if name]

    if step.tool == "remember":
        facet = next((option for option in FACETS if option == step.arguments.get("facet")), None)
        return [(facet, text) for text in named("text")] if facet else []
    if step.tool == "rank" and step.arguments.get("by") != "preference":
        return []
    entries: list[tuple[Facet, str]] = []
    for argument, says in _SAY.get(step.tool, {}).items():
        entries += [(says, name) for name in named(argument)]
    return entries


def _noted(context: ToolContext, facet: Facet, text: str) -> ProfileNoted | None:
    """Return the statement with the papers that `text` names; without a text if it is a reference such as "@it"."""
    try:
        papers: tuple[PaperId, ...] = named_papers([text], context)
    except ToolError:
        papers = ()
    pointing = text.startswith("@")
    if pointing and not papers:
        return None
    return ProfileNoted(facet, "" if pointing else text, tuple(papers))
