"""From a model's words to the answer asked for: the JSON found, mended as a whole if need be, cleaned and checked."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from agents.llm.answers.links import without_links
from agents.llm.answers.misfits import Misfit, complaint_about, fit, rows_field, rows_of
from connectors.records.clean import clean_text

T = TypeVar("T", bound=BaseModel)

MENDED_CAP = 30_000
"""Longest text, in characters, that mending is tried on."""
MOST_OPEN = 100
"""Most braces left open that mending closes."""
ANY_TEXT = 6_000
"""So many characters are mended whatever they are: on what is hardly JSON the mender's time grows with the square."""
LONGEST_VALUE = 3_000
"""Beyond that a text must have a key in every so many characters."""
EFFORT_CAP = 4_000_000
"""Most characters read in search of an object: a text full of opening braces must not hold up the loop."""
MOST_STARTS = 20_000
_REASONING = "think|thinking|thought|reasoning"
_OPENED = re.compile(rf"\s*<({_REASONING})>", re.IGNORECASE)
_CLOSED = re.compile(rf"</({_REASONING})>", re.IGNORECASE)
_FIRST_KEY = re.compile(r"\s*[\"'“]?\w[\w -]{0,60}[\"'”]?\s*:")
"""What follows a brace that opens an object."""
_KEY = re.compile(r"\w[\"']?\s*:")
_STRING_OR_END = re.compile(r'"(?:[^"\\]|\\.)*"?|\}', re.DOTALL)


class Read(NamedTuple, Generic[T]):
    """What was read of an answer; `whole` if nothing had to be left out."""

    answer: T
    whole: bool


def read_answer(text: str, shape: type[T], *, partly: bool = False, cut: bool = False, links: bool = True) -> Read[T]:
    """The answer of `shape` that `text` holds, its strings cleaned, and without live `links` where those are not to be
    trusted. Raises `Misfit`, and nothing else.

    `partly`, where entries of lists have nothing to do with each other: those that do not fit are left out as long as
    others do, and of an answer that was `cut` all that was not whole before. Hopeless texts can take two seconds: call
    it in a thread.
    """
    misfit: Misfit | None = None
    for found in _before_the_cut(text) if cut else _candidates(text, shape):
        if not found.keys() & shape.model_fields.keys():
            named = ", ".join(shape.model_fields)
            misfit = misfit or Misfit(f"the object has none of the keys asked for ({named}).", schema_ignored=True)
            continue
        try:
            answer, whole = fit(cleaned(found, clean_text if links else _unlinked), shape, partly)
            return Read(answer, whole and not cut)
        except ValidationError as error:
            misfit = misfit or complaint_about(error)
        except RecursionError:
            misfit = misfit or Misfit("the JSON is nested too deeply.", schema_ignored=True)
    raise misfit or Misfit("there is no JSON object in it.", schema_ignored=True)


class _Found(NamedTuple):
    value: dict[str, Any]
    length: int
    inside: bool
    """Whether a damaged object was open where this one begins: then it is a part, and not the answer."""


def objects_in(text: str) -> list[dict[str, Any]]:
    """Every outermost JSON object in `text`, the longest first: that is the answer, the others are examples of it."""
    return [found.value for found in sorted(_objects(text), key=lambda found: -found.length)]


def _objects(text: str) -> list[_Found]:
    """The outermost of the undamaged objects, in their order."""
    found: list[_Found] = []
    start, limits, unclosed = text.find("{"), 0, 0
    for _ in range(MOST_STARTS):
        if start < 0 or limits > EFFORT_CAP:
            break
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            limits += (error.pos if isinstance(error, json.JSONDecodeError) else len(text)) - start
            end = start + 1
            unclosed += bool(_FIRST_KEY.match(text, end))
        else:
            found.append(_Found(value, end - start, unclosed > 0))
        start = text.find("{", end)
        unclosed = max(unclosed - text.count("}", end, max(start, end)), 0)
    return found


def without_reasoning(text: str) -> str:
    """`text` without the block in which a model thinks aloud before it answers; "" if it never came to answer."""
    if opened := _OPENED.match(text):
        closed = re.compile(f"</{opened[1]}>", re.IGNORECASE).search(text, opened.end())
        return text[closed.end() :] if closed else ""
    # Some servers swallow the opening tag.
    lone = _CLOSED.search(text)
    return text[lone.end() :] if lone and "{" in text[lone.end() :] else text


def cleaned(value: Any, clean: Callable[[str], str] = clean_text) -> Any:
    """`value` with `clean` done to every string in it. Raises `RecursionError` for absurd depth."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: cleaned(item, clean) for key, item in value.items()}
    return [cleaned(item, clean) for item in value] if isinstance(value, list) else value


def _unlinked(text: str) -> str:
    return without_links(clean_text(text))


def _candidates(text: str, shape: type[BaseModel]) -> Iterator[dict[str, Any]]:
    """What could be the answer, the likeliest first.

    A damaged object is mended before its parts are tried, unless one of them names all that is asked for.
    """
    answer = without_reasoning(text)
    found = _objects(answer)
    whole = objects_in(answer)
    mended = _mended(answer[max(answer.find("{"), 0) :])
    if any(one.inside for one in found):
        yield from (one for one in whole if shape.model_fields.keys() <= one.keys())
        if mended is not None:
            yield mended
    yield from whole
    if answer != text and not _OPENED.match(text):
        yield from objects_in(text)
    if mended is not None:
        yield mended
    for outer in whole:
        yield from (inner for inner in outer.values() if isinstance(inner, dict))
    if rows := rows_field(shape):
        yield from ({rows: listed} for outer in whole if (listed := rows_of(outer)))
        yield {rows: [one.value for one in found]}


def _before_the_cut(text: str) -> Iterator[dict[str, Any]]:
    """What stands whole in an answer that broke off: everything up to the last object that was closed."""
    answer = without_reasoning(text)
    start = max(answer.find("{"), 0)
    ends = [part.end() for part in _STRING_OR_END.finditer(answer, start) if part[0] == "}"]
    mended = _mended(answer[start : ends[-1]]) if ends else None
    if mended is not None:
        yield mended


def _mended(text: str) -> dict[str, Any] | None:
    if not text.startswith("{") or _hopeless(text):
        return None
    from json_repair import repair_json

    try:
        value = json.loads(repair_json(text), parse_constant=_no_number)
    except (ValueError, RecursionError, TypeError, IndexError):  # a mender may stumble over what it cannot mend
        return None
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, dict)), None)
    return value if isinstance(value, dict) and value else None


def _hopeless(text: str) -> bool:
    if len(text) > MENDED_CAP or text.count("{") - text.count("}") > MOST_OPEN:
        return True
    return len(text) > ANY_TEXT and len(_KEY.findall(text)) * LONGEST_VALUE < len(text)


def _no_number(name: str) -> None:
    """NaN and the infinities, which JSON does not have, are no value; the rest of the answer may be good."""


_DECODER = json.JSONDecoder(parse_constant=_no_number)
