"""Unpaywall: `/v2/{doi}` for who gives a mail address, with the places of free copies."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from tests.services.corpus.works import Work
from tests.services.http.message import Reply, Request, json_reply
from tests.services.service import Service

_NEEDED = "Email address required in API call, see http://unpaywall.org/products/api"


class Unpaywall(Service):
    name = "unpaywall"

    def answer(self, request: Request) -> Reply:
        email = request.parameters.get("email", "")
        if "@" not in email or email.endswith("example.com"):
            self.breach(f"no mail address of a person ({request.target[:200]})")
            return _refused(422, _NEEDED)
        name = unquote(request.path.removeprefix("/v2/")).lower()
        work = self.corpus.find("doi", name)
        if not request.path.startswith("/v2/") or work is None or name.startswith("10.48550/"):
            return _refused(404, f"'{name}' isn't in Unpaywall. See https://support.unpaywall.org/")
        return json_reply(_record(work, self.terms.unpaywall_copies))


def _refused(status: int, message: str) -> Reply:
    return json_reply({"HTTP_status_code": status, "error": True, "message": message}, status)


def _record(work: Work, copies: str) -> dict[str, Any]:
    """The record: of an open work a landing page first, and then a repository's copy."""
    page = _place(f"https://doi.org/{work.doi}", None, "publisher", "publishedVersion")
    copy = copies.format(number=work.number)
    places = [page, _place(copy, copy, "repository", "acceptedVersion")] if work.open_access else []
    return {
        "doi": work.doi,
        "doi_url": f"https://doi.org/{work.doi}",
        "title": work.title,
        "genre": "journal-article",
        "is_oa": bool(places),
        "oa_status": "green" if places else "closed",
        "best_oa_location": places[0] if places else None,
        "oa_locations": places,
        "updated": "deprecated",
        "year": work.year,
        "z_authors": None,
    }


def _place(url: str, pdf: str | None, host: str, version: str) -> dict[str, Any]:
    return {
        "url": url,
        "url_for_pdf": pdf,
        "url_for_landing_page": url,
        "host_type": host,
        "version": version,
        "evidence": "deprecated",
        "updated": "deprecated",
        "pmh_id": None,
        "endpoint_id": None,
    }
