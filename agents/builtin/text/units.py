"""Units of measurement: what the unit after a number measures, and how large it is.

The table has the base and derived units of the SI with all prefixes, the units that the SI brochure accepts beside
them, the usual ones of medicine, biology, computing and daily life, and currencies with letters for thousands to
billions.
"""

import re
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from connectors.query.stopwords import STOP_WORDS

_PREFIXES = {
    "": 0, "da deca": 1, "h hecto": 2, "k K kilo": 3, "M mega": 6, "G giga": 9, "T tera": 12, "P peta": 15, "E exa": 18,
    "Z zetta": 21, "Y yotta": 24, "d deci": -1, "c centi": -2, "m milli": -3, "µ μ u mu mc micro": -6, "n nano": -9,
    "p pico": -12, "f femto": -15, "a atto": -18, "z zepto": -21, "y yocto": -24,
}  # fmt: skip
_WITH_PREFIX = (
    "g gram gramme", "m meter metre", "s sec second", "A ampere amp", "K kelvin", "mol mole", "cd candela",
    "N newton", "Pa pascal", "J joule", "W watt", "C coulomb", "V volt", "F farad", "Ω Ω ohm", "S siemens",
    "Wb weber", "T tesla", "H henry", "lm lumen", "lx lux", "Bq becquerel", "Gy gray", "Sv sievert", "kat katal",
    "rad radian", "sr steradian", "Da dalton", "dB decibel", "IU U unit", "Eq equivalent", "osm Osm osmole",
    "pc parsec", "B b byte", "flop flops FLOP FLOPS", "P poise", "L l liter litre = 0.001 m3",
    "M molar = 1 mol/0.001 m3", "eV electronvolt = 1.602176634e-19 J", "Wh watthour = 3600 J", "t ton tonne = 1e6 g",
    "bar = 1e5 Pa", "Ci curie = 3.7e10 Bq", "cal calorie = 4.184 J", "bit = 0.125 B", "bp base = 1 B",
    "bps = 0.125 B/s", "Hz hertz = 1 times/s",
)  # fmt: skip
_WITHOUT_PREFIX = (
    "% percent percentage pct", "‰ permille perthousand = 0.1 %", "ppm = 0.0001 %", "ppb = 1e-7 %", "°c ° degree", "°f",
    "times time fold x ×", "min minute = 60 s", "h hr hour = 3600 s", "d day = 86400 s", "wk week = 604800 s",
    "fortnight = 1209600 s", "mo month = 2629800 s", "y yr year = 31557600 s", "decade = 315576000 s",
    "century centuries = 3155760000 s", "ha hectare = 1e4 m2", "acre = 4046.8564224 m2", "barn = 1e-28 m2",
    "Å Å angstrom ångström = 1e-10 m", "µ μ micron = 1e-6 m", "au AU = 149597870700 m",
    "ly lightyear = 9460730472580800 m",
    "inch inches = 0.0254 m", "ft foot feet = 0.3048 m", "yd yard = 0.9144 m", "mi mile = 1609.344 m", "nmi = 1852 m",
    "cc = 1e-6 m3", "gallon gal = 0.003785411784 m3", "lb lbs = 453.59237 g", "oz ounce = 28.349523125 g",
    "ct carat = 0.2 g", "atm atmosphere = 101325 Pa", "torr Torr mmHg mmhg = 133.322387415 Pa", "cmH₂O = 98.0665 Pa",
    "psi = 6894.757293168 Pa", "hp horsepower = 745.6998715823 W", "G gauss = 1e-4 T", "kn knot = 1852 m/3600 s",
    "mph = 1609.344 m/3600 s", "kph kmh = 1000 m/3600 s", "rpm bpm = 1 times/60 s", "fps FPS = 1 times/s",
    "dpt diopter dioptre", "KiB = 1024 B", "MiB = 1048576 B", "GiB = 1073741824 B", "TiB = 1099511627776 B",
)  # fmt: skip
_MONEY = ("$ USD dollar", "€ EUR euro", "£ GBP", "¥ JPY yen", "CNY RMB yuan", "₹ INR rupee", "CHF")
"""Other codes are as often abbreviations of something else: “100 SGD steps”, “120 CAD patients”."""
_MAGNITUDES = {"": 0, "k K": 3, "m M mn": 6, "b B bn": 9}


class Unit(NamedTuple):
    """What a unit measures, "" if it is unknown; its number of basic units; and the units that it is divided by, each
    with its number of basic units."""

    measure: str = ""
    factor: Decimal = Decimal(1)
    per: frozenset[tuple[str, Decimal]] = frozenset()


@cache
def _table() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for lines, prefixes in ((_WITHOUT_PREFIX, {"": 0}), (_WITH_PREFIX, _PREFIXES), (_MONEY, _MAGNITUDES)):
        for line in lines:
            names, _, definition = line.partition(" = ")
            unit = _defined(definition or f"1 {names.split()[0]}")
            for names_of_prefix, power in prefixes.items():
                for prefix in names_of_prefix.split() or [""]:
                    for name in names.split():
                        units.setdefault(f"{prefix}{name}", unit._replace(factor=unit.factor * Decimal(10) ** power))
    return {name: unit for name, unit in units.items() if name not in STOP_WORDS}


def _defined(definition: str) -> Unit:
    (factor, measure), *others = (part.split() for part in definition.split("/"))
    per = frozenset((other[-1], Decimal(other[0] if other[1:] else 1)) for other in others)
    return Unit(measure, Decimal(factor), per)


_LETTERS = r"[^\W\d_²³¹]+"
_EXPONENT = r"\^?(?P<exponent>[-−⁻–]?[123²³¹])(?!\d)"
_ATOM = (
    rf"(?:(?P<power>square|cubic|sq)\s)?(?P<name>per\s?cent\b|per\sthousand\b|(?:[a-z]{{2,3}}\.?\s?)?%|‰|°\s?[CF]?\b|[$€£¥₹×]|{_LETTERS}(?:-{_LETTERS})*)"
    rf"(?:{_EXPONENT})?"
)
_FIRST = re.compile(rf"[-\s\\]?{_ATOM}", re.IGNORECASE)
_TWO_WORDS = re.compile(rf"[-\s]?(?P<name>[^\W\d_]{{4,30}}[-\s][^\W\d_]{{4,30}})(?:{_EXPONENT})?")
"""As in “kilowatt hours”."""
_PER = r"(?:\s?/\s?|\s(?:per|an?|each|every)\s)"
_BELOW = re.compile(rf"{_PER}(?:(?P<number>[1-9]\d*(?:[,\s]\d{{3}})*(?:\.\d+)?)\s?)?{_ATOM}", re.IGNORECASE)
_ALSO_BELOW = re.compile(rf"\sand\s{_ATOM}", re.IGNORECASE)
_INVERSE = re.compile(rf"(?:\s(?:of\s)?[^\W\d_]\w*)?[\s·⋅.](?P<name>{_LETTERS}){_EXPONENT}(?!\w)")
_EVENT = re.compile(rf"\s{_LETTERS}(?={_PER})", re.IGNORECASE)
_COMPOUND = re.compile(rf"{_LETTERS}-.*[^s]")
"""As in “604 first-year students”, unlike “1,000 person-years”."""
_SUPERSCRIPTS = str.maketrans("¹²³−⁻–", "123---")
_SEPARATORS = re.compile(r"[,\s]")


def unit_after(text: str, start: int) -> tuple[Unit, int]:
    """Return the unit at `start` of `text`, behind a number, and its end; `start` if there is none.

    Reads quotients such as “mL/min/1.73 m²”, “g C m⁻² yr⁻¹” and “events per 1,000 person-years”.
    """
    unit, end, below = Unit(), start, set[tuple[str, Decimal]]()
    matches = (pattern.match(text, start) for pattern in (_TWO_WORDS, _FIRST))
    first = next((match for match in matches if match and _atom(match).measure), None)
    event = _EVENT.match(text, start)
    if first and not _COMPOUND.fullmatch(first["name"]) and text[first.end() : first.end() + 1] != "_":
        unit, end = _atom(first), first.end()
        if _is_inverse(first):
            unit, below = Unit(), {unit[:2]}
    elif event:
        end = event.end()
    while match := (
        _BELOW.match(text, end) or _INVERSE.match(text, end) or (_ALSO_BELOW.match(text, end) if below else None)
    ):
        atom, parts = _atom(match), match.groupdict()
        if not atom.measure or (match.re is _INVERSE and not _is_inverse(match)):
            break
        below.add((atom.measure, atom.factor * Decimal(_SEPARATORS.sub("", parts.get("number") or "1"))))
        end = match.end()
    return unit._replace(per=unit.per | below), end if unit.measure or below else start


def unit_of(name: str) -> Unit:
    """Return the unit with a name, abbreviation or sign, also in the plural."""
    plain = "%" if name.endswith("%") else re.sub(r"\s", "", name)
    whole = plain.replace("-", "")
    parts = (plain, whole, whole.lower() if len(plain) > 1 else "", plain.rpartition("-")[2])
    names = (part for with_ending in parts for part in (with_ending, with_ending.removesuffix("s")))
    return next((_table()[part] for part in names if part in _table()), Unit())


def _atom(match: re.Match[str]) -> Unit:
    parts = match.groupdict()
    unit, word = unit_of(parts["name"]), (parts.get("power") or "").lower()
    power = {"square": 2, "sq": 2, "cubic": 3}.get(word) or abs(_exponent(match))
    return unit if power == 1 or not unit.measure else Unit(f"{unit.measure}{power}", unit.factor**power)


def _is_inverse(match: re.Match[str]) -> bool:
    return _exponent(match) < 0


def _exponent(match: re.Match[str]) -> int:
    return int((match["exponent"] or "1").translate(_SUPERSCRIPTS))
