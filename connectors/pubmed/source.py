"""PubMed: the literature of medicine and the life sciences, through NCBI's E-utilities."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from connectors.errors import BadResponse, NotAskable, NotFound
from connectors.http.paging import WIDENED, ResultPage, gathered
from connectors.http.responses import HttpReply, Told
from connectors.http.secret import Secret
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.pubmed.records import read_records
from connectors.pubmed.replies import SearchIds, error_of, read_links, read_search
from connectors.query.dialects import sent_text
from connectors.query.stopwords import STOP_WORDS
from connectors.query.terms import Term, content, most_telling, terms_of
from connectors.registry import PUBMED
from connectors.source import Answer, Query, Source, usable_names
from connectors.spec import Connection

if TYPE_CHECKING:
    from connectors.http.client import HttpClient

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
    telling = [term for term in content(every) if _spelled(term)]
    if not telling:
        raise NotAskable(PUBMED.name, "the query has no words to search for.")
    if all(word in STOP_WORDS for term in telling for word in term.words):
        raise NotAskable(PUBMED.name, "it ignores words that every text has, and the query has no others.")
    required = most_telling(telling, REQUIRED_TERMS)
    narrow = " ".join(_spelled(term) for term in _glued(every, required))
    wide = " OR ".join(f"({_spelled(term)})" for term in most_telling(telling, ANY_TERMS))
    return narrow, wide if len(telling) > 1 else narrow


def _glued(every: list[Term], required: list[Term]) -> list[Term]:
    """Return the required terms, with the glue words between two of them."""
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
"""Maximum number of records per reply."""
NAMES = 50
"""Maximum number of DOIs and PMCIDs per look-up."""
REACHABLE = 10_000
"""Maximum number of ids that a search returns."""
ARXIV_DOIS = "10.48550/"
FIRST_DAY = "1500/01/01"
YEARS_AHEAD = 5
FORM = "application/x-www-form-urlencoded"

SPARSE = "PubMed knows only the citing papers that are in PubMed Central"

Parameters = dict[str, str | list[str]]


class PubMed(Source):
    """PubMed as a source. A `key` allows ten requests a second. `email` tells NCBI whom to contact: the person's own
    address, or none, because nobody else can answer for them."""

    name = PUBMED.name
    capabilities = PUBMED.capabilities
    schemes = PUBMED.schemes

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
        sent = tuple(_sent("esearch", parameters) for parameters in searches)
        return replace(answer, total=result.total, sent=sent + answer.sent, notes=notes + answer.notes)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        # PubMed does not have arXiv's DOIs.
        usable = [name for name in self.known_names(names) if not name.value.startswith(ARXIV_DOIS)]
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
        pmid, sent = await self._pmid(paper)
        parameters: Parameters = {"dbfrom": "pubmed", "db": "pubmed", "cmd": "neighbor", "linkname": link, "id": [pmid]}
        linked = await self._post("elink", parameters, partial(read_links, link=link, own=pmid))
        sent = (*sent, _sent("elink", parameters))
        if not linked:  # the reply for an unknown paper is the same
            own = await self._records([pmid])
            if not own.papers:
                raise _unknown(paper)
            sent += own.sent
            if link == "pubmed_pubmed_refs":
                linked = tuple(name.value for name in own.papers[0].references if name.scheme == "pmid")
        answer = await self._records(linked[: max(0, limit)])
        return replace(answer, total=len(linked), sent=sent + answer.sent)

    async def _pmid(self, paper: Paper) -> tuple[str, tuple[str, ...]]:
        """Return the paper's PubMed id, and the requests sent to find it. Raises `NotFound`."""
        if number := paper.identifier("pmid"):
            return number, ()
        names = usable_names(paper.identifiers, self.schemes)
        answer = await self.lookup(names) if names else Answer()
        number = next((candidate.identifier("pmid") for candidate in answer.papers), None)
        if number is None:
            raise _unknown(paper)
        return number, answer.sent

    async def _named(self, names: Sequence[Identifier]) -> AsyncGenerator[ResultPage]:
        pmids = [name.value for name in names if name.scheme == "pmid"]
        async for page in self._pages(pmids):
            yield page
        others = [name for name in names if name.scheme != "pmid"]
        for start in range(0, len(others), NAMES):
            term = " OR ".join(map(_tagged, others[start : start + NAMES]))
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
        gone = (f"{missing} of the papers found were not sent",) if missing > 0 and not answer.partial else ()
        return replace(answer, papers=in_order(answer.papers, pmids), notes=answer.notes + gone)

    async def _pages(self, pmids: Sequence[str]) -> AsyncGenerator[ResultPage]:
        for start in range(0, len(pmids), BATCH):
            parameters: Parameters = {"db": "pubmed", "retmode": "xml", "id": ",".join(pmids[start : start + BATCH])}
            records = await self._post("efetch", parameters, read_records)
            yield ResultPage(records.papers, _sent("efetch", parameters), None, records.counts)

    async def _post(self, utility: str, parameters: Parameters, read: Callable[[HttpReply], Told]) -> Told:
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
    given = {name: value for name, value in parameters.items() if value is not None}
    return f"/entrez/eutils/{utility}.fcgi", urlencode(given, doseq=True).encode()


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


def _unknown(paper: Paper) -> NotFound:
    return NotFound(PUBMED.name, f"does not know “{paper.title[:80]}” by any of its identifiers.")
