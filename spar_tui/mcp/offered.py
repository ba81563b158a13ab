"""The tools as other programs see them: what is offered, with which arguments, and what may be expected of it."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from mcp.types import Tool as Listed
from mcp.types import ToolAnnotations

from agents.tools.paper_names import SHOWN
from agents.tools.table import by_name
from agents.tools.tool import AnyTool
from spar_tui.mcp.answers import LARGEST_PAGE, PAGE, Answer

LEFT_OUT = frozenset({"list", "undo"})
"""Both are about what an earlier turn of a conversation left, and here every call stands by itself: the next papers of
an answer come by `MORE`, and who wants other candidates names them."""
MORE = "more"
"""The one tool that is no tool of the table: the papers of an earlier answer from its cursor on."""
_ADDING = frozenset({"save", "remember"})
"""What changes by adding alone, so that nothing is lost."""
_WRITING_DOWN = frozenset({"export"})
"""What gives papers the citation keys that they then keep."""
_NAMES = {"type": "array", "items": {"type": "string", "maxLength": 500}, "minItems": 1, "maxItems": 10_000}


def offered(more: Iterable[AnyTool], changes: bool) -> Mapping[str, AnyTool]:
    """The tools of the table that are offered, by name; those that change something only with `changes`."""
    return {
        name: tool for name, tool in by_name(more).items() if name not in LEFT_OUT and (changes or not tool.changes)
    }


def listed(tool: AnyTool) -> Listed:
    """A tool with its schemas and the hints of the protocol.

    What asks sources or a model is no mere reading, for it costs, and what it finds is remembered; nothing is lost by
    it either."""
    reads = not (tool.changes or tool.asks or tool.name in _WRITING_DOWN)
    return Listed(
        name=tool.name,
        description=f"{tool.purpose} {_ABOUT_AMONG}" if tool.narrows else tool.purpose,
        input_schema=input_schema(tool),
        output_schema=output_schema(),
        annotations=ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=tool.changes and tool.name not in _ADDING,
            open_world_hint=tool.asks,
        ),
    )


def listed_more() -> Listed:
    """`MORE`, as it is listed."""
    return Listed(
        name=MORE,
        description="The next papers of an earlier answer, from the cursor that it gave.",
        input_schema={
            "type": "object",
            "properties": {"cursor": {"type": "string", "maxLength": 100}, "limit": _limit()},
            "required": ["cursor"],
            "additionalProperties": False,
        },
        output_schema=output_schema(),
        annotations=ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False),
    )


def limited(tool: AnyTool) -> bool:
    """Whether the tool has a `limit` of its own, which then is that of the answer too."""
    return "limit" in tool.arguments.model_fields


@cache
def input_schema(tool: AnyTool) -> dict[str, Any]:
    """The arguments of a tool as JSON Schema: those of the table, with `among` where it chooses among candidates, and
    `limit` where it has none of its own. There is nothing that was shown before, so papers have to be named."""
    schema = tool.arguments.model_json_schema(by_alias=True)
    found = schema.setdefault("properties", {})
    required = list(schema.get("required", ()))
    for name, one in found.items():
        if one.get("default") in ([SHOWN], (SHOWN,)):
            del one["default"]
            one["minItems"] = 1
            required.append(name)
    if tool.narrows:
        found["among"] = {**_NAMES, "description": _ABOUT_AMONG}
    if not limited(tool):
        found["limit"] = _limit()
    return {**schema, "required": required, "additionalProperties": False}


@cache
def output_schema() -> dict[str, Any]:
    return Answer.model_json_schema(mode="serialization")


def unpacked(given: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, where some clients write a list as the text of one."""
    return {name: _unpacked(value, schema["properties"].get(name, {})) for name, value in given.items()}


def _unpacked(value: Any, wanted: Mapping[str, Any]) -> Any:
    if not isinstance(value, str) or wanted.get("type") != "array":
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found if isinstance(found, list) else value


def _limit() -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": LARGEST_PAGE, "default": PAGE,
            "description": "Papers in this answer at most."}  # fmt: skip


_ABOUT_AMONG = "It chooses among the papers that `among` names, or the whole library if that is left out."
