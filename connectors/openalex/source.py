"""OpenAlex: an open index of all scholarship, where identifiers and filters are nearly free and searching is not."""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus, urlsplit

from connectors.errors import (
    BadQuery,
    BadResponse,
    NotFound,
    QuotaExhausted,
    RateLimited,
    SourceError,
    SourceUnavailable,
    Unauthorized,
)
from connectors.http.json_values import mapping
from connectors.http.limits import WHOLE
from connectors.http.paging import ResultPage, batched, gathered
from connectors.http.responses import Content, HttpReply, fault_of_status, in_json, json_body, quoted, retry_after
from connectors.http.secret import Secret
from connectors.identifiers import Identifier
from connectors.openalex.work import PERSON_FIELDS, read_list, read_people, read_person, read_single
from connectors.paper import Paper
from connectors.person import Person, PersonId
from connectors.query.dialects import sent_text
from connectors.query.terms import plain_words
from connectors.registry import OPENALEX
from connectors.source import Answer, Query, Source, usable_names
from connectors.spec import Connection

if TYPE_CHECKING:
    from connectors.http.client import HttpClient

PAGE = 100
"""Maximum number of results per page, and of values in a filter."""
FILTER_LENGTH = 3_000
"""Maximum length of a filter's values, so that the request line stays below the documented 4 KB."""
QUERY_LENGTH = 1_500
REFUSED = "?*|!~^\\()[]{}"
"""Characters that `search` refuses or treats as syntax; none is indexed, so dropping them loses nothing."""
LONGEST_PAUSE = timedelta(seconds=10)
"""A longer Retry-After means the end of a budget, not a pause."""
FEW_CREDITS = 100
SEARCHING = "searching"
"""The part of the service that may be closed to users without a key while ids and filters still work."""

FIELDS = (
    "id,doi,ids,title,publication_date,publication_year,type,language,authorships,primary_location,best_oa_location,"
    "open_access,abstract_inverted_index,biblio,cited_by_count,referenced_works,referenced_works_count,is_retracted,"
    "keywords,primary_topic"
).split(",")


class OpenAlex(Source, spec=OPENALEX):
    """OpenAlex as a source. Without a `key`, all programs at one address share a small daily budget."""

    def __init__(self, http: "HttpClient", key: Secret | None) -> None:
        self._http = http
        self._headers = {"Authorization": f"Bearer {key.reveal()}"} if key and key.reveal() else {}

    async def search(self, query: Query) -> Answer:
        return await gathered(self._list(search_target(query), query.limit), query.limit)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        usable = _as_openalex(self.known_names(names))
        return await gathered(self._batches(usable), len(usable))

    async def references(self, paper: Paper, limit: int) -> Answer:
        """Return the papers that `paper` cites, most cited first."""
        cited = [name for name in paper.references if name.scheme == "openalex"]
        requests: tuple[str, ...] = ()
        if not cited:
            page = await self._page_of(paper)
            cited, requests = [name for name in page.papers[0].references if name.scheme == "openalex"], (page.sent,)
        if not cited:
            return Answer(total=0, sent=requests, notes=("lists no references for this paper",))
        answer = await gathered(self._batches(cited, sort=True), limit)
        missing = min(limit, len(cited)) - len(answer.papers)
        remark = (f"{missing} of the references are no longer known",) if missing and not answer.partial else ()
        return Answer(answer.papers, len(cited), requests + answer.sent, answer.notes + remark, answer.partial)

    async def citations(self, paper: Paper, limit: int) -> Answer:
        """Return the papers that cite `paper`, most cited first, so that a truncated list has the most influential.

        The paper is looked up first, free of charge, because an id that was merged into another has no citations.
        """
        return await self._citing(paper, limit, cited_by_count="desc")

    async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
        """Return the papers that cite one of `papers`, most cited first, in one request per hundred results. Nothing
        is looked up first, so papers without an OpenAlex id are left out, and all but the first hundred."""
        cited = list(dict.fromkeys(id for paper in papers if (id := paper.identifier("openalex"))))[:PAGE]
        if not cited:
            raise NotFound(self.name, "sent none of these papers.")
        works = _works().filter_or(cites=cited).sort(cited_by_count="desc")
        return await gathered(self._list(_target(works), limit), limit)

    async def newest_citations(self, paper: Paper, limit: int) -> Answer:
        return await self._citing(paper, limit, publication_date="desc")

    async def people(self, name: str, limit: int) -> Sequence[Person]:
        words = quote_plus(plain_words(self.name, name, REFUSED, QUERY_LENGTH))
        target = f"/authors?search={words}&select={PERSON_FIELDS}&per-page={max(1, min(limit, PAGE))}"
        read = in_json(self.name, read_people)
        return await self._http.get(target, read, headers=self._headers, part=SEARCHING)

    async def person(self, id: PersonId) -> Person:
        target = f"/authors/{id.value}?select={PERSON_FIELDS}"
        return await self._http.get(target, in_json(self.name, read_person), headers=self._headers)

    async def works_of(self, id: PersonId, limit: int) -> Answer:
        """Return the newest works of this person. A merged id is followed, free of charge."""
        person = await self.person(id)
        works = _works().filter(**{"authorships.author.id": person.id.value}).sort(publication_date="desc")
        return await gathered(self._list(_target(works), limit), limit)

    async def _citing(self, paper: Paper, limit: int, **order: str) -> Answer:
        page = await self._page_of(paper)
        cited = page.papers[0].identifier("openalex")
        if cited is None:
            raise BadResponse(self.name, "sent a work without its id; try again later.")
        works = _works().filter(cites=cited).sort(**order)
        answer = await gathered(self._list(_target(works), limit), limit)
        return Answer(answer.papers, answer.total, (page.sent, *answer.sent), answer.notes, answer.partial)

    async def _page_of(self, paper: Paper) -> ResultPage:
        """Return OpenAlex' record of the paper, by the first identifier that it knows. Raises `NotFound`."""
        for name in _as_openalex(usable_names(paper.identifiers, self.schemes)):
            if (page := await self._single(name)).papers:
                return page
        raise self._unknown(paper)

    async def _single(self, name: Identifier) -> ResultPage:
        target = single_target(name)
        try:
            paper, notes = await self._http.get(target, _with_credits(read_single), headers=self._headers)
        except NotFound:
            return ResultPage(sent=target)
        return ResultPage((paper,), target, notes=notes)

    async def _batches(self, names: Sequence[Identifier], sort: bool = False) -> AsyncGenerator[ResultPage]:
        for batch in batches(names):
            if len(batch) == 1:
                yield await self._single(batch[0])
            else:
                async for page in self._list(batch_target(batch, sort), len(batch)):
                    yield page

    async def _list(self, target: str, limit: int) -> AsyncGenerator[ResultPage]:
        target = f"{target}&per-page={max(1, min(limit, PAGE))}"
        cursor = "*" if limit > PAGE else None
        for number in range(limit // PAGE + 2):  # limited, in case the service repeats itself
            path = f"{target}&cursor={quote(cursor, errors='replace')}" if cursor else target
            part = SEARCHING if "&search=" in path else WHOLE
            read = _with_credits(partial(read_list, following=number > 0))
            works, notes = await self._http.get(path, read, headers=self._headers, part=part)
            yield replace(works, sent=path, notes=notes)
            if not cursor or not works.cursor or not works.papers:
                return
            cursor = works.cursor


def open_source(connection: Connection) -> OpenAlex:
    return OpenAlex(connection.http(error_of), connection.key)


def search_target(query: Query) -> str:
    """Return the path and query of a search. Raises `BadQuery` if the question has no words."""
    expression = sent_text(OPENALEX.name, query)
    words = plain_words(OPENALEX.name, query.text, REFUSED, QUERY_LENGTH) if expression is None else expression
    works = _works().search(words)
    bounds = {"from_publication_date": query.since, "to_publication_date": query.until}
    dates = {name: day.isoformat() for name, day in bounds.items() if day}
    return _target(works.filter(**dates) if dates else works)


def single_target(name: Identifier) -> str:
    """Return the path and query of a single look-up. The colon is not percent-encoded, because that costs a credit."""
    prefix = "" if name.scheme == "openalex" else f"{name.scheme}:"
    return f"/works/{prefix}{quote(name.value, safe='/():;')}?select={','.join(FIELDS)}"


def batch_target(names: Sequence[Identifier], sort: bool = False) -> str:
    """Return the path and query of a look-up of several identifiers of one scheme."""
    field = "openalex_id" if names[0].scheme == "openalex" else names[0].scheme
    works = _works().filter_or(**{field: [name.value for name in names]})
    return _target(works.sort(cited_by_count="desc") if sort else works)


def batches(names: Sequence[Identifier]) -> Iterator[list[Identifier]]:
    """Split `names` by scheme into batches for one request each; a value that would break the filter is alone."""
    for _, group in groupby(names, key=lambda name: name.scheme):
        yield from batched(
            group,
            most=PAGE,
            capacity=FILTER_LENGTH,
            size=lambda name: len(quote_plus(name.value)) + 1,
            alone=lambda name: "|" in name.value,
        )


def error_of(reply: HttpReply) -> SourceError | None:
    """Return the error in a reply; None for a good one."""
    if reply.status < 300:
        return None
    body = _body_of(reply)
    match reply.status:
        case 401 | 403:
            return Unauthorized(
                OPENALEX.name, f"refused the request{quoted(reply)}; set OPENALEX_API_KEY to a valid key or unset it."
            )
        case 404:
            return NotFound(OPENALEX.name, "does not know this work or author.")
        case 429:
            return _too_many(reply, body)
        case 503 if "retry-after" in reply.headers:
            # Only searches without a key may be refused, so only the part asked is closed until then.
            return SourceUnavailable(
                OPENALEX.name, f"is overloaded{quoted(reply)}; searching with OPENALEX_API_KEY set may still work."
            )
        case 504 if body.get("reason") == "query_timeout":
            return BadQuery(OPENALEX.name, "took too long over this query and stopped; make the question narrower.")
    return fault_of_status(OPENALEX.name, reply)


def _too_many(reply: HttpReply, body: dict[str, object]) -> SourceError:
    """Return the error for a 429, which has four meanings."""
    until, now = retry_after(reply), datetime.now(UTC)
    if body.get("error") == "Plan upgrade required":
        return BadQuery(OPENALEX.name, f"requires a paid plan for this request{quoted(reply)}.")
    if body.get("reason") == "broad_boolean_query":
        return RateLimited(OPENALEX.name, "limits queries with many operators; ask with fewer of them.", until)
    if "insufficient budget" in str(body.get("message")).lower() or (until and until - now > LONGEST_PAUSE):
        until = until or (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return QuotaExhausted(
            OPENALEX.name,
            f"has no requests left until {until:%Y-%m-%d %H:%M} UTC; set OPENALEX_API_KEY for a larger daily budget.",
            until,
        )
    return RateLimited(OPENALEX.name, f"got requests too fast{quoted(reply)}.", until)


def _body_of(reply: HttpReply) -> dict[str, object]:
    try:
        return mapping(json_body(OPENALEX.name, reply))
    except BadResponse:
        return {}


def _with_credits(read: Callable[[object], Content]) -> Callable[[HttpReply], tuple[Content, tuple[str, ...]]]:
    """Return a parser of replies that adds a note if few credits are left."""
    return lambda reply: (read(json_body(OPENALEX.name, reply)), _credits_left(reply))


def _credits_left(reply: HttpReply) -> tuple[str, ...]:
    remaining = reply.headers.get("x-ratelimit-remaining", "")
    return (f"{remaining} credits are left for today",) if remaining.isdigit() and int(remaining) < FEW_CREDITS else ()


def _as_openalex(names: Sequence[Identifier]) -> list[Identifier]:
    """Return `names` in OpenAlex' spelling, once each: arXiv papers have their DOI there."""
    spellings = (
        Identifier("doi", f"10.48550/arxiv.{name.value}") if name.scheme == "arxiv" else name for name in names
    )
    return sorted(
        dict.fromkeys(name for name in spellings if name.value.isprintable()),
        key=lambda name: OpenAlex.schemes.index(name.scheme),
    )


def _works() -> Any:
    """Return the library's address builder, which has no type hints."""
    import pyalex

    library: Any = pyalex
    return library.Works().select(FIELDS)


def _target(works: Any) -> str:
    address = urlsplit(works.url)
    return f"{address.path}?{address.query}"
