"""A Crossref work made from a made-up work, and the journals that are registered beside them."""

from __future__ import annotations

from html import escape
from typing import Any

from tests.services.corpus.works import Author, Corpus, Work

_TYPES = {"article": "journal-article", "book-chapter": "book-chapter"}
SELECTS = frozenset(
    "abstract URL resource member posted score created degree update-policy short-title license ISSN container-title "
    "issued update-to issue prefix approved indexed article-number clinical-trial-number accepted author group-title "
    "DOI is-referenced-by-count updated-by event chair standards-body original-title funder translator published "
    "archive published-print alternative-id subject subtitle published-online publisher-location content-domain "
    "reference title link type publisher volume references-count ISBN issn-type assertion deposited page contributor "
    "content-created short-container-title relation editor".split()
)


def kind_of(work: Work) -> str:
    return _TYPES.get(work.kind, "other")


REGISTERED = "2026-10-01"
"""Long after works appeared: they were registered late."""


def work_object(work: Work, corpus: Corpus, score: float) -> dict[str, Any]:
    assert work.doi
    preprint = corpus[work.preprint] if work.preprint else None
    found: dict[str, Any] = {
        "indexed": _stamp("2026-11-01"),
        "reference-count": len(work.references),
        "publisher": work.publisher or "",
        "content-domain": {"domain": [], "crossmark-restriction": False},
        "short-container-title": [],
        "DOI": work.doi,
        "type": kind_of(work),
        "created": _stamp(REGISTERED),
        "source": "Crossref",
        "is-referenced-by-count": len(corpus.citations(work)),
        "title": [work.marked_title or escape(work.title, quote=False)] if work.title else [],
        "prefix": work.doi.split("/")[0],
        "author": [_author(author, place) for place, author in enumerate(work.authors)],
        "member": "9999",
        "container-title": [work.venue],
        "original-title": [],
        "language": work.language,
        "deposited": _stamp("2026-10-01"),
        "score": score,
        "resource": {"primary": {"URL": f"https://journal.invalid/{work.number}"}},
        "subtitle": [],
        "short-title": [],
        "issued": {"date-parts": [_parts(work)]},
        "references-count": len(work.references),
        "URL": f"https://doi.org/{work.doi}",
        "relation": _relation(preprint) if preprint else {},
        "ISSN": ["0000-0001"],
        "issn-type": [{"value": "0000-0001", "type": "electronic"}],
        "subject": [],
    }
    told = {"volume": work.volume, "issue": work.issue, "page": work.pages, "abstract": _abstract(work)}
    found |= {name: value for name, value in told.items() if value}
    if work.retracted:
        found["updated-by"] = [
            _update(f"{work.doi}.correction", "correction", "publisher"),
            _update(f"{work.doi}.notice", "retraction", "retraction-watch"),
        ]
    elif work.number % 11 == 0:
        found["updated-by"] = [_update(f"{work.doi}.correction", "correction", "publisher")]
    return found


def journal_object(venue: str, score: float) -> dict[str, Any]:
    """The record of a whole journal, which searches find as well."""
    return {
        "DOI": f"10.5555/journal.{sum(map(ord, venue))}",
        "type": "journal",
        "title": [venue],
        "issued": {"date-parts": [[None]]},
        "score": score,
    }


def _author(author: Author, place: int) -> dict[str, Any]:
    sequence: dict[str, Any] = {"sequence": "first" if place == 0 else "additional", "affiliation": []}
    if author.collective:
        return {"name": author.family, **sequence}
    return {"given": author.given, "family": author.family, **sequence}


def _parts(work: Work) -> list[int | None]:
    if work.date:
        return [int(part) for part in work.date.split("-")]
    return [work.year]


def _abstract(work: Work) -> str | None:
    if not work.abstract:
        return None
    if not work.sections:
        text = escape(work.abstract, quote=False)
        return f"<jats:title>Abstract</jats:title>\n          <jats:p>{text}</jats:p>"
    # A section of a work with a marked title has its markup already.
    marked = [(label, part if work.marked_title else escape(part, quote=False)) for label, part in work.sections]
    return "".join(
        f"<jats:sec><jats:title>{label}</jats:title><jats:p>{part}</jats:p></jats:sec>" for label, part in marked
    )


def _relation(preprint: Work) -> dict[str, Any]:
    """The same pair, as both of them say it."""
    named = {"id-type": "doi", "id": preprint.doi}
    return {"has-preprint": [{**named, "asserted-by": "subject"}, {**named, "asserted-by": "object"}]}


def _update(doi: str, kind: str, source: str) -> dict[str, Any]:
    label = kind.capitalize()
    return {"DOI": doi, "type": kind, "label": label, "source": source, "updated": _stamp("2022-02-02")}


def _stamp(day: str) -> dict[str, Any]:
    return {"date-parts": [[int(part) for part in day.split("-")]], "date-time": f"{day}T00:00:00Z", "timestamp": 0}
