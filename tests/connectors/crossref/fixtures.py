"""Recorded Crossref replies, read as the source would read them."""

from collections.abc import Mapping
from typing import Any

import httpx

from connectors.crossref.source import error_of
from connectors.crossref.work import read_list, read_single
from connectors.http.json_values import mapping
from connectors.http.responses import HttpReply, json_body
from connectors.paper import Paper
from connectors.registry import CROSSREF


def read(row: Mapping[str, Any], body: bytes) -> tuple[Paper, ...]:
    """The papers of a recorded reply. Raises `SourceError` for a reply that is not the answer."""
    headers = httpx.Headers({"content-type": row["content_type"], **(row.get("headers") or {})})
    reply = HttpReply(row["status"], headers, body)
    if fault := error_of(reply):
        raise fault
    parsed = json_body(CROSSREF.name, reply)
    if row["kind"] == "object-example":  # kept without its frame
        parsed = {"message-type": "work", "message": parsed}
    if mapping(parsed).get("message-type") == "work-list":
        return read_list(parsed, following="rows=0" in row["url"]).papers
    return (read_single(parsed),)
