"""Recorded dblp replies, read as the source would read them."""

from collections.abc import Mapping
from typing import Any

import httpx

from connectors.dblp.record import read_list
from connectors.dblp.source import error_of
from connectors.http.responses import HttpReply, json_body
from connectors.paper import Paper
from connectors.registry import DBLP


def read(row: Mapping[str, Any], body: bytes) -> tuple[Paper, ...]:
    """The papers of a recorded reply. Raises `SourceError` for a reply that is not the answer."""
    reply = HttpReply(row["status"], httpx.Headers({"content-type": row["content_type"]}), body)
    if fault := error_of(reply):
        raise fault
    return read_list(json_body(DBLP.name, reply)).papers
