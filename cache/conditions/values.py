"""Values of conditions (names, words, counts, dates) and one parser for each type of value."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from connectors.records.clean import clean_text


class Clause(NamedTuple):
    """An SQL condition on the papers `p` and their shelf entries `s`, with `{}` as the placeholder of each value."""

    sql: str
    values: Sequence[str | int] = ()


class NotUnderstood(Exception):
    """A value that its type cannot parse; the message is a sentence with the reason."""


@dataclass(frozen=True, slots=True)
class Words:
    """Text to search for; `exact` if it was written in quotes, otherwise a single word."""

    text: str
    exact: bool = False

    def __str__(self) -> str:
        return f'"{self.text}"' if self.exact else self.text


@dataclass(frozen=True, slots=True)
class Interval:
    """The range from `least` to `most`, inclusive: counts, or dates of any precision. None means no bound."""

    least: int | str | None
    most: int | str | None

    def __str__(self) -> str:
        if self.least == self.most:
            return str(self.least)
        return "..".join("" if bound is None else str(bound) for bound in (self.least, self.most))

    @property
    def is_empty(self) -> bool:
        """Whether the range ends before it begins."""
        match self.least, self.most:
            case int(least), int(most):
                return least > most
            case str(first), str(last):
                return first[: len(last)] > last
        return False

    def holds(self, count: int | None) -> bool:
        """Whether a count is known and in the range."""
        match self.least, self.most:
            case (int() | None) as least, (int() | None) as most:
                return count is not None and (least is None or count >= least) and (most is None or count <= most)
        raise TypeError("an interval of dates has no counts")

    def has_day(self, date: str) -> bool:
        """Whether `date` lies in the range. A year or month counts if one of its days does; "" (unknown) never does."""
        match self.least, self.most:
            case (str() | None) as least, (str() | None) as most:
                return (
                    date != ""
                    and (least is None or date >= least[: len(date)])
                    and (most is None or date[: len(most)] <= most)
                )
        raise TypeError("an interval of counts has no dates")


class Group(ABC):
    """Conditions that must hold together, as one of the values of a condition; see `cache.conditions.filters`."""

    __slots__ = ()

    @property
    @abstractmethod
    def clause(self) -> Clause: ...

    @property
    @abstractmethod
    def together(self) -> str:
        """The conditions in words, after "is": `(by Lee and from 2016)`."""

    @abstractmethod
    def holds(self, subject: Any) -> bool: ...


Value = str | Words | Interval | Group


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type of value. `read` parses it from the condition's name and the text; `choices` lists the allowed values, if
    they are limited."""

    read: Callable[[str, str], Value]
    choices: tuple[str, ...] = ()


def _name(field: str, text: str) -> str:
    bare = " ".join(text.replace('"', " ").split())
    if not any(map(str.isalnum, bare)):
        raise NotUnderstood(f"{field}: needs a name after it")
    return bare


def choice(choices: tuple[str, ...]) -> ValueType:
    """Return a type whose values are `choices`, in any case."""

    def read(field: str, text: str) -> str:
        if text.casefold() in choices:
            return text.casefold()
        hint = f"{field}: takes {', '.join(choices)}"
        raise NotUnderstood(f"{field}:{clean_text(text, 40)} is not known; {hint}" if text else hint)

    return ValueType(read, choices)


_DAY = r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?"
_EXAMPLES = {
    _DAY: "{0}:2020, {0}:2020.., {0}:..2010 or {0}:2015..2020",
    "[0-9]{1,9}": "{0}:10.., {0}:..10, {0}:10..99 or {0}:0",
}


_COMPARED = re.compile(r"(?P<sign>[<>]=?)(?P<bound>[0-9-]{1,10})")


def _as_range(match: re.Match[str]) -> str:
    """Return `>=10`, as other programs write it, as the range `10..`; `>` and `<` only of whole numbers and years."""
    sign, bound = match["sign"], match["bound"]
    if not sign.endswith("="):
        if not bound.isdigit():
            return match[0]
        bound = str(int(bound) + (1 if sign == ">" else -1))
    return f"{bound}.." if sign.startswith(">") else f"..{bound}"


def _interval(bound: str, convert: Callable[[str], int | str]) -> Callable[[str, str], Interval]:
    pattern = re.compile(rf"(?P<both>{bound})|(?P<least>{bound})?\.\.(?P<most>{bound})?")

    def read(field: str, text: str) -> Interval:
        match = pattern.fullmatch(_COMPARED.sub(_as_range, text))
        if not match or text == "..":
            wrong = f"{field}:{clean_text(text, 40)} is not understood"
            raise NotUnderstood(f"{wrong}; write {_EXAMPLES[bound].format(field)}")
        least, most = (match["both"] or match[name] for name in ("least", "most"))
        interval = Interval(convert(least) if least else None, convert(most) if most else None)
        if interval.is_empty:
            raise NotUnderstood(f"{field}:{interval} ends before it begins; write {field}:{most}..{least}")
        return interval

    return read


NAME = ValueType(_name)
DATES = ValueType(_interval(_DAY, str))
COUNT = ValueType(_interval("[0-9]{1,9}", int))
DAY_PATTERN = rf"^{_DAY}$"
