"""From a model's words to the answer asked for: the JSON found, mended once if need be, cleaned and checked."""

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from connectors.records.clean import clean_text

T = TypeVar("T", bound=BaseModel)

MENDED_CAP = 6_000
"""Longest text, in characters, that mending is tried on; on hopeless texts its time grows with the square."""
EFFORT_CAP = 4_000_000
"""Most characters read in search of an object: a text full of opening braces must not hold up the loop."""
MOST_STARTS = 20_000
_REASONING = "think|thinking|thought|reasoning"
_OPENED = re.compile(rf"\s*<({_REASONING})>", re.IGNORECASE)
_CLOSED = re.compile(rf"</({_REASONING})>", re.IGNORECASE)


class Misfit(ValueError):
    """The text holds no answer of the shape. `schema_ignored`: an endpoint that keeps to a schema cannot say this."""

    def __init__(self, complaint: str, schema_ignored: bool) -> None:
        super().__init__(complaint)
        self.complaint = complaint
        self.schema_ignored = schema_ignored


def read_answer(text: str, shape: type[T]) -> T:
    """The answer of `shape` that `text` holds, its strings cleaned. Raises `Misfit`, and nothing else.

    Hopeless texts can take two seconds: call it in a thread.
    """
    misfit: Misfit | None = None
    for found in _candidates(text):
        try:
            return shape.model_validate(cleaned(found))
        except ValidationError as error:
            misfit = misfit or _misfit(error)
        except RecursionError:
            misfit = misfit or Misfit("the JSON is nested too deeply.", schema_ignored=True)
    raise misfit or Misfit("there is no JSON object in it.", schema_ignored=True)


def objects_in(text: str) -> list[dict[str, Any]]:
    """Every outermost JSON object in `text`, the longest first: that is the answer, the others are examples of it."""
    found: list[tuple[int, int, dict[str, Any]]] = []
    start, limits = text.find("{"), 0
    for _ in range(MOST_STARTS):
        if start < 0 or limits > EFFORT_CAP:
            break
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            limits += (error.pos if isinstance(error, json.JSONDecodeError) else len(text)) - start
            start = text.find("{", start + 1)
            continue
        found.append((end - start, start, value))
        start = text.find("{", end)
    return [value for _, _, value in sorted(found, key=lambda entry: entry[:2], reverse=True)]


def without_reasoning(text: str) -> str:
    """`text` without the block in which a model thinks aloud before it answers; "" if it never came to answer."""
    if opened := _OPENED.match(text):
        closed = re.compile(f"</{opened[1]}>", re.IGNORECASE).search(text, opened.end())
        return text[closed.end() :] if closed else ""
    # Some servers swallow the opening tag.
    lone = _CLOSED.search(text)
    return text[lone.end() :] if lone and "{" in text[lone.end() :] else text


def cleaned(value: Any) -> Any:
    """`value` with every string in it cleaned. Raises `RecursionError` for absurd depth."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {key: cleaned(item) for key, item in value.items()}
    return [cleaned(item) for item in value] if isinstance(value, list) else value


def _candidates(text: str) -> Iterator[dict[str, Any]]:
    """What could be the answer, the likeliest first; the mended text comes last."""
    answer = without_reasoning(text)
    for part in dict.fromkeys((answer, text if not _OPENED.match(text) else answer)):
        yield from objects_in(part)
    start = answer.find("{")
    if start >= 0 and len(answer) - start <= MENDED_CAP:
        mended = _mended(answer[start:])
        if mended is not None:
            yield mended


def _mended(text: str) -> dict[str, Any] | None:
    from json_repair import repair_json

    try:
        value = json.loads(repair_json(text), parse_constant=_no_number)
    except (ValueError, RecursionError, TypeError, IndexError):  # a mender may stumble over what it cannot mend
        return None
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, dict)), None)
    return value if isinstance(value, dict) and value else None


def _misfit(error: ValidationError) -> Misfit:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    complaints = [f"{'.'.join(map(str, fault['loc'])) or 'the object'}: {fault['msg']}" for fault in faults[:5]]
    ignored = any(fault["type"] == "missing" or fault["type"].endswith("_type") for fault in faults)
    return Misfit(clean_text("; ".join(complaints), 500), schema_ignored=ignored)


def _no_number(name: str) -> None:
    """NaN and the infinities, which JSON does not have, are no value; the rest of the answer may be good."""


_DECODER = json.JSONDecoder(parse_constant=_no_number)
