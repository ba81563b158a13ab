"""A source with a cache: its answers are stored, and its papers enter the library."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from cache import papers
from cache.errors import CacheError
from cache.packing import compress, decompress
from cache.paper_json import from_mapping, to_mapping
from cache.store import Store
from cache.timestamps import stamp, utc_now
from connectors.errors import NotAskable
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.person import Person, PersonId
from connectors.source import Answer, Query, Source, usable_names

PARSER_VERSION = 1
"""Increase this when sources parse replies differently, so that earlier answers are requested again."""


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that determines an answer. `version` is the caller's mark for the source's address and mode."""

    source: str
    version: str
    operation: str
    arguments: tuple[tuple[str, str | int | None], ...]

    @property
    def key(self) -> str:
        text = json.dumps([PARSER_VERSION, self.source, self.version, self.operation, self.arguments])
        return sha256(text.encode()).hexdigest()[:24]


def recall(store: Store, request: Request, now: datetime, since: datetime | None = None) -> Answer | None:
    """Return the stored answer to `request`, unless it has expired or is dated in the future or before `since`."""
    sql = "SELECT answer FROM answers WHERE key = ? AND stored_at <= ? AND stored_at >= ? AND expires_at > ?"
    row = store.row(sql, (request.key, stamp(now), stamp(since) if since else "", stamp(now)))
    return _from_cell(row[0]) if row else None


def keep(store: Store, request: Request, answer: Answer, lifetime: timedelta, now: datetime) -> None:
    """Store a complete answer for `lifetime`, and delete expired ones. A partial answer is not stored."""
    if answer.partial:
        return
    with store.writing() as db:
        db.execute("DELETE FROM answers WHERE expires_at <= ?", (stamp(now),))
        db.execute(
            "INSERT OR REPLACE INTO answers (key, source, operation, answer, stored_at, expires_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (request.key, request.source, request.operation, _to_cell(answer), stamp(now), stamp(now + lifetime)),
        )


def _to_cell(answer: Answer) -> bytes:
    cell = {
        "papers": [to_mapping(paper) for paper in answer.papers],
        "total": answer.total,
        "sent": answer.sent,
        "notes": answer.notes,
    }
    return compress(json.dumps(cell, ensure_ascii=False, separators=(",", ":")))


def _from_cell(cell: bytes) -> Answer:
    value: dict[str, Any] = json.loads(decompress(cell))
    return Answer(
        papers=tuple(map(from_mapping, value["papers"])),
        total=value["total"],
        sent=tuple(value["sent"]),
        notes=tuple(value["notes"]),
    )


SEARCH_DAYS = timedelta(days=1)
PAPER_DAYS = timedelta(days=30)
ABSENT_DAYS = timedelta(days=1)
"""How long "unknown here" is trusted: indexes add papers daily."""


class CachedSource(Source):
    """`source`, with its answers stored in `store`; failures and partial answers are never stored.

    `version` marks what else determines the answers, such as the source's address. With `since`, lists stored before
    that moment are not used, only single papers: for callers that want new papers. If the library cannot be read or
    written, answers are not cached but still returned.
    """

    def __init__(
        self,
        source: Source,
        store: Store,
        *,
        version: str = "",
        since: datetime | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self.name, self.capabilities, self.schemes = source.name, source.capabilities, source.schemes
        self._source = source
        self._store = store
        self._version = version
        self._since = since
        self._now = now

    def without_asking(self) -> "CachedSource":
        """Return the same cache over a source that is never asked: requests without a stored answer get no answer."""
        return CachedSource(_Unasked(self._source), self._store, version=self._version, now=self._now)

    async def search(self, query: Query) -> Answer:
        request = self._request(
            "search",
            ("text", query.text),
            ("since", query.since.isoformat() if query.since else None),
            ("until", query.until.isoformat() if query.until else None),
            ("limit", query.limit),
            *((("form", query.form),) if query.form != "words" else ()),
            *((("added", query.added.isoformat()),) if query.added else ()),
        )
        return await self._answer(request, SEARCH_DAYS, lambda: self._source.search(query))

    async def references(self, paper: Paper, limit: int) -> Answer:
        return await self._about("references", paper, limit, self._source.references)

    async def citations(self, paper: Paper, limit: int) -> Answer:
        return await self._about("citations", paper, limit, self._source.citations)

    async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
        names = dict.fromkeys(name for paper in papers for name in usable_names(paper.identifiers, self.schemes))
        request = self._request("citing any", *(("name", str(name)) for name in names), ("limit", limit))
        return await self._answer(request, PAPER_DAYS, lambda: self._source.citing_any(papers, limit))

    async def similar(self, paper: Paper, limit: int) -> Answer:
        return await self._about("similar", paper, limit, self._source.similar)

    async def newest_citations(self, paper: Paper, limit: int) -> Answer:
        return await self._about("newest citations", paper, limit, self._source.newest_citations, SEARCH_DAYS)

    async def works_of(self, id: PersonId, limit: int) -> Answer:
        request = self._request("works", ("person", str(id)), ("limit", limit))
        return await self._answer(request, SEARCH_DAYS, lambda: self._source.works_of(id, limit))

    async def people(self, name: str, limit: int) -> Sequence[Person]:
        """Ask the source; like `person`, the answer is not stored, because each name is asked only once."""
        return await self._source.people(name, limit)

    async def person(self, id: PersonId) -> Person:
        return await self._source.person(id)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        """Store answers identifier by identifier, and request only those not stored yet."""
        replies = {name: reply for name in names if (reply := await self._recalled(self._named(name)))}
        missing = [name for name in dict.fromkeys(names) if name not in replies]
        answer = Answer()
        if missing:
            answer = await self._source.lookup(missing)
            answer = await self._noting(answer, self._keep_each, missing, answer)
        remembered = (paper for answer in replies.values() for paper in answer.papers)
        return replace(answer, papers=tuple(dict.fromkeys((*remembered, *answer.papers))), total=None)

    async def _about(
        self,
        operation: str,
        paper: Paper,
        limit: int,
        ask: Callable[[Paper, int], Awaitable[Answer]],
        lifetime: timedelta = PAPER_DAYS,
    ) -> Answer:
        names = usable_names(paper.identifiers, self.schemes)
        subject = [("name", str(name)) for name in names] or [("title", paper.title)]
        request = self._request(operation, *subject, ("limit", limit))
        return await self._answer(request, lifetime, lambda: ask(paper, limit), paper)

    async def _answer(
        self, request: Request, lifetime: timedelta, ask: Callable[[], Awaitable[Answer]], about: Paper | None = None
    ) -> Answer:
        reply = await self._recalled(request, self._since)
        if reply is not None:
            return reply
        answer = await ask()
        return await self._noting(answer, self._keep, request, answer, lifetime, about)

    async def _recalled(self, request: Request, since: datetime | None = None) -> Answer | None:
        try:
            return await asyncio.to_thread(recall, self._store, request, self._now(), since)
        except CacheError:
            return None  # the attempt to store the answer will report the reason

    async def _noting(self, answer: Answer, save: Callable[..., None], *arguments: object) -> Answer:
        """Return `answer`, with a note if it could not be stored."""
        try:
            await asyncio.to_thread(save, *arguments)
        except CacheError as error:
            return replace(answer, notes=tuple(dict.fromkeys((*answer.notes, error.sentence))))
        return answer

    def _keep(self, request: Request, answer: Answer, lifetime: timedelta, about: Paper | None) -> None:
        with self._store.writing():
            papers.remember(self._store, answer.papers, self._now())
            if about and request.operation == "references":
                papers.link(self._store, [about], answer.papers)
            if about and request.operation in ("citations", "newest citations"):
                papers.link(self._store, answer.papers, [about])
            keep(self._store, request, answer, lifetime, self._now())

    def _keep_each(self, names: Sequence[Identifier], answer: Answer) -> None:
        by_name = {name: paper for paper in answer.papers for name in paper.identifiers if name in names}
        if len(names) == 1 and len(answer.papers) == 1:
            by_name[names[0]] = answer.papers[0]  # the source may know the work by a newer identifier
        # A paper with none of the identifiers could belong to any of them, so none can be stored as absent.
        stray = any(paper not in by_name.values() for paper in answer.papers)
        with self._store.writing():
            papers.remember(self._store, answer.papers, self._now())
            for name in () if answer.partial else names:
                if name in by_name:
                    keep(self._store, self._named(name), Answer((by_name[name],)), PAPER_DAYS, self._now())
                elif not stray:
                    keep(self._store, self._named(name), Answer(), ABSENT_DAYS, self._now())

    def _named(self, name: Identifier) -> Request:
        return self._request("lookup", ("name", str(name)))

    def _request(self, operation: str, *arguments: tuple[str, str | int | None]) -> Request:
        return Request(self.name, self._version, operation, arguments)


class _Unasked(Source):
    """Stands in for a source that must not be asked."""

    def __init__(self, source: Source) -> None:
        self.name, self.schemes, self.capabilities = source.name, source.schemes, source.capabilities

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        return Answer(partial=True)

    async def search(self, query: Query) -> Answer:
        raise NotAskable(self.name, "was not asked.")
