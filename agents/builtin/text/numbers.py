"""Parse the numbers of a text with their signs and units, to check whether another text has the same."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Context, Decimal
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from agents.builtin.text.terms import terms
from agents.builtin.text.units import Unit, unit_after, unit_of
from agents.builtin.text.words import letters_of
from connectors.query.stopwords import STOP_WORDS

_SMALL = "zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_WORDS = {word: number for number, word in enumerate(f"{_SMALL} eighteen nineteen".split()) if word != "-"}
_TENS = {word: 10 * number for number, word in
         enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}  # fmt: skip
NUMBER_WORDS = _WORDS | _TENS
"""Numbers in English words except “one”, which has many other uses."""
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ABBREVIATED = {"k": 1_000, "mn": 10**6, "bn": 10**9, "tn": 10**12}
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:one|{'|'.join(_WORDS)}))?|{'|'.join(_WORDS)})"
_SCALE = rf"\s(?:{'|'.join(_SCALES)})\b"
_PARTS = "half third quarter fifth sixth seventh eighth ninth tenth".split()
_PART = rf"(?:halves|(?:{'|'.join(_PARTS)})s?)"
_NUMBER = re.compile(
    r"(?:(?P<currency>[$€£¥₹])\s?)?(?:(?P<sign>(?<![\w)\]/])[-−–+]\s?)?"
    r"(?P<value>(?<![\w.:])(?:[01]?\d|2[0-4]):[0-5]\d(?![\d:])"
    r"|(?<![\w.])(?:\d{1,3}(?:[ \n\xa0\u2009\u202f]\d{3})+(?!\d)|\d+)(?:[.,·]\d+)*|(?<![\w.)\]”\"’'%])[.·]\d+)"
    r"(?P<power>(?:\s?(?:[×x*·⋅]|\\times)\s?10\s?|(?<=\b10))(?:\^\s?[({]?|\((?=[-−–]?\d+\))|(?=[⁻⁰¹²³⁴-⁹]))"
    r"(?P<raised>[-−–⁻]?[\d⁰¹²³⁴-⁹]{1,2})[)}]?"
    r"|(?-i:e)(?P<exponent>[-−+]?\d{1,2})(?!\w))?"
    rf"|\b(?P<words>(?:{_BELOW_100}|one(?={_SCALE}))(?:{_SCALE}(?:\s(?:and\s)?(?:{_BELOW_100}|one)\b)?)*)"
    rf"(?:\b(?![-\s]{_PART}\b)|(?=fold)))(?P<half>\sand\sa\shalf\b)?"
    rf"(?P<scale>[-\s](?:{'|'.join(_SCALES)})\b|k\b|\s?(?-i:[mbt]n)\b)?",  # “5 mN” and “2 MN” are forces
    re.IGNORECASE,
)
_AMOUNT = rf"(?:\d{{1,3}}(?:[,\s]\d{{3}})+|\d{{1,9}}|{_BELOW_100}|one)"
_SHARE = re.compile(
    rf"\b(all\sbut\s)?({_AMOUNT})(?:\s(?:in|out\sof|of)\s(?:every\s|each\s|the\s|all\s)?|/)({_AMOUNT})\b(?![.,]\d|/)"
    rf"|\b({_AMOUNT})[-\s]({_PART})\b(?!\sof\san?\s)|\b({'|'.join(_PARTS)})\sof\b(?!\san?\s)",
    re.IGNORECASE,
)
_AMONG = re.compile(r"(?<!out)\sof\s(?!every|each)", re.IGNORECASE)
"""Between two numbers of things, as in “two of the three trials”, unlike “two in three patients”."""
_NAME = re.compile(r"(?<![-–/*:\w])[^\W\d_][\w–/*:-]*[-–/*:]$")
_WHOLE_NAME = re.compile(r"[^\W\d_][^\W_]*(?:[-–/*:][^\W_]+)*")
_LONGEST_NAME = 30
_NEAR = 3
"""Terms on each side of a number that indicate what it counts."""
DASHES = "-‐‑–—−"
_BETWEEN = re.compile(rf"[\d%‰°]\s?[{DASHES}]{{1,3}}\s?$")
"""A dash after another number, which is not a sign."""
_LONGEST_BETWEEN = 6
_RANGE = (
    rf"(?<![\d.,·])([.·]?\d++(?>(?:[.,·]\d++)*))[\s%]*+(?:to|and|,|[{DASHES}]{{1,2}})\s?(?:[{DASHES}+]\s?)?([.·]?\d)"
)
_INTERVAL = r"\b(?:CI|CrI|intervals?)\b"
_IN_RANGE = re.compile(rf"{_RANGE}|{_INTERVAL}", re.IGNORECASE)
_IN_INTERVAL = re.compile(rf"{_INTERVAL}(?>(?:(?![.·]\d)[^{DASHES}+\w])*)(?:[{DASHES}+]\s?)?{_RANGE}", re.IGNORECASE)
_PRECISION = re.compile(
    rf"(?:±|\+\s?/?\s?[{DASHES}]|\b(?:P|SDs?|SEM?|s\.d\.|s\.e\.(?:m\.)?)(?:[-\s]values?)?\s?(?:[,:=<>≤≥]|of)?)\s?$",
    re.IGNORECASE,
)
_P_VALUE = re.compile(r"\bP(?:[-\s]values?)?\s?([<=>≤≥])\s?$", re.IGNORECASE)
_INTERVAL_LEVEL = re.compile(rf"\s?%?\s?(?:\w+\s)?\(?{_INTERVAL}", re.IGNORECASE)
_ONE = re.compile(r"\b(?:one|first|once)\b|\b(?:(twice)|doubl(?:ed|ing))\b", re.IGNORECASE)
_CLAUSE = re.compile(rf"[\n;)\]]|,\s(?:{'|'.join(sorted(STOP_WORDS))})\s", re.IGNORECASE)
_HANGING = re.compile(
    rf"-?(?:\s?[(\[][^\d()\[\]]{{1,20}}[)\]])?\s?(?:and|or|to|vs\.?|versus|against|±|\+/?[{DASHES}]|[{DASHES}])\s?-?",
    re.IGNORECASE,
)
"""Joints as in “3- and 6-month”, “3 to 6 months” or “3 to 6 million”: both numbers count months, or millions."""
_THING = re.compile(rf"\s(?!(?:points?|{'|'.join(sorted(STOP_WORDS))})\b)[^\W\d_]{{2}}", re.IGNORECASE)
_THINGS = "things"
"""The measure of a number before a noun or the like, such as “91 patients”: it is neither a share nor a size."""
_UNITLESS = ("", _THINGS)
_POINTS = re.compile(r"[ -]?(?:%|percent(?:age)?)[ -]points?\b", re.IGNORECASE)
"""A difference of two shares, which is not a share itself."""
_EXPONENT_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−–", "0123456789---")
_THOUSANDS = re.compile(r"\s|,(?=\d{3}(?!\d))")
_THOUSANDS_MARK = re.compile(r"(?<=\d)[,\s](?=\d)")
_HEDGE = re.compile(
    r"(?:\b(?:(?P<below>nearly|almost|up to|under|below|less than|fewer than|at most)|(?P<above>over|above|at least|"
    r"more than|greater than|exceed(?:s|ed|ing)?)|about|around|approximately|roughly|some|close to|circa|half)|[~≈])"
    r"\s?(?:an?\s|one\s)?$",
    re.IGNORECASE,
)
_LONGEST_HEDGE = 18
_OF_FRACTION = Decimal("0.06"), Decimal("0.03")
"""How far a number may be from “a third” and the like, and how far a computed one."""
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_MOST = 60
"""Numbers that are combined; from more, nearly any number can be computed."""
_LOOSE = 12
"""Numbers of a unit of which any three are added."""
_LETTERS = {"K": 1_000, "M": 10**6, "B": 10**9, "T": 10**12}
"""Units that may stand for a scale too."""
_COUNTED = 10
"""Maximum number of items that a quote may list without giving their number."""


class Quantity(NamedTuple):
    """A parsed number: 1,250 equals 1250, and .5 equals 0.50; `sign` and `unit` are "" if missing or unknown.

    `unit` is the measure of its unit, and `factor` the number of basic units in that; `per` are the measures of the
    units that it is divided by, each with its number of basic units.
    """

    value: Decimal
    sign: str = ""
    unit: str = ""
    factor: Decimal = Decimal(1)
    per: frozenset[tuple[str, Decimal]] = frozenset()
    start: int = 0
    end: int = 0
    name: str = ""
    """The name that it is part of, such as GPT-4 for 4; then it counts nothing."""
    written: str = ""
    """The number and its unit as written in the text."""


def quantities(text: str) -> list[Quantity]:
    """Return the numbers of `text` in order, in figures or in English words except “one”. A time of day is one number,
    of hours."""
    numbers: list[Quantity] = []
    scales: list[int] = []
    begin = 0
    for match in _NUMBER.finditer(text):
        if match.start() < begin:  # inside a unit, as 1.73 in “/1.73 m²”
            continue
        if words := match["words"]:
            number = Quantity(Decimal(_amount(words)), start=match.start(), end=match.end("words"))
        else:
            figures = _THOUSANDS.sub("", match["value"]).replace(",", ".").replace("·", ".")
            exponent = (match["raised"] or match["exponent"] or "0").translate(_EXPONENT_DIGITS)
            hours, _, minutes = figures.partition(":")
            if figures.count(".") > 1:
                continue
            start, end = match.span("value")
            between = _BETWEEN.search(text, max(0, start - _LONGEST_BETWEEN), start)
            sign = "" if between or not match["sign"] else "+" if "+" in match["sign"] else "-"
            name = _NAME.search(text, max(0, start - _LONGEST_NAME), start)
            value = (Decimal(hours) + Decimal(minutes or 0) / 60).scaleb(int(exponent))
            if match["power"]:
                end = match.end("power")
                value = value if "10" in match["power"] or match["exponent"] else value.scaleb(-1)  # 10⁴ has no factor
            number = Quantity(value, sign, start=start, end=end, name=name[0] + figures if name else "")
        if match["half"]:
            number = number._replace(value=number.value + Decimal("0.5"), end=match.end("half"))
        scale = (_SCALES | _ABBREVIATED).get((match["scale"] or "").strip(" -\n").lower(), 1)
        unit, begin = unit_after(text, match.end())
        if _POINTS.match(text, number.end):
            unit = Unit("points")
        elif begin == match.end():
            unit = (
                unit_of("h") if ":" in (match["value"] or "")
                else unit_of(match["currency"]) if match["currency"]
                else Unit(_THINGS) if _is_count(number.value * scale) and _THING.match(text, begin)
                else Unit()
            )  # fmt: skip
        scales.append(scale)
        numbers.append(
            number._replace(
                value=(number.value * scale).normalize(), unit=unit.measure, factor=unit.factor, per=unit.per,
                written=text[match.start() : begin].strip(),
            )
        )  # fmt: skip
    for index, (number, other) in reversed(list(enumerate(pairwise(numbers)))):
        if (
            number.unit in _UNITLESS
            and not (number.name or other.name)
            and _HANGING.fullmatch(text, number.end, other.start)
        ):
            following = numbers[index + 1]
            shared = scales[index + 1] if scales[index] == 1 and number.value * scales[index + 1] < other.value else 1
            numbers[index] = number._replace(
                value=(number.value * shared).normalize(), unit=following.unit, factor=following.factor,
                per=following.per,
            )  # fmt: skip
    return numbers


def _is_count(value: Decimal) -> bool:
    return value == value.to_integral_value()


def _amount(words: str) -> int:
    """Return the integer that figures or English words stand for."""
    total = group = 0
    for word in re.split(r"[-\s]+", _THOUSANDS_MARK.sub("", words.lower())):
        if scale := _SCALES.get(word):
            group *= scale
        else:
            group += int(word) if word.isdecimal() else NUMBER_WORDS.get(word, word == "one")
        if scale and scale > 100:
            total, group = total + group, 0
    return total + group


class Share(NamedTuple):
    """A part of a whole, such as “two in five”: as a percentage, and the whole if it is given as a number."""

    percent: Quantity
    whole: int


def shares(text: str) -> list[Share]:
    """Return the parts of a whole that are given in words: “two in five”, “one third”, “all but one of 12”."""
    parts_of_wholes = []
    for match in _SHARE.finditer(text):
        but, number, total, other, part, alone = match.groups()
        some, whole = _amount(number or other or "one"), _amount(total) if total else 0
        fraction = (part or alone or "").casefold()
        parts = 2 if fraction == "halves" else 2 + _PARTS.index(fraction.removesuffix("s")) if fraction else 0
        of = whole or parts
        if 0 < some <= of:
            percent = Context(prec=3).divide(Decimal(100 * (of - some if but else some)), Decimal(of))
            parts_of_wholes.append(
                Share(Quantity(percent, "", "%", start=match.start(), end=match.end(), written=match[0]), whole)
            )
    return parts_of_wholes


def lacking(
    text: str, evidence: str, besides: frozenset[int] = frozenset(), *, computing: bool = False, loosely: bool = False
) -> list[Quantity]:
    """Return the numbers of `text` that count something and are neither in `evidence` nor, without a unit, in
    `besides`.

    `evidence` has a number if it has its value, with its sign if any, and in a unit of the same measure if both have
    units; or as a share (“four fifths” are 80 %), with more decimals, or near it after “nearly” or “more than”. With
    `computing`, also what follows from its numbers in one step, the figures in its names, and small counts of things
    that it does not count itself, for it may list them. `loosely` also computes the sum and the mean of any three, and
    results in a unit that the evidence does not give.
    """
    numbers, there_shares = quantities(evidence), shares(evidence)
    numbers += [share.percent for share in there_shares]
    there = {reading._replace(start=0, end=0, name="", written="")
             for number in numbers for reading in _readings(number)}  # fmt: skip
    there |= {Quantity(Decimal(2 if match[0].lower()[0] in "td" else 1)) for match in _ONE.finditer(evidence)}
    counted = [number for number in numbers if not number.name][:_MOST] if computing or loosely else []
    ends = _ends_of_intervals(evidence)
    findings = [number for number in counted
                if ends.isdisjoint((number.start, number.end)) and not _is_precision(evidence, number)]  # fmt: skip
    results = _results(counted, findings, most=_LOOSE if loosely else 0)
    items = {_item(evidence, number) for number in numbers}

    p_values = [number.value for number in numbers if _p_relation(evidence, number)]

    def is_there(number: Quantity, wide: Decimal = Decimal(0), narrow: Decimal = Decimal(0)) -> bool:
        relation = _p_relation(text, number)
        is_bound = any(
            value < number.value if relation in "<≤" else value > number.value and relation in ">≥"
            for value in p_values
        )
        return (bool(relation) and is_bound) or any(
            _is_near(reading, other, *_margin(text, number.start, margin), computed=computed, loosely=loosely)
            for reading in _readings(number)
            for computed, others, margin in ((False, there, wide), (True, results, narrow))
            for other in others
        )

    def may_be_listed(number: Quantity) -> bool:
        return (
            number.unit in _UNITLESS
            and not number.sign
            and (
                (number.value in range(_COUNTED + 1) and _item(text, number) not in items)
                or re.search(rf"[^\W\d_]{re.escape(f'{number.value:f}')}(?!\d)", evidence) is not None
            )
        )

    text_shares = shares(text)
    in_rates = {at for share in text_shares if not _AMONG.search(share.percent.written)
                for at in range(share.percent.start, share.percent.end)}  # fmt: skip
    lacks = {
        number.start: number
        for number in quantities(text)
        if not number.name
        and not (number.value in besides and number.unit in _UNITLESS)
        and not is_there(number)
        and not (computing and number.start not in in_rates and may_be_listed(number))
    }
    for share in text_shares:
        start, end = share.percent.start, share.percent.end
        is_present = is_there(share.percent, *(() if share.whole else _OF_FRACTION))
        inside = [at for at in range(start, end) if lacks.pop(at, None)]
        if not is_present and (inside or not share.whole or any(share.whole == other.whole for other in there_shares)):
            lacks[start] = share.percent
    return [lacks[at] for at in sorted(lacks)]


def _readings(number: Quantity) -> Iterator[Quantity]:
    """Yield the number as read; with a letter that may be a unit or a scale, such as 7B, also as a scale; and as a
    count of persons if it counts person-years."""
    yield number
    if re.search(r"\d\s[^\W\d_]+-[^\W\d_]+$", number.written):
        yield number._replace(unit="", factor=Decimal(1))
    if re.search(r"\d[KMBT]$", number.written):
        yield number._replace(value=number.value * _LETTERS[number.written[-1]], unit="", factor=Decimal(1))


def _item(text: str, number: Quantity) -> str:
    """Return the term after a number, "" if there is none in its clause."""
    return next(iter(terms(_CLAUSE.split(text[number.end : number.end + _LONGEST_NAME])[0])), "")


def _margin(text: str, start: int, margin: Decimal) -> tuple[Decimal, Decimal]:
    """Return the least and greatest factor by which the true value may differ from a number: those of the words before
    it, else `margin`."""
    hedge = _HEDGE.search(text, max(0, start - _LONGEST_HEDGE), start)
    if hedge:
        return Decimal("0.8" if hedge["below"] else 1 if hedge["above"] else "0.9"), Decimal(
            1 if hedge["below"] else "1.25" if hedge["above"] else "1.1"
        )
    return 1 - margin, 1 + margin


def _is_near(
    number: Quantity, other: Quantity, least: Decimal, most: Decimal, *, computed: bool, loosely: bool
) -> bool:
    """Whether `number` is `other` rounded, or `other` is within these factors of it; a `computed` one has the unit of
    `number`, if any and not `loosely`, and may be rounded to one digit."""
    has_unit = bool(other.unit) or number.unit in _UNITLESS or loosely
    if not _is_alike(number, other) or (computed and not has_unit):
        return False
    size, exact, digits = _size(number, other), _size(other, number), number.value.as_tuple()
    is_whole = _is_count(exact * number.value / size) if size else _is_count(other.value)
    last = int(digits.exponent) if len(digits.digits) > 1 else min(int(digits.exponent), 0)
    may_be_rounded = computed or (len(digits.digits) > 1 and (not is_whole or _is_round(number)))
    rounding = Decimal((0, (5,), last - 1)) / (number.value or 1) if may_be_rounded else Decimal(0)
    return size * least <= exact <= size * most or abs(size - exact) <= size * rounding


def _is_round(number: Quantity) -> bool:
    """Whether a number ends with two zeros or more, as “19.6 thousand” does, and is no year."""
    may_be_year = not number.unit and _FIRST_YEAR <= number.value <= _LAST_YEAR
    return int(number.value.as_tuple().exponent) > 1 and not may_be_year


def _p_relation(text: str, number: Quantity) -> str:
    """Return the sign between “P” and its value, "" if a number is no P value."""
    match = _P_VALUE.search(text, max(0, number.start - _LONGEST_HEDGE), number.start)
    return match[1] if match else ""


def _is_precision(text: str, number: Quantity) -> bool:
    """Whether a number of `text` is a deviation, a P value or the level of an interval."""
    before = text[max(0, number.start - _LONGEST_HEDGE) : number.start]
    return bool(_PRECISION.search(before) or _INTERVAL_LEVEL.match(text, number.end))


def _results(numbers: Iterable[Quantity], findings: Iterable[Quantity], most: int) -> set[Quantity]:
    """Return what follows in one step from `numbers`: the rest of a whole, a share as a factor, the rate of a time, and
    the reverse. And from two `findings`: the sum, difference, mean, ratio and share of two of one unit, the sum and
    mean of all of one unit (and of any three, of at most `most`), a share of a size, the years between two, and a
    quantity per unit of another."""
    some, pairs = (
        {
            number._replace(sign="", start=0, end=0, written="", unit=number.unit if number.unit != _THINGS else "")
            for number in group
            if number.value
        }
        for group in (numbers, findings)
    )
    results = {Quantity(100 - number.value, unit="%") for number in some if number.unit == "%"}
    results |= {Quantity(1 / (number.value * number.factor), "", "times", per=frozenset({("s", Decimal(1))}))
                for number in some if number.unit == "s" and not number.per}  # fmt: skip
    results |= {Quantity(factor / (number.value * number.factor), unit=measure)
                for number in some if number.unit in ("", "times") and len(number.per) == 1
                for measure, factor in number.per}  # fmt: skip
    results |= {Quantity(value, unit="%")
                for number in some if number.unit in ("", "times") and not number.per
                for value in (100 * number.value, abs(100 * number.value - 100))}  # fmt: skip
    results |= {Quantity(number.value / 100, unit=unit)
                for number in some if number.unit == "%" for unit in ("", "times")}  # fmt: skip
    for more, less in permutations(pairs, 2):
        ratio = _size(more, less) / _size(less, more)
        if more.unit == "%" != less.unit:
            results.add(less._replace(value=less.value * more.value / 100))
        if more.unit and less.unit not in ("", "%", more.unit) and not less.per:
            results.add(more._replace(value=more.value / less.value, per=more.per | {(less.unit, less.factor)}))
        if (more.unit, _measures(more)) == (less.unit, _measures(less)) and ratio > 1:
            results |= {
                less._replace(value=less.value * factor, unit=unit)
                for factor in (ratio - 1, ratio + 1, (ratio + 1) / 2)
                for unit in {less.unit, "points" if less.unit == "%" else less.unit}
            }
            results |= {Quantity(factor, unit="times") for factor in (ratio, 1 / ratio)}
            results |= {Quantity(ratio)} if not more.unit and ratio == ratio.to_integral_value() else set()
            results |= {Quantity(value, unit="%") for value in (100 * ratio - 100, 100 / ratio, 100 - 100 / ratio)}
            results |= {Quantity(100 * part / (ratio + 1), unit="%") for part in (1, ratio) if most}
            if not more.unit and less.value >= _FIRST_YEAR and more.value <= _LAST_YEAR:
                results.add(Quantity(more.value - less.value, "", *unit_of("year")))
    return {result for result in results | set(_totals(pairs, most)) if result.value > 0}


def _totals(numbers: Iterable[Quantity], most: int) -> Iterator[Quantity]:
    by_unit = defaultdict[tuple[str, frozenset[str]], list[Quantity]](list)
    for number in numbers:
        by_unit[number.unit, _measures(number)].append(number)
    for group in by_unit.values():
        for some in (group, *combinations(group[:most], 3), *combinations(group[:most], 2)):
            total = sum(_size(number, some[0]) for number in some) * some[0].value / _size(some[0], some[0])
            rest = [100 - total] if most and some[0].unit == "%" else []
            yield from (some[0]._replace(value=value) for value in (total, total / len(some), *rest))


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
    ends, there = _ends_of_intervals(evidence), list(quantities(evidence))
    bounds = {number.value for number in there if not ends.isdisjoint((number.start, number.end))}
    others = {number.value for number in there if ends.isdisjoint((number.start, number.end))}
    return any(number.value in bounds - others and not number.name for number in quantities(text))


def _ends_of_intervals(text: str) -> set[int]:
    """Return where the lower bounds of confidence intervals end and where the upper ones start."""
    return {position for match in _IN_INTERVAL.finditer(text) for position in (match.end(1), match.start(2))}


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
    return _is_alike(number, by) and _size(number, by) == _size(by, number)


def _is_alike(number: Quantity, other: Quantity) -> bool:
    """Whether two numbers may count the same thing, by sign and measures."""
    units, pers = {number.unit, other.unit} - {""}, (_measures(number), _measures(other))
    is_same = pers[0] <= pers[1] or pers[1] <= pers[0]
    return number.sign in ("", other.sign or "+") and len(units) <= 1 and is_same


def _measures(number: Quantity) -> frozenset[str]:
    return frozenset(measure for measure, _ in number.per)


def _size(number: Quantity, other: Quantity) -> Decimal:
    """Return the value of `number`, in basic units where `other` has a unit of the same kind."""
    size = number.value * number.factor if number.unit and other.unit else number.value
    for measure, factor in number.per if (number.unit in _UNITLESS) is (other.unit in _UNITLESS) else ():
        size = size / factor if measure in _measures(other) else size
    return size
