"""The numbers of a text with their signs and units, to tell whether one text has the numbers of another."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

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
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")


class Quantity(NamedTuple):
    """A number as it is meant: 1,250 and 1250 are one, .5 and 0.50 too; "" where it has no sign or no known unit."""

    value: Decimal
    sign: str
    unit: str


def quantities(text: str) -> Iterator[Quantity]:
    """Return the numbers of `text` in order, in figures or English words but “one”, which stands for much else."""
    for found in _NUMBER.finditer(text):
        if word := found["word"]:
            yield Quantity(Decimal(_WORDS[word.lower()]), "", "")
        elif ten := found["ten"]:
            yield Quantity(Decimal(_TENS[ten.lower()] + _WORDS.get((found["one"] or "").lower(), 0)), "", "")
        else:
            figures = _THOUSANDS.sub("", found["value"]).replace(",", ".").replace("·", ".")
            if figures.count(".") <= 1:
                sign = "" if not found["sign"] else "+" if "+" in found["sign"] else "-"
                yield Quantity(Decimal(figures).normalize(), sign, _unit(found["suffix"] or ""))


def are_among(text: str, evidence: str, besides: frozenset[int] = frozenset()) -> bool:
    """Return whether each number of `text` is one of `evidence` or `besides`: the same value, with its sign if it has
    one, and with no other unit where both have one."""
    known = list(quantities(evidence))
    return all(number.value in besides or any(_is_told(number, one) for one in known) for number in quantities(text))


def _is_told(number: Quantity, by: Quantity) -> bool:
    return (
        number.value == by.value
        and (not number.sign or number.sign == by.sign)
        and (number.unit == by.unit or not (number.unit and by.unit))
    )


def _unit(suffix: str) -> str:
    word = suffix.strip(" -\t\n").lower()
    return _UNITS.get(word) or _UNITS.get(word.removesuffix("s"), "")
