"""DataCite: contents of repositories, looked up by DOI."""

from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from connectors.datacite.record import read_single
from connectors.errors import BadResponse, NotFound, SourceError, SourceUnavailable, UnusableResponse
from connectors.http.json_values import listing, mapping
from connectors.http.paging import ResultPage, gathered
from connectors.http.responses import QUOTE_CAP, HttpReply, fault_of_status, in_json, json_body
from connectors.identifiers import Identifier
from connectors.records.clean import clean_text
from connectors.registry import DATACITE
from connectors.source import Answer, Source
from connectors.spec import Connection

if TYPE_CHECKING:
    from connectors.http.client import HttpClient


class DataCite(Source):
    """DataCite as a source, with one DOI per request and without the person's mail address."""

    name = DATACITE.name
    capabilities = DATACITE.capabilities
    schemes = DATACITE.schemes

    def __init__(self, http: "HttpClient") -> None:
        self._http = http

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        usable = self.known_names(names)
        return await gathered(self._each(usable), len(usable))

    async def _each(self, names: Sequence[Identifier]) -> AsyncGenerator[ResultPage]:
        for name in names:
            target = single_target(name)
            try:
                paper = await self._http.get(target, in_json(self.name, read_single))
            except NotFound:
                yield ResultPage(sent=target)
                continue
            yield ResultPage((paper,), target)


def open_source(connection: Connection) -> DataCite:
    return DataCite(connection.http(error_of))


def single_target(name: Identifier) -> str:
    """Return the path of a look-up."""
    return f"/dois/{quote(name.value, safe='')}"


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one. A 404 means that the DOI is unknown only in DataCite's own
    format, because any proxy can send a bare 404. There are no keys that could be wrong."""
    reason = _error_titles(reply)
    match reply.status:
        case 404 if reason:
            return NotFound(DATACITE.name, f"does not know this DOI{reason}.")
        case 404:
            return UnusableResponse(
                DATACITE.name, "answered with a 404 that is not its own; is its address in the settings right?"
            )
        case 401 | 403:
            return SourceUnavailable(
                DATACITE.name, f"refuses to answer (HTTP {reply.status}){reason}; try again later."
            )
    return fault_of_status(DATACITE.name, reply)


def _error_titles(reply: HttpReply) -> str:
    """Return the titles of a reply's errors as `: “…”`; "" if there are none."""
    try:
        errors = listing(mapping(json_body(DATACITE.name, reply)).get("errors"))
    except BadResponse:
        return ""
    text = " ".join(filter(None, (clean_text(mapping(error).get("title"), QUOTE_CAP) for error in errors)))
    return f": “{clean_text(text, QUOTE_CAP).rstrip('.')}”" if text else ""
