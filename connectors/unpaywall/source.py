"""Unpaywall: where a paper may be read for free, by its DOI. It answers only those who say whom to write to."""

from typing import TYPE_CHECKING
from urllib.parse import quote

from connectors.errors import BadQuery, BadResponse, NotConfigured, NotFound, SourceError
from connectors.http.json_values import listing, mapping
from connectors.http.responses import QUOTE_CAP, Reply, fault_of_status, in_json, json_body
from connectors.identifiers import Identifier, doi
from connectors.records.build import web_address
from connectors.records.clean import clean_text
from connectors.source import PartialSource
from connectors.spec import Connection
from connectors.unpaywall.spec import SOURCE, UNPAYWALL

if TYPE_CHECKING:
    from connectors.http.client import HttpClient

UNASKED = "was not asked: it wants a mail address of yours; spar config set ncbi_email ADDRESS gives it one."
ARXIV_DOIS = "10.48550/"
"""arXiv has its DOIs from another registry than the one that Unpaywall reads."""


class Unpaywall(PartialSource):
    """Unpaywall, asked with the person's own mail address or not at all."""

    name = SOURCE
    capabilities = UNPAYWALL.capabilities
    schemes = UNPAYWALL.schemes

    def __init__(self, http: "HttpClient", email: str | None) -> None:
        self._http = http
        self._email = email

    async def places(self, name: Identifier) -> tuple[str, ...]:
        """The addresses of free PDFs of the paper with this DOI, the best first; empty where none is known.

        Raises `NotConfigured`, unasked, without the person's address, and `NotFound` for a DOI that is not there.
        """
        if not self._email:
            raise NotConfigured(SOURCE, UNASKED)
        if name.value.startswith(ARXIV_DOIS):
            raise NotFound(SOURCE, "has no DOIs of arXiv.")
        target = f"/v2/{quote(name.value, safe='/')}?email={quote(self._email, safe='@')}"
        return await self._http.get(target, in_json(SOURCE, read_places))


def open_source(connection: Connection) -> Unpaywall:
    return Unpaywall(connection.http(error_of), connection.email)


def read_places(body: object) -> tuple[str, ...]:
    """The addresses of PDFs in a reply, the best place's first, once each; what is only a page is left out.

    Raises `BadResponse` for anything but a record with its places.
    """
    fields = mapping(body)
    if doi(fields.get("doi")) is None or not isinstance(fields.get("oa_locations"), list):
        raise BadResponse(SOURCE, "sent something that tells no places; try again later.")
    places = [mapping(fields.get("best_oa_location")), *map(mapping, listing(fields["oa_locations"]))]
    addresses = (web_address(location.get("url_for_pdf")) for location in places)
    return tuple(dict.fromkeys(address for address in addresses if address))


def error_of(reply: Reply) -> SourceError | None:
    """What a reply says went wrong; None for a good one."""
    match reply.status:
        case 404:
            return NotFound(SOURCE, "does not know this DOI.")
        case 422:
            return BadQuery(SOURCE, f"refused your mail address{_said(reply)}; ncbi_email holds it.")
    return fault_of_status(SOURCE, reply)


def _said(reply: Reply) -> str:
    try:
        text = clean_text(mapping(json_body(SOURCE, reply)).get("message"), QUOTE_CAP)
    except BadResponse:
        return ""
    return f": “{text}”" if text else ""
