"""Messages that only make sense after another: "only the recent ones", "and hydrogen?", "anything else by her?"."""

from dataclasses import replace
from typing import Any

from agents.reading.choosing import Turn, has_conditions, one_paper, steps
from agents.reading.numbers import phrases
from agents.reading.reading import Call, Reading
from agents.reading.selection import Selection, opposite

_OTHER = phrases("no ,|no , i meant|i meant|what about|how about|and what about|and how about|and|or")
_NARROWING = phrases(
    "only|just|only show|show only|but only|now only|and only|just the|keep only|narrow down to|"
    "narrow that to|narrow that down to|narrow it to|narrow this to|narrow this down to|narrow them down to|"
    "of those only|narrow to|restrict to|which ones|which|limit to|show me only|filter by|filter|"
    "of which|narrow it down to|keep|the ones|ones|ok only|the one|now just"
)
_LEAVING = phrases(
    "without|except|not|leave out|drop|exclude|skip|ignore|remove|no|minus|hide|throw out|but not|"
    "take out|get rid of|kick out|filter out|but without|and not|omit|cut"
)
_ENDS = frozenset(".?!")
"""Punctuation between sentences: a message of several sentences is not a follow-up."""
_FACETS = (
    frozenset({"words", "any_words", "title_words", "tags"}),
    frozenset({"authors", "any_authors"}),
    frozenset({"venues"}),
    frozenset({"since", "until"}),
    frozenset({"types"}),
    frozenset({"read"}),
    frozenset({"rating"}),
    frozenset({"saved"}),
    frozenset({"saved_since", "saved_until"}),
    frozenset({"min_citations", "max_citations"}),
)
"""Groups of conditions: a new one replaces the old ones of its group."""


def followed_up(turn: Turn) -> Reading | None:
    """Return the reading of a message that continues the previous request; None if it does not."""
    if not turn.before:
        return None
    keys, end = turn.reader.keys, len(turn.reader.keys)
    while end and not any(map(str.isalnum, keys[end - 1])):
        end -= 1
    if not _ENDS.isdisjoint(keys[:end]):
        return None
    instead = end > 1 and keys[end - 1] == "instead"
    end -= instead
    start = _behind(keys, _OTHER, end)
    other = _another(turn, turn.reader.read(start, end, one=_is_of_one(turn))) if start or instead else None
    if other is not None:
        return other
    if (start := _behind(keys, _LEAVING, end)) and turn.context.candidates and keys[start] != ",":
        return _left_out(turn, start, end)
    if turn.context.candidates is None:
        return None
    start = _behind(keys, _NARROWING, end)
    selection = turn.reader.read(start, end)
    if selection.names or not (has_conditions(selection) or selection.order or selection.count) or selection.others:
        return None
    fragment = (not selection.noun or "ones" in keys or keys[end - 1] == "one") and not (
        {"words", "any_words", "authors"} & selection.given.keys()
    )
    if start or (fragment and not selection.pronoun) or selection.onward:
        return _narrowed(turn, selection)
    return None


def _behind(keys: list[str], phrases: tuple[tuple[str, ...], ...], end: int) -> int:
    """Return the index after the longest of these phrases at the beginning, 0 if there is none."""
    places = [len(phrase) for phrase in phrases if len(phrase) < end and tuple(keys[: len(phrase)]) == phrase]
    return max(places, default=0)


def _is_of_one(turn: Turn) -> bool:
    return any("paper" in one.arguments for one in turn.before)


def _another(turn: Turn, selection: Selection) -> Reading | None:
    """Return the previous request about something else: "and malaria?" after "papers on hydrogen"."""
    about_one = next((one for one in turn.before if one.tool in ("paper", "references", "citations")), None)
    if about_one is not None:
        one = one_paper(selection, turn)
        if one.name and not selection.order:
            return _with(selection, (Call(about_one.tool, {**about_one.arguments, "paper": one.name}),), True)
        return None
    if not has_conditions(selection) or selection.among is not None or selection.onward or selection.pronoun:
        return None
    first = next((one for one in turn.before if one.tool in ("filter", "search")), None)
    if first is None or selection.names:
        return None
    if first.tool == "search":
        words = " ".join(selection.given.get("words", ()))
        return _with(selection, (Call("search", {**first.arguments, "question": words}),), False) if words else None
    given: dict[str, Any] = dict(first.arguments)
    wanted = _in_the_same_sense(selection.given, given)
    taken_place = False
    for facet in _FACETS:
        if facet & wanted.keys():
            taken_place = taken_place or bool(facet & given.keys())
            given = {name: value for name, value in given.items() if name not in facet}
    if not taken_place:
        return None
    calls = tuple(Call("filter", {**given, **wanted}) if one is first else one for one in turn.before)
    return _with(selection, (*calls, *(Call("filter", more) for more in selection.also)), turn.before_onward)


def _in_the_same_sense(wanted: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return `wanted` with its dates meant as those of the request before: "and in May?" after "saved in April"."""
    saved = {"since": "saved_since", "until": "saved_until"}
    if before.keys().isdisjoint(saved.values()) or not before.keys().isdisjoint(saved):
        return wanted
    return {saved.get(name, name): value for name, value in wanted.items()}


def _left_out(turn: Turn, start: int, end: int) -> Reading | None:
    """Return the list without some of its papers."""
    selection = turn.reader.read(start, end)
    if selection.rest or selection.unknown:
        return None
    given = opposite(selection)
    if given is None:
        return None
    return _with(selection, (Call("filter", given), Call("list")), True)


def _narrowed(turn: Turn, selection: Selection) -> Reading:
    calls, _ = steps(replace(selection, onward=True), turn)
    limit = {"limit": selection.count} if selection.count else {}
    return _with(selection, (*calls, Call("list", limit)), True)


def _with(selection: Selection, calls: tuple[Call, ...], onward: bool) -> Reading:
    return Reading(
        act="follow-up",
        calls=calls,
        onward=onward,
        rest=tuple(selection.rest),
        unknown=tuple(selection.unknown),
        taken=tuple(selection.taken),
    )
