"""Points in time as people write them: "2020", "March 2021", "2021-03-15", "Q2 2020", "the second half of 2016",
"summer 2018", "late 1990s"."""

import re
from calendar import monthrange
from datetime import date
from typing import NamedTuple

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?:19|20)[0-9]{2}"
_DAY = r"[0-3]?[0-9](?:st|nd|rd|th)?"
_PART = (
    r"(?:q[1-4]|(?:first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(?:half|quarter)|[12]h|h[12]|spring|summer|autumn"
    r"|fall)"
)
_PARTS = {"half": 6, "quarter": 3}
_PLACES = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}
"""The month in which each begins."""
DATE = (
    rf"(?:{_YEAR}[-/][01][0-9][-/][0-3][0-9]|{_YEAR}[-/](?:0[1-9]|1[0-2])(?![0-9/-])"
    rf"|{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}|{_MONTH}\s+(?:{_DAY},?\s+)?(?:of\s+)?{_YEAR}"
    rf"|(?:the\s+)?{_PART}[ /](?:(?:of|in)\s+)?{_YEAR}"
    rf"|(?:(?:the\s+)?(?:early|mid|late)[ -])?(?:the\s+)?(?:{_YEAR}s|'?[5-9]0s|{_YEAR}))(?![\w%/]|[.,][0-9])"
)
"""A pattern (to be used without regard to case) for anything that `date_range` reads, but not for 2020/7 or 2000.5."""


class DateRange(NamedTuple):
    """The first and the last day of a stretch of time; both the same for a day."""

    first: date
    last: date


def date_range(text: str) -> DateRange | None:
    """The days that `text`, a match of `DATE`, stands for; None for a day no calendar has."""
    text = text.lower().strip()
    try:
        return _day_or_month(text) or _part_of_year(text)
    except ValueError:
        return None


def month_of(year: int, month: int) -> DateRange:
    return DateRange(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def year_of(year: int) -> DateRange:
    return DateRange(date(year, 1, 1), date(year, 12, 31))


def _day_or_month(text: str) -> DateRange | None:
    if numbers := re.fullmatch(r"([0-9]{4})[-/]([0-9]{2})(?:[-/]([0-9]{2}))?", text):
        year, month = int(numbers[1]), int(numbers[2])
        if numbers[3] is None:
            return month_of(year, month)
        return DateRange(date(year, month, int(numbers[3])), date(year, month, int(numbers[3])))
    if not (name := re.search(rf"\b{_MONTH}", text)):
        return None
    year, month = int(re.findall(r"[0-9]{4}", text)[-1]), _MONTHS.index(name[0][:3]) + 1
    if day := re.search(r"(?<![0-9])([0-3]?[0-9])(?![0-9])(?:st|nd|rd|th)?", text):
        return DateRange(date(year, month, int(day[1])), date(year, month, int(day[1])))
    return month_of(year, month)


def _part_of_year(text: str) -> DateRange:
    if told := re.fullmatch(rf"(?:the\s+)?({_PART})[ /](?:(?:of|in)\s+)?([0-9]{{4}})", text):
        first, last = _months_of(told[1])
        return DateRange(date(int(told[2]), first, 1), month_of(int(told[2]), last).last)
    part = next((name for name in ("early", "mid", "late") if name in text), None)
    digits = re.findall(r"[0-9]+", text)[-1]
    year = int(digits) + (1900 if len(digits) == 2 else 0)
    if text.endswith("s"):
        return _years_of_decade(year, part)
    first, last = {"early": (1, 4), "mid": (5, 8), "late": (9, 12), None: (1, 12)}[part]
    return DateRange(date(year, first, 1), month_of(year, last).last)


def _months_of(part: str) -> tuple[int, int]:
    """The first and the last month of a half, a quarter or a season of a year: "q2", "second half", "summer"."""
    if part in _SEASONS:
        return _SEASONS[part], _SEASONS[part] + 2
    if short := re.fullmatch(r"(q|h)([1-4])|([12])h", part):
        months, place = (3 if short[1] == "q" else 6), int(short[2] or short[3])
    else:
        name, unit = part.split()
        months = _PARTS[unit]
        place = 12 // months if name == "last" else _PLACES[name]
    if months * place > 12:
        raise ValueError(f"a year has no {part}")
    return months * (place - 1) + 1, months * place


def _years_of_decade(year: int, part: str | None) -> DateRange:
    first, last = {"early": (0, 3), "mid": (3, 6), "late": (6, 9), None: (0, 9)}[part]
    return DateRange(date(year + first, 1, 1), date(year + last, 12, 31))
