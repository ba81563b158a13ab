"""Recorded Unpaywall replies, read as the program would read them."""

from collections.abc import Mapping
from typing import Any

import httpx

from connectors.http.responses import HttpReply, json_body
from connectors.registry import UNPAYWALL
from connectors.unpaywall.source import error_of, read_places


def read(row: Mapping[str, Any], body: bytes) -> tuple[str, ...]:
    """The addresses in a recorded reply. Raises `SourceError` for a reply that is not the answer."""
    reply = HttpReply(row["status"], httpx.Headers({"content-type": row["content_type"]}), body)
    if fault := error_of(reply):
        raise fault
    return read_places(json_body(UNPAYWALL.name, reply))
