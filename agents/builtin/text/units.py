"""Units of measurement: what the unit after a number measures, and how large it is. The units are in `units.toml`."""

import re
import tomllib
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from connectors.query.stopwords import STOP_WORDS


class Unit(NamedTuple):
    """What a unit measures, "" if it is unknown; its number of basic units; and the units that it is divided by, each
    with its number of basic units."""

    measure: str = ""
    factor: Decimal = Decimal(1)
    per: frozenset[tuple[str, Decimal]] = frozenset()


MONEY_CODES = "USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|ZAR"
"""Codes of currencies before a number; behind one, most mean something else."""


@cache
def _table() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    table = tomllib.loads(files("agents.builtin.text").joinpath("units.toml").read_text("utf-8"))
    for kind, prefixes in (
        ("without_prefix", {"": 0}),
        ("with_prefix", table["prefixes"]),
        ("money", table["magnitudes"]),
    ):
        for names, definition in table[kind].items():
            unit = _defined(definition or f"1 {names.split()[0]}")
            for names_of_prefix, power in prefixes.items():
                for prefix in names_of_prefix.split() or [""]:
                    for name in names.split():
                        units.setdefault(f"{prefix}{name}", unit._replace(factor=unit.factor * Decimal(10) ** power))
    return {name: unit for name, unit in units.items() if name not in STOP_WORDS}


def _defined(definition: str) -> Unit:
    (factor, measure), *divisors = (part.split() for part in definition.split("/"))
    per = frozenset((divisor[-1], Decimal(divisor[0] if divisor[1:] else 1)) for divisor in divisors)
    return Unit(measure, Decimal(factor), per)


_LETTERS = r"[^\W\d_]+"
_EXPONENT = r"\^?(?P<exponent>-?[123])(?!\d)"
_ATOM = (
    rf"(?:(?P<power>square|cubic|sq)\s)?(?P<name>per\s?cent\b|per\sthousand\b|(?:[a-z]{{2,3}}\.?\s?)?%|‰|°\s?[CF]?\b|[$€£¥₹×]|{_LETTERS}(?:-{_LETTERS})*)"
    rf"(?:{_EXPONENT})?"
)
_FIRST = re.compile(rf"[-\s]?{_ATOM}", re.IGNORECASE)
_TWO_WORDS = re.compile(rf"[-\s]?(?P<name>[^\W\d_]{{4,30}}[-\s][^\W\d_]{{4,30}})(?:{_EXPONENT})?")
"""As in “kilowatt hours”."""
_EACH = r"(?:per|an?|each|every)\s"
_PER = rf"(?:\s?/\s?|\s{_EACH}|\s(?=[^\W\d_]+ly\b))"
_BELOW = re.compile(
    rf"{_PER}(?:(?P<number>[1-9]\d*(?:[,\s]\d{{3}})*(?:\.\d+)?)\s?(?:(?:{_LETTERS}\s)?{_EACH})?)?{_ATOM}", re.IGNORECASE
)
_ALSO_BELOW = re.compile(rf"\sand\s{_ATOM}", re.IGNORECASE)
_INVERSE = re.compile(rf"(?:\s(?:of\s)?[^\W\d_]\w*)?[\s·⋅.](?P<name>{_LETTERS}){_EXPONENT}(?!\w)")
_EVENT = re.compile(rf"\s{_LETTERS}(?={_PER})|(?:\s{_LETTERS}){{2,3}}(?=\s(?:per|every)\s)", re.IGNORECASE)
_OF_TIME = re.compile(rf"\s[^\W\d_]{{4,}}\s(?P<name>{_LETTERS})(?P<exponent>)(?!-)")
"""A unit of time behind another word, as in “3 consecutive days”."""
_OF_TIME = re.compile(
    r"\s[^\W\d_]{4,30}\s(?P<name>(?:second|minute|hour|day|week|month|year)s)\b(?P<exponent>)", re.IGNORECASE
)
"""As in “3 consecutive days”."""
_NO_UNIT = re.compile(rf"{_LETTERS}-.*[^s]|.+ly")
"""As in “604 first-year students” and “10 daily doses”, unlike “1,000 person-years” and “10 doses daily”."""
_LETTER = re.compile(r"[A-Z]")
_THINGS = re.compile(rf"\s(?!(?:{'|'.join(sorted(STOP_WORDS))})\b)[a-z]{{2,}}[^\Ws]s\b")
"""Things behind a letter that is part of their name, as in “12 T cells” and “12 C projects”."""
_SEPARATORS = re.compile(r"[,\s]")


def unit_after(text: str, start: int) -> tuple[Unit, int]:
    """Return the unit at `start` of a `plain` text, behind a number, and its end; `start` if there is none.

    Reads quotients such as “mL/min/1.73 m²”, “g C m⁻² yr⁻¹” and “events per 1,000 person-years”.
    """
    unit, end, below = Unit(), start, set[tuple[str, Decimal]]()
    matches = (pattern.match(text, start) for pattern in (_TWO_WORDS, _FIRST, _OF_TIME))
    first = next((match for match in matches if match and _atom(match).measure), None)
    event = _EVENT.match(text, start)
    if first and _LETTER.fullmatch(first["name"]) and _THINGS.match(text, first.end()):
        return unit, first.end()
    if first and not _NO_UNIT.fullmatch(first["name"]) and text[first.end() : first.end() + 1] != "_":
        unit, end = _atom(first), first.end()
        if _exponent(first) < 0:
            unit, below = Unit(), {unit[:2]}
    elif event:
        end = event.end()
    while match := (
        _BELOW.match(text, end) or _INVERSE.match(text, end) or (_ALSO_BELOW.match(text, end) if below else None)
    ):
        atom, parts = _atom(match), match.groupdict()
        if not atom.measure or (match.re is _INVERSE and _exponent(match) > 0):
            break
        below.add((atom.measure, atom.factor * Decimal(_SEPARATORS.sub("", parts.get("number") or "1"))))
        end = match.end()
    return unit._replace(per=unit.per | below), end if unit.measure or below else start


def unit_of(name: str) -> Unit:
    """Return the unit with a name, abbreviation or sign, also in the plural."""
    symbol = "%" if name.endswith("%") else re.sub(r"\s", "", name)
    spelling = symbol.replace("-", "")
    parts = (symbol, spelling, spelling.lower() if len(symbol) > 1 else "", symbol.rpartition("-")[2])
    names = (part for with_ending in parts for part in (with_ending, with_ending.removesuffix("s")))
    return next((_table()[part] for part in names if part in _table()), Unit())


def _atom(match: re.Match[str]) -> Unit:
    parts = match.groupdict()
    unit, word = unit_of(parts["name"]), (parts.get("power") or "").lower()
    power = {"square": 2, "sq": 2, "cubic": 3}.get(word) or abs(_exponent(match))
    return unit if power == 1 or not unit.measure else Unit(f"{unit.measure}{power}", unit.factor**power)


def _exponent(match: re.Match[str]) -> int:
    return int(match["exponent"] or 1)
