"""The years a question asks for: "since 2020", "from 2015 to 2018", "in the last three years", "pre-2018".

A year is a bound only beside a word of time, and not where it belongs to a name or a count ("the 2008 financial
crisis", "ImageNet 2012", "in 2000 patients", "by 2030").
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from agents.builtin.question_parsing.dates.ago import ago
from agents.builtin.question_parsing.dates.date_expressions import DATE, date_range, month_of, year_of
from agents.builtin.question_parsing.dates.years import is_bound, noun_after
from agents.builtin.question_parsing.lexicon import DOCUMENTS, MEASURED, PEOPLE
from agents.builtin.question_parsing.spans import Span, words_before

LONGEST = 30
"""The last hundred years are a subject, the last thirty may still be a bound."""

_DAY = timedelta(days=1)
_CUES = frozenset("since after before until till in from during by than to through post pre".split())
_NUMBERS = {
    word: number
    for number, words in enumerate(
        "one|a two|couple three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(), 1
    )
    for word in words.split("|")
} | {"twenty": 20, "thirty": 30}
_NUMBER = rf"(?:[0-9]{{1,4}}|{'|'.join(_NUMBERS)})"
_UNIT = r"(?:year|yr|month|week|day|decade)s?"
_PUBLISHED = r"(?:(?:published|appearing|appeared|written|released|dated)\s+)?"
_YEARS = r"(?:the\s+)?(?:years?\s+|period\s+)?"


class Bounds(NamedTuple):
    """The first and the last day on which a paper may have appeared; either may be open."""

    since: date | None = None
    until: date | None = None


class Dates(NamedTuple):
    """What a question says of time, and where it says so."""

    bounds: Bounds
    recent: bool
    spans: tuple[Span, ...]


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    meaning: Callable[[re.Match[str], date], Bounds | None]


def read_dates(text: str, today: date) -> Dates:
    """The bounds that all phrases of time in `text` (see `plain`) agree on; open where they contradict each other.

    `recent` is set where a vague stretch is asked for ("recent years"), not where a bound is.
    """
    found: list[tuple[Span, Bounds]] = []
    for rule in _RULES:
        for match in rule.pattern.finditer(text):
            span = Span(*match.span())
            if not span.overlaps(other for other, _ in found) and (bounds := rule.meaning(match, today)):
                found.append((span, bounds))
    since = max((bounds.since for _, bounds in found if bounds.since), default=None)
    until = min((bounds.until for _, bounds in found if bounds.until), default=None)
    possible = not (since and until and since > until)
    vague = any(bounds == Bounds() for _, bounds in found)
    return Dates(Bounds(since, until) if possible else Bounds(), vague, tuple(span for span, _ in found))


def _range(match: re.Match[str], today: date) -> Bounds | None:
    first, last = date_range(match["first"]), _end_of_range(match, today)
    if first is None or last is None or not is_bound(match, first.first, today, within=True):
        return None
    if match["cue"] is None and (noun_after(match) or set(words_before(match.string, match.start())) & _CUES):
        return None
    if match["joint"] == "and" and not (match["cue"] or "").lower().startswith(("between", "in", "during")):
        return None
    return Bounds(first.first, None if last >= today else last) if first.first <= last else _contradiction(today)


def _end_of_range(match: re.Match[str], today: date) -> date | None:
    if match["last"] is None:
        return today
    if re.fullmatch("[0-9]{2}", match["last"]):
        century = match["first"][:2]
        return date(int(century + match["last"]), 12, 31)
    end = date_range(match["last"])
    return end.last if end else None


def _contradiction(today: date) -> Bounds:
    """Bounds that no day lies between: the phrase is understood, and asks for nothing that could be."""
    return Bounds(today, today - _DAY)


def _since(match: re.Match[str], today: date) -> Bounds | None:
    start = date_range(match["date"])
    if start is None or start.first > today or not is_bound(match, start.first, today):
        return None
    excluded = re.search(r"\b(?:after|post|later than|newer than|more recent than)\b", _cue(match))
    return Bounds(since=start.last + _DAY if excluded else start.first)


def _until(match: re.Match[str], today: date) -> Bounds | None:
    end = date_range(match["date"])
    if end is None or end.first > today or not is_bound(match, end.last, today):
        return None
    cue = _cue(match)
    excluded = re.search(r"\b(?:before|pre|prior|older|earlier)\b", cue) and "and" not in cue.split()
    return Bounds(until=end.first - _DAY if excluded else end.last)


def _within(match: re.Match[str], today: date) -> Bounds | None:
    time = date_range(match["date"])
    if time is None or time.first > today or not is_bound(match, time.first, today, within=True):
        return None
    return Bounds(time.first, time.last)


def _either(match: re.Match[str], today: date) -> Bounds | None:
    """Of "in 2019, 2020 and 2021" the first and the last year."""
    years = [int(year) for year in re.findall(r"[0-9]{4}", match[0])]
    if not is_bound(match, date(min(years), 1, 1), today, within=True):
        return None
    return Bounds(year_of(min(years)).first, year_of(max(years)).last)


def _last(match: re.Match[str], today: date) -> Bounds | None:
    if re.match(r" of (?:life|pregnancy|gestation|school|schooling|training|treatment|the war)\b", _rest(match)):
        return None
    if set(words_before(match.string, match.start())) & MEASURED:
        return None
    if match["few"]:
        return Bounds()
    return _lasting(match["number"] or "one", match["unit"], today)


def _lasting(number: str, unit: str, today: date) -> Bounds | None:
    count = int(number) if number.isdigit() else _NUMBERS[number.lower()]
    too_long = (unit.lower().startswith(("year", "yr")) and count > LONGEST) or (
        unit.lower().startswith("dec") and count > 3
    )
    return None if too_long or count == 0 else Bounds(since=ago(today, count, unit))


def _at_most_old(match: re.Match[str], today: date) -> Bounds | None:
    before = set(words_before(match.string, match.start(), 4))
    if before & PEOPLE or (match["firm"] is None and not before & DOCUMENTS):
        return None
    return _lasting(match["number"], match["unit"], today)


def _calendar(match: re.Match[str], today: date) -> Bounds | None:
    """Of "this year", "last year", "last month": the days of the calendar."""
    years_ago = 1 if match["which"].lower() == "last" else 0
    if re.match(r" of ", _rest(match)) or set(words_before(match.string, match.start())) & PEOPLE:
        return None
    if match["unit"].lower() == "year":
        whole = year_of(today.year - years_ago)
    elif years_ago:
        whole = month_of(*((today.year, today.month - 1) if today.month > 1 else (today.year - 1, 12)))
    else:
        whole = month_of(today.year, today.month)
    still_open = match["since"] or whole.last >= today
    return Bounds(whole.first, None if still_open else whole.last)


def _cue(match: re.Match[str]) -> str:
    """The words before the date."""
    return " ".join(match.string[match.start() : match.start("date")].lower().split())


def _rest(match: re.Match[str]) -> str:
    return match.string[match.end() : match.end() + 40].lower()


def _rules() -> Iterator[_Rule]:
    def rule(pattern: str, meaning: Callable[[re.Match[str], date], Bounds | None]) -> _Rule:
        return _Rule(re.compile(rf"(?<![\w-])(?:{pattern})(?![\w])", re.IGNORECASE), meaning)

    documents = "|".join(sorted(DOCUMENTS))
    yield rule(
        rf"{_PUBLISHED}(?:(?P<cue>from|between|in|during|over|within|for|of)\s+)?{_YEARS}(?P<first>{DATE})"
        rf"\s*(?P<joint>-|to|until|till|through|up to|and|/)\s*(?:(?P<last>{DATE}|[0-9]{{2}}(?![0-9]))"
        r"|now|today|(?:the\s+)?present(?:\s+day)?|date)",
        _range,
    )
    yield rule(
        rf"{_PUBLISHED}(?:in|during|from)\s+{_YEARS}(?:19|20)[0-9]{{2}}(?:(?:,\s*|\s+(?:and|or)\s+|,\s+(?:and|or)\s+)"
        r"(?:19|20)[0-9]{2}(?!s))+",
        _either,
    )
    yield rule(
        rf"{_PUBLISHED}(?<!no )(?<!not )(?:since|after|(?:starting|beginning)\s+(?:from|in|with)|as\s+of"
        r"|newer\s+than|later\s+than|more\s+recent\s+than|not?\s+(?:before|earlier\s+than|older\s+than)|post-|post\s)\s*"
        rf"{_YEARS}(?P<date>{DATE})(?:\s+onwards?)?",
        _since,
    )
    yield rule(
        rf"{_PUBLISHED}(?:from\s+)?{_YEARS}(?P<date>{DATE})"
        r"(?:\+|\s+onwards?|\s+(?:and|or)\s+(?:later|after|newer|onwards?|more\s+recent)|\s+on(?=\s*[,.?]|$))",
        _since,
    )
    yield rule(
        rf"{_PUBLISHED}(?:before|prior\s+to|until|till|up\s+to|through|no\s+later\s+than|not\s+(?:later\s+than|after)"
        rf"|older\s+than|earlier\s+than|pre-|pre\s)\s*{_YEARS}(?P<date>{DATE})",
        _until,
    )
    yield rule(rf"(?:published|written|available|appeared|released)\s+by\s+(?P<date>{DATE})", _until)
    yield rule(
        rf"{_PUBLISHED}(?:{_YEARS}(?P<date>{DATE})\s+(?:and|or)\s+(?:before|earlier|older))",
        _until,
    )
    yield rule(rf"{_PUBLISHED}(?:in|during|within|throughout)\s+{_YEARS}(?P<date>{DATE})", _within)
    yield rule(rf"(?<=apers |icles |tions |udies |views |rveys |works |rints )(?:from|of)\s+(?P<date>{DATE})", _within)
    yield rule(rf"(?:published|appeared|released)\s+(?P<date>{DATE})", _within)
    yield rule(rf"(?P<date>{DATE})(?=\s+(?:{documents})\b)", _within)
    yield rule(rf"from\s+{_YEARS}(?P<date>{DATE})", _since)
    yield rule(
        rf"{_PUBLISHED}(?P<since>since\s+|from\s+)?(?:in\s+|during\s+|of\s+)?(?P<which>this|last)\s+(?P<unit>year|month)"
        r"(?!['\w])",
        _calendar,
    )
    yield rule(
        rf"{_PUBLISHED}(?:(?:in|over|during|within|from|for|since|of|throughout)\s+)?(?:the\s+|these\s+)?"
        r"(?:last|past|recent|previous|preceding|latest|most\s+recent)\s+"
        rf"(?:(?P<few>few\s+|several\s+|recent\s+|some\s+)|(?:a\s+)?(?:[0-9]{{1,2}}\s*(?:-|to|or)\s*)?(?P<number>{_NUMBER})"
        rf"(?:\s+of)?[\s-]+)?(?P<unit>{_UNIT})",
        _last_or_recent,
    )
    yield rule(
        rf"(?:published\s+)?(?:(?P<firm>not?\s+(?:more|older)\s+than|no\s+older\s+than|at\s+most|less\s+than)"
        rf"|(?:younger|newer|more\s+recent)\s+than)\s+(?P<number>{_NUMBER})\s+(?P<unit>{_UNIT})(?:\s+(?:old|ago))?",
        _at_most_old,
    )


def _last_or_recent(match: re.Match[str], today: date) -> Bounds | None:
    """Of "in recent years" only that recent papers are wanted: no number of years is named."""
    if match["number"] is None and match["unit"].lower().endswith("s"):
        return Bounds() if _last(match, today) else None
    return _last(match, today)


_RULES = tuple(_rules())
