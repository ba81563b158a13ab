"""Join the conditions of a message by "or": a small grammar over the conditions that its parts mean.

Conditions that stand beside each other, with or without "and", must all hold. An "or" joins the conditions on its two
sides: one and one, "unread or liked"; or, if the right side begins with a condition of the same kind as an earlier one
on the left, as many as there are from that one on, "by Lee from 2016 or by Kim from 2023". Commas before an "or" are
"or" too. What else the message says holds for all alternatives.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from agents.reading.reading import PaperSelection

_EITHER = {"words": "any_words", "authors": "any_authors"}
"""For conditions whose values must all hold, those of which one must."""
_ANY = frozenset(("venues", "types", "tags", "years", "any_words", "any_authors"))
"""Conditions of which one value must hold."""
_WHEN = frozenset({"since", "until", "years"})
_YEAR = 4
"""Number of letters of a year."""


class Part(NamedTuple):
    """The conditions that one part of a message means, and what joins it to the part before: "or", "," or ""."""

    joint: str
    given: Mapping[str, Any]


def part_of(joint: str, alone: PaperSelection) -> Part:
    """Return the conditions of a part of a message, which `alone` means."""
    given = {**alone.given}
    for name, value in (pair for more in alone.also for pair in more.items()):
        given[name] = [*given.get(name, ()), *value]
    if given.get("since") == given.get("until") and len(given.get("since", "")) == _YEAR:
        given = {name: value for name, value in given.items() if name != "until"}
        given["years"] = [given.pop("since")]
    return Part(joint, given)


def join(selection: PaperSelection, parts: Sequence[Part]) -> None:
    """Turn the parts of a selection that "or" joins into alternatives."""
    joined, at = PaperSelection(), 0
    while at < len(parts):
        groups = list(_alternatives(parts, at))
        if len(groups) > 1:
            _add_either(joined, [_together(group) for group in groups])
        else:
            _add(joined, parts[at].given)
        at += sum(map(len, groups))
    selection.given, selection.also, selection.against = joined.given, joined.also, joined.against


def _alternatives(parts: Sequence[Part], start: int) -> Iterator[Sequence[Part]]:
    """Yield the alternatives that begin with the part at `start`; only this part if there is one."""
    behind = next((at for at in range(start + 1, len(parts)) if parts[at].joint == "or"), start)
    alike = (at for at in range(start, behind) if _kinds(parts[at]) == _kinds(parts[behind]))
    first = next(alike, behind - 1)
    if behind == start or first != start:
        yield parts[start : start + 1]
        return
    size = next((at for at in range(start + 1, behind) if parts[at].joint == ","), behind) - start
    at = start
    while at < len(parts) and (at == start or parts[at].joint == "or" or (parts[at].joint and at < behind)):
        end = at + 1
        while end < min(at + size, len(parts)) and not parts[end].joint:
            end += 1
        yield parts[at:end]
        at = end


def _kinds(part: Part) -> frozenset[str]:
    """Return the kinds of conditions of a part; all bounds of dates are of one kind."""
    return frozenset("years" if name in _WHEN else name for name in part.given)


def _together(group: Sequence[Part]) -> Mapping[str, Any]:
    both = PaperSelection()
    for part in group:
        _add(both, part.given)
    return both.given if len(group) > 1 else group[0].given


def _add(selection: PaperSelection, given: Mapping[str, Any]) -> None:
    """Add conditions that hold beside the others; several tags must all hold."""
    given = {**given}
    if "tags" in given and "tags" in selection.given:
        selection.also += [{"tags": [tag]} for tag in given.pop("tags")]
    years = given.pop("years", [None])
    selection.add_time(years[0], years[0], years if len(years) > 1 else ())
    for name, value in given.items():
        selection.add_all(name, value)


def _add_either(selection: PaperSelection, either: Sequence[Mapping[str, Any]]) -> None:
    """Add alternatives: as values of one condition if all are of one, otherwise as groups."""
    kinds = {_EITHER.get(name, name) for given in either for name in given}
    if len(kinds) == 1 and kinds <= _ANY:
        selection.add_all(kinds.pop(), [value for given in either for values in given.values() for value in values])
    elif "any_of" in selection.given:
        selection.also.append({"any_of": list(either)})
    else:
        selection.given["any_of"] = list(either)
