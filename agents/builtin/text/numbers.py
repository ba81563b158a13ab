"""The numbers of a text with their signs and units, to tell whether one text has the numbers of another."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of
from connectors.query.stopwords import STOP_WORDS

_SMALL = "zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_WORDS = {word: number for number, word in enumerate(f"{_SMALL} eighteen nineteen".split()) if word != "-"}
_TENS = {word: 10 * number for number, word in
         enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}  # fmt: skip
NUMBER_WORDS = _WORDS | _TENS
"""Numbers in English words but “one”, which stands for much else."""
_SCALES = {"k": 1_000, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_UNITS = {
    spelling: spellings.split()[0]
    for spellings in (
        "% percent percentage", "‰", "°c °", "°f", "kg kilogram", "mg milligram", "µg μg ug mcg microg microgram",
        "ng nanogram", "g gram", "km kilometer kilometre", "cm centimeter centimetre", "mm millimeter millimetre",
        "µm μm um micrometer", "nm nanometer nanometre", "m meter metre", "l liter litre", "ml milliliter millilitre",
        "mmol", "µmol μmol umol micromol", "nmol", "mol", "mm3", "hz", "khz", "mhz", "ghz", "ms millisecond",
        "s sec second", "min minute", "h hr hour", "day d", "week wk", "month", "year yr y", "kb", "mb", "gb", "tb",
        "fold", "times x",
    )
    for spelling in spellings.split(" ")
}  # fmt: skip
_NUMBER = re.compile(
    r"(?P<sign>(?<![\w)\]])[-−–+]\s?)?"
    r"(?P<value>(?<![\w.])(?:\d{1,3}(?:[ \xa0\u2009\u202f]\d{3})+(?!\d)|\d+)(?:[.,·]\d+)*)"
    r"(?=(?P<suffix>[ \\]?[%‰°][cf]?|[- ]?[a-zµμ]+\d?)?)"
    rf"|\b(?P<ten>{'|'.join(_TENS)})(?:[-\s](?P<one>{'|'.join(_WORDS)}))?\b|\b(?P<word>{'|'.join(_WORDS)})\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![-–/*:\w])[^\W\d_][\w–/*:-]*[-–/*:]$")
_WHOLE_NAME = re.compile(r"[^\W\d_][^\W_]*(?:[-–/*:][^\W_]+)*")
_LONGEST_NAME = 30
_NEAR = 3
"""Terms on each side of a number that tell what it counts."""
DASHES = "-‐‑–—−"
_BETWEEN = re.compile(rf"[\d%‰°]\s?[{DASHES}]{{1,3}}\s?$")
"""A dash before a number that is no sign: it stands behind another one."""
_LONGEST_BETWEEN = 6
_RANGE = rf"(?<![\d.,·])(\d++(?:[.,·]\d++)*+)[\s%]*+(?:to|and|,|[{DASHES}]{{1,2}})\s?(?:[{DASHES}+]\s?)?(\d)"
_INTERVAL = r"\b(?:CI|CrI|intervals?)\b"
_IN_RANGE = re.compile(rf"{_RANGE}|{_INTERVAL}", re.IGNORECASE)
_IN_INTERVAL = re.compile(rf"{_INTERVAL}[^{DASHES}+\w]*+(?:[{DASHES}+]\s?)?{_RANGE}", re.IGNORECASE)
_ONE = re.compile(r"\b(?:one|first|once)\b", re.IGNORECASE)
_CLAUSE = re.compile(rf"[\n;]|,\s(?:{'|'.join(sorted(STOP_WORDS))})\s", re.IGNORECASE)
_HANGING = re.compile(r"-\s(?:and|or|to)\s", re.IGNORECASE)
"""What joins “3- and 6-month”: both count months."""
_POINTS = re.compile(r"[ -]?(?:%|percent(?:age)?)[ -]points?\b", re.IGNORECASE)
"""A difference of two shares: no share itself."""
_THOUSANDS = re.compile(r"\s|,(?=\d{3}(?!\d))")


class Quantity(NamedTuple):
    """A number as it is meant: 1,250 and 1250 are one, .5 and 0.50 too; "" where it has no sign or no known unit."""

    value: Decimal
    sign: str
    unit: str
    start: int = 0
    end: int = 0
    name: str = ""
    """What it is a part of the name of, as 4 is of GPT-4: then it counts nothing."""


def quantities(text: str) -> Iterator[Quantity]:
    """Return the numbers of `text` in order, in figures or English words but “one”, which stands for much else."""
    for match in _NUMBER.finditer(text):
        if word := match["word"]:
            yield Quantity(Decimal(_WORDS[word.lower()]), "", "", *match.span())
        elif ten := match["ten"]:
            value = _TENS[ten.lower()] + _WORDS.get((match["one"] or "").lower(), 0)
            yield Quantity(Decimal(value), "", "", *match.span())
        else:
            figures = _THOUSANDS.sub("", match["value"]).replace(",", ".").replace("·", ".")
            if figures.count(".") <= 1:
                between = _BETWEEN.search(text, max(0, match.start("value") - _LONGEST_BETWEEN), match.start("value"))
                sign = "" if between or not match["sign"] else "+" if "+" in match["sign"] else "-"
                name = _NAME.search(text, max(0, match.start("value") - _LONGEST_NAME), match.start("value"))
                suffix = (match["suffix"] or "").strip(" -\\").lower()
                called = name[0] + match["value"] if name else ""
                scaled = (Decimal(figures) * _SCALES.get(suffix, 1)).normalize()
                unit = "points" if _POINTS.match(text, match.end("value")) else _unit(suffix)
                yield Quantity(scaled, sign, unit, *match.span("value"), called)


def are_among(text: str, evidence: str, besides: frozenset[int] = frozenset()) -> bool:
    """Return whether each number of `text` that is no part of a name is one of `evidence`, or without a unit of
    `besides`: the same value, with its sign if it has one, and with no other unit where both have one."""
    return not any(lacking(text, evidence, besides))


def lacking(text: str, evidence: str, besides: frozenset[int] = frozenset()) -> Iterator[Quantity]:
    """Return the numbers of `text` that are none of `evidence` or `besides`, compared as by `are_among`."""
    available = [*quantities(evidence), *(Quantity(Decimal(1), "", "") for _ in _ONE.finditer(evidence))]
    return (
        number
        for number in quantities(text)
        if not (
            number.name
            or (number.value in besides and not number.unit)
            or any(_is_told(number, quantity) for quantity in available)
        )
    )


def may_be_computed(text: str, evidence: str, besides: frozenset[int] = frozenset()) -> bool:
    """Return whether each number of `text` that `evidence` lacks comes from its numbers in one step: rounded, as a
    share (“four fifths”), in another unit, as a difference, sum or ratio of two. Much does by chance: this proves
    nothing."""
    values = list(dict.fromkeys(abs(number.value) for number in quantities(evidence)))[:_MOST]
    pairs = [(one, other) for one in values for other in values if one > other]
    single = {value for one in values for value in (one, 100 * one, one / 100, 100 - one, 100 * abs(1 - one))}
    single |= {value for one in values for factor in _FACTORS for value in (one * factor, one / factor)}
    results = single | {value for one, other in pairs for value in (one - other, one + other)}
    results |= {value for one, other in pairs if other for value in (one / other, 100 * (one / other - 1))}
    shares = [(match.span(), share) for match in _SHARE.finditer(text) if (share := _share(match))]
    return all(
        any(abs(value - number.value) < _precision(number.value) for value in results)
        or any(
            start <= number.start < end and any(abs(one - of) < Decimal("0.05") for one in (*values, *results))
            for (start, end), share in shares
            for of in (share, 100 * share)
        )
        for number in lacking(text, evidence, besides)
    )


_MOST = 60
"""Numbers that are combined: among more of them nearly any is found."""
_FACTORS = (7, 12, 24, 52, 60, 1_000, 10**6, 10**9)
"""Between units of time, and of what is measured by thousands or written with a letter, as 7B."""
_PARTS = "half third quarter fifth sixth seventh eighth ninth tenth".split()
_AMOUNT = rf"(?:\d+|{'|'.join(_TENS)}|{'|'.join(_WORDS)}|one)"
_SHARE = re.compile(
    rf"\b({_AMOUNT})\s(?:in|out\sof|of\severy)\s({_AMOUNT})\b|\b({_AMOUNT})[-\s]({'|'.join(_PARTS)})s?\b", re.IGNORECASE
)


def _share(match: re.Match[str]) -> Decimal | None:
    """What part “four in five” or “four fifths” are."""
    some, whole = _amount(match[1] or match[3]), 0
    whole = _PARTS.index(match[4].lower()) + 2 if match[4] else _amount(match[2])
    return Decimal(some) / whole if whole else None


def _amount(word: str) -> int:
    word = word.lower()
    return int(word) if word.isdecimal() else _TENS.get(word) or _WORDS.get(word, 1)


def _precision(value: Decimal) -> Decimal:
    """One in the last place of `value` that is no 0: 100 of 200, 0.1 of 8.4."""
    return Decimal((0, (1,), int(value.normalize().as_tuple().exponent)))


def has_signs_of(copied: str, text: str) -> bool:
    """Return whether the numbers of `copied` are numbers of `text` in the same order, with the same signs and no other
    units, and so are its relations, as “≤”."""
    there = quantities(text)
    numbers = all(
        any(number.value == of.value and number.sign == of.sign and number.unit in ("", of.unit) for of in there)
        for number in quantities(copied)
    )
    relations = iter(_RELATION.findall(_OR_EQUAL.sub(_with_equality, text)))
    return numbers and all(sign in relations for sign in _RELATION.findall(_OR_EQUAL.sub(_with_equality, copied)))


_RELATION = re.compile(r"[<>≤≥]")
_OR_EQUAL = re.compile(r"([<>])\s?(?:or\s)?=")


def _with_equality(match: re.Match[str]) -> str:
    return "≤" if match[1] == "<" else "≥"


def may_be_another_name(text: str, evidence: str) -> bool:
    """Return whether a name of `text` that holds a number stands in `evidence` with another number only."""
    values, shown = {number.value for number in quantities(evidence)}, letters_of(evidence)
    names = [letters_of(word) for word in _WHOLE_NAME.findall(evidence)]
    for number in quantities(text):
        name = letters_of(number.name)
        if name and number.value not in values and name not in shown:
            stem = name.rstrip("0123456789. ")
            if any(one.startswith(stem) and one[len(stem) :][:1].isdigit() for one in names):
                return True
    return False


def may_be_a_bound(text: str, evidence: str) -> bool:
    """Return whether `text`, which names no range, has a number that `evidence` has as the bound of a confidence
    interval only."""
    if _IN_RANGE.search(text):
        return False
    ends = {match.end(1) for match in _IN_INTERVAL.finditer(evidence)}
    ends |= {match.end(2) - 1 for match in _IN_INTERVAL.finditer(evidence)}
    there = list(quantities(evidence))
    bounds = {number.value for number in there if not ends.isdisjoint((number.start, number.end))}
    others = {number.value for number in there if ends.isdisjoint((number.start, number.end))}
    return any(number.value in bounds - others and not number.name for number in quantities(text))


def may_be_exchanged(text: str, evidence: str) -> bool:
    """Return whether a number of `text` stands among words that `evidence`, quotes in lines, has around another number
    of its unit: more than twice as many as around that one itself."""
    numbers, evidence_numbers = list(quantities(text)), list(quantities(evidence))
    counted = [
        (quantity, _around(evidence, evidence_numbers, position)) for position, quantity in enumerate(evidence_numbers)
    ]
    for position, number in enumerate(numbers):
        around = _around(text, numbers, position)
        own = max((_alike(around, words) for quantity, words in counted if _is_told(number, quantity)), default=None)
        others = (
            _alike(around, words)
            for quantity, words in counted
            if quantity.value != number.value and (quantity.unit == number.unit or not (quantity.unit and number.unit))
        )
        if own is not None and max(others, default=0) > 2 * own + 1:
            return True
    return False


class _Around(NamedTuple):
    """The nearest terms before and behind a number in its clause, up to the next number."""

    before: frozenset[str]
    behind: frozenset[str]


def _around(text: str, numbers: list[Quantity], position: int) -> _Around:
    start = numbers[position - 1].end if position else 0
    last = position
    while last + 1 < len(numbers) and _HANGING.fullmatch(text, numbers[last].end, numbers[last + 1].start):
        last += 1
    end = numbers[last + 1].start if last + 1 < len(numbers) else len(text)
    before = terms(_CLAUSE.split(text[start : numbers[position].start])[-1])
    behind = terms(_CLAUSE.split(text[numbers[last].end : end])[0])
    return _Around(frozenset(before[-_NEAR:]), frozenset(behind[:_NEAR]))


def _alike(around: _Around, other: _Around) -> int:
    return len(around.before & other.before) + len(around.behind & other.behind)


def _is_told(number: Quantity, by: Quantity) -> bool:
    return (
        number.value == by.value
        and (not number.sign or number.sign == by.sign)
        and (number.unit == by.unit or not (number.unit and by.unit))
    )


def _unit(word: str) -> str:
    return _UNITS.get(word) or _UNITS.get(word.removesuffix("s"), "")
