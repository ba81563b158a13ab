"""The numbers of a text with their signs and units, to tell whether one text has the numbers of another."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of

_SMALL = "zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_WORDS = {word: number for number, word in enumerate(f"{_SMALL} eighteen nineteen".split()) if word != "-"}
_TENS = {word: 10 * number for number, word in
         enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}  # fmt: skip
_UNITS = {
    spelling: spellings.split()[0]
    for spellings in (
        "% percent percentage", "‰", "°c °", "kg kilogram", "mg milligram", "µg μg ug mcg microgram", "ng nanogram",
         "g gram", "km kilometer kilometre", "cm centimeter centimetre", "mm millimeter millimetre",
        "µm μm um micrometer", "nm nanometer nanometre", "m meter metre", "l liter litre", "ml milliliter millilitre",
        "mmol", "µmol μmol umol", "nmol", "mol", "mm3", "hz", "khz", "mhz", "ghz", "ms millisecond", "s sec second",
        "min minute", "h hr hour", "day d", "week wk", "month", "year yr y", "kb", "mb", "gb", "tb", "fold", "times x",
    )
    for spelling in spellings.split(" ")
}  # fmt: skip
_NUMBER = re.compile(
    r"(?P<sign>(?<![\w)\]])[-−–+]\s?)?(?P<value>(?<![\w.])\d+(?:[.,·]\d+)*)(?P<suffix>\s?[%‰°][cC]?|[-\s]?[a-zµμ]+\d?)?"
    rf"|\b(?P<ten>{'|'.join(_TENS)})(?:[-\s](?P<one>{'|'.join(_WORDS)}))?\b|\b(?P<word>{'|'.join(_WORDS)})\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![-–/*:\w])[^\W\d_][\w–/*:-]*[-–/*:]$")
_WHOLE_NAME = re.compile(r"[^\W\d_][^\W_]*(?:[-–/*:][^\W_]+)*")
_LONGEST_NAME = 30
_NEAR = 3
"""Terms on each side of a number that tell what it counts."""
_ONE = re.compile(r"\b(?:one|first|once)\b", re.IGNORECASE)
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")


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
    for found in _NUMBER.finditer(text):
        if word := found["word"]:
            yield Quantity(Decimal(_WORDS[word.lower()]), "", "", *found.span())
        elif ten := found["ten"]:
            value = _TENS[ten.lower()] + _WORDS.get((found["one"] or "").lower(), 0)
            yield Quantity(Decimal(value), "", "", *found.span())
        else:
            figures = _THOUSANDS.sub("", found["value"]).replace(",", ".").replace("·", ".")
            if figures.count(".") <= 1:
                sign = "" if not found["sign"] else "+" if "+" in found["sign"] else "-"
                name = _NAME.search(text, max(0, found.start("value") - _LONGEST_NAME), found.start("value"))
                unit = _unit(found["suffix"] or "")
                called = name[0] + found["value"] if name else ""
                yield Quantity(Decimal(figures).normalize(), sign, unit, *found.span("value"), called)


def are_among(text: str, evidence: str, besides: frozenset[int] = frozenset()) -> bool:
    """Return whether each number of `text` that is no part of a name is one of `evidence`, or without a unit of
    `besides`: the same value, with its sign if it has one, and with no other unit where both have one."""
    return not any(lacking(text, evidence, besides))


def lacking(text: str, evidence: str, besides: frozenset[int] = frozenset()) -> Iterator[Quantity]:
    """Return the numbers of `text` that are none of `evidence` or `besides`, compared as by `are_among`."""
    known = [*quantities(evidence), *(Quantity(Decimal(1), "", "") for _ in _ONE.finditer(evidence))]
    return (
        number
        for number in quantities(text)
        if not (
            number.name or (number.value in besides and not number.unit) or any(_is_told(number, one) for one in known)
        )
    )


def may_be_another_name(text: str, evidence: str) -> bool:
    """Return whether a name of `text` that holds a number stands in `evidence` with another number only."""
    known, shown = {number.value for number in quantities(evidence)}, letters_of(evidence)
    names = [letters_of(word) for word in _WHOLE_NAME.findall(evidence)]
    for number in quantities(text):
        name = letters_of(number.name)
        if name and number.value not in known and name not in shown:
            stem = name.rstrip("0123456789. ")
            if any(one.startswith(stem) and one[len(stem) :][:1].isdigit() for one in names):
                return True
    return False


def may_be_exchanged(text: str, evidence: str) -> bool:
    """Return whether a number of `text` stands among words that `evidence`, quotes in lines, has around another number
    of its unit: more than twice as many as around that one itself."""
    numbers, known = list(quantities(text)), list(quantities(evidence))
    counted = [(one, _around(evidence, known, place)) for place, one in enumerate(known)]
    for place, number in enumerate(numbers):
        around = _around(text, numbers, place)
        own = max((_alike(around, words) for one, words in counted if _is_told(number, one)), default=None)
        others = (
            _alike(around, words)
            for one, words in counted
            if one.value != number.value and (one.unit == number.unit or not (one.unit and number.unit))
        )
        if own is not None and max(others, default=0) > 2 * own + 1:
            return True
    return False


class _Around(NamedTuple):
    """The nearest terms before and behind a number, up to the next number."""

    before: frozenset[str]
    behind: frozenset[str]


def _around(text: str, numbers: list[Quantity], place: int) -> _Around:
    start = numbers[place - 1].end if place else 0
    end = numbers[place + 1].start if place + 1 < len(numbers) else len(text)
    before = terms(text[start : numbers[place].start].rpartition("\n")[2])
    behind = terms(text[numbers[place].end : end].partition("\n")[0])
    return _Around(frozenset(before[-_NEAR:]), frozenset(behind[:_NEAR]))


def _alike(one: _Around, other: _Around) -> int:
    return len(one.before & other.before) + len(one.behind & other.behind)


def _is_told(number: Quantity, by: Quantity) -> bool:
    return (
        number.value == by.value
        and (not number.sign or number.sign == by.sign)
        and (number.unit == by.unit or not (number.unit and by.unit))
    )


def _unit(suffix: str) -> str:
    word = suffix.strip(" -\t\n").lower()
    return _UNITS.get(word) or _UNITS.get(word.removesuffix("s"), "")
