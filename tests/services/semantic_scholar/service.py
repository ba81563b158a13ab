"""Semantic Scholar: the Graph API's papers and the recommendations, one request per second."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import unquote

from tests.services.corpus.search import date_of, index_of, terms, text_of, words
from tests.services.corpus.works import Profile, Work
from tests.services.http.message import Reply, Request, json_reply
from tests.services.rules import Window
from tests.services.semantic_scholar.paper import AUTHOR_FIELDS, FIELDS, LINK_FIELDS, author_object, chosen
from tests.services.semantic_scholar.parameters import (
    Refused,
    bulk_holds,
    fields_of,
    narrowed,
    query_of,
    sort_papers,
    window_of,
)
from tests.services.service import Service, number

_POOL = (
    "Too Many Requests. Please wait and try again or apply for a key for higher rate limits. "
    "https://www.semanticscholar.org/product/api#api-key-form"
)
_PAPER = "/graph/v1/paper/"
_AUTHOR = "/graph/v1/author/"
_FORPAPER = "/recommendations/v1/papers/forpaper/"
_NAMES = {"doi": "doi", "arxiv": "arxiv", "pmid": "pmid", "pmcid": "pmcid", "corpusid": "corpus_id"}
"""Prefixes of identifiers, and the corpus' names for them."""
_BULK_PAGE = 1000


class SemanticScholar(Service):
    name = "semantic_scholar"

    def reset(self) -> None:
        self._window = Window(1, self.terms.scale)
        self._random = Random(self.terms.seed)
        held = [work for work in self.corpus.works if work.s2]
        merged = {work.preprint for work in held if work.preprint}
        self._papers = [work for work in held if work.number not in merged]
        self._index = index_of(tuple(self._papers))

    def answer(self, request: Request) -> Reply:
        if self.terms.enforced and (refusal := self._turned_away(request)):
            return refusal
        try:
            return self._routed(request)
        except Refused as refusal_:
            if refusal_.status == 400:
                self.breach(f"{refusal_} ({request.target[:300]})")
            return json_reply({"error": str(refusal_)}, refusal_.status)

    def _turned_away(self, request: Request) -> Reply | None:
        key = request.headers.get("x-api-key")
        if key is not None and key != self.terms.s2_key:
            self.breach(f"a wrong key ({request.path})")
            return json_reply({"message": "Forbidden"}, 403)
        if not self._window.admit(request.time):
            self.breach(f"less than {self.terms.scale:g} s after the request before ({request.target[:300]})")
            return json_reply({"message": _POOL, "code": "429"}, 429)
        if key is None and self._random.random() < self.terms.keyless_refusals:
            return json_reply({"message": _POOL, "code": "429"}, 429)
        return None

    def _routed(self, request: Request) -> Reply:
        path = unquote(request.path)
        exact: dict[str, Callable[[Request], Reply]] = {
            f"{_PAPER}search": self._search,
            f"{_PAPER}search/bulk": self._bulk,
            f"{_PAPER}search/match": self._match,
            f"{_PAPER}batch": self._batch,
        }
        if path in exact:
            return exact[path](request)
        if path == f"{_AUTHOR}search":
            return self._people(request)
        if path.startswith(_AUTHOR):
            return self._author(request, path.removeprefix(_AUTHOR))
        if path.startswith(_FORPAPER):
            return self._recommended(request, path.removeprefix(_FORPAPER))
        if not path.startswith(_PAPER):
            raise Refused("Not Found", 404)
        name = path.removeprefix(_PAPER)
        for link in ("references", "citations"):
            if name.endswith(f"/{link}"):
                return self._links(request, name.removesuffix(f"/{link}"), link)
        return json_reply(chosen(self._paper(name), self.corpus, fields_of(request)))

    def _paper(self, name: str) -> Work:
        """The paper of an identifier. Raises Refused with 404."""
        work = self._looked_up(name)
        if work is None:
            raise Refused(f"Paper with id {name} not found", 404)
        return self.corpus.journal_version(work) or work

    def _looked_up(self, name: str) -> Work | None:
        work = self._named(name)
        return work if work and work.s2 else None

    def _named(self, name: str) -> Work | None:
        prefix, colon, value = name.partition(":")
        kind = _NAMES.get(prefix.lower()) if colon else None
        if kind == "corpus_id":
            return next((work for work in self.corpus.works if str(work.corpus_id) == value), None)
        if prefix.lower() == "url":
            return self._by_address(value)
        if kind == "pmcid":
            value = f"PMC{value.upper().removeprefix('PMC')}"
        if kind:
            return self.corpus.find(kind, value)
        return self.corpus.find("s2", name) or self.corpus.find("doi", name)

    def _by_address(self, address: str) -> Work | None:
        for pattern, kind in ((r"arxiv\.org/\w+/(\d{4}\.\d{5})", "arxiv"), (r"/paper/([0-9a-f]{40})", "s2")):
            if match := re.search(pattern, address):
                return self.corpus.find(kind, match[1])
        return None

    def _search(self, request: Request) -> Reply:
        fields = fields_of(request)
        offset, limit = window_of(request, 100, 100)
        if offset + limit > 1000:
            raise Refused("Requested data for this limit and/or offset is not available")
        found = narrowed(self._matching(query_of(request)), request.parameters)
        page = found[offset : offset + limit]
        body: dict[str, Any] = {"total": len(found), "offset": offset}
        if page:
            if offset + limit < len(found):
                body["next"] = offset + limit
            body["data"] = [chosen(work, self.corpus, fields) for work in page]
        return json_reply(body)

    def _matching(self, query: str) -> list[Work]:
        """By relevance. There is no query syntax: a hyphenated word matches nothing, and every operator is a word."""
        if re.search(r"\w-\w", query):
            self.breach(f"a hyphenated word in a relevance query matches nothing ({query[:200]})")
            return []
        return [work for work, _ in self._index.matching(query, share=0.5)]

    def _bulk(self, request: Request) -> Reply:
        fields = fields_of(request)
        if any(name.partition(".")[0] in {"references", "citations"} for name in fields):
            raise Refused("Nested references and citations are not supported in bulk search")
        found = narrowed(self._bulk_found(query_of(request)), request.parameters)
        sort_papers(
            found, request.parameters.get("sort", "paperId"), cited=lambda work: len(self.corpus.citations(work))
        )
        start = number(request.parameters.get("token", "").removeprefix("PCO"), 0) or 0
        page = found[start : start + _BULK_PAGE]
        following = f"PCO{start + _BULK_PAGE}" if start + _BULK_PAGE < len(found) else None
        data = [chosen(work, self.corpus, fields) for work in page]
        return json_reply({"total": len(found), "token": following, "data": data})

    def _bulk_found(self, query: str) -> list[Work]:
        alternatives = [part for part in query.replace("(", " ").replace(")", " ").split("|") if part.strip()]
        return [work for work in self._papers if any(bulk_holds(work, part) for part in alternatives)]

    def _match(self, request: Request) -> Reply:
        fields = fields_of(request)
        found = self._index.matching(query_of(request), share=0.8)
        close = [(work, score) for work, score in found if set(terms(query_of(request))) & set(terms(work.title))]
        if not close:
            raise Refused("Title match not found", 404)
        work, score = close[0]
        return json_reply({"data": [{**chosen(work, self.corpus, fields), "matchScore": round(score * 4, 5)}]})

    def _batch(self, request: Request) -> Reply:
        fields = fields_of(request)
        try:
            ids = json.loads(request.body)["ids"]
        except (ValueError, KeyError, TypeError):
            raise Refused("Bad JSON request body") from None
        if request.method != "POST" or not isinstance(ids, list) or not ids:
            raise Refused("No valid paper ids given")
        if len(ids) > 500:
            raise Refused("Too many ids: at most 500")
        rows = [self._looked_up(str(name)) for name in ids]
        papers = [work and (self.corpus.journal_version(work) or work) for work in rows]
        return json_reply([work and chosen(work, self.corpus, fields) for work in papers])

    def _links(self, request: Request, name: str, link: str) -> Reply:
        work = self._paper(name)
        fields = fields_of(request, FIELDS | LINK_FIELDS)
        offset, limit = window_of(request, 1000, 100)
        if offset + limit >= 10_000:
            raise Refused("Requested data for this limit and/or offset is not available")
        body: dict[str, Any] = {"offset": offset}
        if link == "references" and work.references_withheld:
            about = {"paperId": work.s2, "title": work.title, "openAccessPdf": None}
            return json_reply({**body, "citingPaperInfo": about, "data": None})
        rows = self._cited(work, fields) if link == "references" else self._citing(work, fields)
        if offset + limit < len(rows):
            body["next"] = offset + limit
        return json_reply({**body, "data": rows[offset : offset + limit]})

    def _cited(self, work: Work, fields: list[str]) -> list[dict[str, Any]]:
        papers = [
            chosen(self.corpus.journal_version(one) or one, self.corpus, fields) for one in self.corpus.references(work)
        ]
        wanted = {"paperId": None} | dict.fromkeys(name.partition(".")[0] for name in fields if name not in LINK_FIELDS)
        papers += [{**wanted, "title": title} for title in work.unresolved]
        return [_link(paper, "citedPaper", fields, place) for place, paper in enumerate(papers)]

    def _citing(self, work: Work, fields: list[str]) -> list[dict[str, Any]]:
        cited = [work] + ([self.corpus[work.preprint]] if work.preprint else [])
        citing = {one.number: one for version in cited for one in self.corpus.citations(version)}
        papers = [chosen(one, self.corpus, fields) for one in citing.values() if one in self._papers]
        return [_link(paper, "citingPaper", fields, place) for place, paper in enumerate(papers)]

    def _people(self, request: Request) -> Reply:
        fields = fields_of(request, AUTHOR_FIELDS)
        offset, limit = window_of(request, 1000, 100)
        query = set(words(query_of(request)))
        found = [one for one in self.corpus.profiles.values() if query <= set(words(one.name))]
        body: dict[str, Any] = {"total": len(found), "offset": offset}
        if offset + limit < len(found):
            body["next"] = offset + limit
        return json_reply({**body, "data": [_person(one, fields) for one in found[offset : offset + limit]]})

    def _author(self, request: Request, name: str) -> Reply:
        id, slash, what = name.partition("/")
        found = self.corpus.profiles.get(int(id)) if id.isdecimal() else None
        if found is None or (slash and what != "papers"):
            raise Refused(f"Author with id {id} not found", 404)
        if not slash:
            return json_reply(_person(found, fields_of(request, AUTHOR_FIELDS)))
        fields = fields_of(request)
        offset, limit = window_of(request, 1000, 100)
        rows = [work for work in sorted(found.works, key=lambda one: one.s2 or "") if work in self._papers]
        body: dict[str, Any] = {"offset": offset}
        if offset + limit < len(rows):
            body["next"] = offset + limit
        data = [chosen(one, self.corpus, fields) for one in rows[offset : offset + limit]]
        return json_reply({**body, "data": data})

    def _recommended(self, request: Request, name: str) -> Reply:
        work = self._paper(name)
        fields = fields_of(request)
        _, limit = window_of(request, 500, 100)
        pool = request.parameters.get("from", "recent")
        if pool not in {"recent", "all-cs"}:
            raise Refused("Unrecognized value for parameter from")
        near = [one for one, _ in self._index.matching(text_of(work), share=0.15) if one.number != work.number]
        if pool == "all-cs":
            near = [one for one in near if one.field == "Computer Science"]
        else:
            near = [one for one in near if (date_of(one) or "") >= "2018"]
        return json_reply({"recommendedPapers": [chosen(one, self.corpus, fields) for one in near[:limit]]})


def _person(profile: Profile, fields: list[str]) -> dict[str, Any]:
    return {name: value for name, value in author_object(profile).items() if name == "authorId" or name in fields}


def _link(paper: dict[str, Any], side: str, fields: list[str], place: int) -> dict[str, Any]:
    context = f"As shown before [{place + 1}], this holds."
    whole = {
        "contexts": [context] if place % 2 else [],
        "intents": ["background"] if place % 2 else [],
        "isInfluential": place % 7 == 0,
        "contextsWithIntent": [{"context": context, "intents": ["background"]}] if place % 2 else [],
    }
    return {**{name: value for name, value in whole.items() if name in fields}, side: paper}
