"""A recorded reply of PubMed, read as the source reads it."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from connectors.http.responses import HttpReply, fault_of_status, looks_like_page, web_page
from connectors.pubmed.records import read_records
from connectors.pubmed.source import error_of, read_links, read_search
from connectors.registry import PUBMED


def read(row: dict[str, Any], body: bytes) -> object:
    """What `body` says to the utility that was asked. Raises the `SourceError` that a person would be told.

    Where the recording names no address, every reader is tried and the first that can read it does.
    """
    reply = HttpReply(int(row["status"]), httpx.Headers({"content-type": row.get("content_type") or ""}), body)
    if looks_like_page(reply):
        raise web_page(PUBMED.name)
    if fault := error_of(reply) or fault_of_status(PUBMED.name, reply):
        raise fault
    address = urlsplit(row.get("url") or "")
    if address.path.endswith("esearch.fcgi"):
        return read_search(reply)
    if address.path.endswith("elink.fcgi"):
        return read_links(reply, parse_qs(address.query).get("linkname", ["pubmed_pubmed"])[0])
    if b"<eSearchResult" in body:
        return read_search(reply)
    return read_records(reply)
