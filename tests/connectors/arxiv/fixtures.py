"""A recorded reply of arXiv, read as the source reads it."""

from typing import Any

import httpx

from connectors.arxiv.feed import read_feed
from connectors.arxiv.source import error_of
from connectors.http.responses import HttpReply


def read(row: dict[str, Any], body: bytes) -> object:
    """The feed in `body`. Raises the `SourceError` that a person would be told."""
    reply = HttpReply(int(row["status"]), httpx.Headers({"content-type": row.get("content_type") or ""}), body)
    if fault := error_of(reply):
        raise fault
    return read_feed(reply)
