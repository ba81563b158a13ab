"""Parse the numbers of a text with their signs and units, to check whether another text has the same."""

import re
from decimal import Context, Decimal
from itertools import pairwise
from typing import NamedTuple

from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of
from connectors.query.stopwords import STOP_WORDS

_SMALL = "zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_WORDS = {word: number for number, word in enumerate(f"{_SMALL} eighteen nineteen".split()) if word != "-"}
_TENS = {word: 10 * number for number, word in
         enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}  # fmt: skip
NUMBER_WORDS = _WORDS | _TENS
"""Numbers in English words except “one”, which has many other uses."""
_SCALES = {"hundred": 100, "k": 1_000, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PREFIXES = {"": 0, "k kilo": 3, "M mega": 6, "G giga": 9, "T tera": 12, "d deci": -1, "c centi": -2, "m milli": -3,
             "µ μ u mu mc micro": -6, "n nano": -9, "p pico": -12}  # fmt: skip
_MEASURES = (
    "g gram", "m meter metre", "l L liter litre", "mol mole", "M molar", "Hz hz hertz", "s sec second", "B b byte",
    "Pa pascal", "J joule", "cal calorie", "eV", "Da dalton",
)  # fmt: skip
_WITHOUT_PREFIX = {
    "% percent percentage": ("%", "1"), "‰": ("%", "0.1"), "°c ° degree": ("°c", "1"), "°f": ("°f", "1"),
    "times time fold x": ("times", "1"), "min minute": ("s", "60"), "h hr hour": ("s", "3600"),
    "d day": ("s", "86400"), "wk week": ("s", "604800"), "month mo": ("s", "2629800"), "year yr y": ("s", "31557600"),
}  # fmt: skip
_UNITS = {
    f"{prefix}{spelling}": (spellings.split()[0], Decimal(10) ** power)
    for spellings in _MEASURES
    for spelling in spellings.split()
    for prefixes, power in _PREFIXES.items()
    for prefix in prefixes.split() or [""]
}
_UNITS |= {
    unit: (measure, Decimal(factor)) for some, (measure, factor) in _WITHOUT_PREFIX.items() for unit in some.split()
}
"""The measure of each unit, and its factor to the basic unit."""
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:one|{'|'.join(_WORDS)}))?|{'|'.join(_WORDS)})"
_SCALE = rf"\s(?:{'|'.join(_SCALES)})\b"
_PARTS = "half third quarter fifth sixth seventh eighth ninth tenth".split()
_PART = rf"(?:halves|(?:{'|'.join(_PARTS)})s?)"
_NUMBER = re.compile(
    r"(?:(?P<sign>(?<![\w)\]/])[-−–+]\s?)?"
    r"(?P<value>(?<![\w.])(?:\d{1,3}(?:[ \n\xa0\u2009\u202f]\d{3})+(?!\d)|\d+)(?:[.,·]\d+)*)"
    rf"|\b(?P<words>(?:{_BELOW_100}|one(?={_SCALE}))(?:{_SCALE}(?:\s(?:and\s)?(?:{_BELOW_100}|one)\b)?)*)"
    rf"(?:\b(?![-\s]{_PART}\b)|(?=fold)))"
    r"(?=(?P<suffix>[ \\]?[%‰°][cf]?|[- ]?[a-zµμ]+[²³\d]?)?)",
    re.IGNORECASE,
)
_AMOUNT = rf"(?:\d{{1,9}}|{_BELOW_100}|one)"
_SHARE = re.compile(
    rf"\b(all\sbut\s)?({_AMOUNT})(?:\s(?:in|out\sof|of)\s(?:every\s|each\s|the\s|all\s)?|/)({_AMOUNT})\b(?![.,]\d|/)"
    rf"|\b({_AMOUNT})[-\s]({_PART})\b(?!\sof\san?\s)|\b({'|'.join(_PARTS)})\sof\b(?!\san?\s)",
    re.IGNORECASE,
)
_PER = re.compile(r"(?:\s?/\s?|\s(?:per|an?|each|every)\s)([a-zµμ]+)", re.IGNORECASE)
_NAME = re.compile(r"(?<![-–/*:\w])[^\W\d_][\w–/*:-]*[-–/*:]$")
_WHOLE_NAME = re.compile(r"[^\W\d_][^\W_]*(?:[-–/*:][^\W_]+)*")
_LONGEST_NAME = 30
_NEAR = 3
"""Terms on each side of a number that indicate what it counts."""
DASHES = "-‐‑–—−"
_BETWEEN = re.compile(rf"[\d%‰°]\s?[{DASHES}]{{1,3}}\s?$")
"""A dash after another number, which is not a sign."""
_LONGEST_BETWEEN = 6
_RANGE = rf"(?<![\d.,·])(\d++(?:[.,·]\d++)*+)[\s%]*+(?:to|and|,|[{DASHES}]{{1,2}})\s?(?:[{DASHES}+]\s?)?(\d)"
_INTERVAL = r"\b(?:CI|CrI|intervals?)\b"
_IN_RANGE = re.compile(rf"{_RANGE}|{_INTERVAL}", re.IGNORECASE)
_IN_INTERVAL = re.compile(rf"{_INTERVAL}[^{DASHES}+\w]*+(?:[{DASHES}+]\s?)?{_RANGE}", re.IGNORECASE)
_ONE = re.compile(r"\b(?:one|first|once)\b|\b(?:(twice)|doubl(?:ed|ing))\b", re.IGNORECASE)
_CLAUSE = re.compile(rf"[\n;]|,\s(?:{'|'.join(sorted(STOP_WORDS))})\s", re.IGNORECASE)
_HANGING = re.compile(rf"-?\s?(?:and|or|to|±|[{DASHES}])\s?-?", re.IGNORECASE)
"""Joints as in “3- and 6-month” or “3 to 6 months”: both numbers count months."""
_POINTS = re.compile(r"[ -]?(?:%|percent(?:age)?)[ -]points?\b", re.IGNORECASE)
"""A difference of two shares, which is not a share itself."""
_THOUSANDS = re.compile(r"\s|,(?=\d{3}(?!\d))")
_HEDGE = re.compile(
    r"(?:\b(?:(?P<below>nearly|almost|up to|under|below|less than|fewer than|at most)|(?P<above>over|above|at least|"
    r"more than|greater than|exceed(?:s|ed|ing)?)|about|around|approximately|roughly|some|close to|circa|half)|[~≈])"
    r"\s?(?:an?\s|one\s)?$",
    re.IGNORECASE,
)
_LONGEST_HEDGE = 18
_MOST = 60
"""Numbers that are combined; from more, nearly any number can be computed."""
_LARGE = (1_000, 10**6, 10**9)
"""Factors of numbers in thousands or more, or with a letter, such as 7B."""
_COUNTED = 10
"""Maximum number of items that a quote may list without giving their number."""


class Quantity(NamedTuple):
    """A parsed number: 1,250 equals 1250, and .5 equals 0.50; `sign` and `unit` are "" if missing or unknown.

    `unit` is the measure of its unit, and `factor` the number of basic units in that; `per` and `per_factor` are the
    same for the unit after a “per”.
    """

    value: Decimal
    sign: str = ""
    unit: str = ""
    factor: Decimal = Decimal(1)
    start: int = 0
    end: int = 0
    name: str = ""
    """The name that it is part of, such as GPT-4 for 4; then it counts nothing."""
    per: str = ""
    per_factor: Decimal = Decimal(1)
    written: str = ""
    """The number and its unit as written in the text."""


def quantities(text: str) -> list[Quantity]:
    """Return the numbers of `text` in order, in figures or in English words except “one”."""
    numbers: list[Quantity] = []
    for match in _NUMBER.finditer(text):
        if words := match["words"]:
            number = Quantity(Decimal(_amount(words)), start=match.start(), end=match.end())
        else:
            figures = _THOUSANDS.sub("", match["value"]).replace(",", ".").replace("·", ".")
            if figures.count(".") > 1:
                continue
            start, end = match.span("value")
            between = _BETWEEN.search(text, max(0, start - _LONGEST_BETWEEN), start)
            sign = "" if between or not match["sign"] else "+" if "+" in match["sign"] else "-"
            name = _NAME.search(text, max(0, start - _LONGEST_NAME), start)
            number = Quantity(Decimal(figures), sign, "", Decimal(1), start, end, name[0] + figures if name else "")
        suffix = (match["suffix"] or "").strip(" -\\")
        unit, factor = ("points", Decimal(1)) if _POINTS.match(text, number.end) else _unit(suffix)
        per = _PER.match(text, match.end("suffix")) if unit else None
        measure, per_factor = _unit(per[1]) if per else ("", Decimal(1))
        value = (number.value * _SCALES.get(suffix.lower(), 1)).normalize()
        written = text[match.start() : match.end("suffix") if unit else number.end].strip()
        numbers.append(
            number._replace(value=value, unit=unit, factor=factor, per=measure, per_factor=per_factor, written=written)
        )
    for index, (number, other) in reversed(list(enumerate(pairwise(numbers)))):
        if not (number.unit or number.name or other.name) and _HANGING.fullmatch(text, number.end, other.start):
            numbers[index] = number._replace(
                **{part: getattr(numbers[index + 1], part) for part in ("unit", "factor", "per", "per_factor")}
            )
    return numbers


def _unit(word: str) -> tuple[str, Decimal]:
    """Return the measure of a unit and its factor; for lengths also of areas and volumes, such as “cm2”."""
    power = {"2": 2, "²": 2, "3": 3, "³": 3}.get(word[-1:], 1)
    stem = word.rstrip("23²³")
    some = (stem, stem.removesuffix("s"), stem.lower(), stem.lower().removesuffix("s"))
    measure, factor = next((_UNITS[spelling] for spelling in some if spelling in _UNITS), ("", Decimal(1)))
    if power == 1 or measure != "m":
        return (measure, factor) if power == 1 else ("", Decimal(1))
    return f"{measure}{power}", factor**power


def _amount(words: str) -> int:
    """Return the integer that figures or English words stand for."""
    total = group = 0
    for word in re.split(r"[-\s]+", words.lower()):
        if scale := _SCALES.get(word):
            group *= scale
        else:
            group += int(word) if word.isdecimal() else NUMBER_WORDS.get(word, word == "one")
        if scale and scale > 100:
            total, group = total + group, 0
    return total + group


class _Share(NamedTuple):
    """A part of a whole, such as “two in five”: as a percentage, and the whole if it is given as a number."""

    percent: Quantity
    whole: int


def _shares(text: str) -> list[_Share]:
    shares = []
    for match in _SHARE.finditer(text):
        but, number, total, other, part, alone = match.groups()
        some, whole = _amount(number or other or "one"), _amount(total) if total else 0
        fraction = (part or alone or "").casefold()
        parts = 2 if fraction == "halves" else 2 + _PARTS.index(fraction.removesuffix("s")) if fraction else 0
        of = whole or parts
        if 0 < some <= of:
            percent = Context(prec=3).divide(Decimal(100 * (of - some if but else some)), Decimal(of))
            shares.append(
                _Share(Quantity(percent, "", "%", start=match.start(), end=match.end(), written=match[0]), whole)
            )
    return shares


def lacking(text: str, evidence: str, besides: frozenset[int] = frozenset()) -> list[Quantity]:
    """Return the numbers of `text` that count something and are neither in `evidence` nor, without a unit, in
    `besides`.

    `evidence` has a number if it has its value, with its sign if any, and in a unit of the same measure if both have
    units; or as a share (“four fifths” are 80 %), with more decimals, or near it after “nearly” or “more than”.
    """
    there_shares = _shares(evidence)
    there = {one._replace(start=0, end=0, written="")
             for one in (*quantities(evidence), *(share.percent for share in there_shares))}  # fmt: skip
    there |= {Quantity(Decimal(2 if match[0].lower()[0] in "td" else 1)) for match in _ONE.finditer(evidence)}
    lacks = {
        number.start: number
        for number in quantities(text)
        if not number.name
        and not (number.value in besides and not number.unit)
        and not any(_is_near(number, other, *_margin(text, number.start)) for other in there)
    }
    for share in _shares(text):
        start, end = share.percent.start, share.percent.end
        is_present = any(_is_near(share.percent, other, *_margin(text, start, share.whole)) for other in there)
        inside = [at for at in range(start, end) if lacks.pop(at, None)]
        if not is_present and (inside or not share.whole or any(share.whole == other.whole for other in there_shares)):
            lacks[start] = share.percent
    return [lacks[at] for at in sorted(lacks)]


def are_among(text: str, evidence: str, besides: frozenset[int] = frozenset()) -> bool:
    """Whether no number of `text` is `lacking`."""
    return not lacking(text, evidence, besides)


def _margin(text: str, start: int, whole: int = 1) -> tuple[Decimal, Decimal]:
    """Return the least and greatest factor by which the true value may differ from a number."""
    hedge = _HEDGE.search(text, max(0, start - _LONGEST_HEDGE), start)
    if hedge:
        return Decimal("0.8" if hedge["below"] else 1 if hedge["above"] else "0.9"), Decimal(
            1 if hedge["below"] else "1.25" if hedge["above"] else "1.1"
        )
    return (Decimal(1), Decimal(1)) if whole else (Decimal("0.97"), Decimal("1.03"))


def _is_near(number: Quantity, other: Quantity, least: Decimal, most: Decimal) -> bool:
    """Whether `number` is `other` rounded, or `other` is within these factors of it."""
    if not _is_alike(number, other):
        return False
    size, exact, digits = _size(number, other), _size(other, number), number.value.as_tuple()
    rounding = Decimal((0, (5,), int(digits.exponent) - 1)) / number.value if len(digits.digits) > 1 else Decimal(0)
    return size * least <= exact <= size * most or (
        abs(size - exact) <= size * rounding and other.value != other.value.to_integral_value()
    )


def may_be_computed(number: Quantity, evidence: str) -> bool:
    """Whether `number`, which `evidence` lacks, may come from its numbers in one step: as a difference, sum, ratio or
    share of two, the rest of a whole, or a small count of listed items. Much does by chance, so this proves nothing."""
    if not number.unit and number.value <= _COUNTED:
        return True
    if re.search(rf"(?<!\d){re.escape(f'{number.value:f}')}(?!\d)", evidence):  # part of a name
        return True
    there = quantities(evidence)[:_MOST]
    exact = Decimal((0, (1,), int(number.value.normalize().as_tuple().exponent)))
    if re.search(r"\s(?:in|of)\b", number.written):  # shares are given roughly
        exact = max(exact, Decimal("0.5"))
    written = _results({abs(one.value) for one in there})
    sizes = _results({abs(one.value * one.factor) for one in there if one.unit})
    return any(abs(one - number.value) < exact for one in written) or any(
        abs(one - number.value * number.factor) < exact * number.factor for one in sizes
    )


def _results(values: set[Decimal]) -> set[Decimal]:
    pairs = [(size, other) for size in values for other in values if size > other]
    results = {result for size in values for result in (size, 100 * size, size / 100, 100 - size, 100 * abs(1 - size))}
    results |= {result for size in values for factor in _LARGE for result in (size * factor, size / factor)}
    results |= {
        result
        for size, other in pairs
        for result in (size - other, size + other, other / size, 100 * other / size, 100 - 100 * other / size)
    }
    return results | {result for size, other in pairs if other for result in (size / other, 100 * (size / other - 1))}


def has_signs_of(copied: str, text: str) -> bool:
    """Whether the numbers of `copied` are in `text` in the same order, with the same signs and without other units, and
    its relations such as “≤” too."""
    there = iter(quantities(text))
    numbers = all(
        any(
            number.written.lower() == of.written.lower()
            or (_is_told(number, of) and number.sign == of.sign and number.unit in ("", of.unit))
            for of in there
        )
        for number in quantities(copied)
    )
    relations = iter(_RELATION.findall(_OR_EQUAL.sub(_with_equality, text)))
    return numbers and all(sign in relations for sign in _RELATION.findall(_OR_EQUAL.sub(_with_equality, copied)))


_RELATION = re.compile(r"[<>≤≥]")
_OR_EQUAL = re.compile(r"([<>])\s?(?:or\s)?=")


def _with_equality(match: re.Match[str]) -> str:
    return "≤" if match[1] == "<" else "≥"


def may_be_another_name(text: str, evidence: str) -> bool:
    """Whether a name with a number in `text` is in `evidence` only with another number."""
    values, shown = {number.value for number in quantities(evidence)}, letters_of(evidence)
    names = [letters_of(word) for word in _WHOLE_NAME.findall(evidence)]
    for number in quantities(text):
        name = letters_of(number.name)
        if name and number.value not in values and name not in shown:
            stem = name.rstrip("0123456789. ")
            if any(other.startswith(stem) and other[len(stem) :][:1].isdigit() for other in names):
                return True
    return False


def may_be_a_bound(text: str, evidence: str) -> bool:
    """Whether `text`, which has no range, has a number that is only a bound of a confidence interval in `evidence`."""
    if _IN_RANGE.search(text):
        return False
    ends = {match.end(1) for match in _IN_INTERVAL.finditer(evidence)}
    ends |= {match.end(2) - 1 for match in _IN_INTERVAL.finditer(evidence)}
    there = list(quantities(evidence))
    bounds = {number.value for number in there if not ends.isdisjoint((number.start, number.end))}
    others = {number.value for number in there if ends.isdisjoint((number.start, number.end))}
    return any(number.value in bounds - others and not number.name for number in quantities(text))


def may_be_exchanged(text: str, evidence: str) -> bool:
    """Whether the words around a number of `text` are around another number of its unit in `evidence` (quotes, one per
    line): more than twice as many as around the same number."""
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
            if _is_alike(number, quantity) and not _is_told(number, quantity)
        )
        if own is not None and max(others, default=0) > 2 * own + 1:
            return True
    return False


class _Around(NamedTuple):
    """The nearest terms before and after a number, within its clause and up to the next number."""

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
        _is_alike(number, by) and (not number.sign or number.sign == by.sign) and _size(number, by) == _size(by, number)
    )


def _is_alike(number: Quantity, other: Quantity) -> bool:
    """Whether two numbers may count the same thing, by sign and measure."""
    measures, pers = {number.unit, other.unit} - {""}, {number.per, other.per} - {""}
    return (not number.sign or number.sign == other.sign) and len(measures) <= 1 and len(pers) <= 1


def _size(number: Quantity, other: Quantity) -> Decimal:
    """Return the value of `number`, in basic units if `other` has a unit too."""
    size = number.value * number.factor if number.unit and other.unit else number.value
    return size * other.per_factor if number.per and other.per else size
