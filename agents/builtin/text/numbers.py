"""Whether a text has the numbers of another one, or others from which they follow."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from itertools import combinations, permutations

from agents.builtin.text.quantities import ROUGH, UNITLESS, Quantity, is_whole, plain, quantities, shares
from agents.builtin.text.terms import terms
from agents.builtin.text.units import unit_of
from agents.builtin.text.words import letters_of

_AMONG = re.compile(r"(?<!out)\sof\s(?!every|each)", re.IGNORECASE)
"""Between two numbers of things, as in “two of the three trials”, unlike “two in three patients”."""
_ITEM = re.compile(r"[-\s](?:of\s(?:the\s|all\s)?)?([^\W\d_]+)")
_ONE = re.compile(r"\b(?:one|first|once)\b", re.IGNORECASE)
_TO_ONE_DIGIT = ("times", "points", "%")
"""Measures of results that may be rounded to one digit, because they say how they were computed."""
_COUNTS = (*UNITLESS, "times")
_CONVERTED = Decimal("0.1")
"""How far rounding may take a number from its value in another unit that is no whole multiple, as days of months."""
_SIZE = Decimal(2)
"""How many times as large a result may be to have the size of a number."""
_CHANCE = Decimal("0.5")
"""Maximum number of results that may be expected to equal a number by chance."""
_EXACT = Decimal("1e-12")
"""Relative error of what is computed."""
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_TERM = r"(?:[a-z]?\d+[a-z]?|[a-z])(?!\w)"
_FORMULA = re.compile(rf"(?<![\w.]){_TERM}(?:\s?[-+*/=^×]\s?{_TERM})+", re.IGNORECASE)
"""As in “2m - 1”, in which numbers have no units."""
_BETWEEN_TERMS = re.compile(r"[\s^]")
_MOST = 60
"""Numbers that are combined; from more, nearly any number can be computed."""
_SUMMED = 12
"""Numbers of a unit of which any three are added."""
_LETTERS = {"K": 1_000, "M": 10**6, "B": 10**9, "T": 10**12}
"""Units that may stand for a scale too."""
_FREEZING = Decimal("273.15")
"""0 °C in kelvins."""
_COUNTED = 10
"""Maximum number of items that a quote may list without giving their number."""


def lacking(
    text: str, evidence: str, besides: Collection[int] = (), *, computing: bool = False, loosely: bool = False
) -> list[Quantity]:
    """Return the numbers of `text` that count something and are neither in `evidence` nor, without a unit, in
    `besides`.

    `evidence` has a number if it has its value, with its sign if any, and in a unit of the same measure if both have
    units; or as a share (“four fifths” are 80 %), with more decimals, or near it after “nearly” or “more than”. With
    `computing`, also what follows from its numbers in one step, the figures in its names, and small counts of things
    that it does not count itself, for it may list them, but no rate of which it does not say per what; `loosely` also
    that, what follows by chance, and in a unit that the evidence does not give.
    """
    text, evidence = plain(text), plain(evidence)
    there_shares = shares(evidence)
    numbers = [*quantities(evidence), *there_shares]
    readings = {reading for number in numbers for reading in _readings(number)}
    readings |= {Quantity(Decimal(1))} if _ONE.search(evidence) else set()
    bases = [number for number in numbers if number.kind != "name"][:_MOST]
    bases += [reading for number in bases if number.written[-1:] in _LETTERS for reading in _readings(number)][:_MOST]
    results = _results(bases) if computing else set()
    items = {_item(evidence, number) for number in numbers}
    formulas = {_BETWEEN_TERMS.sub("", formula[0]) for formula in _FORMULA.finditer(evidence)}
    copied = [formula for formula in _FORMULA.finditer(text) if _BETWEEN_TERMS.sub("", formula[0]) in formulas]

    def is_there(number: Quantity) -> bool:
        return any(formula.start() <= number.start < formula.end() for formula in copied) or any(
            any(_is_near(reading, reading_there, loosely=loosely or not computing) for reading_there in readings)
            or (any(_is_near(reading, reading_there, computed=True, loosely=loosely) for reading_there in results)
                and (loosely or reading.unit in _TO_ONE_DIGIT or not _may_be_chance(reading, results)))
            for reading in _readings(number)
        )  # fmt: skip

    def may_be_listed(number: Quantity) -> bool:
        is_small = number.value in range(_COUNTED + 1) and _item(text, number) not in items
        is_in_name = re.search(rf"[^\W\d_]{re.escape(f'{number.value:f}')}(?!\d)", evidence)
        return number.unit in UNITLESS and not (number.sign or number.per) and (is_small or is_in_name is not None)

    rates = [share for share in shares(text) if not _AMONG.search(share.written)]
    lacks = {
        number.start: number
        for number in quantities(text)
        if number.kind != "name"
        and not (number.value in besides and number.unit in UNITLESS)
        and not is_there(number)
        and not (computing and not any(share.start <= number.start < share.end for share in rates)
                 and may_be_listed(number))
    }  # fmt: skip
    for share in shares(text):
        inside = [at for at in range(share.start, share.end) if lacks.pop(at, None)]
        has_whole = any(share.whole == share_there.whole for share_there in there_shares)
        if (inside or not share.whole or has_whole) and not is_there(share):
            lacks[share.start] = share
    return [lacks[at] for at in sorted(lacks)]


def _readings(number: Quantity) -> Iterator[Quantity]:
    """Yield the number without its place; with a letter that may be a unit or a scale, such as 7B, also as a scale; a
    number of person-years or a point in time, such as day 3, also as a count; a temperature also on another scale."""
    reading = number._replace(start=0, end=0, name="", written="", whole=0)
    yield reading
    if re.search(r"\d\s[^\W\d_]+-[^\W\d_]+$", number.written) or (number.unit == "s" and number.written.isdecimal()):
        yield reading._replace(unit="", factor=Decimal(1))
    if re.search(r"\d[KMBT]$", number.written):
        scale = _LETTERS[number.written[-1]]
        count = reading._replace(unit="", factor=Decimal(1), per=frozenset())
        yield count._replace(value=number.value * scale, step=number.step * scale)
    yield from _on_another_scale(reading)


def _on_another_scale(number: Quantity) -> Iterator[Quantity]:
    """Yield a temperature in degrees Celsius in kelvins, and one in kelvins or degrees Fahrenheit in Celsius."""
    signed = number.value if number.sign != "-" else -number.value
    if number.unit == "°c" and not number.per:
        yield number._replace(value=signed + _FREEZING, sign="", unit="K")
    elif number.unit in ("K", "°f") and not number.per:
        celsius = signed * number.factor - _FREEZING if number.unit == "K" else (signed - 32) * 5 / 9
        yield number._replace(value=abs(celsius), sign="-" * (celsius < 0), unit="°c", factor=Decimal(1))


def _item(text: str, number: Quantity) -> str:
    """Return the term for what a number counts, "" if no noun or the like is behind it."""
    match = _ITEM.match(text, number.end)
    return next(iter(terms(match[1])), "") if match else ""


def _is_near(number: Quantity, evidence: Quantity, *, computed: bool = False, loosely: bool = False) -> bool:
    """Whether `number` is `evidence`, rounded to its written digits, or `evidence` is within its margin.

    A `computed` one has the unit of `number`, if any and not `loosely`. Rounding to one digit is for results of another
    measure, and for units that are no whole multiple of each other."""
    relation = number.kind[1:] if number.kind[:1] == evidence.kind[:1] == "P" else ""
    if relation and (evidence.value - number.value) * (1 if relation in ">≥" else -1) > 0:
        return True
    if not _is_alike(number, evidence, loosely) or (
        computed and not (evidence.unit or number.unit in UNITLESS or loosely)
    ):
        return False
    size, exact = _size(number, evidence), _size(evidence, number)
    is_rough = not number.step and number.unit != "%" and (computed or number.unit != "times")  # “doubled”
    lower, upper = number.margin or (ROUGH if is_rough else (1 - _EXACT, 1 + _EXACT))
    is_within = size * lower <= exact <= size * upper
    if is_within or not number.value or not evidence.value:
        return is_within
    basic, other_basic = size / number.value, exact / evidence.value
    factor = max(basic, other_basic) / min(basic, other_basic)
    is_converted = abs(factor - factor.to_integral_value()) > factor * _EXACT
    if is_converted or not number.step:
        return abs(size - exact) <= min(max(number.step * basic, evidence.step * other_basic) / 2, size * _CONVERTED)
    has_digits, is_round = number.value >= 10 * number.step, number.step > 10 and not _may_be_year(number)
    says_how = number.unit in _TO_ONE_DIGIT or loosely
    may_be_rounded = has_digits or says_how if computed else has_digits and (not is_whole(exact / basic) or is_round)
    rounding = max(number.step * basic, evidence.step * other_basic) if computed else number.step * basic
    return may_be_rounded and abs(size - exact) <= rounding / 2


def _may_be_chance(number: Quantity, results: Iterable[Quantity]) -> bool:
    """Whether there are so many `results` of the size of `number` that one may equal it by chance."""
    lower, upper = number.margin or (1, 1)
    width = max(number.step / number.value, Decimal(upper) - Decimal(lower))
    widths = {_size(result, number) / _size(number, result): max(width, result.step / result.value)
              for result in results if _is_alike(number, result)}  # fmt: skip
    likely = sum(width for ratio, width in widths.items() if 1 / _SIZE <= ratio <= _SIZE)
    return likely > _CHANCE * (_SIZE - 1 / _SIZE)


def _may_be_year(number: Quantity) -> bool:
    return not number.unit and _FIRST_YEAR <= number.value <= _LAST_YEAR


def _results(numbers: Collection[Quantity]) -> set[Quantity]:
    """Return what follows in one step from `numbers`: the rest of a whole, a share as a factor, the rate of a time, and
    the reverse. And from two findings: the sum, difference, mean, ratio and share of two of one unit, the sum and mean
    of all of one unit or of three, a share of a size (as exact as the share), the whole of a count that is a share of
    it, the years between two, a quantity per unit of another, and the product."""
    operands = {
        Quantity(number.value, "", "" if number.unit in UNITLESS else number.unit, *number[3:5], kind=number.kind)
        for number in numbers
        if number.value
    }
    steps = {number.value: number.step for number in numbers if number.unit == "%"}
    findings = {number for number in operands if not number.kind}
    operands = {number._replace(kind="") for number in operands}
    second = frozenset({("s", Decimal(1))})
    results = set[Quantity]()
    for number in operands:
        if number.unit == "%":
            results |= {Quantity(100 - number.value, unit="%"), Quantity(100 / number.value)}
            factors = (number.value / 100, 1 + number.value / 100, abs(1 - number.value / 100))
            results |= {Quantity(factor, unit=unit) for factor in factors for unit in ("", "times")}
        elif number.unit == "s" and not number.per:
            results.add(Quantity(1 / (number.value * number.factor), unit="times", per=second))
        elif number.unit == "m":
            results |= set(_product(number, number))
        elif number.unit in ("", "times"):
            shares_of_whole = (100 * number.value, abs(100 * number.value - 100)) if not number.per else ()
            results |= {Quantity(value, unit="%") for value in shares_of_whole}
            results |= {Quantity(factor / (number.value * number.factor), unit=measure)
                        for measure, factor in number.per if len(number.per) == 1}  # fmt: skip
    for more, less in permutations(findings, 2):
        ratio = _size(more, less) / _size(less, more)
        if more.unit == "%" != less.unit:
            results.add(less._replace(value=less.value * more.value / 100, step=less.value * steps[more.value] / 100))
            results |= {less._replace(value=100 * less.value / more.value)} if less.unit in UNITLESS else set()
        if more.unit and less.unit not in ("", "%", more.unit) and not less.per:
            results.add(more._replace(value=more.value / less.value, per=more.per | {(less.unit, less.factor)}))
        results |= set(_product(more, less))
        if (more.unit, more.measures) == (less.unit, less.measures) and ratio > 1:
            results |= {
                less._replace(value=less.value * factor, unit=unit)
                for factor in (ratio - 1, ratio + 1, (ratio + 1) / 2)
                for unit in {less.unit, "points" if less.unit == "%" else less.unit}
            }
            results |= {Quantity(factor, unit="times") for factor in (ratio, 1 / ratio)}
            results |= {Quantity(ratio)} if not more.unit and is_whole(ratio) else set()
            results |= {Quantity(value, unit="%") for value in (100 * ratio - 100, 100 / ratio, 100 - 100 / ratio)}
            results |= {Quantity(100 * part / (ratio + 1), unit="%") for part in (1, ratio)}
            if _may_be_year(less) and _may_be_year(more):
                results.add(Quantity(more.value - less.value, "", *unit_of("year")))
    return {result for result in results | set(_totals(findings)) if result.value > 0}


def _product(first: Quantity, second: Quantity) -> Iterator[Quantity]:
    """Yield the product of two quantities if a text may have its unit: that of one, their area, or a rate's without
    what it is divided by."""
    value, factor, per, units = first.value * second.value, first.factor * second.factor, first.per | second.per, []
    for number, by in ((first, second), (second, first)):
        below = next((entry for entry in by.per if entry[0] == number.unit), None)
        if below:
            factor, per = factor / below[1], per - {below}
        elif number.unit not in _COUNTS:
            units.append(number.unit)
    unit = "m2" if units == ["m", "m"] else "".join(units)
    is_written = (len(units) < 2 or unit == "m2") and "%" not in units
    if is_written and not (first.measures & second.measures or _may_be_year(first) or _may_be_year(second)):
        yield Quantity(value, "", unit, factor, per)


def _totals(numbers: Iterable[Quantity]) -> Iterator[Quantity]:
    by_unit = defaultdict[tuple[str, frozenset[str]], list[Quantity]](list)
    for number in numbers:
        by_unit[number.unit, number.measures].append(number)
    for group in by_unit.values():
        for addends in (group, *combinations(group[:_SUMMED], 3), *combinations(group[:_SUMMED], 2)):
            total = (
                sum(_size(number, addends[0]) for number in addends) * addends[0].value / _size(addends[0], addends[0])
            )
            yield from (addends[0]._replace(value=value) for value in (total, total / len(addends)))
            if addends[0].unit == "%":
                yield addends[0]._replace(value=100 - total)


def has_signs_of(copied: str, text: str) -> bool:
    """Whether the numbers of `copied` are in `text` in the same order, with the same signs and without other units, and
    its relations such as “≤” too."""
    numbers_there = iter(quantities(text))
    numbers = all(
        any(_is_told(number, of) and number.sign == of.sign and number.unit in ("", of.unit) for of in numbers_there)
        for number in quantities(copied)
    )
    relations = iter(_RELATION.findall(plain(text)))
    return numbers and all(sign in relations for sign in _RELATION.findall(plain(copied)))


_RELATION = re.compile(r"[<>≤≥]")


def may_be_another_name(text: str, evidence: str) -> bool:
    """Whether a name with a number in `text` is in `evidence` only with another number."""
    values, letters = {number.value for number in quantities(evidence)}, letters_of(evidence)
    names = (letters_of(number.name) for number in quantities(text) if number.value not in values)
    return any(name not in letters and name.rstrip("0123456789. ") in letters for name in names)


def may_be_of_another_kind(text: str, evidence: str) -> bool:
    """Whether a finding in `text` is only a spread in `evidence`, or, unless it is a range, a bound of an interval."""
    numbers, kinds = quantities(evidence), ("bound", "spread")
    bounds, spreads = ({number.value for number in numbers if number.kind == kind} for kind in kinds)
    further_values = {number.value for number in numbers if number.kind not in kinds}
    findings = {number.value for number in quantities(text) if number.kind in ("", "bound")} - further_values
    return len(findings & bounds) == 1 or not findings.isdisjoint(spreads)


def _is_told(number: Quantity, by: Quantity) -> bool:
    return _is_alike(number, by) and _size(number, by) == _size(by, number)


def _is_alike(number: Quantity, evidence: Quantity, loosely: bool = False) -> bool:
    """Whether two numbers may count the same thing, by sign and measures; `number` may leave out per what, and loosely
    also `evidence`."""
    units = {number.unit, evidence.unit} - {""}
    return (
        number.sign in ("", evidence.sign or "+")
        and len(units) <= 1
        and (loosely or number.measures <= evidence.measures)
    )


def _size(number: Quantity, evidence: Quantity) -> Decimal:
    """Return the value of `number`, in basic units where `evidence` has a unit of the same kind."""
    size = number.value * number.factor if number.unit and evidence.unit else number.value
    for measure, factor in number.per if (number.unit in _COUNTS) is (evidence.unit in _COUNTS) else ():
        size = size / factor if measure in evidence.measures else size
    return size
