"""Validate an answer against its shape: accept other spellings of valid values, but never fill in missing ones."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, get_origin

from pydantic import BaseModel, ValidationError

from connectors.records.clean import clean_text

T = TypeVar("T", bound=BaseModel)

_ROUNDS = 6
_VALUES = re.compile(r"'([^']*)'|(-?\d+)")


class OtherScale(ValueError):
    """A fault that invalidates every entry: if some figures are on another scale, no figure can be trusted."""


class Misfit(ValueError):
    """The text has no answer of the shape. `schema_ignored`: an endpoint that enforces schemas cannot produce this
    text."""

    def __init__(self, complaint: str, schema_ignored: bool) -> None:
        super().__init__(complaint)
        self.complaint = complaint
        self.schema_ignored = schema_ignored


def fit(value: Any, shape: type[T], partly: bool) -> tuple[T, bool]:
    """Return `value` as `shape`, and whether that is all of it: with `partly`, invalid entries of lists are left out as
    long as valid ones remain.

    Other spellings of valid values fit. Changes `value`. Raises `ValidationError`.
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
    """Describe the fault in words for the model."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    complaints = [f"{'.'.join(map(str, fault['loc'])) or 'the object'}: {fault['msg']}" for fault in faults[:5]]
    ignored = any(fault["type"] == "missing" or fault["type"].endswith("_type") for fault in faults)
    return Misfit(clean_text("; ".join(complaints), 500), schema_ignored=ignored)


def rows_field(shape: type[BaseModel]) -> str | None:
    """Return the name of the only field of `shape`, if that is a list."""
    fields = list(shape.model_fields.items())
    return fields[0][0] if len(fields) == 1 and get_origin(fields[0][1].annotation) is list else None


def rows_of(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of an object that names their list differently, or that maps ids to rows."""
    listed = [one for one in value.values() if isinstance(one, list) and one and isinstance(one[0], dict)]
    if len(listed) == 1:
        return [row for row in listed[0] if isinstance(row, dict)]
    if value and all(isinstance(one, dict) for one in value.values()):
        return [{"id": name, **row} for name, row in value.items()]
    return []


def _respelled(value: Any, fault: Any) -> bool:
    """Replace a value that is valid in another spelling; return whether it was."""
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
    """Return the one of the expected values, as an error message lists them, that equals `written` up to spelling."""
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
    """Remove the innermost list entries that contain a fault from `value`. Return False if nothing would remain."""
    bad: dict[tuple[int | str, ...], set[int]] = {}
    for place in places:
        if not _marked(value, tuple(place), bad):
            return False
    lists = {path: _at(value, path) for path in bad}
    for path, entries in lists.items():
        entries[:] = [entry for number, entry in enumerate(entries) if number not in bad[path]]
    return True


def _marked(value: Any, place: tuple[int | str, ...], bad: dict[tuple[int | str, ...], set[int]]) -> bool:
    """Mark the list entry at `place` or, if its list would become empty, the entry around that list."""
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
