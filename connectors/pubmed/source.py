"""PubMed: the literature of medicine and the life sciences, through NCBI's E-utilities."""

import re
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from connectors.batches import in_batches
from connectors.errors import (
    BadQuery,
    BadResponse,
    NotAskable,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
)
from connectors.http.json_values import mapping
from connectors.http.paging import WIDENED, ResultPage, gathered
from connectors.http.responses import QUOTE_CAP, Content, HttpReply, fault_of_status, json_body, retry_after, xml_body
from connectors.http.secret import Secret
from connectors.identifiers import ARXIV_DOIS, Identifier, pmid
from connectors.paper import Paper
from connectors.pubmed.records import read_records
from connectors.query.dialects import sent_text
from connectors.query.stopwords import STOP_WORDS
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.records.clean import clean_text
from connectors.registry import PUBMED
from connectors.source import Answer, Query, Source, usable_names
from connectors.spec import Connection

if TYPE_CHECKING:
    from connectors.http.client import HttpClient


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
    """Parse the result of esearch in XML. Raises `BadResponse` for anything else, and for an empty list with a count
    above zero."""
    root = xml_body(PUBMED.name, reply)
    count = (root.findtext("Count") or "").strip()
    total = int(count) if re.fullmatch("[0-9]{1,12}", count) else None
    pmids = _pmids(name.text for name in root.iterfind("IdList/Id"))
    if root.tag != "eSearchResult" or total is None or root.find("IdList") is None or bool(total) != bool(pmids):
        raise BadResponse(PUBMED.name, "did not send the result of a search; try again later.")
    missing = [part.text for part in root.iterfind("ErrorList/*")]
    warnings = [part.text for part in root.iterfind("WarningList/*") if part.tag != "PhraseIgnored"]
    return SearchIds(pmids, total, _notes(root.findtext("QueryTranslation"), missing, warnings))


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


def _notes(translation: object, missing: Iterable[object], warnings: Iterable[object]) -> tuple[str, ...]:
    """Return notes on the interpretation, except about ignored stop words."""
    interpretation = clean_text(translation, TRANSLATION_CAP)
    unknown = ", ".join(filter(None, (clean_text(part, QUOTE_CAP) for part in missing)))
    warned = [warning for part in warnings if (warning := clean_text(part, QUOTE_CAP))]
    return (
        *([f"understood as {interpretation}"] if interpretation else []),
        *([f"knows no such words: {unknown}"] if unknown else []),
        *(warning for warning in warned if _NOTHING not in warning.lower()),
    )


def _pmids(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.value for value in values if (name := pmid(value))))


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


REQUIRED_TERMS = 8
"""Maximum number of required words: hardly any paper matches more of them together."""
ANY_TERMS = 15
_GLUE = (Term(("of",)), Term(("in",)))
"""Stop words that PubMed ignores but needs in "quality of life" and "carcinoma in situ"."""
_OPERATORS = frozenset({"and", "or", "not"})
"""Operators in every spelling."""


def search_terms(text: str) -> tuple[str, str]:
    """Return two terms for esearch: for papers that match all words, and for papers that match any.

    Neither has field tags, quotes or truncation; only the second has operators. Raises `NotAskable` without a word.
    """
    every = terms_of(PUBMED.name, text)
    distinctive = [term for term in content(every) if _spelled(term)]
    if not distinctive:
        raise NotAskable(PUBMED.name, "the query has no words to search for.")
    if all(word in STOP_WORDS for term in distinctive for word in term.words):
        raise NotAskable(PUBMED.name, "it ignores words that every text has, and the query has no others.")
    required = most_telling(distinctive, REQUIRED_TERMS)
    narrow = " ".join(_spelled(term) for term in _glued(every, required))
    wide = " OR ".join(f"({_spelled(term)})" for term in most_telling(distinctive, ANY_TERMS))
    return narrow, wide if len(distinctive) > 1 else narrow


def _glued(every: list[Term], required: list[Term]) -> list[Term]:
    """Return the required terms, with the glue words between two of them."""
    before, after = [None, *every[:-1]], [*every[1:], None]
    return [
        term
        for before_term, term, after_term in zip(before, every, after, strict=True)
        if term in required or (term in _GLUE and before_term in required and after_term in required)
    ]


def _spelled(term: Term) -> str:
    if not term.quoted:
        return "" if set(term.words) <= _OPERATORS else "-".join(term.words)
    return " ".join(word for word in term.words if word not in _OPERATORS)


__all__ = ["PubMed", "error_of", "open_source"]

BATCH = 200
"""Maximum number of records per reply."""
NAMES = 50
"""Maximum number of DOIs and PMCIDs per look-up."""
REACHABLE = 10_000
"""Maximum number of ids that a search returns."""
FIRST_DAY = "1500/01/01"
YEARS_AHEAD = 5
FORM = "application/x-www-form-urlencoded"

SPARSE = "PubMed knows only the citing papers that are in PubMed Central"

Parameters = dict[str, str | list[str]]


class PubMed(Source, spec=PUBMED):
    """PubMed as a source. A `key` allows ten requests a second. `email` tells NCBI whom to contact: the person's own
    address, or none, because nobody else can answer for them."""

    lacks = ARXIV_DOIS

    def __init__(self, http: "HttpClient", key: Secret | None, email: str | None) -> None:
        self._http = http
        self._identity = {"tool": "spar", "email": email, "api_key": (key and key.reveal()) or None}

    async def search(self, query: Query) -> Answer:
        """Return papers that match the expression, or all distinctive words of the query, or else any of its words."""
        expression = sent_text(self.name, query)
        narrow, wide = search_terms(query.text) if expression is None else (expression, expression)
        searches = [_search(narrow, query)]
        result = await self._search(searches[0])
        notes = result.notes
        if not result.total and narrow != wide:
            searches.append(_search(wide, query))
            result = await self._search(searches[1])
            notes = (WIDENED, *result.notes)
        answer = await self._records(result.pmids)
        if result.pmids and not answer.papers:
            raise BadResponse(self.name, f"found {result.total} papers but sent none of them; try again later.")
        requests = tuple(_sent("esearch", parameters) for parameters in searches)
        return replace(answer, total=result.total, sent=requests + answer.sent, notes=notes + answer.notes)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        usable = self.known_names(names)
        answer = await gathered(self._named(usable), len(usable))
        return replace(answer, papers=named(answer.papers, usable))

    async def references(self, paper: Paper, limit: int) -> Answer:
        """Return the papers that `paper` cites, by PubMed's links or else by the list in the paper's record."""
        return await self._linked(paper, "pubmed_pubmed_refs", limit)

    async def citations(self, paper: Paper, limit: int) -> Answer:
        answer = await self._linked(paper, "pubmed_pubmed_citedin", limit)
        return replace(answer, notes=(SPARSE, *answer.notes))

    async def similar(self, paper: Paper, limit: int) -> Answer:
        return await self._linked(paper, "pubmed_pubmed", limit)

    async def _linked(self, paper: Paper, link: str, limit: int) -> Answer:
        pmid, requests = await self._pmid(paper)
        parameters: Parameters = {"dbfrom": "pubmed", "db": "pubmed", "cmd": "neighbor", "linkname": link, "id": [pmid]}
        linked = await self._post("elink", parameters, partial(read_links, link=link, own=pmid))
        requests = (*requests, _sent("elink", parameters))
        if not linked:  # the reply for an unknown paper is the same
            own = await self._records([pmid])
            if not own.papers:
                raise self._unknown(paper)
            requests += own.sent
            if link == "pubmed_pubmed_refs":
                linked = tuple(name.value for name in own.papers[0].references if name.scheme == "pmid")
        answer = await self._records(linked[: max(0, limit)])
        return replace(answer, total=len(linked), sent=requests + answer.sent)

    async def _pmid(self, paper: Paper) -> tuple[str, tuple[str, ...]]:
        """Return the paper's PubMed id, and the requests sent to find it. Raises `NotFound`."""
        if number := paper.identifier("pmid"):
            return number, ()
        names = usable_names(paper.identifiers, self.schemes)
        answer = await self.lookup(names) if names else Answer()
        number = next((candidate.identifier("pmid") for candidate in answer.papers), None)
        if number is None:
            raise self._unknown(paper)
        return number, answer.sent

    async def _named(self, names: Sequence[Identifier]) -> AsyncGenerator[ResultPage]:
        pmids = [name.value for name in names if name.scheme == "pmid"]
        async for page in self._pages(pmids):
            yield page
        others = [name for name in names if name.scheme != "pmid"]
        for batch in in_batches(others, NAMES):
            term = " OR ".join(map(_tagged, batch))
            parameters: Parameters = {"db": "pubmed", "retmode": "xml", "term": term, "retmax": str(BATCH)}
            result = await self._search(parameters)
            yield ResultPage(sent=_sent("esearch", parameters))
            async for page in self._pages([name for name in result.pmids if name not in pmids]):
                yield page

    async def _search(self, parameters: Parameters) -> SearchIds:
        return await self._post("esearch", parameters, read_search)

    async def _records(self, pmids: Sequence[str]) -> Answer:
        """Return the papers with these ids, in this order."""
        answer = await gathered(self._pages(pmids), max(1, len(pmids)))
        missing = len(pmids) - len(answer.papers)
        remark = (f"{missing} of the papers found were not sent",) if missing > 0 and not answer.partial else ()
        return replace(answer, papers=in_order(answer.papers, pmids), notes=answer.notes + remark)

    async def _pages(self, pmids: Sequence[str]) -> AsyncGenerator[ResultPage]:
        for batch in in_batches(pmids, BATCH):
            parameters: Parameters = {"db": "pubmed", "retmode": "xml", "id": ",".join(batch)}
            records = await self._post("efetch", parameters, read_records)
            yield ResultPage(records.papers, _sent("efetch", parameters), None, records.counts)

    async def _post(self, utility: str, parameters: Parameters, read: Callable[[HttpReply], Content]) -> Content:
        path, form = request_form(utility, {**parameters, **self._identity})
        return await self._http.post(path, read, content=form, content_type=FORM)


def open_source(connection: Connection) -> PubMed:
    return PubMed(connection.http(error_of), connection.key, connection.email)


def named(papers: Sequence[Paper], names: Sequence[Identifier]) -> tuple[Paper, ...]:
    """Return those of `papers` with one of `names`, because a search by DOI also finds papers that mention it."""
    return tuple(paper for paper in papers if not set(paper.identifiers).isdisjoint(names))


def in_order(papers: Sequence[Paper], pmids: Sequence[str]) -> tuple[Paper, ...]:
    """Return `papers` in the order of `pmids`, which is by relevance; records may come in another."""
    ranks = {value: rank for rank, value in enumerate(pmids)}
    return tuple(sorted(papers, key=lambda paper: ranks.get(paper.identifier("pmid") or "", len(ranks))))


def request_form(utility: str, parameters: Mapping[str, str | list[str] | None]) -> tuple[str, bytes]:
    """Return path and body of a request: a form, so that no key is in an address. None values are left out."""
    fields = {name: value for name, value in parameters.items() if value is not None}
    return f"/entrez/eutils/{utility}.fcgi", urlencode(fields, doseq=True).encode()


def _search(term: str, query: Query) -> Parameters:
    size = max(1, min(query.limit, REACHABLE))
    if query.added:
        term = f'({term}) AND ("{_day(query.added)}"[edat] : "{date.today().year + YEARS_AHEAD}"[edat])'
    parameters: Parameters = {"db": "pubmed", "retmode": "xml", "sort": "relevance", "term": term, "retmax": str(size)}
    if query.since or query.until:  # both bounds or neither
        since = _day(query.since) if query.since else FIRST_DAY
        until = _day(query.until) if query.until else f"{date.today().year + YEARS_AHEAD}/12/31"
        parameters |= {"datetype": "pdat", "mindate": since, "maxdate": until}
    return parameters


def _day(day: date) -> str:
    return day.isoformat().replace("-", "/")


def _tagged(name: Identifier) -> str:
    """Return an identifier as a search term. DOIs contain brackets and semicolons, which are syntax outside quotes."""
    return f'"{name.value}"[aid]' if name.scheme == "doi" else f"{name.value}[pmcid]"


def _sent(utility: str, parameters: Parameters) -> str:
    return f"POST /entrez/eutils/{utility}.fcgi {urlencode(parameters, doseq=True, safe='/,')}"
