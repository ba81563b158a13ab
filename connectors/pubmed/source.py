"""PubMed: the literature of medicine and the life sciences, by NCBI's E-utilities."""

import re
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from connectors.errors import (
    BadQuery,
    BadResponse,
    NotAskable,
    NotFound,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
)
from connectors.http.json_values import listing, mapping
from connectors.http.paging import WIDENED, Page, gathered
from connectors.http.responses import QUOTE_CAP, Reply, Told, fault_of_status, json_body, retry_after, xml_body
from connectors.http.secret import Secret
from connectors.identifiers import Identifier, pmid
from connectors.paper import Paper
from connectors.pubmed.records import read_records
from connectors.pubmed.spec import PUBMED, SOURCE
from connectors.query.dialects import sent_text
from connectors.query.stopwords import STOP_WORDS
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.records.clean import clean_text
from connectors.source import Answer, PartialSource, Query, usable_names
from connectors.spec import Connection

if TYPE_CHECKING:
    from lxml import etree

    from connectors.http.client import HttpClient

TRANSLATION_CAP = 600
_NOTHING = "no items found"
_OUR_FAULT = re.compile(
    r"empty id|id parameter|empty term|neither query_key|invalid|cannot be larger|not specified", re.IGNORECASE
)


class Found(NamedTuple):
    """What a search found: PubMed ids, best first, how many there are in all, and notes on how it was understood."""

    pmids: tuple[str, ...]
    total: int
    notes: tuple[str, ...]


def read_search(reply: Reply) -> Found:
    """The result of esearch, in either of its two forms.

    Raises `BadResponse` for anything else, and for a list that is empty though the count is not.
    """
    if reply.body.lstrip()[:1] == b"{":
        contents = _search_in_json(mapping(json_body(SOURCE, reply)).get("esearchresult"))
    else:
        contents = _search_in_xml(xml_body(SOURCE, reply))
    if contents is None or bool(contents.total) != bool(contents.pmids):
        raise BadResponse(SOURCE, "sent something that is no result of a search; try again later.")
    return contents


def read_links(reply: Reply, link: str, own: str | None = None) -> tuple[str, ...]:
    """The PubMed ids under `link` in an elink reply, in its order, without `own`; none if the record has none.

    Raises `BadResponse` for anything else: other utilities and databases answer in the same elements.
    """
    root = xml_body(SOURCE, reply)
    sets = root.findall("LinkSet") if root.tag == "eLinkResult" else []
    if not sets or not all(part.findtext("DbFrom") == "pubmed" and part.find("IdList") is not None for part in sets):
        raise BadResponse(SOURCE, "sent something that is no list of links; try again later.")
    lists = (links for links in root.iterfind("LinkSet/LinkSetDb") if links.findtext("LinkName") == link)
    pmids = _pmids(name.text for links in lists for name in links.iterfind("Link/Id"))
    return tuple(name for name in pmids if name != own)


def error_of(reply: Reply) -> SourceError | None:
    """What a reply says went wrong; None for a good one. Most faults come with HTTP 200."""
    fault = _json_fault(reply) or _xml_fault(reply)
    if reply.status == 429 or "rate limit" in fault.lower():
        # The service's own words hold the person's address.
        return RateLimited(
            SOURCE, "was asked too often; a key of your own in NCBI_API_KEY allows more.", retry_after(reply)
        )
    if "api key" in fault.lower():
        return Unauthorized(SOURCE, "refused the key; set NCBI_API_KEY to a valid key or unset it.")
    if reply.status >= 300:
        return fault_of_status(SOURCE, reply)
    if not fault:
        return None
    if _OUR_FAULT.search(fault):
        return BadQuery(SOURCE, f"refused the request: “{fault}”.")
    return SourceUnavailable(SOURCE, f"is not working right now: “{fault}”; try again later.")


def _search_in_xml(root: "etree._Element") -> Found | None:
    total = _count(root.findtext("Count"))
    if root.tag != "eSearchResult" or total is None or root.find("IdList") is None:
        return None
    missing = [part.text for part in root.iterfind("ErrorList/*")]
    warnings = [part.text for part in root.iterfind("WarningList/*") if part.tag != "PhraseIgnored"]
    notes = _notes(root.findtext("QueryTranslation"), missing, warnings)
    return Found(_pmids(name.text for name in root.iterfind("IdList/Id")), total, notes)


def _search_in_json(result: object) -> Found | None:
    fields = mapping(result)
    total = _count(fields.get("count"))
    if total is None or not isinstance(fields.get("idlist"), list):
        return None
    missing = [part for parts in mapping(fields.get("errorlist")).values() for part in listing(parts)]
    warned = mapping(fields.get("warninglist")).items()
    warnings = [part for name, parts in warned if name != "phrasesignored" for part in listing(parts)]
    notes = _notes(fields.get("querytranslation"), missing, warnings)
    return Found(_pmids(listing(fields["idlist"])), total, notes)


def _notes(translation: object, missing: Iterable[object], warnings: Iterable[object]) -> tuple[str, ...]:
    """Notes on what was understood; stop words that were ignored are no news."""
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


def _json_fault(reply: Reply) -> str:
    """The error of a JSON reply, which also comes where XML was asked for."""
    if reply.body.lstrip()[:1] != b"{":
        return ""
    try:
        fields = mapping(json_body(SOURCE, reply))
    except BadResponse:
        return ""
    error = fields.get("error") or mapping(fields.get("esearchresult")).get("ERROR")
    return clean_text(error, QUOTE_CAP)


def _xml_fault(reply: Reply) -> str:
    """The text of the first ERROR element that has one: any part of a result may hold it."""
    if b"<ERROR" not in reply.body:
        return ""
    try:
        root = xml_body(SOURCE, reply)
    except BadResponse:
        return ""
    return next((text for error in root.iter("ERROR") if (text := clean_text(error.text, QUOTE_CAP).rstrip("."))), "")


REQUIRED_TERMS = 8
"""Papers that match more words than these all at once are hardly ever there."""
ANY_TERMS = 15
_GLUE = (Term(("of",)), Term(("in",)))
"""Stop words PubMed itself ignores but needs to see "quality of life" and "carcinoma in situ" as one."""
_OPERATORS = frozenset({"and", "or", "not"})
"""Operators in every spelling."""


def search_terms(text: str) -> tuple[str, str]:
    """A question as two terms of esearch: one for papers that match all of its words, one for any of them.

    Neither has field tags, quotes or truncation; only the second has operators. Raises `NotAskable` without a
    word.
    """
    every = terms_of(SOURCE, text)
    telling = [term for term in content(every) if _spelled(term)]
    if not telling:
        raise NotAskable(SOURCE, "the query holds no words to search for.")
    if all(word in STOP_WORDS for term in telling for word in term.words):
        raise NotAskable(SOURCE, "it looks for no words that every text has, and the query has no others.")
    required = most_telling(telling, REQUIRED_TERMS)
    narrow = " ".join(_spelled(term) for term in _glued(every, required))
    wide = " OR ".join(f"({_spelled(term)})" for term in most_telling(telling, ANY_TERMS))
    return narrow, wide if len(telling) > 1 else narrow


def _glued(every: list[Term], required: list[Term]) -> list[Term]:
    """The required terms, with the glue that stands between two of them."""
    before, after = [None, *every[:-1]], [*every[1:], None]
    return [
        term
        for left, term, right in zip(before, every, after, strict=True)
        if term in required or (term in _GLUE and left in required and right in required)
    ]


def _spelled(term: Term) -> str:
    if not term.quoted:
        return "" if set(term.words) <= _OPERATORS else "-".join(term.words)
    return " ".join(word for word in term.words if word not in _OPERATORS)


__all__ = ["PubMed", "error_of", "open_source"]

BATCH = 200
"""Most records of one reply."""
NAMES = 50
"""Most DOIs and PMCIDs looked up by one search."""
REACHABLE = 10_000
"""Most ids a search gives."""
ARXIV_DOIS = "10.48550/"
FIRST_DAY = "1500/01/01"
YEARS_AHEAD = 5
FORM = "application/x-www-form-urlencoded"

SPARSE = "PubMed knows only the citing papers that are in PubMed Central"

Parameters = dict[str, str | list[str]]


class PubMed(PartialSource):
    """PubMed as a source. A `key` allows ten requests a second.

    `email` tells NCBI whom to write to: the person's own address, or none, for nobody else may answer for them.
    """

    name = SOURCE
    capabilities = PUBMED.capabilities
    schemes = PUBMED.schemes

    def __init__(self, http: "HttpClient", key: Secret | None, email: str | None) -> None:
        self._http = http
        self._identity = {"tool": "spar", "email": email, "api_key": (key and key.reveal()) or None}

    async def search(self, query: Query) -> Answer:
        """Papers that match the expression, or all of the query's telling words; if there is none, any of the words."""
        expression = sent_text(self.name, query)
        narrow, wide = search_terms(query.text) if expression is None else (expression, expression)
        asked = [_search(narrow, query)]
        contents = await self._search(asked[0])
        notes = contents.notes
        if not contents.total and narrow != wide:
            asked.append(_search(wide, query))
            contents = await self._search(asked[1])
            notes = (WIDENED, *contents.notes)
        answer = await self._records(contents.pmids)
        if contents.pmids and not answer.papers:
            raise BadResponse(self.name, f"found {contents.total} papers but sent none of them; try again later.")
        sent = tuple(_sent("esearch", parameters) for parameters in asked)
        return replace(answer, total=contents.total, sent=sent + answer.sent, notes=notes + answer.notes)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        # It never has what arXiv has registered.
        usable = [name for name in self.known_names(names) if not name.value.startswith(ARXIV_DOIS)]
        answer = await gathered(self._named(usable), len(usable))
        return replace(answer, papers=named(answer.papers, usable))

    async def references(self, paper: Paper, limit: int) -> Answer:
        """What `paper` cites, by PubMed's links or else by the list in the paper's own record."""
        return await self._linked(paper, "pubmed_pubmed_refs", limit)

    async def citations(self, paper: Paper, limit: int) -> Answer:
        answer = await self._linked(paper, "pubmed_pubmed_citedin", limit)
        return replace(answer, notes=(SPARSE, *answer.notes))

    async def similar(self, paper: Paper, limit: int) -> Answer:
        return await self._linked(paper, "pubmed_pubmed", limit)

    async def _linked(self, paper: Paper, link: str, limit: int) -> Answer:
        pmid, sent = await self._pmid(paper)
        asked: Parameters = {"dbfrom": "pubmed", "db": "pubmed", "cmd": "neighbor", "linkname": link, "id": [pmid]}
        linked = await self._post("elink", asked, partial(read_links, link=link, own=pmid))
        sent = (*sent, _sent("elink", asked))
        if not linked:  # for an unknown paper the reply is the same
            own = await self._records([pmid])
            if not own.papers:
                raise _unknown(paper)
            sent += own.sent
            if link == "pubmed_pubmed_refs":
                linked = tuple(name.value for name in own.papers[0].references if name.scheme == "pmid")
        answer = await self._records(linked[: max(0, limit)])
        return replace(answer, total=len(linked), sent=sent + answer.sent)

    async def _pmid(self, paper: Paper) -> tuple[str, tuple[str, ...]]:
        """The paper's PubMed id, and what was asked for it. Raises `NotFound`."""
        if known := paper.identifier("pmid"):
            return known, ()
        names = usable_names(paper.identifiers, self.schemes)
        answer = await self.lookup(names) if names else Answer()
        known = next((found.identifier("pmid") for found in answer.papers), None)
        if known is None:
            raise _unknown(paper)
        return known, answer.sent

    async def _named(self, names: Sequence[Identifier]) -> AsyncGenerator[Page]:
        pmids = [name.value for name in names if name.scheme == "pmid"]
        async for page in self._pages(pmids):
            yield page
        others = [name for name in names if name.scheme != "pmid"]
        for start in range(0, len(others), NAMES):
            term = " OR ".join(map(_tagged, others[start : start + NAMES]))
            asked: Parameters = {"db": "pubmed", "retmode": "xml", "term": term, "retmax": str(BATCH)}
            contents = await self._search(asked)
            yield Page(sent=_sent("esearch", asked))
            async for page in self._pages([name for name in contents.pmids if name not in pmids]):
                yield page

    async def _search(self, parameters: Parameters) -> Found:
        return await self._post("esearch", parameters, read_search)

    async def _records(self, pmids: Sequence[str]) -> Answer:
        """The papers with these ids, in this order."""
        answer = await gathered(self._pages(pmids), max(1, len(pmids)))
        missing = len(pmids) - len(answer.papers)
        gone = (f"{missing} of the papers found were not sent",) if missing > 0 and not answer.partial else ()
        return replace(answer, papers=in_order(answer.papers, pmids), notes=answer.notes + gone)

    async def _pages(self, pmids: Sequence[str]) -> AsyncGenerator[Page]:
        for start in range(0, len(pmids), BATCH):
            asked: Parameters = {"db": "pubmed", "retmode": "xml", "id": ",".join(pmids[start : start + BATCH])}
            records = await self._post("efetch", asked, read_records)
            yield Page(records.papers, _sent("efetch", asked), None, records.counts)

    async def _post(self, utility: str, parameters: Parameters, read: Callable[[Reply], Told]) -> Told:
        path, form = request_form(utility, {**parameters, **self._identity})
        return await self._http.post(path, read, content=form, content_type=FORM)


def open_source(connection: Connection) -> PubMed:
    return PubMed(connection.http(error_of), connection.key, connection.email)


def named(papers: Sequence[Paper], names: Sequence[Identifier]) -> tuple[Paper, ...]:
    """Those of `papers` that bear one of `names`: a search by DOI may bring what only mentions it."""
    return tuple(paper for paper in papers if not set(paper.identifiers).isdisjoint(names))


def in_order(papers: Sequence[Paper], pmids: Sequence[str]) -> tuple[Paper, ...]:
    """`papers` in the order of `pmids`, which is that of relevance; records may come in another."""
    ranks = {value: rank for rank, value in enumerate(pmids)}
    return tuple(sorted(papers, key=lambda paper: ranks.get(paper.identifier("pmid") or "", len(ranks))))


def request_form(utility: str, parameters: Mapping[str, str | list[str] | None]) -> tuple[str, bytes]:
    """Path and body of a request: a form, so that no key stands in an address. What is None is left out."""
    given = {name: value for name, value in parameters.items() if value is not None}
    return f"/entrez/eutils/{utility}.fcgi", urlencode(given, doseq=True).encode()


def _search(term: str, query: Query) -> Parameters:
    size = max(1, min(query.limit, REACHABLE))
    if query.added:
        term = f'({term}) AND ("{_day(query.added)}"[edat] : "{date.today().year + YEARS_AHEAD}"[edat])'
    asked: Parameters = {"db": "pubmed", "retmode": "xml", "sort": "relevance", "term": term, "retmax": str(size)}
    if query.since or query.until:  # both bounds or neither
        since = _day(query.since) if query.since else FIRST_DAY
        until = _day(query.until) if query.until else f"{date.today().year + YEARS_AHEAD}/12/31"
        asked |= {"datetype": "pdat", "mindate": since, "maxdate": until}
    return asked


def _day(day: date) -> str:
    return day.isoformat().replace("-", "/")


def _tagged(name: Identifier) -> str:
    """A name as a search term. DOIs hold brackets and semicolons, which are syntax outside quotes."""
    return f'"{name.value}"[aid]' if name.scheme == "doi" else f"{name.value}[pmcid]"


def _sent(utility: str, parameters: Parameters) -> str:
    return f"POST /entrez/eutils/{utility}.fcgi {urlencode(parameters, doseq=True, safe='/,')}"


def _unknown(paper: Paper) -> NotFound:
    return NotFound(SOURCE, f"does not know “{paper.title[:80]}” by any of its identifiers.")
