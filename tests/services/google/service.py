"""Google Scholar by two providers on one port: Serper (`POST /scholar`, `/search`), SerpApi (`GET /search.json`)."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any
from urllib.parse import urlencode

from tests.services.corpus.works import Work
from tests.services.http.message import Reply, Request, html_reply, json_reply
from tests.services.rules import Ledger, Window
from tests.services.service import Service, number

_NOTHING = "Google hasn't returned any results for this query."


class Google(Service):
    name = "google"

    def reset(self) -> None:
        self._credits = Ledger(self.terms.serper_credits)
        self._searches = Ledger(self.terms.serpapi_searches)
        self._second = Window(50, self.terms.scale)

    def answer(self, request: Request) -> Reply:
        if request.path in {"/scholar", "/search"} and request.method == "POST":
            return self._serper(request)
        if request.path in {"/search.json", "/search"}:
            return self._serpapi(request)
        return html_reply("<html><body><h1>404 Not Found</h1></body></html>", 404)

    def _serper(self, request: Request) -> Reply:
        if self.terms.enforced:
            if request.headers.get("x-api-key") != self.terms.serper_key:
                self.breach("Serper: a wrong or missing key")
                return json_reply({"message": "Unauthorized.", "statusCode": 403}, 403)
            if not self._second.admit(request.time):
                self.breach("Serper: more than 50 requests in a second")
                return json_reply({"message": "Rate limit exceeded.", "statusCode": 429}, 429)
        try:
            asked = json.loads(request.body)
            query, size, page = str(asked["q"]), int(asked.get("num", 10)), int(asked.get("page", 1))
        except (ValueError, KeyError, TypeError, AttributeError):
            self.breach("Serper: a body without q, or with a number that is none")
            return json_reply({"message": "Missing query parameter", "statusCode": 400}, 400)
        if self.terms.enforced and not self._credits.pay(1):
            return json_reply({"message": "Not enough credits", "statusCode": 400}, 400)
        found = self._found(query)[(page - 1) * size : page * size]
        engine = "google-scholar" if request.path == "/scholar" else "google"
        kind = "scholar" if request.path == "/scholar" else "search"
        about = {"q": query, "type": kind, "num": size, "engine": engine} | ({"page": page} if page > 1 else {})
        return json_reply({"searchParameters": about, "organic": [self._organic(work) for work in found], "credits": 1})

    def _organic(self, work: Work) -> dict[str, Any]:
        cited = len(self.corpus.citations(work))
        item: dict[str, Any] = {
            "title": _cut(work.title, 90),
            "link": _link(work),
            "publicationInfo": _publication(work),
            "snippet": _cut(work.abstract or "", 160),
        }
        item |= {"year": work.year} if work.year else {}
        item |= {"citedBy": cited} if cited else {}
        return item | ({"pdfUrl": _pdf(work)} if work.open_access else {})

    def _serpapi(self, request: Request) -> Reply:
        parameters = request.parameters
        if self.terms.enforced:
            if parameters.get("api_key") != self.terms.serpapi_key:
                self.breach("SerpApi: a wrong or missing key")
                text = "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"
                return json_reply({"error": text}, 401)
            if not self._searches.pay(1):
                return json_reply({"error": "Your account has run out of searches."}, 429)
        if parameters.get("engine") != "google_scholar":
            return self._bad(f"Unsupported `{parameters.get('engine', '')}` search engine.")
        start, size = number(parameters.get("start"), 0), number(parameters.get("num"), 10)
        if start is None or size is None or not 1 <= size <= 20:
            return self._bad("`num` must be between 1 and 20.")
        found = self._asked(parameters)
        if found is None:
            return self._bad("Missing query `q` parameter.")
        return json_reply(self._page(parameters, found, start, size))

    def _bad(self, text: str) -> Reply:
        self.breach(f"SerpApi: {text}")
        return json_reply({"error": text}, 400)

    def _asked(self, parameters: dict[str, str]) -> list[Work] | None:
        low, high = number(parameters.get("as_ylo"), 0) or 0, number(parameters.get("as_yhi"), 9999) or 9999
        if cites := parameters.get("cites"):
            known = next((work for work in self.corpus.works if _cluster(work) == cites), None)
            works = self.corpus.citations(known) if known else []
        elif cluster := parameters.get("cluster"):
            works = [work for work in self.corpus.works if _cluster(work) == cluster]
        elif query := parameters.get("q"):
            works = self._found(query)
        else:
            return None
        dated = "as_ylo" in parameters or "as_yhi" in parameters
        return [work for work in works if not dated or (work.year and low <= work.year <= high)]

    def _page(self, parameters: dict[str, str], found: list[Work], start: int, size: int) -> dict[str, Any]:
        asked = {name: value for name, value in parameters.items() if name != "api_key"}
        shown = found[start : start + size]
        body: dict[str, Any] = {
            "search_metadata": {"id": hashlib.md5(str(asked).encode()).hexdigest()[:24], "status": "Success"},
            "search_parameters": asked,
        }
        if not shown:
            body["search_information"] = {"organic_results_state": "Fully empty"}
            return {**body, "error": _NOTHING}
        state = {"organic_results_state": "Results for exact spelling", "total_results": len(found)}
        items = [self._result(work, place) for place, work in enumerate(shown)]
        body |= {"search_information": state, "organic_results": items}
        if start + size < len(found):
            following = urlencode({**asked, "start": start + size})
            body["serpapi_pagination"] = {
                "current": start // size + 1,
                "next": f"https://serpapi.com/search.json?{following}",
            }
        return body

    def _result(self, work: Work, place: int) -> dict[str, Any]:
        identity = hashlib.sha1(f"scholar {work.number}".encode()).hexdigest()[:11] + "J"
        if _only_cited(work):
            head = {"position": place, "title": f"[CITATION] {work.title}", "result_id": identity, "type": "Citation"}
            return {**head, "publication_info": {"summary": _publication(work)}, "inline_links": {}}
        cited = len(self.corpus.citations(work))
        people = [{"name": _signature(author.name), "author_id": f"{identity[:8]}AAAAJ"} for author in work.authors[:2]]
        return {
            "position": place,
            "title": _cut(work.title, 90),
            "result_id": identity,
            "link": _link(work),
            "snippet": _cut(work.abstract or "", 160),
            "publication_info": {"summary": _publication(work)} | ({"authors": people} if people else {}),
            "resources": [{"title": _site(work), "file_format": "PDF", "link": _pdf(work)}] if work.open_access else [],
            "inline_links": {"cited_by": {"total": cited, "cites_id": _cluster(work)}} if cited else {},
        }

    def _found(self, query: str) -> list[Work]:
        """Google searches everything and reads operators loosely: quotes and minus signs are left out."""
        return [work for work, _ in self.index.matching(re.sub(r"\b(AND|OR)\b|\w+:", " ", query), share=0.5)]


def _cluster(work: Work) -> str:
    return str(1_000_000_000_000_000_000 + (work.preprint or work.number))


def _only_cited(work: Work) -> bool:
    return work.number % 31 == 0


def _link(work: Work) -> str:
    return f"https://arxiv.org/abs/{work.arxiv}" if work.arxiv else f"https://journal.invalid/articles/{work.number}"


def _pdf(work: Work) -> str:
    return (
        f"https://arxiv.org/pdf/{work.arxiv}" if work.arxiv else f"https://journal.invalid/articles/{work.number}.pdf"
    )


def _site(work: Work) -> str:
    return "arxiv.org" if work.arxiv else "journal.invalid"


def _cut(text: str, length: int) -> str:
    """Cut at a word, with the ellipsis that Scholar puts there."""
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


def _signature(name: str) -> str:
    *given, family = name.split()
    return f"{''.join(part[0] for part in given)} {family}".strip()


def _publication(work: Work) -> str:
    people = ", ".join(_signature(author.name) for author in work.authors[:2])
    more = "…" if len(work.authors) > 2 else ""
    where = ", ".join(str(part) for part in (_cut(work.venue, 30), work.year) if part)
    return " - ".join(part for part in (people + more, where, _site(work)) if part)
