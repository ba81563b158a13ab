"""The shape of an answer as a JSON schema that strict endpoints take."""

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

# What strict endpoints take; everything else is checked when the answer has come.
_KEYWORDS = frozenset(
    "type description enum const pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems"
    " maxItems".split()
)


def schema_of(name: str, shape: type[BaseModel]) -> dict[str, Any]:
    """The schema of `shape`, titled `name`: every property is required and no other is allowed.

    A shape must not hold free dictionaries: a strict schema cannot say what is in them.
    """
    return {"title": schema_name(name), **_strict(shape.model_json_schema())}


def schema_name(name: str) -> str:
    """`name` in the letters that endpoints allow for a schema's name."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64]


def in_words(schema: Mapping[str, Any]) -> str:
    """The demand to answer by `schema`, for endpoints that have no better way."""
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else: no prose, no fences. It must fit this JSON schema:\n{text}"


def _strict(node: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        return {"$ref": node["$ref"]}  # beside a reference nothing else may stand
    if len(node.get("allOf", ())) == 1:
        return _strict({**node["allOf"][0], **{key: value for key, value in node.items() if key != "allOf"}})
    found = {key: value for key, value in node.items() if key in _KEYWORDS}
    if "properties" in node or node.get("type") == "object":
        properties = node.get("properties", {})
        found["properties"] = {key: _strict(value) for key, value in properties.items()}
        found["required"] = list(properties)
        found["additionalProperties"] = False
    if isinstance(node.get("items"), Mapping):
        found["items"] = _strict(node["items"])
    if choices := node.get("anyOf") or node.get("oneOf"):
        found["anyOf"] = [_strict(choice) for choice in choices]
    if "$defs" in node:
        found["$defs"] = {key: _strict(value) for key, value in node["$defs"].items()}
    return found
