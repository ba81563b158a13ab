"""Papers that are told and then taken out: "without the ones I have read", "drop anything cited less than 50 times".

What is taken out is read as a choice of its own; where it is one condition, its opposite is what the others must meet.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from agents.builtin.requests.choosing.choice import Choice

_SOME = (
    r"(?:such(?: ones| papers)?"
    r"|the ones?|those|the papers|papers|ones|anything|everything|any|stuff|what|whatever|the articles|articles"
    r"|the stuff|(?:the )?(?:items|entries|works|publications|records|results|studies))"
)
_OUT = re.compile(
    r"(?:\b(?:and|but|though|only|just),? )?\b(?:not|no|none|nothing|without|except(?: for)?|excluding|exclude|minus"
    r"|save for|bar"
    r"|leaving out|leave out|other than|apart from|skipping|skip|ignoring|ignore|omitting|omit)(?: of)?(?: all)?"
    rf" (?P<what>(?:{_SOME}|that|which|(?:the )?(?=retracted|unread|liked|disliked|saved|tagged|cited|from|by|before"
    r"|after|open access|freely|annotated|published|written))\b.*)",
    re.IGNORECASE,
)
_WHICH_NOT = re.compile(
    r"\b(?:that|which|who) (?:i )?(?P<verb>do|does|did|have|has|had|am|is|are|was|were)(?: i)? (?:not|never)"
    r"(?: yet| ever)? (?P<what>\w.*)",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r",? (?=(?:and|but|since|from|before|after|until|with|sorted|ranked|ordered|on my|in (?:19|20)[0-9]{2})\b)"
    r"|[,;.?!](?: |$)",
    re.IGNORECASE,
)
"""Where a clause may end that says what papers are not."""
_NOT_WHOLE = re.compile(
    r"\b(?:not|never|no|without|neither|nor)\b|\b(?:and|but|or|are|is|was|were|have|has|that|which|i|the|my|with|in|on)$",
    re.IGNORECASE,
)
"""What no clause is that one negation is of."""
_ENDS = re.compile(
    r"\s*[,;.?!](?: |$)|,? (?=(?:but|sorted|ranked|ordered|newest|oldest|most cited|please|though)\b)", re.IGNORECASE
)
_LEAD = re.compile(rf"^(?:{_SOME}|the)\b\s*", re.IGNORECASE)
_MOST = 6
"""Clauses that take something out, at most."""
_MOST_YEARS = 30
"""Years that are taken out one by one, at most."""

Condition = tuple[str, Any]


def _flipped(name: str) -> Callable[[Any], Condition]:
    return lambda value: (name, not value)


def _without(name: str) -> Callable[[Any], Condition]:
    return lambda values: (f"without_{name}", values)


_OPPOSITES: Mapping[str, Callable[[Any], Condition | None]] = {
    **{name: _flipped(name) for name in ("open_access", "retracted", "saved", "read", "noted", "has_abstract")},
    **{name: _without(name) for name in ("types", "tags", "venues", "authors")},
    "any_authors": _without("authors"),
    "min_citations": lambda count: ("max_citations", max(count - 1, 0)),
    "max_citations": lambda count: ("min_citations", count + 1),
    "max_authors": lambda count: ("min_authors", count + 1),
    "min_authors": lambda count: ("max_authors", count - 1) if count > 1 else None,
    "since": lambda year: ("until", str(int(year) - 1)),
    "until": lambda year: ("since", str(int(year) + 1)),
    "rating": lambda rating: ("without_rating", rating) if rating else None,
}
"""What the others must meet, by the condition of those that are taken out."""


def read_negation(choice: Choice, read: Callable[[str], Choice]) -> None:
    """Take out what is told of papers that are not wanted, where it is one condition that has an opposite; what is not
    stays for the other readers. `read` reads a choice."""
    at = 0
    for _ in range(_MOST):
        if (found := _OUT.search(choice.text, at)) is None:
            return
        end = _ENDS.search(found["what"])
        said = found["what"][: end.start()] if end else found["what"]
        at = found.start("what")
        opposite = _opposite(read(f"papers {_LEAD.sub('', said)}"))
        if opposite and choice.conditions.get(opposite[0]) is None:
            choice.conditions[opposite[0]] = opposite[1]
            choice.cut(found.start(), at + len(said))
            at = found.start()


def read_negative_clauses(choice: Choice, read: Callable[[str], Choice]) -> None:
    """Take out clauses that say what papers do not: "that do not cite", "which were never published in Nature". Of a
    clause the longest beginning counts that is one condition, which has an opposite."""
    at = 0
    for _ in range(_MOST):
        if (found := _WHICH_NOT.search(choice.text, at)) is None:
            return
        at, what = found.start("what"), found["what"]
        verb = "" if found["verb"].lower() in ("do", "does", "did") else found["verb"]
        ends = [*[cut.start() for cut in _JOINS.finditer(what)][:_MOST], len(what)]
        for end in sorted(ends, reverse=True):
            if _NOT_WHOLE.search(what[:end]):
                continue
            opposite = _opposite(read(f"papers that {verb} {what[:end]}"))
            if end and opposite and choice.conditions.get(opposite[0]) is None:
                choice.conditions[opposite[0]] = opposite[1]
                choice.cut(found.start(), at + end)
                at = found.start()
                break


def _opposite(told: Choice) -> Condition | None:
    """What the papers must meet that are not those `told`, None if no condition says it."""
    conditions = dict(told.conditions)
    if told.is_soft or told.order or told.contradiction:
        return None
    if "read" in conditions:
        conditions.pop("saved", None)  # which whoever has read something knows
    days = [conditions[name] for name in ("since", "until") if name in conditions]
    if len(days) == 2 and len(conditions) == 2 and all(len(day) == 4 for day in days):
        years = range(int(days[0]), int(days[1]) + 1)
        return ("without_years", tuple(map(str, years))) if len(years) <= _MOST_YEARS else None
    if len(conditions) != 1 or any(len(day) != 4 for day in days):
        return None
    [(name, value)] = conditions.items()
    if name not in _OPPOSITES or (name == "authors" and len(value) > 1):
        return None
    return _OPPOSITES[name](value)
