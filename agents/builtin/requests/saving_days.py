"""When papers were put on the shelf, as a condition and as an order: "saved before August", "the last saved first"."""

import re

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.times import read_times
from agents.builtin.requests.past_times import past_days
from agents.builtin.requests.phrases import Phrases

_SAVED = "(saved/save/added/add/bookmarked/bookmark/shelved|put (on|onto) my shelf)"
_I = "(i have|i had|have i|did i|i)"
_IT = "(them|it|things|each|each one|those|these|the papers|papers|something)"
_TOP = "(first|come first|comes first|(at|on|to) [the] (top|front|head|beginning)|on top|up front|leading)"
_SORT = "(sort/sorted/order/ordered/rank/ranked/arrange/arranged) [{these}] [by|after|according to|in order of|on]"
_ORDERS: tuple[tuple[str, Phrases], ...] = (
    ("first_saved", Phrases(f"""
        [so that] [the] [ones|one|papers|those] [that] {_I} {_SAVED} [the] (first|earliest) [come|comes] {_TOP}
        [so that] [the] (earliest|first|oldest) (saved/added/bookmarked) [ones|one|papers|papers] {_TOP}
        [the] longest on my shelf [first|on top]
    """)),
    ("last_saved", Phrases(f"""
        [so that] [the] [ones|one|papers|those|what] [that|which] {_I} {_SAVED} [to my shelf] [the]
            (last|latest|most recently|lately) [of all] [comes|come|are|is|go|goes|stands|stand] {_TOP}
        [so that] [the] (last|latest|most recently|newest|lately) (saved/added/bookmarked) [ones|one|papers]
            [comes|come|are|is|go|goes|stands|stand] {_TOP}
        {_SORT} [the] (when|(date|day|time|moment) [on which|at which|that|when]) {_I} {_SAVED} [{_IT}] [to my shelf]
            [(newest|latest|last|most recent) first|descending]
        {_SORT} [the] (date|day|time) [they were|of being|of] (saved/added/saving/adding) [to my shelf]
            [(newest|latest|last|most recent) first|descending]
        {_SORT} (saving/saved/added) (date|day|time) [(newest|latest|last|most recent) first|descending]
    """)),
)  # fmt: skip
_THE_FIRST = Phrases(f"""
    [which|what] [paper|article|one] [was|is] the [very] (first|earliest) [paper|article|one|thing] [that|which] {_I}
        [ever] {_SAVED} [to my shelf]
    (which|what) [paper|article|one] (did i|have i) [ever] {_SAVED} (first|first of all|earliest)
""")
_UPWARDS = Phrases("[with] [the] (oldest|earliest|first) [one|ones|saved] first", "ascending", "oldest to newest")
_SAVED_THEN = re.compile(
    r"\b(?:(?:that|which) )?(?:i have |i had |have i |did i |i (?:had )?)?(?:saved?|added|bookmarked|shelved"
    r"|put (?:on|onto) my shelf)(?: (?:to|on) (?:my|the) shelf)?"
    r"(?= (?:(?:in|on|since|before|after|between|until|during|within|over|earlier|later|longer|more|less) "
    r"|(?:the )?(?:last|past|previous) |this |yesterday|today|\w+ (?:day|week|month|year)s? ago))",
    re.IGNORECASE,
)


def read_saving(choice: Choice) -> None:
    """By when papers were saved they are ordered and chosen; a year that stands elsewhere is that of the papers."""
    if choice.take(_THE_FIRST) is not None:
        choice.order, choice.limit = "first_saved", 1
        choice.conditions["saved"] = True
        return
    for order, phrases in _ORDERS:
        if choice.take(phrases) is not None:
            choice.order = "first_saved" if choice.take(_UPWARDS) is not None else order
            break
    if (found := _SAVED_THEN.search(choice.text)) is None:
        return
    since, until, rest = _days(choice, choice.text[found.end() :])
    if since or until:
        days = {"saved_since": since, "saved_until": until}
        choice.conditions |= {name: day for name, day in days.items() if day} | {"saved": True}
        choice.text = f"{choice.text[: found.start()]} , {rest}"


def _days(choice: Choice, text: str) -> tuple[str | None, str | None, str]:
    """The days that `text` begins with, and what is left of it; none where it tells of days farther on."""
    end = _OTHER_DAYS.search(text)
    said, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
    for read in (past_days, _years):
        told = Choice(said.strip(), choice.scene)
        since, until = read(told)
        if (since or until) and told.text.startswith(","):
            return since, until, f"{told.text} {rest}"
    return None, None, text


_OTHER_DAYS = re.compile(r",| (?:published|written|appeared|from|that|which|dated|with)\b", re.IGNORECASE)
"""Behind which other days are told, those of the papers."""


def _years(told: Choice) -> tuple[str | None, str | None]:
    read_times(told)
    return told.conditions.get("since"), told.conditions.get("until")
