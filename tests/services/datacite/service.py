"""DataCite: `/dois/{doi}`, one record at a time, for what repositories hold; errors in the frame of JSON:API."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from tests.services.http.message import Reply, Request, json_reply
from tests.services.rules import Window
from tests.services.service import Service

FIVE_MINUTES, ANONYMOUS = 300.0, 500
"""How many requests those may send in five minutes who say nothing of themselves."""
DATA, TOOL, UNTOLD = "10.5061/dryad.made1", "10.5281/zenodo.900001", "10.5072/untold"


class DataCite(Service):
    name = "datacite"

    def reset(self) -> None:
        self._window = Window(ANONYMOUS, FIVE_MINUTES * self.terms.scale)
        self._last = float("-inf")

    def answer(self, request: Request) -> Reply:
        if self.terms.enforced and not self._window.admit(request.time):
            self.breach(f"more than {ANONYMOUS} requests in five minutes ({request.path})")
            return _refused(429, "You have exceeded the rate limit.")
        match = re.fullmatch(r"/dois/([^/]+)", request.path)
        if match is None or request.parameters:
            self.breach(f"no look-up of one DOI, encoded ({request.target[:300]})")
            return _refused(404, "The resource you are looking for doesn't exist.")
        attributes = RECORDS.get(unquote(match[1]).lower())
        if attributes is None:
            return _refused(404, "The resource you are looking for doesn't exist.")
        return json_reply({"data": {"id": attributes["doi"], "type": "dois", "attributes": attributes}})


def _refused(status: int, title: str) -> Reply:
    return json_reply({"errors": [{"status": str(status), "title": title}]}, status)


def _record(doi: str, title: str, general: str, **more: Any) -> dict[str, Any]:
    return {
        "doi": doi,
        "titles": [{"title": title}],
        "creators": [
            {
                "name": "Ravn, Astrid",
                "nameType": "Personal",
                "givenName": "Astrid",
                "familyName": "Ravn",
                "affiliation": [],
                "nameIdentifiers": [],
            }
        ],
        "publisher": "Dryad",
        "publicationYear": 2021,
        "dates": [{"date": "2021", "dateType": "Issued"}],
        "types": {"resourceTypeGeneral": general, "bibtex": "misc", "citeproc": general.lower()},
        "container": {},
        "descriptions": [{"descriptionType": "Abstract", "description": f"This is about: {title}."}],
        "contributors": [],
        "subjects": [],
        "relatedIdentifiers": [],
        "language": "en",
        "url": f"https://repository.invalid/{doi}",
        "state": "findable",
        **more,
    }


RECORDS: dict[str, dict[str, Any]] = {
    DATA: _record(DATA, "Data from: Counts of harbor seals along the northern coast", "Dataset"),
    TOOL: _record(
        TOOL,
        "sealcount: tallies of seals from photographs",
        "Software",
        publisher={"name": "Zenodo", "publisherIdentifier": None},  # as it is told where it is asked for so
    ),
    UNTOLD: _record(
        UNTOLD,
        "A survey of seals without a name to it",
        "Text",
        creators=[{"name": ":unav", "nameIdentifiers": []}],
        publisher="(:unav)",
        descriptions=[],
    ),
}
"""What is registered, by DOI: none of it is in any index of papers."""
