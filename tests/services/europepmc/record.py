"""Europe PMC records of the made-up works: those that PubMed holds, and preprints of some of them."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any

from tests.services.corpus.works import Author, Corpus, Work

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LANGUAGES = {"ru": "rus", "ar": "ara", "zh": "chi"}


def preprint_of(work: Work) -> Work | None:
    """The preprint that every seventh article of medicine has, of the same title, half a year before it."""
    if not work.pmid or not work.date or work.number % 7 or work.kind != "article":
        return None
    year = int(work.date[:4]) - (work.date[5:7] < "07")
    server = "bioRxiv" if work.number % 2 else "medRxiv"
    doi = f"10.1101/{year}.03.05.{work.number:06}"
    return replace(work, doi=doi, pmid=None, pmcid=None, year=year, date=f"{year}-03-05", venue=server, kind="preprint")


def record(work: Work, corpus: Corpus, core: bool) -> dict[str, Any]:
    """One result; abstracts, keywords and authors one by one are in `core` only."""
    posted = work.kind == "preprint"
    found: dict[str, Any] = {
        "id": f"PPR{work.number}" if posted else work.pmid,
        "source": "PPR" if posted else "MED",
        "pmid": work.pmid,
        "pmcid": work.pmcid,
        "doi": work.doi,
        "title": f"{work.marked_title.removesuffix('.') if work.marked_title else escape(work.title, quote=False)}.",
        "authorString": ", ".join(f"{one.family} {one.initials}".strip() for one in work.authors) + ".",
        "pubYear": str(work.year) if work.year else None,
        "pageInfo": work.pages,
        "isOpenAccess": "Y" if work.open_access else "N",
        "citedByCount": 0 if posted else len(corpus.citations(work)),
        "firstPublicationDate": _padded(work),
        "firstIndexDate": work.indexed or work.date,
    }
    if posted:
        found["bookOrReportDetails"] = {"publisher": work.venue, "yearOfPublication": work.year}
    if core:
        found |= _more(work, posted)
    elif not posted:
        found |= {"journalTitle": work.venue, "journalVolume": work.volume, "issue": work.issue}
    return {name: value for name, value in found.items() if value is not None}


def _more(work: Work, posted: bool) -> dict[str, Any]:
    kinds = ["Preprint" if posted else "Journal Article"]
    more: dict[str, Any] = {
        "authorList": {"author": [_author(one) for one in work.authors]} if work.authors else None,
        "abstractText": _abstract(work),
        "language": _LANGUAGES.get(work.language, "eng"),
        "pubTypeList": {"pubType": kinds},
        "keywordList": {"keyword": [work.topic]},
        "fullTextUrlList": {"fullTextUrl": _addresses(work)},
    }
    if posted:
        return more
    more["meshHeadingList"] = {"meshHeading": [{"majorTopic_YN": "N", "descriptorName": work.field}]}
    more["journalInfo"] = {
        "volume": work.volume,
        "issue": work.issue,
        "dateOfPublication": _printed(work),
        "journal": {"title": work.venue, "issn": "0000-0001"},
    }
    if work.retracted:
        kinds.insert(0, "Retracted Publication")
    if work.number % 11 == 0:
        more["commentCorrectionList"] = {"commentCorrection": [{"id": "1", "source": "MED", "type": "Erratum in"}]}
    return more


def _author(author: Author) -> dict[str, Any]:
    if author.collective:
        return {"collectiveName": author.family}
    short = f"{author.family} {author.initials}".strip()
    return {"fullName": short, "firstName": author.given, "lastName": author.family, "initials": author.initials}


def _abstract(work: Work) -> str | None:
    if not work.abstract:
        return None
    if not work.sections:
        return escape(work.abstract, quote=False)
    parts = [(label, part if work.marked_title else escape(part, quote=False)) for label, part in work.sections]
    return "".join(f"<h4>{label.capitalize()}</h4>{part}" for label, part in parts)


def _printed(work: Work) -> str | None:
    if work.medline_date:
        return work.medline_date
    if not work.date:
        return str(work.year) if work.year else None
    year, month, _ = work.date.split("-")
    return f"{year} {_MONTHS[int(month) - 1]}"


def _padded(work: Work) -> str | None:
    """A whole day whatever is known: of a month its first."""
    if work.kind == "preprint":
        return work.date
    return f"{work.date[:7]}-01" if work.date else f"{work.year}-01-01" if work.year else None


def _addresses(work: Work) -> list[dict[str, str]]:
    closed = {"availabilityCode": "S", "documentStyle": "pdf", "site": "DOI", "url": "https://journal.invalid/paid.pdf"}
    if not work.pmcid:
        return [closed]
    address = f"https://europepmc.org/articles/{work.pmcid}?pdf=render"
    return [closed, {"availabilityCode": "OA", "documentStyle": "pdf", "site": "Europe_PMC", "url": address}]
