"""Read the quantities of a text, however they are written: value, sign, unit, precision, and what kind of number it is.

The text is brought to one form first (`plain`): TeX, tags, and the digits and signs of Unicode. Then numbers are read
by a small grammar:

    number = [hedge] [currency] [sign] (figures | words) [fraction] [power of ten | scale] [unit] | clock | multiple
    pair   = number ("to" | "and" | "±" | …) number; the first has the scale and unit of the second
    share  = amount ("of" | "in" | "per" | "/") amount | fraction
"""

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from agents.builtin.text.units import MONEY_CODES, Unit, unit_after, unit_of
from connectors.query.stopwords import STOP_WORDS

DASHES = "-‐‑–—−"
_MACROS = dict(zip("times cdot pm le leq leqslant ge geq geqslant lt gt sim simeq approx circ mu".split(),
                   "××±≤≤≤≥≥≥<>~~~°μ", strict=True))  # fmt: skip
_TEX = (
    (r"\$\$?(?=[^$]{0,200}[\\^_{]|\s?[^$\s]{1,200}\s?\$(?!\d))([^$]{1,200})\$\$?", r"\1"),  # other dollars are money
    (r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2"),
    (r"\\[,;: ]|(?<=\d)~(?=\w)", " "),
    (r"\\([%$&#])", r"\1"),
    (r"\{,\}", ","),
)
_FORMS = (
    (r"([⁰¹²³⁴-⁹⁺⁻]{1,9})", r"^\1"),
    (r"<sup>(?=[-+−\d])", "^"),
    (rf"(?<=[^\W\d_])\(([{DASHES}][1-3])\)", r"^\1"),  # cm(-2), as PubMed writes superscripts
    (r"</?su[bp]>", ""),
    (r"(?<=\d)(?=[¼-¾⅐-⅞])", " "),
    (rf"[{DASHES}]", "-"),
    (r"\^°", "°"),
    (r"\+\s?/?\s?-(?=\s?[\d.])", "±"),
    (r"<\s?(?:or\s)?=", "≤"),
    (r">\s?(?:or\s)?=", "≥"),
    (r"[∼≈]", "~"),
    (r"\bmicro[\s-]?(?=(?:M|mol|g|gm|l|L|m)\b)", "μ"),
    (r"[·*∙⋅](?=\s?10\s?[\^(])", "×"),
)
_MACRO = re.compile(r"\\([A-Za-z]+)\s?|[{}]")


_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_WORDS = {word: number for number, word in enumerate(f"{_SMALL} seventeen eighteen nineteen".split())}
_TENS = {word: 10 * number for number, word in
         enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}  # fmt: skip
NUMBER_WORDS = {word: number for word, number in (_WORDS | _TENS).items() if word != "one"}
"""Numbers in English words except “one”, which has many other uses."""
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ABBREVIATED = {"k": 1_000, "mn": 10**6, "bn": 10**9, "tn": 10**12}
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_WORDS)}))?|{'|'.join(NUMBER_WORDS)})"
_SCALE = rf"\s(?:{'|'.join(_SCALES)})\b"
_ORDINALS = {"three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
_PARTS = {"half": 2, "halve": 2, "quarter": 4} | {
    _ORDINALS.get(word, f"{word.removesuffix('y')}{'ie' * word.endswith('y')}th"): number
    for word, number in (_WORDS | _TENS | _SCALES).items() if number > 2 and word != "dozen"
}  # fmt: skip
"""What the words for the parts of a whole divide it by."""
_PART = rf"(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))})s?(?![-\w])"
_NO_NOUN = rf"(?=\s(?:{'|'.join(sorted(STOP_WORDS))})\b|\s?[^-\w\s]|\s*$)"
"""Behind a part of a whole: “a third of them”, unlike “a third group”."""
_FRACTION = re.compile(
    rf"\b(?:(?P<some>{'|'.join(_WORDS)}|\d{{1,2}})[-\s]|(?<=\sand\s)a\s|an?\s(?=[a-z]+{_NO_NOUN})"
    rf"|(?=half\s(?:of|the|as|an?)\b|quarter\s(?:of\s)?an?\s)){_PART}",
    re.IGNORECASE,
)
_MIXED = re.compile(r"\b(\d+|one|an?)((?:\s[a-z]+)?)\sand\s([1-9]/\d+)\b", re.IGNORECASE)
"""As in “two and a third”, and “a year and a half”."""
_WORDED = re.compile(
    rf"\b(?:{_BELOW_100}|(?<!\d\s)(?<!\d\sof\s)an?(?={_SCALE})|one(?={_SCALE}|\s(?:in|out\sof|per)\b))"
    rf"(?:{_SCALE}(?:\s(?:and\s)?(?:{_BELOW_100}|one)\b)?)*(?:\b|(?=fold))",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def plain(text: str) -> str:
    """Return `text` with its numbers in one form: without TeX and tags, powers as “^6”, “½” and “a half of” as “1/2”,
    words as figures, one kind of space and of minus sign."""
    if "\\" in text or "$" in text or "{" in text:
        for pattern, form in _TEX:
            text = re.sub(pattern, form, text)
        text = _MACRO.sub(lambda macro: _MACROS.get(macro[1], ""), text)
    for pattern, form in _FORMS:
        text = re.sub(pattern, form, text)
    text = unicodedata.normalize("NFKC", text).replace("⁄", "/").replace("−", "-")
    text = _FRACTION.sub(lambda words: f"{_amount(words['some'] or 'a'):f}/{_PARTS[words['part'].lower()]}", text)
    text = _WORDED.sub(lambda words: f"{_amount(words[0]):f}", text)
    return _MIXED.sub(lambda mixed: f"{_amount(mixed[1]):f} {mixed[3]}{mixed[2]}", text)


def _amount(words: str) -> Decimal:
    """Return the number that figures or English words stand for."""
    total = group = Decimal(0)
    for word in re.split(r"[-\s]+", re.sub(r"(?<=\d)[,\s](?=\d)", "", words.lower())):
        if scale := _SCALES.get(word):
            group *= scale
        else:
            group += int(word) if word.isdecimal() else (_WORDS | _TENS).get(word, word in ("a", "an"))
        if scale and scale > 100:
            total, group = total + group, Decimal(0)
    return total + group


_MULTIPLES = {"twice": 2, "doubl": 2, "tripl": 3, "trebl": 3, "quadrupl": 4, "halv": 0.5}
_POWER = r"(?:\^\s?\(?|\((?=[-+]?\d+\)))"
_NUMBER = re.compile(
    rf"(?:(?P<currency>[$€£¥₹]|(?<!\w)(?-i:{MONEY_CODES}|Rs\.?|R(?=\s?\d[\d.,]*\d\d(?!\w))))\s?)?"
    r"(?P<sign>(?<![\w)\]/])[-+]\s?)?"
    r"(?P<value>(?<![\w.:])(?:[01]?\d|2[0-4]):[0-5]\d(?![\d:])|\b[1-9]/[2-9](?:\sof)?\san?(?=\s)"
    r"|(?(currency)|(?<![\w.^]))(?:\d{1,3}(?:[ \n]\d{3})+(?!\d)|\d+)(?:[.,·]\d+)*(?:\s[1-9]/[2-9](?![\d/.]))?"
    r"|(?<![\w.)\]”\"’'%])[.·]\d+|\bone\b)"
    rf"(?:(?:(?P<factor>\)?\s?[×x]\s?10\s?(?:{_POWER}|(?=-\d)))|(?<=\b10){_POWER})(?P<raised>[-+]?\d{{1,2}})\)?"
    r"|(?-i:e)(?P<exponent>[-+]?\d{1,2})(?!\w))?"
    # “5 mN” is a force
    rf"(?:(?P<scale>[-\s](?:{'|'.join(_SCALES)})\b)|(?P<short>k\b|\s?(?-i:[mbt]n)\b))?"
    rf"|\b(?P<multiple>twice|(?:doubl|tripl|trebl|quadrupl|halv)(?:ed|es|ing))\b",
    re.IGNORECASE,
)
_AMOUNT = rf"((?:\d{{1,3}}(?:[,\s]\d{{3}})+|\d{{1,9}}|one)(?:{_SCALE}){{0,2}})"
_EVERY = r"(?:every\s|each\s|the\s|all\s)?"
_SHARE = re.compile(
    rf"\b(all\sbut\s)?{_AMOUNT}(?:(?:\s[a-z]+)?\s(?:in|out\sof|per)\s{_EVERY}|\sof\s{_EVERY}|(/)){_AMOUNT}\b"
    r"(?![.,]\d|/|(?:\sof)?\san?\s)",
    re.IGNORECASE,
)
_OF_FRACTION = Decimal("0.06")
"""How far a share may be from “a third” or “one in six”."""
_PARTS_OF_FRACTION = 10
_NAME = re.compile(r"(?<![-–/*:\w])[^\W\d_][\w–/*:-]*[-–/*:]$")
_LONGEST_NAME = 30
_BETWEEN = re.compile(r"[\d%‰°](?:\s?-{1,2})?\s?$")
"""A dash after another number, which is not a sign."""
_TIME_BEFORE = re.compile(r"\b(day|week|month|year|hour)s?\s$", re.IGNORECASE)
_RATE_BEFORE = re.compile(r"\b([^\W\d_]+ly)\s(?:doses?\sof\s)?$", re.IGNORECASE)
_COUNT_BEFORE = re.compile(r"\bn\s?=\s?$", re.IGNORECASE)
_RATIO_BEFORE = re.compile(
    r"\b(?:ratios?|relative risks?|[aA]?(?:HR|OR|RR)|IRR|SMR)\b\s?(?:(?:of|was|is|were)\s|[,:=(]\s?)?$"
)
"""Names of ratios before a number, such as “hazard ratio 0.81”."""
HANGING = re.compile(
    r"-?(?:\s?[(\[][^\d()\[\]]{1,20}[)\]])?\s?(?:and|or|to|vs\.?|versus|against|±|-)\s?-?", re.IGNORECASE
)
"""Joints as in “3- and 6-month”, “3 to 6 months” or “3 to 6 million”: both numbers count months, or millions."""
_THING = re.compile(rf"\s(?!(?:points?|{'|'.join(sorted(STOP_WORDS))})\b)[^\W\d_]{{2}}", re.IGNORECASE)
THINGS = "things"
"""The measure of a number before a noun or the like, such as “91 patients”: it is neither a share nor a size."""
UNITLESS = ("", THINGS)
_POINTS = re.compile(r"[ -]?(?:%|percent(?:age)?)[ -]points?\b", re.IGNORECASE)
"""A difference of two shares, which is not a share itself."""
_THOUSANDS = re.compile(r"[ \n]|,(?=\d{3}(?!\d))")
_HEDGE = re.compile(
    r"(?:\b(?:(?P<below>nearly|almost|up to|under|below|less than|fewer than|at most)|(?P<above>over|above|at least|"
    r"more than|greater than|exceed(?:s|ed|ing)?)|about|around|approximately|roughly|some|close to|circa)|~)"
    r"\s?(?:an?\s|one\s)?$",
    re.IGNORECASE,
)
ROUGH = Decimal("0.9"), Decimal("1.1")
_LONGEST_BEFORE = 24
_RANGE = r"(?<![\d.,·])([.·]?\d++(?>(?:[.,·]\d++)*))[\s%]*+(?:to|and|[,;]|-{1,2})\s?(?:[-+]\s?)?([.·]?\d)"
_INTERVAL = r"\b(?:CI|CrI|intervals?)\b"
_IN_INTERVAL = re.compile(
    rf"(?:{_INTERVAL}(?>(?:(?![.·]\d)[^-+\w])*)|(?<=[\d%])\s?[(\[])(?:[-+]\s?)?{_RANGE}", re.IGNORECASE
)
_SPREAD = re.compile(
    r"(?:±|\bI\^?2\s?[:=]\s?|\b(?:SDs?|SEM?|s\.d\.|s\.e\.(?:m\.)?)\s?(?:[,:=<>≤≥]|of)?)\s?$", re.IGNORECASE
)
_P_VALUE = re.compile(
    r"\bP(?:[-\s]values?)?\s?(?:is\s|was\s|of\s)?"
    r"(?:(?P<below>[<≤]|below|less than|under)|(?P<above>[>≥]|above|greater than|more than|over)|[,:=])?\s?$",
    re.IGNORECASE,
)
_INTERVAL_LEVEL = re.compile(rf"\s?%?\s?(?:\w+\s)?\(?{_INTERVAL}", re.IGNORECASE)


class Quantity(NamedTuple):
    """A number: 1,250 equals 1250, and .5 equals 0.50; `sign` and `unit` are "" if missing or unknown.

    `unit` is the measure of its unit, and `factor` the number of basic units in that; `per` are the measures of the
    units that it is divided by, each with its number of basic units.
    """

    value: Decimal
    sign: str = ""
    unit: str = ""
    factor: Decimal = Decimal(1)
    per: frozenset[tuple[str, Decimal]] = frozenset()
    step: Decimal = Decimal(0)
    """One in its last written digit; 0 if it is not written in digits."""
    margin: tuple[Decimal, Decimal] | None = None
    """By which factors the true value may differ, for a number after “nearly”, “over” or “about”, and for a part."""
    kind: str = ""
    """What it is, if not a finding: a `name` (GPT-4), a `P` value with its relation, a `spread`, a `bound` of an
    interval or its `level`."""
    whole: int = 0
    """The whole of a share, such as 12 in “3 of 12”."""
    start: int = 0
    end: int = 0
    name: str = ""
    """The name that it is part of, such as GPT-4 for 4; then it counts nothing."""
    written: str = ""
    """The number and its unit as written in the text."""

    @property
    def measures(self) -> frozenset[str]:
        """What its unit is divided by."""
        return frozenset(measure for measure, _ in self.per)


@lru_cache(maxsize=64)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Return the numbers of `text` in order, in figures or in words; “one” only before a unit or a scale. Positions are
    those in the `plain` text. A time of day is one number, of hours."""
    text = plain(text)
    numbers: list[Quantity] = []
    scales: list[Decimal] = []
    begin = 0
    bounds = {border for match in _IN_INTERVAL.finditer(text) for border in (match.end(1), match.start(2))}
    for match in _NUMBER.finditer(text):
        value = _value(match)
        if value is None or match.start() < begin:  # inside a unit, as 1.73 in “/1.73 m²”
            continue
        start = match.start("value" if match["value"] else "multiple")
        end = next((match.start(group) for group in ("scale", "short") if match[group]), match.end())
        unit, after = _unit(text, match, value)
        if (match["value"] or "")[-1:].isalpha() and not (unit.measure or unit.per or match["scale"]):  # “one”, “1/2 a”
            continue
        begin = after
        before = text[max(0, match.start() - _LONGEST_BEFORE) : match.start()]
        name = _NAME.search(text, max(0, start - _LONGEST_NAME), start)
        relation, between = _P_VALUE.search(before), _BETWEEN.search(before)
        kind = (
            "name" if name
            else f"P{'<' * bool(relation['below'])}{'>' * bool(relation['above'])}" if relation
            else "spread" if _SPREAD.search(before)
            else "level" if _INTERVAL_LEVEL.match(text, end)
            else "bound" if not bounds.isdisjoint((start, end))
            else ""
        )  # fmt: skip
        last, digits, scale = int(value.as_tuple().exponent), value.normalize().as_tuple(), _scale(match)
        step = Decimal(1).scaleb(last if last < 0 or len(digits.digits) < 2 else int(digits.exponent))
        step = step * scale if match["value"] and "/" not in match["value"] else Decimal(0)
        scales.append(scale)
        numbers.append(
            Quantity(
                (value * scale).normalize(), match["sign"][0] if match["sign"] and not between else "", unit.measure,
                unit.factor, unit.per, step, _margin(before), kind, start=start,
                end=end, name=f"{name[0]}{match['value']}" if name else "", written=text[match.start() : begin].strip(),
            )
        )  # fmt: skip
    return _with_shared_units(text, numbers, scales)


def _value(match: re.Match[str]) -> Decimal | None:
    """Return the value of a number before its scale, None for a number with several points."""
    if match["multiple"]:
        return next(Decimal(value) for word, value in _MULTIPLES.items() if match["multiple"].lower().startswith(word))
    figures = _THOUSANDS.sub("", match["value"].lower().replace("one", "1")).replace(",", ".").replace("·", ".")
    hours, part, minutes = figures.partition(":")
    if "/" in figures:
        *wholes, count, parts = (Decimal(figure) for figure in re.findall(r"\d+", match["value"]))
        return sum(wholes, count / parts)
    if figures.count(".") > 1:
        return None
    value = Decimal(hours) + (Decimal(minutes) / 60 if part else 0)
    return value.scaleb(int(match["raised"]) - 1) if match["raised"] and not match["factor"] else value  # 10⁴


def _scale(match: re.Match[str]) -> Decimal:
    scale = Decimal((_SCALES | _ABBREVIATED).get((match["scale"] or match["short"] or "").strip(" -\n").lower(), 1))
    return scale.scaleb(int((match["factor"] and match["raised"]) or match["exponent"] or 0))


def _unit(text: str, match: re.Match[str], value: Decimal) -> tuple[Unit, int]:
    """Return the unit of a number, and its end."""
    unit, begin = unit_after(text, match.end())
    currency = (match["currency"] or "").rstrip(".")
    before = text[max(0, match.start() - _LONGEST_BEFORE) : match.start()]
    if (rate := _RATE_BEFORE.search(before)) and unit.measure and not unit.per and unit_of(rate[1]).measure == "s":
        unit = unit._replace(per=frozenset({unit_of(rate[1])[:2]}))
    if _POINTS.match(text, match.end()):
        return Unit("points"), begin
    if begin > match.end():
        return unit_of(currency)._replace(per=unit.per) if not unit.measure else unit, begin
    time = _TIME_BEFORE.search(before)
    is_count = is_whole(value) or match["scale"] or match["short"] or match["raised"]
    is_ratio = match["multiple"] or _RATIO_BEFORE.search(before)
    name = currency or ("h" if ":" in (match["value"] or "") else time[1] if time else "times" if is_ratio else "")
    is_of_things = is_count and (_THING.match(text, begin) or _COUNT_BEFORE.search(before))
    return unit_of(name) if name else Unit(THINGS if is_of_things else ""), begin


def _with_shared_units(text: str, numbers: list[Quantity], scales: list[Decimal]) -> tuple[Quantity, ...]:
    """Return `numbers`, where the first of two joined ones has the unit and scale of the second if it has none."""
    for index, (number, neighbor) in reversed(list(enumerate(pairwise(numbers)))):
        joint = HANGING.fullmatch(text, number.end, neighbor.start)
        if joint and number.unit in UNITLESS and not (number.name or neighbor.name):
            next_number, scale = numbers[index + 1], scales[index + 1]
            if scales[index] != 1 or ("±" not in joint[0] and number.value * scale >= neighbor.value):
                scale = Decimal(1)
            scales[index] *= scale
            numbers[index] = number._replace(
                value=(number.value * scale).normalize(), step=number.step * scale, unit=next_number.unit,
                factor=next_number.factor, per=next_number.per,
            )  # fmt: skip
    for index, (number, neighbor) in enumerate(pairwise(numbers)):
        joint = HANGING.fullmatch(text, number.end, neighbor.start)
        if joint and number.unit == "s" and number.written.isdecimal() and neighbor.unit == "" and not neighbor.name:
            numbers[index + 1] = neighbor._replace(unit="s", factor=number.factor)  # “days 30 and 80”
    return tuple(numbers)


def is_whole(value: Decimal) -> bool:
    """Whether a value is an integer."""
    return value == value.to_integral_value()


def _margin(before: str) -> tuple[Decimal, Decimal] | None:
    """Return the factors by which a number may differ from the true value, by the words `before` it."""
    hedge = _HEDGE.search(before)
    if not hedge:
        return None
    least, upper = ("0.8", "1") if hedge["below"] else ("1", "1.25") if hedge["above"] else ROUGH
    return Decimal(least), Decimal(upper)


@lru_cache(maxsize=64)
def shares(text: str) -> tuple[Quantity, ...]:
    """Return the parts of a whole that are given as counts or fractions: “two in five”, “one third”, “all but one of
    12”."""
    text = plain(text)
    parts = []
    for match in _SHARE.finditer(text):
        part, total = _amount(match[2]), _amount(match[4])
        if 0 < part <= total and not (match[3] and re.search(r"\d\s$", text[: match.start()])):  # “2 1/3”
            is_fraction = bool(match[3]) and total <= _PARTS_OF_FRACTION
            rounding = min(_OF_FRACTION, 1 / (2 * total)) if part == 1 else _OF_FRACTION if is_fraction else Decimal(0)
            margin = (1 - rounding, 1 + rounding) if rounding else None
            margin = _margin(text[max(0, match.start() - _LONGEST_BEFORE) : match.start()]) or margin
            percent = 100 * (total - part if match[1] else part) / total
            parts.append(Quantity(percent, unit="%", margin=margin, whole=0 if is_fraction else int(total),
                                  start=match.start(), end=match.end(), written=match[0]))  # fmt: skip
    return tuple(parts)
