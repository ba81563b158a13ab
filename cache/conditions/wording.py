"""Values of conditions in the words of an answer: `by Lee or Wu`, `known to be never cited`, `from 2020`."""

from calendar import IllegalMonthError, monthrange
from collections.abc import Callable, Sequence
from contextlib import suppress

from cache.conditions.values import Interval, Value

Phrase = Callable[[Sequence[Value], str], str]
"""A function that joins values into a phrase, with the given word before the last one."""


def listed(items: Sequence[str], last: str = "and") -> str:
    """Join items: `a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def quoted(items: Sequence[object], last: str = "and") -> str:
    """Join phrases in quotation marks."""
    return listed([f"“{phrase}”" for phrase in items], last)


def names_after(how: str, owner: str = "things") -> Phrase:
    """Return a phrase of names after `how`: `by Lee or Wu`. For `Remote*` it says that names of `owner` begin with
    it."""
    return lambda values, last: f"{how} {listed([_name(str(value), owner) for value in values], last)}"


def _name(name: str, owner: str) -> str:
    return f"{owner} whose names begin with “{name[:-1]}”" if name.endswith("*") else name


def citations(values: Sequence[Value], last: str) -> str:
    """Return how often papers are cited, as far as known: `known to be cited at least 10 times`."""
    return f"known to be {listed([_times(value) for value in values if isinstance(value, Interval)], last)}"


def _times(interval: Interval) -> str:
    return "never cited" if _counts(interval)[1] == "0" else f"cited {_bounds(interval, 'once', 'times')}"


def people(values: Sequence[Value], last: str) -> str:
    """Return how many authors papers have: `at most 3 authors`."""
    return listed([_authors(value) for value in values if isinstance(value, Interval)], last)


def _authors(interval: Interval) -> str:
    return "a single author" if _counts(interval)[1] == "1" else _bounds(interval, "one author", "authors")


def _bounds(interval: Interval, singular: str, many: str) -> str:
    """Return the bounds in words: "3 times", "2 to 5 times", "at least once"."""
    least, most = _counts(interval)
    unit = singular if (most or least) == "1" else f"{most or least} {many}"
    if least and most:
        return unit if least == most else f"{least} to {unit}"
    return f"at {'least' if least else 'most'} {unit}"


def _counts(interval: Interval) -> tuple[str, str]:
    least, most = (f"{bound:,}" if isinstance(bound, int) else "" for bound in (interval.least, interval.most))
    return least, most


def dated(during: str, at: str) -> Phrase:
    """Return a phrase of dates, with `during` before a range and `at` before a single date or an open range."""
    return lambda values, last: listed(
        [_time(during, at, value) for value in values if isinstance(value, Interval)], last
    )


def _time(during: str, at: str, interval: Interval) -> str:
    least, most = (str(bound or "") for bound in (interval.least, interval.most))
    if least and most:
        least, most = _in_months(least, most) or (least, most)
        return f"{at} {least}" if least == most else f"{during} {least} to {most}"
    return f"{at} {least} or later" if least else f"{at} {most} or earlier"


def _in_months(since: str, until: str) -> tuple[str, str] | None:
    """Return the first and last month of a range of whole months (`2020-07` and `2020-12` for the second half of 2020);
    None for any other range, and for whole years."""
    if len(since) == 4 or not (len(since) == 7 or since.endswith("-01")):
        return None
    with suppress(IllegalMonthError, ValueError):  # a model may write month 13
        if len(until) < 10 or int(until[8:]) == monthrange(int(until[:4]), int(until[5:7]))[1]:
            return since[:7], f"{until}-12"[:7]
    return None
