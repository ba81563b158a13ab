"""Convert PubMed's records, articles and book chapters, to papers."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree

from connectors.errors import BadResponse
from connectors.http.responses import HttpReply, xml_body
from connectors.identifiers import Identifier, arxiv, doi, pmcid, pmid
from connectors.paper import Author, Paper
from connectors.records.build import author, build_paper, month_named, partial_date
from connectors.records.medline import language_of, retracted, type_of, without_stop
from connectors.records.publication import first_to_last, page_range, publication_of
from connectors.records.xml_titles import title_with_styles
from connectors.registry import PUBMED

DAMAGED = "damaged records were left out"


class PubmedRecords(NamedTuple):
    """The papers of a reply, and notes about them."""

    papers: tuple[Paper, ...]
    counts: Counter[str]


def read_records(reply: HttpReply) -> PubmedRecords:
    """Parse an efetch reply; empty if none of the requested records exists. Raises `BadResponse` for anything else."""
    root = xml_body(PUBMED.name, reply)
    if root.tag != "PubmedArticleSet":
        raise BadResponse(PUBMED.name, "did not send a set of records; try again later.")
    entries = [entry for entry in root.iterchildren("*") if entry.tag != "DeleteCitation"]
    papers = tuple(paper for entry in entries if (paper := read_record(entry)))
    if entries and not papers:
        raise BadResponse(PUBMED.name, "sent a set with something other than records; try again later.")
    return PubmedRecords(papers, Counter({DAMAGED: len(entries) - len(papers)}))


def read_record(entry: "etree._Element", source: str = PUBMED.name) -> Paper | None:
    """Return the paper of a `PubmedArticle` or `PubmedBookArticle`, with `source` as its origin; None without a
    PubMed id."""
    if entry.tag == "PubmedArticle":
        citation, data = entry.find("MedlineCitation"), entry.find("PubmedData")
        return _article(citation, data, source) if citation is not None else None
    if entry.tag == "PubmedBookArticle":
        document, data = entry.find("BookDocument"), entry.find("PubmedBookData")
        return _chapter(document, data, source) if document is not None else None
    return None


def _article(citation: "etree._Element", data: "etree._Element | None", source: str) -> Paper | None:
    name = pmid(citation.findtext("PMID"))
    article = citation.find("Article")
    if name is None or article is None:
        return None
    kinds = {_text(kind).lower() for kind in article.iterfind("PublicationTypeList/PublicationType")}
    notices = {notice.get("RefType") for notice in citation.iterfind("CommentsCorrectionsList/CommentsCorrections")}
    journal = ("Journal/Title", "Journal/ISOAbbreviation")
    names = [name, *_names(article.iterfind("ELocationID"), data)]
    return build_paper(
        source,
        title=without_stop(_title(article, "ArticleTitle", "VernacularTitle")),
        abstract=_abstract(article) or _abstract(citation, "OtherAbstract[@Language='eng']"),
        authors=_authors(article.find("AuthorList")),
        et_al=article.find("AuthorList[@CompleteYN='N']") is not None,
        date=_date(article),
        venue=_first(article, *journal) or _first(citation, "MedlineJournalInfo/MedlineTA"),
        type=type_of(kinds),
        identifiers=names,
        references=_references(data),
        pdf=_pdf(names),
        url=_address(name),
        retracted=retracted(kinds) or "RetractionIn" in notices,
        concern="ExpressionOfConcernIn" in notices,
        language=_language(article),
        imprint=publication_of(
            volume=_first(article, "Journal/JournalIssue/Volume"),
            number=_first(article, "Journal/JournalIssue/Issue"),
            pages=_pages(article),
        ),
        keywords=_keywords(citation),
        indexed=_indexed(data),
    )


def _chapter(document: "etree._Element", data: "etree._Element | None", source: str) -> Paper | None:
    """Return the paper of a book document: a chapter has its own title, a whole book its book's."""
    name = pmid(document.findtext("PMID"))
    if name is None:
        return None
    title, book = _title(document, "ArticleTitle"), _title(document, "Book/BookTitle")
    names = [name, *_names(document.iterfind("Book/ELocationID"), document, data)]
    return build_paper(
        source,
        title=without_stop(title or book),
        abstract=_abstract(document),
        authors=_people(document, "AuthorList") or _people(document, "Book/AuthorList"),
        date=_parts(document.find("Book/PubDate")) or _parts(document.find("ContributionDate")),
        venue=book if title else _first(document, "Book/Publisher/PublisherName"),
        type="chapter" if title else "book",
        identifiers=names,
        references=_references(data) or _references(document),
        pdf=_pdf(names),
        url=_address(name),
        language=_language(document),
        imprint=publication_of(
            volume=_first(document, "Book/Volume"),
            pages=_pages(document),
            publisher=_first(document, "Book/Publisher/PublisherName"),
            editors=_people(document, "Book/AuthorList", editors=True) or _people(document, "AuthorList", editors=True),
        ),
        keywords=_keywords(document),
        indexed=_indexed(data),
    )


def _text(element: "etree._Element | None") -> str:
    return "".join(map(str, element.itertext())).strip() if element is not None else ""


def _first(element: "etree._Element", *paths: str) -> str:
    return next((text for path in paths if (text := _text(element.find(path)))), "")


def _title(element: "etree._Element", *paths: str) -> str:
    return next((text for path in paths if (text := title_with_styles(element.find(path)))), "")


def _abstract(element: "etree._Element", path: str = "Abstract") -> str:
    """Join the parts of an abstract, each with its label."""
    parts = []
    for part in element.iterfind(f"{path}/AbstractText"):
        label, text = part.get("Label", "").strip(), title_with_styles(part)
        labelled = label and label.upper() != "UNLABELLED"
        parts.append(f"{label}: {text}" if labelled and text else text)
    return " ".join(filter(None, parts))


def _people(document: "etree._Element", path: str, editors: bool = False) -> list[Author]:
    """Return the authors or the editors of a book document, whose lists have the same element name."""
    lists = (_authors(people) for people in document.iterfind(path) if (people.get("Type") == "editors") is editors)
    return next(filter(None, lists), [])


def _authors(people: "etree._Element | None") -> list[Author]:
    entries = people.iterfind("Author") if people is not None else iter(())
    authors = (_author(entry) for entry in entries if entry.get("ValidYN") != "N")
    return [person for person in authors if person]


def _author(entry: "etree._Element") -> Author | None:
    family = _first(entry, "LastName") or _first(entry, "CollectiveName")
    given_name = _first(entry, "ForeName", "FirstName", "Initials")
    orcid = re.sub(r"[\s-]", "", _first(entry, "Identifier[@Source='ORCID']"))[-16:]
    return author(family, given_name, "-".join(re.findall("....", orcid)), _first(entry, "Suffix"))


def _date(article: "etree._Element") -> str | None:
    """Return the date of the issue; if it is only a year or a month, the date of online publication in the same
    year."""
    issue, online = _parts(article.find("Journal/JournalIssue/PubDate")), _parts(article.find("ArticleDate"))
    if issue and online and len(online) > len(issue) and issue[:4] == online[:4]:
        return online
    return issue or online


def _indexed(data: "etree._Element | None") -> str | None:
    """Return the day on which PubMed added the record."""
    return _parts(data.find("History/PubMedPubDate[@PubStatus='entrez']")) if data is not None else None


def _parts(element: "etree._Element | None") -> str | None:
    if element is None:
        return None
    if stated := partial_date(element.findtext("Year"), _month(element.findtext("Month")), element.findtext("Day")):
        return stated
    span = element.findtext("MedlineDate") or ""  # such as "1998 Dec-1999 Jan" or "2000 Spring"
    year = re.search(r"\b[0-9]{4}\b", span)
    return partial_date(year[0], _month(re.split("[-/]", span[year.end() :])[0])) if year else None


def _month(text: str | None) -> str | int | None:
    return month_named(text or "") or text


def _names(locations: "Iterable[etree._Element]", *holders: "etree._Element | None") -> Iterator[Identifier]:
    """Yield the record's own identifiers, without those in its reference list."""
    valid = [location for location in locations if location.get("ValidYN") != "N"]
    values = [
        (item.get("IdType"), _text(item)) for holder in holders for item in _all(holder, "ArticleIdList/ArticleId")
    ]
    values += [(location.get("EIdType"), _text(location)) for location in valid]
    readers = (
        [doi(text) for kind, text in values if kind == "doi"],
        [pmcid(text) for kind, text in values if kind in ("pmc", "pmcid")],
        [arxiv(text) for kind, text in values if kind in ("pii", "arxiv") and text.lower().startswith("arxiv:")],
    )
    for reader in readers:
        if usable := next(filter(None, reader), None):
            yield usable


def _references(data: "etree._Element | None") -> list[Identifier]:
    """Return one identifier per cited work with any, preferring the PubMed id to the DOI."""
    cited = (_reference(entry) for entry in _all(data, ".//ReferenceList/Reference"))
    return [name for name in cited if name]


def _reference(entry: "etree._Element") -> Identifier | None:
    values = {item.get("IdType"): _text(item) for item in entry.iterfind("ArticleIdList/ArticleId")}
    return pmid(values.get("pubmed")) or doi(values.get("doi")) or pmcid(values.get("pmc") or values.get("pmcid"))


def _keywords(element: "etree._Element") -> Iterator[str]:
    """Yield the authors' or indexers' keywords, then the MeSH headings without their qualifiers."""
    paths = ("KeywordList/Keyword", "MeshHeadingList/MeshHeading/DescriptorName")
    return (_text(entry) for path in paths for entry in element.iterfind(path))


def _all(element: "etree._Element | None", path: str) -> "Iterator[etree._Element]":
    return element.iterfind(path) if element is not None else iter(())


def _pages(element: "etree._Element") -> str:
    pages = element.find("Pagination")
    if pages is None:
        return ""
    return page_range(_first(pages, "MedlinePgn")) or first_to_last(
        _first(pages, "StartPage"), _first(pages, "EndPage")
    )


def _language(element: "etree._Element") -> str | None:
    return language_of(_first(element, "Language"))


def _pdf(names: Iterable[Identifier]) -> str | None:
    value = next((name.value for name in names if name.scheme == "pmcid"), None)
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{value}/pdf/" if value else None


def _address(name: Identifier) -> str:
    return f"https://pubmed.ncbi.nlm.nih.gov/{name.value}/"
