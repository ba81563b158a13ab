"""Parse arXiv's metadata dump, and its Atom feeds, with strict checks first: the library accepts truncated feeds."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from lxml import etree

from connectors.errors import BadQuery, BadResponse
from connectors.http.json_values import listing, mapping
from connectors.http.paging import ResultPage
from connectors.http.responses import QUOTE_CAP, HttpReply, xml_body
from connectors.identifiers import Identifier, arxiv, closed, doi, is_preprint_doi
from connectors.paper import Author, Paper, Version
from connectors.records.build import author, author_from_name, build_paper, iso_date
from connectors.records.clean import VENUE_CAP, clean_text
from connectors.records.publication import publication_of
from connectors.registry import ARXIV

if TYPE_CHECKING:
    from arxiv import Result

DAMAGED = "damaged entries were left out"

_ATOM = "{http://www.w3.org/2005/Atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_GROUPS = ("collaboration", "collaborations", "consortium", "group", "team")


def read_feed(reply: HttpReply) -> ResultPage:
    """Return the papers of a feed. Raises `BadQuery` for an error feed, `BadResponse` if it is not a complete feed."""
    from arxiv import _feed as library

    root = xml_body(ARXIV.name, reply)
    total = (root.findtext(_TOTAL) or "").strip()
    if root.tag != _ATOM + "feed" or not (total.isascii() and total.isdecimal()):
        raise BadResponse(ARXIV.name, "did not send a list of papers; try again later.")
    entries = root.findall(_ATOM + "entry")
    if reason := _error(entries):
        raise BadQuery(ARXIV.name, f"refused the request: “{reason}”.")
    for entry in entries:
        if not _is_dated(entry):
            root.remove(entry)  # an invalid date would make the library reject the whole feed
    results = library.parse(etree.tostring(root)).results
    papers = tuple(paper for result in results if (paper := read_result(result)))
    if entries and not papers:
        raise BadResponse(ARXIV.name, "sent a list with something other than papers; try again later.")
    return ResultPage(papers, total=int(total), counts={DAMAGED: len(entries) - len(papers)})


def read_result(result: "Result") -> Paper | None:
    """Return the paper of a result; None if it has no arXiv id. arXiv's data describe the preprint; the journal is
    that of the published version."""
    name = arxiv(result.entry_id)
    if name is None:
        return None
    people = [person for author in result.authors if (person := _author(author.name))]
    return preprint_of(
        name, result.title, result.summary, people, iso_date(result.published.date().isoformat()),
        result.primary_category, result.categories, result.doi, result.journal_ref, result.pdf_url,
    )  # fmt: skip


def preprint_of(
    name: Identifier, title: object, abstract: object, people: Iterable[Author], date: str | None, category: object,
    categories: Iterable[str], dois: object, journal: object, pdf: object,
) -> Paper:  # fmt: skip
    """Return the paper of a preprint. `category` is the primary one of `categories`; `dois` and `journal` belong to the
    published version."""
    url = f"https://arxiv.org/abs/{name.value}"
    paper = build_paper(
        ARXIV.name,
        title=title,
        abstract=abstract,
        authors=people,
        date=date,
        venue="arXiv",
        type="preprint",
        identifiers=[name],
        pdf=pdf,
        url=url,
        imprint=publication_of(arxiv_class=category),
        keywords=categories,
        indexed=date,
    )
    words = dois.split() if isinstance(dois, str) else []
    published_dois, where = [identifier for word in words if (identifier := doi(word))], clean_text(journal, VENUE_CAP)
    return replace(
        paper,
        venue=where or paper.venue,
        identifiers=closed([name, *published_dois]),
        preprint=Version("arXiv", date, f"10.48550/arxiv.{name.value}", url),
        published=_published(where, published_dois),
    )


def _published(journal: str, dois: list[Identifier]) -> Version | None:
    value = next((name.value for name in dois if not is_preprint_doi(name.value)), None)
    return Version(journal, None, value) if journal or value else None


def _author(name: str) -> Author | None:
    if not any(letter.isalpha() for letter in name):
        return None  # a stray ":" after the name of a collaboration
    is_group = name.strip().lower().endswith(_GROUPS)
    return author(name) if is_group else author_from_name(name)


def _error(entries: "list[etree._Element]") -> str:
    """Return the message of an error feed; "" for any other feed. A paper titled "Error" has an arXiv id."""
    for entry in entries:
        titled = (entry.findtext(_ATOM + "title") or "").strip() == "Error"
        if titled and not arxiv(entry.findtext(_ATOM + "id")):
            return clean_text(entry.findtext(_ATOM + "summary"), QUOTE_CAP) or "Error"
    return ""


def _is_dated(entry: "etree._Element") -> bool:
    """Whether the library can read the entry's dates."""
    from arxiv import _feed as library

    try:
        return all(library._parse_datetime(stamp) for stamp in _stamps(entry))
    except (ValueError, OverflowError):
        return False


def _stamps(entry: "etree._Element") -> Iterator[str | None]:
    return (entry.findtext(_ATOM + name) for name in ("updated", "published"))


FIELDS = ("id", "title", "abstract", "authors_parsed", "versions", "categories", "doi", "journal-ref")
"""Fields that the reader uses."""


def read_metadata(fields: dict[str, object]) -> Paper | None:
    """Return the paper of a record, None if it has no arXiv id."""
    name = arxiv(fields.get("id"))
    if name is None:
        return None
    parts = ([*listing(entry), "", "", ""] for entry in listing(fields.get("authors_parsed")))
    people = (author(family, given_name, suffix=suffix) for family, given_name, suffix, *_ in parts)
    categories = str(fields.get("categories") or "").split()
    return preprint_of(
        name, fields.get("title"), fields.get("abstract"), [person for person in people if person],
        _date(mapping(next(iter(listing(fields.get("versions"))), None)).get("created")),
        next(iter(categories), None), categories, fields.get("doi"), fields.get("journal-ref"),
        f"https://arxiv.org/pdf/{name.value}",
    )  # fmt: skip


def _date(created: object) -> str | None:
    """Parse a date such as `Mon, 2 Apr 2007 19:18:42 GMT`."""
    try:
        return iso_date(parsedate_to_datetime(str(created)).date().isoformat())
    except ValueError:
        return None
