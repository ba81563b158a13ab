"""Recorded OpenAlex replies, read as the source would read them."""

from collections.abc import Mapping
from typing import Any

import httpx

from connectors.http.json_values import mapping
from connectors.http.responses import HttpReply, json_body
from connectors.openalex.source import error_of
from connectors.openalex.work import read_list, read_single
from connectors.paper import Paper
from connectors.registry import OPENALEX


def read(row: Mapping[str, Any], body: bytes) -> tuple[Paper, ...]:
    """The papers of a recorded reply. Raises `SourceError` for a reply that is not the answer."""
    headers = httpx.Headers({"content-type": row["content_type"], **(row.get("headers") or {})})
    reply = HttpReply(row["status"], headers, body)
    if fault := error_of(reply):
        raise fault
    parsed = json_body(OPENALEX.name, reply)
    return read_list(parsed).papers if "results" in mapping(parsed) else (read_single(parsed),)
