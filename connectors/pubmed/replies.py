"""Parse replies of E-utilities other than records: ids found by a search, links between records, and errors sent
with HTTP 200."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from connectors.errors import BadQuery, BadResponse, RateLimited, SourceError, SourceUnavailable, Unauthorized
from connectors.http.json_values import listing, mapping
from connectors.http.responses import QUOTE_CAP, HttpReply, fault_of_status, json_body, retry_after, xml_body
from connectors.identifiers import pmid
from connectors.records.clean import clean_text
from connectors.registry import PUBMED

if TYPE_CHECKING:
    from lxml import etree

TRANSLATION_CAP = 600
_NOTHING = "no items found"
_OUR_FAULT = re.compile(
    r"empty id|id parameter|empty term|neither query_key|invalid|cannot be larger|not specified", re.IGNORECASE
)


class SearchIds(NamedTuple):
    """The result of a search: PubMed ids, best first, the total number, and notes on the interpretation."""

    pmids: tuple[str, ...]
    total: int
    notes: tuple[str, ...]


def read_search(reply: HttpReply) -> SearchIds:
    """Parse the result of esearch, in either of its two formats. Raises `BadResponse` for anything else, and for an
    empty list with a count above zero."""
    if reply.body.lstrip()[:1] == b"{":
        result = _search_in_json(mapping(json_body(PUBMED.name, reply)).get("esearchresult"))
    else:
        result = _search_in_xml(xml_body(PUBMED.name, reply))
    if result is None or bool(result.total) != bool(result.pmids):
        raise BadResponse(PUBMED.name, "did not send the result of a search; try again later.")
    return result


def read_links(reply: HttpReply, link: str, own: str | None = None) -> tuple[str, ...]:
    """Return the PubMed ids under `link` in an elink reply, in order, without `own`; () if the record has none.

    Raises `BadResponse` for anything else: other utilities and databases answer with the same elements.
    """
    root = xml_body(PUBMED.name, reply)
    sets = root.findall("LinkSet") if root.tag == "eLinkResult" else []
    if not sets or not all(part.findtext("DbFrom") == "pubmed" and part.find("IdList") is not None for part in sets):
        raise BadResponse(PUBMED.name, "did not send a list of links; try again later.")
    lists = (links for links in root.iterfind("LinkSet/LinkSetDb") if links.findtext("LinkName") == link)
    pmids = _pmids(name.text for links in lists for name in links.iterfind("Link/Id"))
    return tuple(name for name in pmids if name != own)


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one. Most errors come with HTTP 200."""
    fault = _json_fault(reply) or _xml_fault(reply)
    if reply.status == 429 or "rate limit" in fault.lower():
        # The service's own message contains the person's IP address.
        return RateLimited(
            PUBMED.name, "got too many requests; set NCBI_API_KEY to your own key for more.", retry_after(reply)
        )
    if "api key" in fault.lower():
        return Unauthorized(PUBMED.name, "refused the key; set NCBI_API_KEY to a valid key or unset it.")
    if reply.status >= 300:
        return fault_of_status(PUBMED.name, reply)
    if not fault:
        return None
    if _OUR_FAULT.search(fault):
        return BadQuery(PUBMED.name, f"refused the request: “{fault}”.")
    return SourceUnavailable(PUBMED.name, f"is not working right now: “{fault}”; try again later.")


def _search_in_xml(root: "etree._Element") -> SearchIds | None:
    total = _count(root.findtext("Count"))
    if root.tag != "eSearchResult" or total is None or root.find("IdList") is None:
        return None
    missing = [part.text for part in root.iterfind("ErrorList/*")]
    warnings = [part.text for part in root.iterfind("WarningList/*") if part.tag != "PhraseIgnored"]
    notes = _notes(root.findtext("QueryTranslation"), missing, warnings)
    return SearchIds(_pmids(name.text for name in root.iterfind("IdList/Id")), total, notes)


def _search_in_json(result: object) -> SearchIds | None:
    fields = mapping(result)
    total = _count(fields.get("count"))
    if total is None or not isinstance(fields.get("idlist"), list):
        return None
    missing = [part for parts in mapping(fields.get("errorlist")).values() for part in listing(parts)]
    warned = mapping(fields.get("warninglist")).items()
    warnings = [part for name, parts in warned if name != "phrasesignored" for part in listing(parts)]
    notes = _notes(fields.get("querytranslation"), missing, warnings)
    return SearchIds(_pmids(listing(fields["idlist"])), total, notes)


def _notes(translation: object, missing: Iterable[object], warnings: Iterable[object]) -> tuple[str, ...]:
    """Return notes on the interpretation, except about ignored stop words."""
    understood = clean_text(translation, TRANSLATION_CAP)
    unknown = ", ".join(filter(None, (clean_text(part, QUOTE_CAP) for part in missing)))
    warned = [warning for part in warnings if (warning := clean_text(part, QUOTE_CAP))]
    return (
        *([f"understood as {understood}"] if understood else []),
        *([f"knows no such words: {unknown}"] if unknown else []),
        *(warning for warning in warned if _NOTHING not in warning.lower()),
    )


def _pmids(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.value for value in values if (name := pmid(value))))


def _count(value: object) -> int | None:
    return int(value) if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,12}\s*", value) else None


def _json_fault(reply: HttpReply) -> str:
    """Return the error of a JSON reply, which also comes if XML was requested."""
    if reply.body.lstrip()[:1] != b"{":
        return ""
    try:
        fields = mapping(json_body(PUBMED.name, reply))
    except BadResponse:
        return ""
    error = fields.get("error") or mapping(fields.get("esearchresult")).get("ERROR")
    return clean_text(error, QUOTE_CAP)


def _xml_fault(reply: HttpReply) -> str:
    """Return the text of the first non-empty ERROR element, in any part of a result."""
    if b"<ERROR" not in reply.body:
        return ""
    try:
        root = xml_body(PUBMED.name, reply)
    except BadResponse:
        return ""
    return next((text for error in root.iter("ERROR") if (text := clean_text(error.text, QUOTE_CAP).rstrip("."))), "")
