"""Days of the past that a request names, by the calendar of today: "last week", "yesterday", "three days ago"."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import number_of

Days = tuple[date, date]
_DAY = timedelta(days=1)
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SPANS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "month": 30, "months": 30, "year": 365, "years": 365}


def _monday(today: date) -> date:
    return today - today.weekday() * _DAY


def _last_week(slots: Slots, today: date) -> Days:
    return _monday(today) - 7 * _DAY, _monday(today) - _DAY


def _last_month(slots: Slots, today: date) -> Days:
    last = today.replace(day=1) - _DAY
    return last.replace(day=1), last


def _ago(slots: Slots, today: date) -> Days:
    """Three days ago is that day; three weeks ago the week, three months ago the 30 days around it."""
    span = _SPANS[slots["unit"].lower()]
    day = today - number_of(slots["n"]) * span * _DAY
    if span == 7:
        return _monday(day), _monday(day) + 6 * _DAY
    return (day, day) if span == 1 else (day - 15 * _DAY, day + 15 * _DAY)


def _past(slots: Slots, today: date) -> Days:
    return today - number_of(slots["n"]) * _SPANS[slots["unit"].lower()] * _DAY, today


def _weekday(slots: Slots, today: date) -> Days:
    """The last day of that name before today."""
    back = (today.weekday() - _WEEKDAYS.index(slots["weekday"].lower())) % 7 or 7
    return today - back * _DAY, today - back * _DAY


_MONTHS = "january february march april may june july august september october november december".split()


def _month(slots: Slots, today: date) -> Days:
    """The last month of that name that has begun."""
    month = _MONTHS.index(slots["month"].lower()) + 1
    first = date(today.year if month <= today.month else today.year - 1, month, 1)
    return first, (first + 31 * _DAY).replace(day=1) - _DAY


def _one_day(slots: Slots, today: date) -> Days:
    """The last day of that date that has begun, unless a year is told."""
    month = next(place for place, name in enumerate(_MONTHS, 1) if name.startswith(slots["month"].lower()[:3]))
    year = int(slots["year"]) if "year" in slots else today.year
    day = min(int(re.findall("[0-9]+", slots["day"])[0]), 28 if month == 2 else 30) or 1
    if "year" not in slots and date(year, month, day) > today:
        year -= 1
    return date(year, month, day), date(year, month, day)


_TIMES: tuple[tuple[Phrases, Callable[[Slots, date], Days]], ...] = (
    (Phrases("""
        [on] [the] <day:monthday> [of] <month:monthname> [,] [<year:year>]
        [on] <month:monthname> [the] <day:monthday> [,] [<year:year>]
    """), _one_day),
    (Phrases("today", "this (morning|afternoon|evening)"), lambda slots, today: (today, today)),
    (Phrases("yesterday", "last night"), lambda slots, today: (today - _DAY, today - _DAY)),
    (Phrases("""
        [during|in|over] the week before [last]
    """), lambda slots, today: (_monday(today) - 14 * _DAY, _monday(today) - 8 * _DAY)),
    (Phrases("[during|in|over] [the] (last|past|previous) week"), _last_week),
    (Phrases("[during|in|over] this week"), lambda slots, today: (_monday(today), today)),
    (Phrases("[during|in|over] (last|the last|the past|the previous) month"), _last_month),
    (Phrases("[during|in|over] this month"), lambda slots, today: (today.replace(day=1), today)),
    (Phrases("[during|in|over] this year"), lambda slots, today: (today.replace(month=1, day=1), today)),
    (Phrases("""
        [during|in] last year
    """), lambda slots, today: (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31))),
    (Phrases("[in|over|within|during|for] [the] (last|past|previous) <n:number> <unit:unit>"), _past),
    (Phrases("<n:number> <unit:unit> ago"), _ago),
    (Phrases("a <unit:unit> ago"), lambda slots, today: _ago({**slots, "n": "1"}, today)),
    (Phrases("[on|last] <weekday:weekday>"), _weekday),
    (Phrases("from <month:month> (on|onwards|onward)"), lambda slots, today: (_month(slots, today)[0], today)),
    (Phrases("""
        (in|from|during|of|since|after|before|until|for|this|last|only|back in) [last|this] <month:month>
    """), _month),
    (Phrases("<month:month> (only|alone)"), _month),
)  # fmt: skip


def past_days(choice: Choice) -> tuple[str | None, str | None]:
    """The first and the last day that are meant, as ISO dates, None where that is open; None and None if no day of the
    past is named."""
    for phrases, days in _TIMES:
        if (found := phrases.find(choice.text)) is not None:
            first, last = days(found.slots, choice.scene.today)
            bound = _BOUND.search(choice.text[: found.end])
            choice.cut(bound.start() if bound and bound.start() < found.start else found.start, found.end)
            told = _told(bound) if bound and bound.end() >= found.start else ""
            return _bounded(told, first, last, choice.scene.today)
    return None, None


_BOUND = re.compile(
    r"\b(?P<bound>since|after|before|until|till|up to)(?: the| last| about)?(?= [^ ]+(?: [^ ]+){0,3}$)"
    r"|\b(?P<ago>more than|over|longer than|earlier than|at least|less than|under|fewer than|later than)(?: about)?"
    r"(?= [^ ]+ [^ ]+ ago$)",
    re.IGNORECASE,
)
_LONGER = frozenset({"more than", "over", "longer than", "earlier than", "at least"})


def _told(bound: re.Match[str]) -> str:
    """ "More than a week ago" is before that week, "less than" after it."""
    if ago := bound["ago"]:
        return "before" if ago.lower() in _LONGER else "after"
    return bound["bound"].lower()


def _bounded(told: str, first: date, last: date, today: date) -> tuple[str | None, str | None]:
    """Days by what is said before them: "since", "after", "before", "until"; those themselves where nothing is."""
    match told:
        case "since":
            return first.isoformat(), today.isoformat()
        case "after":
            return (last + _DAY).isoformat(), today.isoformat()
        case "before":
            return None, (first - _DAY).isoformat()
        case "until" | "till" | "up to":
            return None, last.isoformat()
    return first.isoformat(), last.isoformat()
