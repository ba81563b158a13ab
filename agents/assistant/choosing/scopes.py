"""Of which papers a choice is, where a message leaves that open: those spoken of before, the shelf, the library, or
what the sources have. Another scope is offered only where it comes to other papers, and no reading that finds none."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from agents.builtin.requests.scene import Call, Other, Reading
from agents.tools.candidates import FILTER, FilterArguments
from agents.tools.tool import ToolContext, ToolError
from cache.conditions.filters import asked as asked_for
from cache.conditions.library import matching

_SAYS_WHERE = re.compile(
    r"\b(?:library|shelf|shelves|saved|all|my|everything|every|whole"
    r"|among|of (?:them|these|those)|only|sources?|online)\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:do|did|have|what) (?:i|we)(?: already)? (?:have|got|own|keep)\b|\bi(?: have|'ve) (?:got )?(?:on|about)\b",
    re.IGNORECASE,
)
_FIND = re.compile(
    r"^(?:(?:please|can you|could you|would you) )*(?:find|look for|get|fetch|look up|hunt for)\b", re.IGNORECASE
)
_FEW = 3


def finds_nothing(other: Other, context: ToolContext) -> bool:
    """Whether the hard conditions that a reading begins with let no paper pass; blocks on the disk."""
    asked = _filtered(other.calls)
    if asked is None:
        return False
    among = context.candidates if other.onward else None
    return asked.impossible != "" or not matching(context.store, asked.wanted, among)


def _filtered(calls: Sequence[Call]) -> FilterArguments | None:
    """The conditions that a plan begins with; None if it begins otherwise."""
    if not calls or calls[0].tool != "filter" or not calls[0].arguments:
        return None
    with suppress(ToolError):
        asked: FilterArguments = FILTER.read(calls[0].arguments)
        return asked
    return None


def other_scopes(message: str, reading: Reading, context: ToolContext) -> Iterator[Other]:
    """The same choice of other papers; blocks on the disk."""
    asked = _filtered(reading.calls)
    if asked is None or asked.except_papers or asked.impossible:
        return
    told, given, candidates = asked.wanted, asked.given, context.candidates
    found = matching(context.store, told, candidates if reading.onward else None)
    if reading.onward and candidates is not None:
        if not found and matching(context.store, told):
            yield Other(reading.calls, False)
        return
    if candidates is not None and not (given.keys() & {"words", "any_words", "authors"} or _SAYS_WHERE.search(message)):
        there = matching(context.store, told, candidates)
        if 0 < len(there) < len(candidates):
            yield Other(reading.calls, True)
    if "saved" not in given and _OWN.search(message) and not _SAYS_WHERE.search(message):
        saved = matching(context.store, told & asked_for(saved=True))
        if saved and set(saved) != set(found):
            yield Other((Call("filter", {**reading.calls[0].arguments, "saved": True}), *reading.calls[1:]), False)
    if asked.phrases and len(found) < _FEW and _FIND.search(message) and not _SAYS_WHERE.search(message):
        dates: dict[str, str] = {name: given[name] for name in ("since", "until") if name in given}
        yield Other((Call("search", {"question": " ".join(asked.phrases), **dates}),), False)
