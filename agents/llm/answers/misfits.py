"""An answer held against its shape: what a model spelled otherwise is understood, what it left out is not made up."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, get_origin

from pydantic import BaseModel, ValidationError

from connectors.records.clean import clean_text

T = TypeVar("T", bound=BaseModel)

_ROUNDS = 6
_VALUES = re.compile(r"'([^']*)'|(-?\d+)")


class OtherScale(ValueError):
    """A fault that spoils every entry: figures on another scale cannot be told from good ones one by one."""


class Misfit(ValueError):
    """The text holds no answer of the shape. `schema_ignored`: an endpoint that keeps to a schema cannot say this."""

    def __init__(self, complaint: str, schema_ignored: bool) -> None:
        super().__init__(complaint)
        self.complaint = complaint
        self.schema_ignored = schema_ignored


def fit(value: Any, shape: type[T], partly: bool) -> tuple[T, bool]:
    """`value` as `shape`, and whether that is all of it: `partly` leaves out entries of lists that do not fit while
    others do.

    What is merely spelled otherwise fits. `value` is changed. Raises `ValidationError`.
    """
    whole = True
    for _ in range(_ROUNDS):
        try:
            return shape.model_validate(value), whole
        except ValidationError as error:
            faults = error.errors(include_url=False)
            if any(isinstance(fault.get("ctx", {}).get("error"), OtherScale) for fault in faults):
                raise
            respelled = [_respelled(value, fault) for fault in faults]
            if any(respelled):
                continue
            if not partly or not _left_out(value, [fault["loc"] for fault in faults]):
                raise
            whole = False
    return shape.model_validate(value), whole


def complaint_about(error: ValidationError) -> Misfit:
    """What is wrong, in words that the model is told."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    complaints = [f"{'.'.join(map(str, fault['loc'])) or 'the object'}: {fault['msg']}" for fault in faults[:5]]
    ignored = any(fault["type"] == "missing" or fault["type"].endswith("_type") for fault in faults)
    return Misfit(clean_text("; ".join(complaints), 500), schema_ignored=ignored)


def rows_field(shape: type[BaseModel]) -> str | None:
    """The name of the list that `shape` is nothing but a wrapping of."""
    fields = list(shape.model_fields.items())
    return fields[0][0] if len(fields) == 1 and get_origin(fields[0][1].annotation) is list else None


def rows_of(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows in an object that calls their list by another name, or the rows by their ids."""
    listed = [one for one in value.values() if isinstance(one, list) and one and isinstance(one[0], dict)]
    if len(listed) == 1:
        return [row for row in listed[0] if isinstance(row, dict)]
    if value and all(isinstance(one, dict) for one in value.values()):
        return [{"id": name, **row} for name, row in value.items()]
    return []


def _respelled(value: Any, fault: Any) -> bool:
    """Whether what is at fault is a good value in another spelling, which takes its place."""
    written = fault["input"]
    match fault["type"]:
        case "string_type" if isinstance(written, int | float) and not isinstance(written, bool):
            meant: Any = str(written)
        case "string_type" if written is None:
            meant = ""
        case "list_type" if written is None:
            meant = []
        case "list_type" if isinstance(written, dict):
            meant = rows_of(written) or [written]
        case "literal_error":
            meant = _one_of(str(written), fault.get("ctx", {}).get("expected", ""))
        case _:
            return False
    return meant is not None and _put(value, fault["loc"], meant)


def _one_of(written: str, expected: str) -> str | int | None:
    """The one of the values that a message lists which is `written` in other letters."""
    for text, number in _VALUES.findall(expected):
        if written.strip().casefold() == (text or number).casefold():
            return int(number) if number else str(text)
    return None


def _put(value: Any, place: Sequence[int | str], meant: Any) -> bool:
    try:
        for step in place[:-1]:
            value = value[step]
        if value[place[-1]] == meant and type(value[place[-1]]) is type(meant):
            return False
        value[place[-1]] = meant
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _left_out(value: Any, places: Iterable[Sequence[int | str]]) -> bool:
    """Take the innermost entries of lists that hold what is at fault out of `value`; False where nothing would stay."""
    bad: dict[tuple[int | str, ...], set[int]] = {}
    for place in places:
        if not _marked(value, tuple(place), bad):
            return False
    lists = {path: _at(value, path) for path in bad}
    for path, entries in lists.items():
        entries[:] = [entry for number, entry in enumerate(entries) if number not in bad[path]]
    return True


def _marked(value: Any, place: tuple[int | str, ...], bad: dict[tuple[int | str, ...], set[int]]) -> bool:
    """Mark the entry of a list at `place`, or the one around the list if it would be left empty."""
    last = next((depth for depth in reversed(range(len(place))) if isinstance(place[depth], int)), None)
    if last is None:
        return False
    path, number = place[:last], place[last]
    entries = _at(value, path)
    if not isinstance(entries, list) or not isinstance(number, int):
        return False
    marked = bad.setdefault(path, set())
    marked.add(number)
    return len(marked) < len(entries) or _marked(value, path, bad)


def _at(value: Any, path: Sequence[int | str]) -> Any:
    try:
        for step in path:
            value = value[step]
    except (KeyError, IndexError, TypeError):
        return None
    return value
