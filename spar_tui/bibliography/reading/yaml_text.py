"""YAML that a person was sent, read for its texts alone: it makes no objects, and nothing in it stands for more."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

DEEPEST = 50
"""Lists and mappings within one another."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER = re.compile(r"-?[1-9][0-9]{0,8}")


def yaml_value(text: str) -> tuple[Any, dict[int, int]]:
    """The first document: mappings, lists, texts and whole numbers; and the line of each mapping, by its `id`.

    Raises `ValueError` for what is no YAML, what is nested too deeply, and for aliases, which a small file can make
    huge by.
    """
    lines: dict[int, int] = {}
    events = yaml.parse(text, Loader=_LOADER)
    try:
        for event in events:
            if isinstance(event, yaml.CollectionStartEvent | yaml.ScalarEvent | yaml.AliasEvent):
                return _value(event, events, lines, 0), lines
    except yaml.YAMLError as error:
        mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
        position = f" in line {mark.line + 1}" if mark else ""
        raise ValueError(f"it is not valid YAML{position}: {getattr(error, 'problem', None) or error}") from None
    return None, lines


def _value(event: yaml.Event, events: Iterator[yaml.Event], lines: dict[int, int], depth: int) -> Any:
    if isinstance(event, yaml.AliasEvent):
        raise ValueError(f"it has an alias in line {_line(event)}, and those are not read")
    if isinstance(event, yaml.ScalarEvent):
        if event.style or not event.implicit[0]:
            return event.value
        if _NUMBER.fullmatch(event.value):
            return int(event.value)
        return "" if event.value in ("~", "null") else event.value
    if depth == DEEPEST:
        raise ValueError("it is nested too deeply")
    inner = (_value(inner_event, events, lines, depth + 1) for inner_event in _within(events))
    if isinstance(event, yaml.SequenceStartEvent):
        return list(inner)
    mapping = {str(name): next(inner) for name in inner}
    lines[id(mapping)] = _line(event)
    return mapping


def _within(events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    """What begins within the list or mapping that is open."""
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            return
        yield event


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0
