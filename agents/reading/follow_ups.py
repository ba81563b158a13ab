"""Messages that only make sense after another: "only the recent ones", "and hydrogen?", "anything else by her?"."""

from dataclasses import replace
from typing import Any

from agents.reading.choosing import Chosen, Turn, chosen, has_conditions, one_paper, steps
from agents.reading.cues import INTERJECTIONS, LEAVING
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
    "without|not|leave out|remove|no|minus|hide|throw out|but not|take out|get rid of|kick out|filter out|but without|"
    "and not|cut|" + "|".join(LEAVING)
)
_CORRECTING = frozenset(
    "no nope not wait , i meant mean just only rather actually instead please - but".split()
) | frozenset(INTERJECTIONS)
"""Words before the papers that a change should have been for: "no wait, just the second one"."""
_OF_PAPERS = frozenset({"save", "unsave", "tag", "note", "mark", "export"})
_TIMES = frozenset("older newer earlier later".split())
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
    if (corrected := _corrected(turn, keys, end, instead=instead)) or (corrected := _widened(turn, keys, end)):
        return corrected
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


def _corrected(turn: Turn, keys: list[str], end: int, *, instead: bool) -> Reading | None:
    """Return the change proposed last, for other papers: "no, the second one"."""
    change = turn.before[-1]
    start = next((place for place in range(end) if keys[place] not in _CORRECTING), end)
    if change.tool not in _OF_PAPERS or start == end or not (start or instead):
        return None
    selection = turn.reader.read(start, end, one=True)
    one = one_paper(selection, turn)
    choice = Chosen(one.calls, (one.name,)) if one.name else chosen(selection, turn)
    if choice is None or selection.rest or selection.unknown:
        return None
    given = {**change.arguments, **({"paper": choice.names[0]} if "paper" in change.arguments else {})}
    given |= {"papers": list(choice.names)} if "papers" in given else {}
    return _with(selection, (*choice.calls, Call(change.tool, given)), choice.onward)


def _widened(turn: Turn, keys: list[str], end: int) -> Reading | None:
    """Return the list shown last with the papers that a condition left out: "the older ones too"."""
    first = next((one for one in turn.before if one.tool == "filter"), None)
    wide = {"too", "also", "include", "including"} & {*keys[:end]} or keys[end - 2 : end] == ["as", "well"]
    if first is None or not wide or "ones" not in keys:
        return None
    selection = turn.reader.read(0, end)
    wanted = {"since", "until"} if _TIMES & {*keys} else selection.given.keys()
    dropped = next((facet for facet in _FACETS if facet & wanted and facet & first.arguments.keys()), None)
    words = {word.casefold() for word in selection.rest} - _TIMES - {"include", "including"}
    if dropped is None or words or not wanted <= dropped:
        return None
    given = {name: value for name, value in first.arguments.items() if name not in dropped}
    calls = tuple(Call("filter", given) if one is first else one for one in turn.before)
    return Reading(act="follow-up", calls=calls, onward=turn.before_onward)


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
    count = selection.count or (1 if selection.single and selection.order else None)
    limit = {"limit": count} if count else {}
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
