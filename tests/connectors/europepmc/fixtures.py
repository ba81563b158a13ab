"""Recorded Europe PMC replies, read as the source would read them."""

from collections.abc import Mapping
from typing import Any

import httpx

from connectors.europepmc.source import error_of, read_list
from connectors.http.responses import HttpReply, json_body
from connectors.paper import Paper
from connectors.registry import EUROPE_PMC


def read(row: Mapping[str, Any], body: bytes) -> tuple[Paper, ...]:
    """The papers of a recorded reply. Raises `SourceError` for a reply that is not the answer."""
    reply = HttpReply(row["status"], httpx.Headers({"content-type": row["content_type"]}), body)
    if fault := error_of(reply):
        raise fault
    return read_list(json_body(EUROPE_PMC.name, reply)).papers
