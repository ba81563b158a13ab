"""dblp: `/search/publ/api`, where every word must be found, and pages for those who ask too often."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from tests.services.corpus.works import Work
from tests.services.http.message import Reply, Request, html_reply, json_reply
from tests.services.service import Service, number

GAP = 5.0
"""Seconds between requests that are let pass."""
MOST = 100
_TOO_MANY = (
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html>\n<head>\n<title>429 Too Many Requests</title>\n</head>'
    "\n<body>\n<h1>Too Many Requests</h1>\n<p>The vast number of requests from your side has</p></body></html>"
)
_BROKEN = "<html><body><h1>Internal Server Error</h1></body></html>"
_PARAMETERS = frozenset("q format h f c".split())


class Dblp(Service):
    name = "dblp"

    def reset(self) -> None:
        self._last = float("-inf")
        self._words = {work.number: _indexed(work) for work in self.corpus.works}

    def answer(self, request: Request) -> Reply:
        since, self._last = request.time - self._last, request.time
        if self.terms.enforced and since < GAP * self.terms.scale:
            self.breach(f"asked again after {since:.2f} s ({request.target[:200]})")
            return html_reply(_TOO_MANY, 429)
        asked = request.parameters
        if request.path != "/search/publ/api" or asked.get("format") != "json" or not asked.keys() <= _PARAMETERS:
            self.breach(f"no search that it knows ({request.target[:300]})")
            return html_reply(_BROKEN, 500)
        size, first = number(asked.get("h"), 30), number(asked.get("f"), 0)
        if size is None or first is None or size > MOST or not asked.get("q"):
            self.breach(f"more than it gives ({request.target[:300]})")
            return html_reply(_BROKEN, 500)
        found = [work for work in self.corpus.works if self._matches(work, asked["q"])]
        return json_reply(_reply(asked["q"], found, found[first : first + size], first))

    def _matches(self, work: Work, query: str) -> bool:
        return all(any(self._has(work, one) for one in part.split("|")) for part in query.split())

    def _has(self, work: Work, word: str) -> bool:
        """Words stand for beginnings, but for those that `$` ends."""
        whole, start = word.endswith("$"), word.rstrip("$").lower()
        return any(one == start if whole else one.startswith(start) for one in self._words[work.number])


def _indexed(work: Work) -> frozenset[str]:
    """What is searched: neither DOIs nor abstracts."""
    return frozenset(
        re.findall(r"\w+", " ".join([work.title, work.venue, *(one.name for one in work.authors)]).lower())
    )


def _reply(query: str, found: list[Work], page: list[Work], first: int) -> dict[str, Any]:
    """All numbers are text, and where nothing is found there is no `hit`."""
    hits: dict[str, Any] = {"@total": str(len(found)), "@computed": str(len(found)), "@sent": str(len(page))}
    hits |= {"@first": str(first)}
    if page:
        hits["hit"] = [{"@score": "1", "@id": str(work.number), "info": _info(work)} for work in page]
    return {"result": {"query": query, "status": {"@code": "200", "text": "OK"}, "hits": hits}}


def _info(work: Work) -> dict[str, Any]:
    people: list[Any] = [{"@pid": f"1/{place}", "text": one.name} for place, one in enumerate(work.authors)]
    preprint = work.arxiv and "10.48550" in (work.doi or "10.48550")
    info: dict[str, Any] = {
        "title": f"{escape(work.title, quote=False)}.",
        "venue": "CoRR" if preprint else work.venue,
        "year": str(work.year) if work.year else None,
        "type": "Informal and Other Publications" if preprint else "Journal Articles",
        "access": "open" if work.open_access else "closed",
        "key": f"journals/made/{work.number}",
        "doi": (work.doi or "").upper() or None,
        "volume": f"abs/{work.arxiv}" if preprint else work.volume,
        "url": f"https://dblp.org/rec/journals/made/{work.number}",
    }
    if people:
        info["authors"] = {"author": people[0] if len(people) == 1 else people}
    return {name: value for name, value in info.items() if value is not None}
