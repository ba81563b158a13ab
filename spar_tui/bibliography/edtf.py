"""Convert dates between EDTF level 1 (ISO 8601-2), which BibLaTeX uses (`1995/1997`, `1995/`, `1850~`, `2001-21`,
`-0380`, `199X`, `Y-170000`), and the forms of CSL, RIS, BibTeX and people."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any

from connectors.records.build import MONTHS, month_of, told_date
from spar_tui.bibliography.reading.latex import decode

SEASONS = ("spring", "summer", "autumn", "winter")
"""Season names; EDTF writes them as months 21 to 24."""
_LONGEST = 60
"""Maximum number of characters read of a date in words."""
_DATE = r"-?\d{4}(?:-(?:0[1-9]|1[0-2]|2[1-4])(?:-(?:0[1-9]|[12]\d|3[01]))?)?[~?%]?"
_DATE += r"|-?\d{3}X|-?\d\dXX|\d{4}-(?:0[1-9]|1[0-2])-XX|\d{4}-XX(?:-XX)?|Y-?[1-9]\d{4,11}[~?%]?"
_EDTF = re.compile(rf"(?:{_DATE})(?:/(?:{_DATE}|\.\.)?)?|(?:\.\.)?/(?:{_DATE})")
_PLAIN = re.compile(r"-?\d{4}|\d{4}-(?:0[1-9]|1[0-2])(?:-\d\d)?")
_PARTS = re.compile(r"(?:(-?\d{4})|Y(-?\d{5,}))(?:-(\d\d)(?:-(\d\d))?)?[~?%]?")
_MARKS = re.compile("[~?%]")
_YEAR = re.compile(r"Y?(-?\d+)")
_BLANKS = re.compile(r"[\s{}\[\]()]+")
_DASH = re.compile(r"(?:(?<!\s)\s+)?(?:-{2,3}|[‐-―−]|/|\bto\b|\buntil\b)\s*+", re.IGNORECASE)
_SINCE = re.compile(r"(?:since|from)\s", re.IGNORECASE)
_YEARS = re.compile(r"(\d{4})\s?-\s?(\d{2,4})")
_CIRCA = re.compile(
    r"(?:(?:ca?\.|(?:ca|circa|approx\.?|approximately|about|around|probably|um|vers|hacia)(?=\s)|~|≈|∼)\s*(?P<date>.+)"
    r"|(?P<whole>.+?),?\s(?:ca\.?|circa|approx\.?|approximately))",
    re.IGNORECASE,
)
_COPYRIGHT = re.compile(r"(?:[cp]|©\s?|\(c\)\s?|cop\.\s?)(?=\d{4}$)", re.IGNORECASE)
"""The mark before the year of a copyright in library catalogs, which write `c.` or `ca.` for “about”."""
_BEFORE = r"b\.?\s?c\.?(?:\s?e\.?)?|v\.\s?chr\.?|a\.\s?c\.(?:\s?n\.)?|av\.\s?j\.?-c\.?"
_BEFORE_CHRIST = re.compile(rf"(?P<year>\d{{1,12}})\s*(?:{_BEFORE})|bc\s?(?P<after>\d{{1,12}})", re.IGNORECASE)
_AFTER_CHRIST = re.compile(
    r"(?P<year>\d{1,4})\s*(?:a\.?\s?d\.?|c\.?\s?e\.?|n\.\s?chr\.?)|a\.?d\.?\s?(?P<after>\d{1,4})", re.IGNORECASE
)
_IN_LATEX = re.compile(r"\$\\(?:sim|approx)\$")
_SHORT = re.compile(r"(-?)(\d{1,3})([~?%]?)")
"""A year with fewer than four digits, as CSL and people write it."""
_ROMAN = re.compile(r"m{1,2}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})", re.IGNORECASE)
_ROMAN_DIGITS = {"m": 1000, "d": 500, "c": 100, "l": 50, "x": 10, "v": 5, "i": 1}
_MONTH_AND_YEAR = re.compile(r"(\d\d?)[/.-](\d{4})")
_DECADE = re.compile(r"(\d{3})0s")


def edtf(text: str) -> str:
    """Return `text` without times if it is an EDTF level 1 date; else ""."""
    text = re.sub(r"T[\d:.]+(?:Z|[+-][\d:]+)?", "", text.strip())
    if not text.isascii():  # digits of other scripts
        text = re.sub(r"\d", lambda digit: str(int(digit[0])), text)
    return text if _EDTF.fullmatch(text) else ""


def of_biblatex(text: str) -> str:
    """Convert a date of BibLaTeX, hayagriva, CSL-YAML or MODS to EDTF as all other formats have it: by ISO 8601
    0000 is 1 BC; here 1 BC is -0001. Return "" if it is not EDTF level 1."""
    return "/".join(_counted(part, -1) for part in edtf(text).split("/"))


def as_biblatex(date: str) -> str:
    """Invert `of_biblatex`."""
    return "/".join(_counted(part, 1) for part in date.split("/"))


def _counted(part: str, step: int) -> str:
    """Shift the year of one end of a date by `step` if it is before Christ."""
    match = re.match(r"Y?-\d{4,}|0000", part)
    if not match:
        return part
    return f"{_written(int(match[0].lstrip('Y')) + step)}{part[match.end() :]}"


def _written(year: int) -> str:
    """Format a year for EDTF, which puts a Y before more than four digits."""
    return f"{'Y' if abs(year) > 9999 else ''}{'-' if year < 0 else ''}{abs(year):04}"


def is_plain(date: str) -> bool:
    """Whether `date` is empty or one day, month or year without marks of uncertainty."""
    return not date or _PLAIN.fullmatch(date) is not None


def first_day(date: str) -> str:
    """Return the first known end of an EDTF date, without its marks, season and unknown parts."""
    parts = [part.strip("~?%") for part in date.split("/") if part not in ("", "..")]
    return re.sub(r"^(-?\d{4})-2[1-4]$|-XX(?:-XX)?$", r"\1", parts[0]) if parts else ""


def _year(date: str) -> int:
    match = _YEAR.match(first_day(date))
    return int(match[1]) if match else 0


@lru_cache(maxsize=5_000)  # a bibliography covers only some decades
def of_words(text: str, month: str = "") -> str:
    """Convert a date in words, with an optional separate `month`, to EDTF; "" if it is not understood."""
    text = _COPYRIGHT.sub("", _BLANKS.sub(" ", _COPYRIGHT.sub("", text[:200])).strip()[:_LONGEST])
    if date := edtf(text):
        return _with_month(date, month)
    if match := _BEFORE_CHRIST.fullmatch(text):
        return _written(-int(match["year"] or match["after"]))
    if match := _AFTER_CHRIST.fullmatch(text):
        return _written(int(match["year"] or match["after"]))
    if (match := _SHORT.fullmatch(text)) and (match[1] or match[3] in ("~", "%")) and int(match[2]):
        return f"{match[1]}{match[2]:>04}{match[3]}"
    if text.endswith("?") and (date := of_words(text[:-1], month)) and is_plain(date):
        return f"{date}?"
    if (match := _MONTH_AND_YEAR.fullmatch(text)) and _month(match[1]):
        return f"{match[2]}-{match[1]:>02}"
    if match := _DECADE.fullmatch(text):
        return f"{match[1]}X"
    if len(text) > 1 and (roman := _ROMAN.fullmatch(text.rstrip("."))):
        values = [_ROMAN_DIGITS[digit] for digit in roman[0].lower()]
        return str(sum(-value if value < max(values[index:]) else value for index, value in enumerate(values)))
    if match := re.fullmatch(rf"(?:until |{_DASH.pattern})(\d{{4}}(?:-\d\d){{0,2}})", text):
        return f"/{match[1]}"
    years = _YEARS.fullmatch(text)
    begin, *end = years.groups() if years else _DASH.split(text, maxsplit=1)
    if since := _SINCE.match(text):
        begin, end = text[since.end() :], [""]
    elif not end and text.endswith(("-", "+")):
        begin, end = text[:-1].rstrip(), [""]
    if begin and end == [""]:
        date = of_words(begin, month)
        return f"{date}/" if date and "/" not in date else ""
    if begin and end:
        before = _BEFORE_CHRIST.fullmatch(end[0]) and re.fullmatch(r"(?:\D*\s)?\d{1,4}", begin)
        first, last = of_words(f"{begin} BC" if before else begin, month), end[0]
        last = of_words(first[:2] + last if re.fullmatch(r"\d\d", last) and first[:2].isdecimal() else last)
        in_order = first and last and _year(first) <= _year(last)
        return f"{first}/{last}" if in_order and "/" not in first + last else ""
    if match := _CIRCA.fullmatch(text):
        date = of_words(match["date"] or match["whole"], month)
        mark = {"?": "%"}.get(date[-1:], "~")
        return f"{date.rstrip('?')}{mark}" if date and "/" not in date and date[-1] not in "~%" else ""
    match = _OF_SEASON.fullmatch(text)
    return of_words(match[2] or match[3], name) if match and _month(name := match[1] or match[4]) else ""


def of_year(latex: str, month: str = "") -> str:
    """Convert BibTeX's `year` and `month`, decoded unless they are EDTF, in which `~` is no blank."""
    marked = _IN_LATEX.sub("≈", latex.strip())
    return of_words(marked if re.fullmatch(r"[~\d?%-]+", marked) else decode(marked), decode(month))


_NAME = r"([^\W\d_]{3,}\.?)"
_OF_SEASON = re.compile(rf"{_NAME}(?:\s*,)?\s*(\d{{4}})|(\d{{4}})(?:\s*,)?\s*{_NAME}")
"""A year with its season or month."""


def _with_month(year: str, month: str) -> str:
    """Add a BibTeX month to an EDTF year: a number, a name, a season, a range of two, or a range of days."""
    words = re.split(r"[-‐-―/\s&,]+", month.strip().lower())
    if not month.strip() or not re.fullmatch(r"\d{4}", year):
        return year
    numbers = [number for word in words if (number := _month(word))]
    same_kind = len({word.isdecimal() for word in words}) == 1  # "MAR 12" is not a range of months
    if (
        len(numbers) == len(words) == 2
        and same_kind
        and (numbers[0] < numbers[1] <= 12 or 20 < numbers[0] < numbers[1])
    ):
        return f"{year}-{numbers[0]:02}/{year}-{numbers[1]:02}"
    return f"{year}-{numbers[0]:02}" if len(numbers) == len(words) == 1 else _of_days(month, year) or year


def _month(word: str) -> int:
    if word.isdecimal():
        return int(word) if 1 <= int(word) <= 12 else 0
    return month_of(word)


def of_issue(text: str, year: str = "") -> str:
    """Convert the issue date of a database to EDTF: `2018 Dec-2019 Jan`, `2019 Spring`, or `JAN-FEB` and `SPR` with a
    separate `year`; "" if it is not understood."""
    text = _BLANKS.sub(" ", text[:_LONGEST]).strip()
    if days := _of_days(text, year.strip()):
        return days
    if years := re.fullmatch(r"(\d{4})\s(\w+)\s?[-–/]\s?(\d{4})\s(\w+)", text):
        first, last = of_words(years[1], years[2]), of_words(years[3], years[4])
        return f"{first}/{last}" if first and last else ""
    stated = re.fullmatch(r"(\d{4})[\s/]([^\d/].*)", text)
    return of_words(stated[1], stated[2]) if stated else of_words(year.strip(), text) if year else of_words(text)


def _of_days(text: str, year: str) -> str:
    """Convert a range of days such as `JUN 30-JUL 3, 2018`, or `12-14 June` with a separate `year`; else ""."""
    ends = [part.split() for part in re.split("[-–]+", re.sub(r",|(?<=\d)\.", " ", text))]
    if len(ends) != 2 or not all(word.isdecimal() or 1 <= month_of(word) <= 12 for end in ends for word in end):
        return ""
    years = [next((word for word in end if re.fullmatch(r"\d{4}", word)), "") for end in ends]
    months = [next((_month(word) for word in end if not word.isdecimal()), 0) for end in ends]
    days = [[int(word) for word in end if re.fullmatch(r"\d\d?", word)] for end in ends]
    if [len(day) for day in days] != [1, 1]:
        return ""
    first, last = (
        f"{years[index] or years[1 - index] or year}-{months[index] or months[1 - index]:02}-{days[index][0]:02}"
        for index in (0, 1)
    )
    return edtf(f"{first}/{last}") if first < last else ""


def of_csl(value: Any) -> str:
    """Convert a date variable of CSL-JSON to EDTF; "" if EDTF cannot express it. A date in one string is EDTF itself,
    which counts years as BibLaTeX does; in `date-parts`, -1 is 1 BC."""
    if isinstance(value, list):  # a range in pandoc's YAML
        return "/".join(filter(None, map(of_csl, value[:2])))
    if not isinstance(value, Mapping):
        return (
            _of_parts([value])
            if isinstance(value, int)
            else of_biblatex(value) or of_words(value)
            if isinstance(value, str)
            else ""
        )
    if "year" in value:
        numbers = [_number(value.get(part)) for part in ("year", "month", "day")]
        return of_csl({**{name: value[name] for name in ("season", "circa") if name in value}, "date-parts": [numbers]})
    parts = value.get("date-parts")
    if not isinstance(parts, list) or not parts or not isinstance(parts[0], list) or not parts[0]:
        words = value.get("raw") or value.get("literal")
        return of_words(words) if isinstance(words, str) else ""
    ends = [_of_parts(parts_of_end) for parts_of_end in parts[:2]]
    if not ends[0]:
        return ""
    season = str(value.get("season", "")).strip().lower()
    number = int(season) if season in ("1", "2", "3", "4") else _month(season) - 20
    if 1 <= number <= 4 and re.fullmatch(r"\d{4}", ends[0]):
        ends[0] += f"-{20 + number}"
    mark = "~" if value.get("circa") not in (None, False, "", 0, "0", "false") else ""
    date = "/".join(f"{end}{mark}" if end else "" for end in ends)
    words = of_words(str(value.get("literal", ""))) if mark else ""
    return words if _MARKS.sub("", words) == _MARKS.sub("", date) else date


def _number(value: Any) -> Any:
    """Return a part of a date as a number; months may be names."""
    return _month(value.lower()) if isinstance(value, str) and not value.lstrip("-").isdecimal() else value or 0


def _of_parts(parts: Any) -> str:
    try:
        known_parts = takewhile(lambda part: part not in (None, ""), parts) if isinstance(parts, list) else ()
        numbers = [int(part) for part in known_parts][:3]
    except (TypeError, ValueError):
        return ""
    if not numbers or not numbers[0]:
        return ""
    return edtf("-".join([_written(numbers[0]), *(f"{number:02}" for number in numbers[1:] if number)]))


def as_csl(date: str) -> dict[str, Any]:
    """Convert an EDTF date to a date variable of CSL-JSON. CSL has a single mark for uncertainty, so questionable dates
    are also given in words, and unknown months and days are dropped."""
    ends, words = [end.replace("-XX", "") for end in date.split("/")], as_words(date).replace("--", "–")
    matches = [_PARTS.fullmatch(end) for end in ends]
    if not matches[0] or (len(ends) == 2 and ends[1] not in ("", "..") and not matches[1]):
        return {"literal": words}
    numbers = [[int(part) for part in end.groups() if part] if end else [0] for end in matches]
    season = numbers[0][1] - 20 if len(numbers[0]) > 1 and numbers[0][1] > 20 else 0
    if season and len(ends) == 2:
        return {"literal": words}
    value: dict[str, Any] = {"date-parts": [numbers[0][:1], *numbers[1:]] if season else numbers}
    value |= {"season": season} if season else {}
    value |= {"circa": True} if _MARKS.search(date) else {}
    return value | ({"literal": words} if _MARKS.search(date) and of_csl(value) != "/".join(ends) else {})


_WORD = re.compile(r"\w+")
_UNDATED = re.compile(r"n\.? ?d|s\.? ?[adf]|o\.? ?[jd]|z\.? ?j|(?:no|without) date|undated|unknown", re.IGNORECASE)
"""Words for an unknown date in several languages; styles write their own."""


def is_state(words: str) -> bool:
    """Whether words in place of a date name a state such as `in press`. Words for an unknown date do not, nor do Roman
    numbers, months, seasons, and placeholders such as `XXXX`."""
    text = words.strip("[]() .")
    words_in_text = _WORD.findall(text.lower())
    if re.search(r"\d", text) or of_words(text) or all(map(_month, words_in_text)):
        return False
    return _UNDATED.fullmatch(text) is None and re.fullmatch(r"(\w)\1*", text) is None


def says_more(text: str) -> bool:
    """Whether the text of a date has words that a date cannot store."""
    return bool(text) and not (of_words(text) or is_state(text) or len(told_date(text) or "") == len("2001-02-03"))


def with_year(words: str, year: str) -> str:
    """Return the words of a date with its year, such as `Michaelmas term 1732`; "" if this says no more than a date."""
    whole = words if year.lstrip("-0") in words else f"{words} {year}"
    return whole if says_more(whole) else ""


def as_words(date: str) -> str:
    """Format an EDTF date for the `year` field of BibTeX: `1995--1997`, `c. 1850`, `380 BC`."""
    first, slash, last = date.partition("/")
    if slash:
        return "--".join(as_words(end) if end not in ("", "..") else "" for end in (first, last))
    plain = first.rstrip("~?%")
    if match := re.fullmatch(r"(\d{4})-(2[1-4])", plain):
        plain = f"{SEASONS[int(match[2]) - 21]} {match[1]}"
    elif re.fullmatch(r"Y?-\d+", plain):
        plain = f"{int(plain.lstrip('Y-'))} BC"
    elif re.fullmatch(r"\d{3}X", plain):
        plain = f"{plain[:3]}0s"
    circa, doubt = "c. " * first.endswith(("~", "%")), "?" * first.endswith(("?", "%"))
    return f"{circa}{plain}{doubt}"


def years_of(date: str) -> str:
    """Format the years of an EDTF date for a reference: `1995–1997`, `2010–`, `c. 1850`, `380 BC`."""
    ends = [re.sub(r"^(-?\d{3}[\dX]|\d\dXX)[^~?%]*", r"\1", end) if end != ".." else "" for end in date.split("/")]
    return as_words("/".join(dict.fromkeys(ends))).replace("--", "–")


def season_of(date: str) -> str:
    """Return the season of an EDTF date; "" for none."""
    match = re.fullmatch(r"\d{4}-(2[1-4])[~?%]?", date)
    return SEASONS[int(match[1]) - 21] if match else ""


def months_of(date: str) -> str:
    """Format the months of an EDTF date for BibTeX, such as `may--jun`, or its season; "" if it covers several years,
    because the months would be ambiguous."""
    ends = [re.fullmatch(r"(\d{4})-(\d\d).*", end) for end in date.split("/")]
    names = dict.fromkeys((*MONTHS, *[""] * 8, *SEASONS)[int(end[2]) - 1] for end in ends if end)
    return "--".join(names) if len({end[1] if end else "" for end in ends}) == 1 else ""


def of_ris(text: str) -> str:
    """Convert `2001/05/17/` to EDTF; text after the third slash counts if it tells more than the numbers. Other forms
    are read as words."""
    parts = [part.strip() for part in text.split("/", 3)]
    year = re.fullmatch(r"(-(?=\d{1,4}\b)|(?=\d{3}))(\d{1,4})([~?%]?)", parts[0])
    if len(parts) < 3 or not year:
        return of_words(text)
    day = "".join(f"-{int(part):02}" for part in parts[1:3] if part.isdecimal())
    numbers = edtf(f"{year[1]}{year[2]:>04}{day}{year[3]}")
    text_part = parts[3] if len(parts) == 4 and parts[3].strip("/") else ""
    words = of_words(text_part) or of_words(f"{text_part} {parts[0]}") or of_words(parts[0], text_part)
    less = (is_plain(words) or season_of(words)) and not words.startswith(numbers)
    return numbers if less else words


def as_ris(date: str) -> str:
    """Format a date as `2001/05/17/`, with the rest after the third slash; "" for a year alone, which has a tag."""
    first = first_day(date)
    if not _PLAIN.fullmatch(first):
        return as_words(date)
    year, month, day = [*first.lstrip("-").split("-"), "", ""][:3]
    year = f"-{year}" if first.startswith("-") else year
    if is_plain(date):
        return f"{year}/{month}/{day}" if month else ""
    season = re.fullmatch(r"\d{4}-(2[1-4])", date)
    return f"{year}/{month}/{day}/{SEASONS[int(season[1]) - 21].capitalize() if season else date}"
