"""Recorded and constructed replies of Google's providers, read as the source would read them."""

from collections.abc import Mapping
from typing import Any

import httpx

from connectors.google.source import error_of, read_serpapi, read_serper
from connectors.http.responses import HttpReply, json_body
from connectors.paper import Paper
from connectors.registry import GOOGLE


def read(row: Mapping[str, Any], body: bytes) -> tuple[Paper, ...]:
    """The papers of a recorded reply. Raises `SourceError` for a reply that is not the answer."""
    headers = httpx.Headers({"content-type": row["content_type"], **(row.get("headers") or {})})
    reply = HttpReply(row["status"], headers, body)
    if fault := error_of(reply):
        raise fault
    parsed = json_body(GOOGLE.name, reply)
    return (read_serper(parsed) if "serper" in row["url"] else read_serpapi(parsed)[0]).papers
