"""Recorded DataCite replies, read as the source would read them."""

import base64
import binascii
import gzip
from collections.abc import Mapping
from typing import Any

import httpx

from connectors.datacite.source import error_of, read_single
from connectors.http.responses import HttpReply, json_body
from connectors.paper import Paper
from connectors.registry import DATACITE


def plain(body: bytes) -> bytes:
    """The bytes of the reply, which some cassettes keep in base64, packed or not."""
    try:
        raw = base64.b64decode(body, validate=True)
    except binascii.Error:
        return body
    return gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw


def read(row: Mapping[str, Any], body: bytes) -> tuple[Paper, ...]:
    """The paper of a recorded reply. Raises `SourceError` for a reply that is not the answer."""
    reply = HttpReply(row["status"], httpx.Headers({"content-type": row["content_type"]}), plain(body))
    if fault := error_of(reply):
        raise fault
    return (read_single(json_body(DATACITE.name, reply)),)
