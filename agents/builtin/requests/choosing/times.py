"""When papers appeared: "since 2020", "from 2015", "before 1990", "in the nineties", "in the last three years"."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from agents.builtin.question_parsing.dates.bounds import read_dates
from agents.builtin.question_parsing.dates.date_expressions import DateRange, date_range, year_of
from agents.builtin.question_parsing.spans import Span, plain, without
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.orders import RECENT
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import number_of
from agents.builtin.requests.slot_kinds import KINDS

_DAY = timedelta(days=1)
_DECADES = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_PUBLISHED = (
    "[that|which|and] [have|has|was|were|is|are|been|did] [published|appeared|appearing|appear|written|released|dated"
    "|(came|come|coming) out|printed|dating|made|going back]"
)
_YEAR = "[the] [year|years|period|beginning of|start of|end of]"


class Time(NamedTuple):
    """The first and the last day; either may be open."""

    since: date | None = None
    until: date | None = None


def _range(slots: Slots) -> DateRange:
    found = date_range(slots["date"])
    return found or year_of(1)


def _between(slots: Slots, today: date) -> Time | None:
    first, last = date_range(slots["first"]), date_range(slots["last"])
    return Time(first.first, last.last) if first and last else None


def _decade(slots: Slots, today: date) -> Time:
    first = 1920 + 10 * _DECADES.index(slots["decade"].lower())
    return Time(date(first, 1, 1), date(first + 9, 12, 31))


def _years_old(slots: Slots, today: date) -> Time:
    """Older than five years: until the day five years ago."""
    return Time(until=date(today.year - number_of(slots["years"]), today.month, min(today.day, 28)) - _DAY)


def _years_young(slots: Slots, today: date) -> Time:
    """Not older than five years: since the day five years ago."""
    return Time(since=date(today.year - number_of(slots["years"]), today.month, min(today.day, 28)))


def _since_last_year(slots: Slots, today: date) -> Time:
    return Time(since=date(today.year - 1, 1, 1))


def _last_year(slots: Slots, today: date) -> Time:
    return Time(date(today.year - 1, 1, 1), date(today.year - 1, 12, 31))


def _before_this_year(slots: Slots, today: date) -> Time:
    return Time(until=date(today.year - 1, 12, 31))


def _this_century(slots: Slots, today: date) -> Time:
    return Time(since=date(2000, 1, 1))


def _last_century(slots: Slots, today: date) -> Time:
    return Time(until=date(1999, 12, 31))


def _span(slots: Slots, today: date) -> Time:
    """`2010-2012`, `2010-12`."""
    first, last = re.findall(r"[0-9]+", slots["years"])
    return Time(date(int(first), 1, 1), date(int(first[: 4 - len(last)] + last), 12, 31))


_TIMES: tuple[tuple[Phrases, Callable[[Slots, date], Time | None]], ...] = (
    (Phrases(f"""
        {_PUBLISHED} (not|no|nothing|none) [published|from] (before|older than|earlier than) {_YEAR} <date:date>
        {_PUBLISHED} (in|from) or after {_YEAR} <date:date>
        {_PUBLISHED} [from|in] {_YEAR} <date:date> at the earliest
        {_PUBLISHED} at the earliest [from|in|of] {_YEAR} <date:date>
    """), lambda slots, today: Time(since=_range(slots).first)),
    (Phrases(f"""
        {_PUBLISHED} (in|from) or before {_YEAR} <date:date>
        {_PUBLISHED} (not|no|nothing|none) [published|from] (later than|newer than|younger than|more recent
            than|after|past) {_YEAR} <date:date>
        {_PUBLISHED} [from|in] {_YEAR} <date:date> at the latest
        {_PUBLISHED} at the latest [from|in|of] {_YEAR} <date:date>
    """), lambda slots, today: Time(until=_range(slots).last)),
    (Phrases(f"{_PUBLISHED} (not|no) (older|more) than <years:number> years [old|ago]"), _years_young),
    (Phrases(f"""
        {_PUBLISHED} [between|from|in|within|during|over|of] {_YEAR} <first:date> (and|to|until|through|up to|-|
            till|/) {_YEAR} <last:date>
    """), _between),
    (Phrases(f"{_PUBLISHED} [between|from|in|of|during] [the] [years] <years:years>"), _span),
    (Phrases(f"""
        {_PUBLISHED} [from] (after|later than|newer than|younger than|more recent than|post|past) {_YEAR}
            <date:date>
    """), lambda slots, today: Time(since=_range(slots).last + _DAY)),
    (Phrases(f"""
        {_PUBLISHED} [from] (before|prior to|older than|earlier than|pre|preceding|pre -) {_YEAR} <date:date>
    """), lambda slots, today: Time(until=_range(slots).first - _DAY)),
    (Phrases(f"""
        {_PUBLISHED} [any time] (since|starting in/from/with|beginning in/from/with|as of|from at least)
            {_YEAR} <date:date> [on|onward|onwards]
        {_PUBLISHED} [from|in] {_YEAR} <date:date> (and|or) (later|newer|after|onward|onwards|more recent|more
            recently|up|younger|since [then]|beyond|following years)
        {_PUBLISHED} from {_YEAR} <date:date> (on|onward|onwards|forward|to now|to today|until now|until today|to
            date|to present|to the present|till now|till today|up)
        <date:date> onward/onwards
        <date:date> (and|or) (later|newer|after|up)
    """), lambda slots, today: Time(since=_range(slots).first)),
    (Phrases(f"""
        {_PUBLISHED} [in|from] {_YEAR} <date:date> (and|or) (earlier|before|older|prior)
        {_PUBLISHED} [from] (until|up to|through|up until|by|up to and including|until and including) {_YEAR}
            <date:date>
    """), lambda slots, today: Time(until=_range(slots).last)),
    (Phrases(f"""
        {_PUBLISHED} (from|in|of|during) the [early|late|mid] [nineteen] <decade:decade>
        {_PUBLISHED} (from|in|of|during) the nineteen <decade:decade>
        <decade:decade> <:papers>
    """), _decade),
    (Phrases(f"""
        {_PUBLISHED} since last year [on|onward|onwards]
        {_PUBLISHED} [from|in|of] this year (or|and) [the|from] last [year|one]
        {_PUBLISHED} [from|in|of] last year (or|and|/) [from] this [year|one]
        {_PUBLISHED} [from|in|of] this [year] or last year
        {_PUBLISHED} from last year (on|onward|onwards|and this|and later)
    """), _since_last_year),
    (Phrases(f"{_PUBLISHED} (from|in|of|during) last year"), _last_year),
    (Phrases("before this year", "not from this year"), _before_this_year),
    (Phrases(f"""
        {_PUBLISHED} (older|more) than <years:number> years [old|ago]
        {_PUBLISHED} more than <years:number> years ago
    """), _years_old),
    (Phrases(f"""
        {_PUBLISHED} [from|in|of] this (century|millennium)
        {_PUBLISHED} (since|after|from) the (turn of the (century|millennium)|millennium) [on|onwards]
    """), _this_century),
    (Phrases(f"""
        {_PUBLISHED} [from|in|of] (the last|last|the previous|the 20th|the twentieth) century
    """), _last_century),
)  # fmt: skip
_NOT_IN = Phrases(f"""
    [but|and] [that|which] [are|is|were] (not|nothing|none|no <:papers>|except|excluding|without [those|ones|the
        ones]) [those|papers|the ones] (from|in|of|published in) {_YEAR} <date:date>
""")
_WITHIN = Phrases(f"""
    {_PUBLISHED} [in|from|during|of|for|within|throughout|as of the year|dated] {_YEAR} <date:date>
""")


_ONE_OF = re.compile(
    r"(?:\b(?:(?:that|which) )?(?:(?:were|are|was|is) )?(?:published |appeared |dated |written )?(?:either )?"
    r"(?:in|from|during|of|dated) (?:the years? )?(?:either )?|(?<![\w.-])(?<!between )(?<!from )(?<!in )(?:either )?)"
    r"(?P<years>(?:19|20)[0-9]{2}(?: ?, ?(?:19|20)[0-9]{2})*,? (?:or|and) (?:in |from |of )?(?:the year )?(?:19"
    r"|20)[0-9]{2})\b"
    r"(?! (?:citations|cites|times|or later|and later|or newer|or earlier))",
    re.IGNORECASE,
)
_FAR = 60
"""Years between the first and the last of a list of years, at most."""


def _one_of_years(choice: Choice) -> None:
    """Single years of which each will do: "2014 or 2017" leaves out those between."""
    found = _ONE_OF.search(choice.text)
    if found is None:
        return
    years = sorted({int(year) for year in re.findall("[0-9]{4}", found["years"])})
    if years[-1] - years[0] > _FAR:
        return
    choice.cut(found.start(), found.end())
    _narrow(choice, Time(date(years[0], 1, 1), date(years[-1], 12, 31)))
    if others := [str(year) for year in range(years[0], years[-1]) if year not in years]:
        choice.add("without_years", *others)


_MONTH = KINDS["monthname"]
_MONTHS_OF_A_YEAR = re.compile(
    rf"\b(?P<first>{_MONTH}) (?P<joint>and|to|until|through|till|or|-|–) (?P<last>{_MONTH}),? (?:of |in )?"
    r"(?P<year>(?:19|20)[0-9]{2})\b(?![-/])",
    re.IGNORECASE,
)


def _each_with_its_year(found: re.Match[str]) -> str:
    """ "July to December 2016" is July 2016 to December 2016; of "May or June 2019" both will do."""
    joint = "to" if found["joint"].lower() == "or" else found["joint"]
    return f"{found['first']} {found['year']} {joint} {found['last']} {found['year']}"


def read_bounds(choice: Choice) -> None:
    """The days between which papers must have appeared, where dates are bounds; bounds that contradict each other are
    kept, so that it is said that nothing can meet them."""
    choice.text = _MONTHS_OF_A_YEAR.sub(_each_with_its_year, choice.text)
    _one_of_years(choice)
    while slots := choice.take(_NOT_IN):
        if slots["date"].isdigit():
            choice.add("without_years", slots["date"])
    today = choice.scene.today
    for phrases, meaning in _TIMES:
        while (found := phrases.find(choice.text)) and (time := meaning(found.slots, today)):
            choice.cut(found.start, found.end)
            _narrow(choice, time)


def read_times(choice: Choice) -> None:
    """The days between which papers must have appeared, however they are told."""
    read_bounds(choice)
    _relative(choice, choice.scene.today)
    found = _WITHIN.find(choice.text)
    if found and not _is_counted(choice.text[found.end :]) and (days := date_range(found.slots["date"])):
        choice.cut(found.start, found.end)
        _narrow(choice, Time(days.first, days.last))


def _relative(choice: Choice, today: date) -> None:
    """What is told from today: "last year", "in the past five years", "recent papers"."""
    text = plain(choice.text)
    dates = read_dates(text, today)
    spans = [span for span in dates.spans if not any(char.isdigit() for char in text[span.start : span.end][-4:])]
    if not spans:
        return
    alone = read_dates(_only(text, spans), today)
    choice.text = without(choice.text, spans)
    _narrow(choice, Time(alone.bounds.since, alone.bounds.until))
    if alone.recent and "since" not in choice.conditions:
        choice.conditions["since"] = str(today.year - RECENT)


def _only(text: str, spans: list[Span]) -> str:
    return ", ".join(text[span.start : span.end] for span in spans)


def _is_counted(after: str) -> bool:
    """Whether a number that looks like a year counts what follows: "2000 citations"."""
    return after.split()[:1] in (["citations"], ["times"], ["words"], ["patients"])


def _narrow(choice: Choice, time: Time) -> None:
    if time.since and (day := _day(time.since, "-01-01")) > choice.conditions.get("since", ""):
        choice.conditions["since"] = day
    if time.until and (day := _day(time.until, "-12-31")) < choice.conditions.get("until", "9999"):
        choice.conditions["until"] = day


def _day(day: date, whole_year: str) -> str:
    """A day, or its year where that says the same."""
    return day.isoformat().removesuffix(whole_year)
