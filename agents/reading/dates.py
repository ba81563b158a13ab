"""Parse times in words into periods."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from agents.reading.numbers import number_at
from agents.reading.tokens import Token

MONTHS = tuple("january february march april may june july august september october november december".split())
_SHORT = {month[:3]: place for place, month in enumerate(MONTHS, start=1)} | {"sept": 9}
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
RECENT_YEARS = 5
"""Number of years that "recent" covers; answers state it whenever it is used."""
_FROM_ON = frozenset({"since", "after", "from", "newer", "later", "starting", "past", "post"})
_BEFORE = frozenset({"before", "until", "till", "older", "earlier", "prior", "by", "pre"})
_BEFORE_MONTHS = frozenset({"in", "since", "last", "of", "until", "before", "after", "during", "from", "this", "early"})
_DECADES = {"fifties": 195, "sixties": 196, "seventies": 197, "eighties": 198, "nineties": 199}
_LAST = frozenset({"last", "past", "previous"})


class Period(NamedTuple):
    """A period from `since` to `until`, inclusive, as precise as the message: 2020, 2020-05, 2020-05-17."""

    since: str | None
    until: str | None


class Dated(NamedTuple):
    """A period, and the index of the token after it."""

    period: Period
    end: int


def dated(tokens: Sequence[Token], start: int, today: date) -> Dated | None:
    """Parse the time at token `start`: `since 2020`, `between 2015 and 2018`, `in the last five years`."""
    keys = [token.key for token in tokens]
    place = start
    while place < len(keys) and keys[place] in (
        "in",
        "during",
        "within",
        "published",
        "from",
        "of",
        "the",
        "year",
        "years",
        "and",
        "dated",
        "over",
        "appeared",
        "written",
        "out",
    ):
        if keys[place] == "from" and (ranged := _range(keys, place + 1, today)):
            return ranged
        place += 1
    word = keys[place] if place < len(keys) else ""
    if word == "between" and (ranged := _range(keys, place + 1, today)):
        return ranged
    if ranged := _range(keys, place, today):
        return ranged
    if lasting := _lasting(keys, place, today):
        return lasting
    if word in _FROM_ON or word in _BEFORE:
        return _bounded(keys, place, today)
    point = _point(keys, place, today)
    if point is None:
        return None
    since, until, end = point
    behind = keys[end : end + 2]
    if behind[:1] in (["onwards"], ["onward"], ["+"]) or behind in (
        ["or", "later"],
        ["or", "newer"],
        ["and", "later"],
        ["or", "after"],
        ["and", "after"],
    ):
        return Dated(Period(since, None), end + (1 if behind[0] not in ("or", "and") else 2))
    if behind in (["or", "earlier"], ["or", "older"], ["and", "earlier"], ["or", "before"], ["and", "before"]):
        return Dated(Period(None, until), end + 2)
    if keys[start] == "from" and behind[:1] == ["on"]:
        return Dated(Period(since, None), end + 1)
    return Dated(Period(since, until), end)


def _range(keys: Sequence[str], place: int, today: date) -> Dated | None:
    """Parse `2015 and 2018`, `2015 to 2018`, `2015-2018`."""
    if place < len(keys) and len(parts := keys[place].replace("–", "-").split("-")) == 2 and all(map(_is_year, parts)):
        return Dated(Period(parts[0], parts[1]), place + 1)
    first = _point(keys, place, today)
    if first is None or first[2] >= len(keys) or keys[first[2]] not in ("to", "and", "until", "till", "-", "through"):
        return None
    if keys[first[2]] == "and" and (place == 0 or keys[place - 1] != "between"):
        return None
    second = _point(keys, first[2] + 1, today)
    return Dated(Period(first[0], second[1]), second[2]) if second else None


def _bounded(keys: Sequence[str], place: int, today: date) -> Dated | None:
    word = keys[place]
    behind = place + 1
    while behind < len(keys) and keys[behind] in (
        "than",
        "to",
        "from",
        "in",
        "the",
        "year",
        "of",
        "about",
        "around",
        "with",
        "end",
        "start",
        "beginning",
    ):
        behind += 1
    point = _point(keys, behind, today)
    if point is None:
        counted = number_at(keys, behind)
        unit = keys[counted[1]].rstrip("s") if counted and counted[1] < len(keys) else ""
        if counted is None or unit not in _UNITS or word not in ("older", "newer"):
            return None
        day = _ago(today, counted[0], unit)
        old = keys[counted[1] + 1 : counted[1] + 2] == ["old"]
        period = Period(None, _before(day)) if word == "older" else Period(day, None)
        return Dated(period, counted[1] + 1 + old)
    since, until, end = point
    if word in ("after", "past", "post", "newer", "later"):
        return Dated(Period(_next(until), None), end)
    if word in ("since", "starting"):
        return Dated(Period(since, None), end + (keys[end : end + 1] == ["on"]))
    if word == "from":
        on = keys[end : end + 1] in (["on"], ["onwards"], ["onward"])
        later = keys[end : end + 2] in (["or", "later"], ["and", "later"])
        return Dated(Period(since, None if on or later else until), end + on + 2 * later)
    if word in ("until", "till", "by"):
        return Dated(Period(None, until), end)
    return Dated(Period(None, _before(since)), end)


def _lasting(keys: Sequence[str], place: int, today: date) -> Dated | None:
    """Parse `last year`, `this month`, `the last five years`, `the past decade`, `today`."""
    word = keys[place] if place < len(keys) else ""
    if word in ("today", "yesterday"):
        day = (today - timedelta(days=word == "yesterday")).isoformat()
        return Dated(Period(day, day), place + 1)
    if word not in _LAST and word != "this":
        return None
    unit = keys[place + 1] if place + 1 < len(keys) else ""
    if word == "this" and unit in _UNITS:
        return Dated(_current(unit, today), place + 2)
    if unit in _UNITS:
        return Dated(_previous(unit, today), place + 2)
    if unit in ("few", "couple"):
        behind = place + 2 + (keys[place + 2 : place + 3] == ["of"])
        number = 3 if unit == "few" else 2
    elif unit == "decade":
        return Dated(Period(_ago(today, 10, "year"), None), place + 2)
    else:
        counted = number_at(keys, place + 1)
        if counted is None:
            return None
        number, behind = counted
    unit = keys[behind].rstrip("s") if behind < len(keys) else ""
    if unit == "decade":
        number, unit = number * 10, "year"
    return Dated(Period(_ago(today, number, unit), None), behind + 1) if unit in _UNITS else None


def _ago(today: date, number: int, unit: str) -> str:
    if unit == "year":
        return f"{today.year - number}-{today.month:02}-{min(today.day, 28):02}"
    return (today - timedelta(days=number * _UNITS[unit])).isoformat()


def _current(unit: str, today: date) -> Period:
    if unit == "year":
        return Period(str(today.year), str(today.year))
    if unit == "month":
        return Period(f"{today:%Y-%m}", f"{today:%Y-%m}")
    first = today - timedelta(days=today.weekday()) if unit == "week" else today
    return Period(first.isoformat(), today.isoformat())


def _previous(unit: str, today: date) -> Period:
    if unit == "year":
        return Period(str(today.year - 1), str(today.year - 1))
    if unit == "month":
        month = f"{today.replace(day=1) - timedelta(days=1):%Y-%m}"
        return Period(month, month)
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7)
        return Period(monday.isoformat(), (monday + timedelta(days=6)).isoformat())
    day = (today - timedelta(days=1)).isoformat()
    return Period(day, day)


def _point(keys: Sequence[str], place: int, today: date) -> tuple[str, str, int] | None:
    """Parse a year, decade, month or day. Return its beginning, its end, and the index of the token after it."""
    while keys[place : place + 1] in (["the"], ["year"]):
        place += 1
    word = keys[place] if place < len(keys) else ""
    if _is_year(word):
        return word, word, place + 1
    if word in _DECADES:
        return f"{_DECADES[word]}0", f"{_DECADES[word]}9", place + 1
    if word[:2] in ("19", "20") and len(word) == 5 and word.endswith("0s"):
        return word[:4], word[:3] + "9", place + 1
    if len(word) in (3, 4) and word.strip("'").endswith("0s") and word.strip("'")[:2].isdigit():
        decade = word.strip("'")[0]
        century = "19" if int(decade) > int(str(today.year)[2]) else "20"
        return f"{century}{decade}0", f"{century}{decade}9", place + 1
    if word in ("last", "this") and keys[place + 1 : place + 2] == ["year"]:
        year = str(today.year - (word == "last"))
        return year, year, place + 2
    if len(parts := word.split("-")) in (2, 3) and _is_year(parts[0]) and all(map(str.isdigit, parts)):
        return word, word, place + 1
    day = 0
    if word.rstrip("stndrh").isdigit() and place + 1 < len(keys) and _month(keys[place + 1]):
        day, place = int(word.rstrip("stndrh")), place + 1
    month = _month(keys[place] if place < len(keys) else "")
    if month is None:
        return None
    place += 1
    if not day and place < len(keys) and keys[place].rstrip("stndrh").isdigit() and not _is_year(keys[place]):
        day, place = int(keys[place].rstrip("stndrh")), place + 1
    while keys[place : place + 1] in ([","], ["of"]):
        place += 1
    if place >= len(keys) or not _is_year(keys[place]):
        if not day and word == "may" and (place < 2 or keys[place - 2] not in _BEFORE_MONTHS):
            return None  # the verb
        in_year = today.year - (month > today.month)
    else:
        in_year, place = int(keys[place]), place + 1
    text = f"{in_year}-{month:02}" + (f"-{day:02}" if 0 < day < 32 else "")
    return text, text, place


def _month(word: str) -> int | None:
    return MONTHS.index(word) + 1 if word in MONTHS else _SHORT.get(word)


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and "1600" <= word <= "2100"


def _next(until: str) -> str:
    """Return the time after `until`, of the same precision: 2020 -> 2021."""
    if len(until) == 4:
        return str(int(until) + 1)
    if len(until) == 7:
        year, month = int(until[:4]), int(until[5:])
        return f"{year + month // 12}-{month % 12 + 1:02}"
    return (date.fromisoformat(until) + timedelta(days=1)).isoformat()


def _before(since: str) -> str:
    if len(since) == 4:
        return str(int(since) - 1)
    if len(since) == 7:
        year, month = int(since[:4]), int(since[5:])
        return f"{year - (month == 1)}-{(month - 2) % 12 + 1:02}"
    return (date.fromisoformat(since) - timedelta(days=1)).isoformat()
