"""Recorded Semantic Scholar replies, read as the source would read them."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

from connectors.http.json_values import mapping
from connectors.http.responses import HttpReply, json_body
from connectors.paper import Paper
from connectors.registry import SEMANTIC_SCHOLAR
from connectors.semantic_scholar.paper import read_batch, read_links, read_recommended, read_search, read_single
from connectors.semantic_scholar.source import error_of


def read(row: Mapping[str, Any], body: bytes) -> tuple[Paper, ...]:
    """The papers of a recorded reply. Raises `SourceError` for a reply that is not the answer."""
    headers = httpx.Headers({"content-type": row["content_type"], **(row.get("headers") or {})})
    reply = HttpReply(row["status"], headers, body)
    if fault := error_of(reply):
        raise fault
    parsed, path = json_body(SEMANTIC_SCHOLAR.name, reply), urlsplit(row["url"] or "").path
    if path.endswith("/references"):
        return read_links(parsed, "citedPaper").papers
    if path.endswith("/citations"):
        return read_links(parsed, "citingPaper").papers
    if "citingPaper" in mapping(parsed):  # a single link, without the list around it
        return read_links({"offset": 0, "data": [parsed]}, "citingPaper").papers
    if path.startswith("/recommendations/"):
        return read_recommended(parsed).papers
    if path.endswith("/batch"):
        return read_batch(parsed).papers
    if "/paper/search" in path:
        return read_search(parsed).papers
    return (read_single(parsed),)
