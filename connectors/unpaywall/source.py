"""Unpaywall: free copies of a paper, by its DOI. It requires a mail address."""

from urllib.parse import quote

from connectors.errors import BadQuery, BadResponse, NotConfigured, NotFound, SourceError
from connectors.http.json_values import listing, mapping
from connectors.http.paging import HttpSource
from connectors.http.responses import HttpReply, fault_of_status, in_json, quoted
from connectors.identifiers import ARXIV_DOIS, Identifier, doi
from connectors.records.web_address import web_address
from connectors.registry import UNPAYWALL
from connectors.spec import Connection

UNASKED = "was not asked: it requires your mail address; set it with spar config set ncbi_email ADDRESS."


class Unpaywall(HttpSource, spec=UNPAYWALL):
    """Unpaywall, asked only with the person's own mail address."""

    async def places(self, name: Identifier) -> tuple[str, ...]:
        """Return the addresses of free PDFs of the paper with this DOI, best first; empty if none is known.

        Raises `NotConfigured`, without a request, if there is no mail address, and `NotFound` for an unknown DOI.
        """
        if not self._email:
            raise NotConfigured(UNPAYWALL.name, UNASKED)
        if name.value.startswith(ARXIV_DOIS):
            raise NotFound(UNPAYWALL.name, "does not cover DOIs of arXiv.")
        target = f"/v2/{quote(name.value, safe='/')}?email={quote(self._email, safe='@')}"
        return await self._http.get(target, in_json(UNPAYWALL.name, read_places))


def open_source(connection: Connection) -> Unpaywall:
    return Unpaywall(connection.http(error_of), connection.email)


def read_places(body: object) -> tuple[str, ...]:
    """Return the distinct addresses of PDFs in a reply, best first, without web pages. Raises `BadResponse` for
    anything but a record with its locations."""
    fields = mapping(body)
    if doi(fields.get("doi")) is None or not isinstance(fields.get("oa_locations"), list):
        raise BadResponse(UNPAYWALL.name, "did not say where the paper is; try again later.")
    locations = [mapping(fields.get("best_oa_location")), *map(mapping, listing(fields["oa_locations"]))]
    addresses = (web_address(location.get("url_for_pdf")) for location in locations)
    return tuple(dict.fromkeys(address for address in addresses if address))


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one."""
    match reply.status:
        case 404:
            return NotFound(UNPAYWALL.name, "does not know this DOI.")
        case 422:
            return BadQuery(
                UNPAYWALL.name, f"refused your mail address{quoted(reply)}; it is in the setting ncbi_email."
            )
    return fault_of_status(UNPAYWALL.name, reply)
