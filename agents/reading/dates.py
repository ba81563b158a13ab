"""Parse times in words into periods: "since 2020", "between 2015 and 2018", "in the last five years", "late 1990s"."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from agents.reading.numbers import number_at, ordinal
from agents.reading.tokens import Token

MONTHS = tuple("january february march april may june july august september october november december".split())
_SHORT = {month[:3]: number for number, month in enumerate(MONTHS, start=1)} | {"sept": 9}
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365, "decade": 3650}
RECENT_YEARS = 5
"""Number of years that "recent" covers; answers state it whenever it is used."""
_AGES = {"century": 100, "millennium": 1_000}
DAYTIMES = frozenset("morning noon afternoon evening night".split())
FEW = 3
_LEADING = frozenset("in during within throughout published from of the year years and dated over appeared written out"
                     " released period month".split())  # fmt: skip
_MOST_LEADING = 5
_AFTER = frozenset("after past post newer younger later postdate postdates postdating".split())
_SINCE = frozenset("since starting beginning".split())
_UNTIL = frozenset("until till by through".split())
_EARLIER = frozenset("before older earlier prior pre predate predates predating preceding".split())
_WITH_CUE = frozenset("than to from in with the year years of about around end start beginning".split())
_BEFORE_MONTHS = frozenset("in since last of until before after during from this early between to".split())
_NEGATED = {"after": "until", "later": "until", "before": "since", "earlier": "since", "older": "since"}
"""After "no" and "not", a cue sets the other bound, which is included: "not before 2015", "no later than 2015"."""
_DECADES = {"fifties": 195, "sixties": 196, "seventies": 197, "eighties": 198, "nineties": 199}
_LAST = frozenset("last past previous preceding recent latest".split())
_PARTS = {"early": 0, "mid": 1, "late": 2}
_PARTS_OF_YEAR = {"spring": (3, 3), "summer": (6, 3), "autumn": (9, 3), "fall": (9, 3), "h1": (1, 6), "h2": (7, 6)} | {
    f"q{quarter}": (3 * quarter - 2, 3) for quarter in range(1, 5)
}
"""The first month and the number of months of each part of a year."""
JOINTS = frozenset("to and until till - through".split())
_LATER = frozenset("later newer after onward onwards".split())
_BEHIND_ON = frozenset("that which who whose with by and but or in are is were do did have i we , . ? !".split())
"""Words that begin no subject: before them, "on" in "from 2010 on" belongs to the time."""
_NOW = frozenset("now today present date".split())


FIRST_WORDS = (
    _LEADING | _AFTER | _SINCE | _UNTIL | _EARLIER | _LAST | _PARTS.keys() | _PARTS_OF_YEAR.keys() | _DECADES.keys()
    | _SHORT.keys() | frozenset(MONTHS)
    | frozenset("between this today yesterday up as no not second first last turn".split())
)  # fmt: skip
"""Words with which a time may begin, beside numbers."""


NAMES = frozenset(MONTHS) | _DECADES.keys() | _AGES.keys() | _UNITS.keys()
"""Names of months, decades and units of time."""


class Period(NamedTuple):
    """A period from `since` to `until`, inclusive, as precise as the message: 2020, 2020-05, 2020-05-17."""

    since: str | None
    until: str | None


class Dated(NamedTuple):
    """A period, and the index of the token after it. `cue` is the word that says how the time bounds papers, "" if
    there is none; a `vague` period is one without a number, as in "the last few years". `years` are those of a list
    with gaps, "in 2015 or 2020"."""

    period: Period
    end: int
    cue: str = ""
    vague: bool = False
    years: tuple[str, ...] = ()


def dated(tokens: Sequence[Token], start: int, today: date) -> Dated | None:
    """Parse the time at token `start`: `since 2020`, `between 2015 and 2018`, `in the last five years`."""
    return dated_at([token.key for token in tokens], start, today)


def dated_at(keys: Sequence[str], start: int, today: date) -> Dated | None:
    """Parse the time at `start`, where `keys` are the normalized words of a text."""
    position, cue = start, ""
    while position < min(len(keys), start + _MOST_LEADING) and keys[position] in _LEADING:
        cue = keys[position] if keys[position] not in ("the", "year", "years", "and", "period") else cue
        position += 1
    word = keys[position] if position < len(keys) else ""
    if word in ("no", "not") and keys[position + 1 : position + 2] and keys[position + 1] in _NEGATED:
        return _bounded(keys, position + 1, today, _NEGATED[keys[position + 1]])
    if word == "between" and (ranged := _range(keys, position + 1, today, word)):
        return ranged
    if ranged := _range(keys, position, today, cue) or _lasting(keys, position, today, cue):
        return ranged
    if word in _AFTER | _SINCE | _UNTIL | _EARLIER:
        return _bounded(keys, position, today, word)
    if keys[position : position + 2] in (["up", "to"], ["as", "of"]):
        return _bounded(keys, position + 1, today, "until" if word == "up" else "since")
    point = _point(keys, position, today)
    if point is None:
        return None
    since, until, end = point
    behind = keys[end : end + 2]
    if behind[:1] in (["onwards"], ["onward"], ["+"]):
        return Dated(Period(since, None), end + 1, "since")
    if behind[:1] in (["or"], ["and"]) and behind[1:] and behind[1] in _LATER:
        return Dated(Period(since, None), end + 2, "since")
    if behind[:1] in (["or"], ["and"]) and behind[1:] and behind[1] in ("earlier", "older", "before"):
        return Dated(Period(None, until), end + 2, "until")
    if behind[:1] == ["on"] and (not behind[1:] or (keys[start] == "from" and behind[1] in _BEHIND_ON)):
        return Dated(Period(since, None), end + 1, "from")
    points = [(since, until)]
    while end < len(keys) and (cue or keys[end] == "or"):
        begin = next(at for at in range(end, len(keys) + 1) if keys[at : at + 1] not in ([","], ["or"], ["and"]))
        more = _point(keys, begin, today)
        if more is None or not (more[0] == following(points[-1][1]) or all(map(_is_one_year, (*points, more[:2])))):
            break
        points.append(more[:2])
        end = more[2]
    years = tuple(year for year, _ in points)
    is_whole = all(first[0] == following(last[1]) for last, first in pairwise(points))
    period = Period(min(years), max(last for _, last in points))
    return Dated(period, end, cue, years=() if is_whole else years)


def _range(keys: Sequence[str], position: int, today: date, cue: str) -> Dated | None:
    """Parse `2015 and 2018`, `2015 to 2018`, `2015-2018`, `2015 until now`."""
    parts = keys[position].replace("–", "-").split("-") if position < len(keys) else []
    if len(parts) == 2 and _is_year(parts[0]) and parts[1].isdigit() and (_is_year(parts[1]) or parts[1] > "12"):
        return Dated(
            Period(parts[0], parts[1] if len(parts[1]) == 4 else parts[0][:2] + parts[1]), position + 1, cue or "-"
        )
    first = _point(keys, position, today)
    joint = first[2] + (keys[first[2] : first[2] + 1] == ["up"]) if first else len(keys)
    if first is None or joint >= len(keys) or keys[joint] not in JOINTS:
        return None
    if keys[joint] == "and" and (position == 0 or keys[position - 1] != "between"):
        return None
    begin = joint + 1 + 2 * (keys[joint + 1 : joint + 3] == ["and", "including"])
    behind = begin + (keys[begin : begin + 1] == ["the"])
    if keys[behind : behind + 1] and keys[behind] in _NOW and keys[joint] != "and":
        return Dated(Period(first[0], None), behind + 1, cue or "-")
    second = _point(keys, begin, today)
    if second and keys[first[2] - 1] in (*MONTHS, *_SHORT) and _is_year(keys[second[2] - 1]):  # "July to December 2016"
        first = (f"{keys[second[2] - 1]}{first[0][4:]}", *first[1:])
    return Dated(Period(first[0], second[1]), second[2], cue or "-") if second else None


def _bounded(keys: Sequence[str], position: int, today: date, cue: str) -> Dated | None:
    behind = position + 1
    while behind < min(len(keys), position + _MOST_LEADING) and keys[behind] in _WITH_CUE:
        behind += 1
    point = _point(keys, behind, today)
    if point is None:
        counted = number_at(keys, behind)
        unit = keys[counted[1]].rstrip("s") if counted and counted[1] < len(keys) else ""
        if counted is None or unit not in _UNITS or keys[position] not in ("older", "newer", "younger"):
            return None
        day = _ago(today, counted[0], unit)
        old = keys[counted[1] + 1 : counted[1] + 2] in (["old"], ["ago"])
        period = Period(None, before(day)) if cue == "older" else Period(day, None)
        return Dated(period, counted[1] + 1 + old, "newer than" if cue != "older" else cue)
    since, until, end = point
    if cue in _AFTER:
        return Dated(Period(following(until), None), end, cue)
    if cue in _SINCE:
        return Dated(Period(since, None), end + (keys[end : end + 1] in (["on"], ["onwards"], ["onward"])), cue)
    return Dated(Period(None, until if cue in _UNTIL else before(since)), end, cue)


def _lasting(keys: Sequence[str], position: int, today: date, cue: str) -> Dated | None:
    """Parse `last year`, `this month`, `the last five years`, `the past decade`, `today`."""
    word = keys[position] if position < len(keys) else ""
    if word in ("today", "yesterday"):
        day = (today - timedelta(days=word == "yesterday")).isoformat()
        return Dated(Period(day, day), position + 1, cue)
    if word == "since" and keys[position + 1 : position + 2] and keys[position + 1] in ("this", "last"):
        inner = _lasting(keys, position + 1, today, word)
        return inner and inner._replace(period=Period(inner.period.since, None))
    if word not in _LAST and word != "this":
        return None
    unit = keys[position + 1] if position + 1 < len(keys) else ""
    if word == "this" and unit in _UNITS:
        return Dated(_current(unit, today), position + 2, "last")
    if unit == "decade":
        return Dated(Period(_ago(today, 10, "year"), None), position + 2, "last")
    if unit in DAYTIMES and word in ("this", "last"):
        day = (today - timedelta(days=word == "last")).isoformat()
        return Dated(Period(day, day), position + 2, "last")
    if unit in _AGES and word in ("this", "last"):
        began = today.year // _AGES[unit] * _AGES[unit]
        period = Period(f"{began}", None) if word == "this" else Period(f"{began - _AGES[unit]}", f"{began - 1}")
        return Dated(period, position + 2, "last")
    if unit in _UNITS and word != "recent":
        return Dated(_previous(unit, today), position + 2, "last")
    if word == "this":
        return None
    counted = number_at(keys, position + 1)
    vague = counted is None
    if counted is None:
        behind = position + 1 + (unit in ("few", "several", "couple", "some"))
        counted = (2 if unit == "couple" else FEW, behind + (keys[behind : behind + 1] == ["of"]))
    behind = counted[1] + (keys[counted[1] : counted[1] + 1] == ["-"])
    unit = keys[behind] if behind < len(keys) else ""
    if unit.rstrip("s") not in _UNITS or (vague and not unit.endswith("s")):
        return None
    return Dated(Period(_ago(today, counted[0], unit.rstrip("s")), None), behind + 1, "last", vague)


def _ago(today: date, number: int, unit: str) -> str:
    """Return the day `number` units before `today`, or the last day of its month if that is too short."""
    if unit in ("day", "week"):
        return (today - timedelta(days=min(number * _UNITS[unit], today.toordinal() - 1))).isoformat()
    months = max(today.year * 12 + today.month - 1 - number * {"month": 1, "year": 12, "decade": 120}[unit], 12)
    return _last_day(months // 12, months % 12 + 1, today.day).isoformat()


def _last_day(year: int, month: int, day: int = 31) -> date:
    """Return the day of a month, or its last day if it has fewer."""
    following = date(year + month // 12, month % 12 + 1, 1) if year < 9999 else date(year, 12, 31)
    return date(year, month, min(day, (following - timedelta(days=1)).day))


def _current(unit: str, today: date) -> Period:
    if unit in ("year", "month"):
        text = today.isoformat()[: 4 if unit == "year" else 7]
        return Period(text, text)
    first = today - timedelta(days=today.weekday()) if unit == "week" else today
    return Period(first.isoformat(), today.isoformat())


def _previous(unit: str, today: date) -> Period:
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7)
        return Period(monday.isoformat(), (monday + timedelta(days=6)).isoformat())
    text = before(today.isoformat()[: {"year": 4, "month": 7}.get(unit, 10)])
    return Period(text, text)


def _point(keys: Sequence[str], position: int, today: date) -> tuple[str, str, int] | None:
    """Parse a year, decade, month, day, or part of a year. Return its beginning, its end, and the index of the token
    after it."""
    while keys[position : position + 1] in (["the"], ["year"], ["years"]):
        position += 1
    word = keys[position] if position < len(keys) else ""
    head, _, tail = word.partition("-")
    if keys[position : position + 3] == ["turn", "of", "the"] and (
        age := _AGES.get("".join(keys[position + 3 : position + 4]))
    ):
        began = f"{today.year // age * age}"
        return began, began, position + 4
    part = _PARTS.get(head)
    if part is not None and (tail or position + 1 < len(keys)):
        whole = _year_or_decade(tail, today) if tail else _year_or_decade(keys[position + 1], today)
        return (*_narrowed(*whole, part), position + 1 + (not tail)) if whole else None
    if whole := _year_or_decade(word, today):
        return (*whole, position + 1)
    if word in ("last", "this") and keys[position + 1 : position + 2] == ["year"]:
        year = str(today.year - (word == "last"))
        return year, year, position + 2
    if len(parts := word.split("-")) in (2, 3) and _is_year(parts[0]) and all(map(str.isdigit, parts)):
        return (word, word, position + 1) if _is_day(word) else None
    return _part_of_year(keys, position) or _month_or_day(keys, position, today)


def _year_or_decade(word: str, today: date) -> tuple[str, str] | None:
    if _is_year(word):
        return word, word
    if word in _DECADES:
        return f"{_DECADES[word]}0", f"{_DECADES[word]}9"
    if word[:2] in ("19", "20") and len(word) == 5 and word.endswith("0s"):
        return word[:4], word[:3] + "9"
    if len(word) in (3, 4) and word.strip("'").endswith("0s") and word.strip("'")[:2].isdigit():
        decade = word.strip("'")[0]
        century = "19" if int(decade) > int(str(today.year)[2]) else "20"
        return f"{century}{decade}0", f"{century}{decade}9"
    return None


def _narrowed(since: str, until: str, part: int) -> tuple[str, str]:
    """Return the early, middle or late part of a year (four months) or a decade (about three years)."""
    if since == until:
        return f"{since}-{part * 4 + 1:02}", f"{since}-{part * 4 + 4:02}"
    first, last = ((0, 3), (3, 6), (6, 9))[part]
    return f"{since[:3]}{first}", f"{since[:3]}{last}"


def _part_of_year(keys: Sequence[str], position: int) -> tuple[str, str, int] | None:
    """Parse `q2 2020`, `h1 2019`, `second half of 2016`, `summer 2018`."""
    word, unit = (*keys[position : position + 2], "", "")[:2]
    if months := {"half": 6, "quarter": 3}.get(unit, 0):
        word = f"{unit[0]}{12 // months if word == 'last' else ordinal(word)}"
    behind = position + 1 + (months > 0)
    behind += keys[behind : behind + 1] in (["of"], ["in"])
    if word not in _PARTS_OF_YEAR or behind >= len(keys) or not _is_year(keys[behind]):
        return None
    first, months = _PARTS_OF_YEAR[word]
    return f"{keys[behind]}-{first:02}", f"{keys[behind]}-{first + months - 1:02}", behind + 1


def _month_or_day(keys: Sequence[str], position: int, today: date) -> tuple[str, str, int] | None:
    """Parse `may 2020`, `5 march 2021`, `march 5, 2021`, and the last such month without a year."""
    word, day = keys[position] if position < len(keys) else "", 0
    if word.rstrip("stndrh").isdigit() and position + 1 < len(keys):
        behind = position + 1 + (keys[position + 1] == "of")
        if behind < len(keys) and _month(keys[behind]):
            day, position = int(word.rstrip("stndrh")), behind
    month = _month(keys[position] if position < len(keys) else "")
    if month is None:
        return None
    position += 1
    if not day and position < len(keys) and keys[position].rstrip("stndrh").isdigit() and not _is_year(keys[position]):
        day, position = int(keys[position].rstrip("stndrh")), position + 1
    behind = position
    while keys[behind : behind + 1] in ([","], ["of"]):
        behind += 1
    if behind < len(keys) and _is_year(keys[behind]):
        in_year, position = int(keys[behind]), behind + 1
    elif keys[behind : behind + 2] in (["this", "year"], ["last", "year"]):
        in_year, position = today.year - (keys[behind] == "last"), behind + 2
    elif not day and word == "may" and (position < 2 or keys[position - 2] not in _BEFORE_MONTHS):
        return None  # "may" as a verb
    else:
        in_year = today.year - (month > today.month)
    text = f"{in_year}-{month:02}" + (f"-{day:02}" if day else "")
    return (text, text, position) if _is_day(text) else None


def _month(word: str) -> int | None:
    word = word.rstrip(".")
    return MONTHS.index(word) + 1 if word in MONTHS else _SHORT.get(word)


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and "1600" <= word <= "2100"


def _is_one_year(period: tuple[str, str]) -> bool:
    return period[0] == period[1] and _is_year(period[0])


def _is_day(text: str) -> bool:
    """Whether a year, month or day is in the calendar."""
    try:
        last_day(text)
    except ValueError:
        return False
    return True


def first_day(text: str) -> date:
    """Return the first day of a year, a month or a day. Raises `ValueError` if no calendar has it."""
    return date.fromisoformat(f"{text}-01-01"[:10])


def last_day(text: str) -> date:
    """Return the last day of a year, a month or a day. Raises `ValueError` if no calendar has it."""
    year, *rest = map(int, text.split("-"))
    return date(year, *rest) if len(rest) == 2 else _last_day(year, rest[0] if rest else 12)


def following(until: str) -> str:
    """Return the time after `until`, of the same precision: 2020 -> 2021."""
    return (last_day(until) + timedelta(days=1)).isoformat()[: len(until)]


def before(since: str) -> str:
    """Return the time before `since`, of the same precision: 2020 -> 2019."""
    return (first_day(since) - timedelta(days=1)).isoformat()[: len(since)]
