"""Extract an answer from a model's text: find the JSON, repair it if necessary, clean and validate it."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, get_origin

from pydantic import BaseModel, ValidationError

from agents.llm.answers.replies import without_thoughts
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
    complaints = [
        f"{'.'.join(map(str, fault['loc'])) or 'the object'}: {fault['msg'].removeprefix('Value error, ')}"
        for fault in faults[:5]
    ]
    ignored = any(fault["type"] == "missing" or fault["type"].endswith("_type") for fault in faults)
    return Misfit(clean_text("; ".join(complaints), 500), schema_ignored=ignored)


def rows_field(shape: type[BaseModel]) -> str | None:
    """Return the name of the only field of `shape`, if that is a list."""
    fields = list(shape.model_fields.items())
    return fields[0][0] if len(fields) == 1 and get_origin(fields[0][1].annotation) is list else None


def rows_of(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of an object that names their list differently, or that maps ids to rows."""
    lists = [item for item in value.values() if isinstance(item, list) and item and isinstance(item[0], dict)]
    if len(lists) == 1:
        return [row for row in lists[0] if isinstance(row, dict)]
    if value and all(isinstance(item, dict) for item in value.values()):
        return [{"id": name, **row} for name, row in value.items()]
    return []


def _respelled(value: Any, fault: Any) -> bool:
    """Replace a value that is valid in another spelling; return whether it was."""
    value_read = fault["input"]
    match fault["type"]:
        case "string_type" if isinstance(value_read, int | float) and not isinstance(value_read, bool):
            replacement: Any = str(value_read)
        case "string_type" if value_read is None:
            replacement = ""
        case "list_type" if value_read is None:
            replacement = []
        case "list_type" if isinstance(value_read, dict):
            replacement = rows_of(value_read) or [value_read]
        case "literal_error":
            replacement = _one_of(str(value_read), fault.get("ctx", {}).get("expected", ""))
        case _:
            return False
    return replacement is not None and _put(value, fault["loc"], replacement)


def _one_of(text_read: str, alternatives: str) -> str | int | None:
    """Return the one of the expected values, as an error message lists them, that equals `text_read` up to spelling."""
    for text, number in _VALUES.findall(alternatives):
        if text_read.strip().casefold() == (text or number).casefold():
            return int(number) if number else str(text)
    return None


def _put(value: Any, path: Sequence[int | str], replacement: Any) -> bool:
    holder = _at(value, path[:-1])
    try:
        if holder[path[-1]] == replacement and type(holder[path[-1]]) is type(replacement):
            return False
        holder[path[-1]] = replacement
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _left_out(value: Any, paths: Iterable[Sequence[int | str]]) -> bool:
    """Remove the innermost list entries that contain a fault from `value`. Return False if nothing would remain."""
    bad: dict[tuple[int | str, ...], set[int]] = {}
    for steps in paths:
        if not _marked(value, tuple(steps), bad):
            return False
    lists = {path: _at(value, path) for path in bad}
    for path, entries in lists.items():
        entries[:] = [entry for number, entry in enumerate(entries) if number not in bad[path]]
    return True


def _marked(value: Any, steps: tuple[int | str, ...], bad: dict[tuple[int | str, ...], set[int]]) -> bool:
    """Mark the list entry at `steps` or, if its list would become empty, the entry around that list."""
    last = next((depth for depth in reversed(range(len(steps))) if isinstance(steps[depth], int)), None)
    if last is None:
        return False
    path, number = steps[:last], steps[last]
    entries = _at(value, path)
    if not isinstance(entries, list) or not isinstance(number, int):
        return False
    entries_marked = bad.setdefault(path, set())
    entries_marked.add(number)
    return len(entries_marked) < len(entries) or _marked(value, path, bad)


def _at(value: Any, path: Sequence[int | str]) -> Any:
    try:
        for step in path:
            value = value[step]
    except (KeyError, IndexError, TypeError):
        return None
    return value


_INSIDE_LINK = re.compile(
    r"(?<=\w:)(?=//)|(?<=\bwww\.)(?=\S)|(?<=\bmailto:)(?=\S)|(?<=\bjavascript:)(?=\S)"  # URLs
    r"|(?<=[^\W\d]\.)(?=[a-z]{2,}/)|(?<=\w)(?=@[\w-]+\.[^\W\d])"  # a host without a scheme, an e-mail address
    r"|(?<=\])(?=[(\[])",  # Markdown
    re.IGNORECASE,
)
_DEFINED = re.compile(r"^( {0,3}\[[^\]\n]{0,200}\])(?=:)", re.MULTILINE)
"""The name of a link that Markdown defines at the beginning of a line."""


def without_links(text: str) -> str:
    """Insert a space into every address and Markdown link in `text`, so that no terminal or reader makes it
    clickable."""
    return _DEFINED.sub(r"\1 ", _INSIDE_LINK.sub(" ", text))


MENDED_CAP = 30_000
"""Maximum length, in characters, of a text to repair."""
MOST_OPEN = 100
"""Maximum number of unclosed braces that the repair closes."""
ANY_TEXT = 6_000
"""Length up to which any text is repaired. The repair takes quadratic time on text that hardly resembles JSON."""
LONGEST_VALUE = 3_000
"""A longer text must have at least one key per this many characters."""
EFFORT_CAP = 4_000_000
"""Maximum number of characters read in search of an object: a text full of opening braces must not block the event
loop."""
MOST_STARTS = 20_000
_FIRST_KEY = re.compile(r"\s*[\"'“]?\w[\w -]{0,60}[\"'”]?\s*:")
"""Text that follows a brace if the brace opens an object."""
_KEY = re.compile(r"\w[\"']?\s*:")
_STRING_OR_END = re.compile(r'"(?:[^"\\]|\\.)*"?|\}', re.DOTALL)


class ParsedAnswer(NamedTuple, Generic[T]):
    """A parsed answer; `whole` if nothing was left out."""

    answer: T
    whole: bool


def read_answer(
    text: str, shape: type[T], *, partly: bool = False, cut: bool = False, links: bool = True
) -> ParsedAnswer[T]:
    """Return the answer of `shape` in `text`, with cleaned strings. Without `links`, also disable links in them. Raises
    `Misfit`, and nothing else.

    Set `partly` if the entries of lists are independent: invalid entries are then left out as long as valid ones
    remain, and an answer that was `cut` keeps only the entries before the cut. Hopeless texts can take two seconds:
    call this in a thread.
    """
    misfit: Misfit | None = None
    for candidate in _before_the_cut(text) if cut else _candidates(text, shape):
        if not candidate.keys() & shape.model_fields.keys():
            keys = ", ".join(shape.model_fields)
            misfit = misfit or Misfit(f"the object has none of the requested keys ({keys}).", schema_ignored=True)
            continue
        try:
            answer, whole = fit(cleaned(candidate, clean_text if links else _unlinked), shape, partly)
            return ParsedAnswer(answer, whole and not cut)
        except ValidationError as error:
            misfit = misfit or complaint_about(error)
        except RecursionError:
            misfit = misfit or Misfit("the JSON is nested too deeply.", schema_ignored=True)
    raise misfit or Misfit("there is no JSON object in it.", schema_ignored=True)


class _JsonObject(NamedTuple):
    value: dict[str, Any]
    length: int
    inside: bool
    """Whether this object begins inside an unclosed damaged one: then it is a part of the answer, not the answer."""


def objects_in(text: str, required: Collection[str]) -> list[dict[str, Any]]:
    """Return every outermost JSON object in `text`, the likeliest answer first: the last that has all `required` keys,
    as drafts come before it, else the longest."""
    items = list(enumerate(_objects(text)))
    complete = {index for index, item in items if required and item.value.keys() >= set(required)}
    return [item.value for index, item in sorted(items, key=lambda numbered: (
        (False, -numbered[0]) if numbered[0] in complete else (True, -numbered[1].length)))]  # fmt: skip


def _objects(text: str) -> list[_JsonObject]:
    """Return the outermost valid objects, in order."""
    objects: list[_JsonObject] = []
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
            objects.append(_JsonObject(value, end - start, unclosed > 0))
        start = text.find("{", end)
        unclosed = max(unclosed - text.count("}", end, max(start, end)), 0)
    return objects


def cleaned(value: Any, clean: Callable[[str], str] = clean_text) -> Any:
    """Apply `clean` to every string in `value`. Raises `RecursionError` for absurd depth."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: cleaned(item, clean) for key, item in value.items()}
    return [cleaned(item, clean) for item in value] if isinstance(value, list) else value


def _unlinked(text: str) -> str:
    return without_links(clean_text(text))


def _candidates(text: str, shape: type[BaseModel]) -> Iterator[dict[str, Any]]:
    """Yield the objects that may be the answer, most likely first.

    Repairs a damaged object before trying its parts, unless one of them has all requested fields.
    """
    answer = without_thoughts(text)
    objects = _objects(answer)
    whole = objects_in(answer, [name for name, field in shape.model_fields.items() if field.is_required()])
    mended = _mended(answer[max(answer.find("{"), 0) :])
    if any(item.inside for item in objects):
        yield from (mapping for mapping in whole if shape.model_fields.keys() <= mapping.keys())
        if mended is not None:
            yield mended
    yield from whole
    if mended is not None:
        yield mended
    for outer in whole:
        yield from (inner for inner in outer.values() if isinstance(inner, dict))
    if rows := rows_field(shape):
        yield from ({rows: row_list} for outer in whole if (row_list := rows_of(outer)))
        if objects:
            yield {rows: [item.value for item in objects]}


def _before_the_cut(text: str) -> Iterator[dict[str, Any]]:
    """Yield the complete part of a truncated answer: everything up to the last closed object."""
    answer = without_thoughts(text)
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
    except (ValueError, RecursionError, TypeError, IndexError):  # the repair may fail on text that it cannot repair
        return None
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, dict)), None)
    return value if isinstance(value, dict) and value else None


def _hopeless(text: str) -> bool:
    if len(text) > MENDED_CAP or text.count("{") - text.count("}") > MOST_OPEN:
        return True
    return len(text) > ANY_TEXT and len(_KEY.findall(text)) * LONGEST_VALUE < len(text)


def _no_number(name: str) -> None:
    """Return None for NaN and the infinities, which are not JSON; the rest of the answer may be valid."""


_DECODER = json.JSONDecoder(parse_constant=_no_number)
