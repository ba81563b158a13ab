"""Convert a Crossref work to a `Paper`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from connectors.errors import BadResponse
from connectors.http.json_values import listing, mapping
from connectors.http.paging import ResultPage, read_rows
from connectors.identifiers import Identifier, closed, doi
from connectors.paper import Author, Imprint, Paper, Version
from connectors.records.build import author, build_paper, count, partial_date
from connectors.records.clean import clean_text
from connectors.records.matching import title_key
from connectors.records.publication import publication_of
from connectors.registry import CROSSREF

_TYPES = {
    "journal-article": "article",
    "proceedings-article": "conference-paper",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "book-chapter": "chapter",
    "book-part": "chapter",
    "book-section": "chapter",
    "reference-entry": "chapter",
    "dissertation": "thesis",
    "report": "report",
    "dataset": "dataset",
    "posted-content": "preprint",
}
PAPERS = tuple(kind for kind in _TYPES if kind != "dataset")
"""The types of records to search for; Crossref also has figures, issues, journals and reviews."""
FIELDS = (
    "DOI", "type", "subtype", "title", "subtitle", "author", "editor", "abstract", "issued", "published", "created",
    "container-title", "institution", "publisher", "volume", "issue", "page", "article-number", "language", "relation",
    "is-referenced-by-count", "updated-by",
)  # fmt: skip
"""The fields that `read_work` uses."""
_WITHDRAWN = frozenset({"retraction", "withdrawal", "removal"})
"""Types of updates that withdraw a paper; corrections and new versions do not."""
_BARE_HEADING = re.compile(r"^\s*<(jats:)?title>\s*(abstract|summary)\.?:?\s*</(jats:)?title>", re.IGNORECASE)
_NO_ABSTRACT = re.compile(r"(?:abstract|summary|no abstract.{0,20}|not available|n/?a|none|null)?\W*", re.IGNORECASE)


def read_list(body: object, following: bool = False) -> ResultPage:
    """Parse a list of works, as `read_rows` does."""
    message = _message(body, "work-list")
    total = count(message.get("total-results"))
    return read_rows(CROSSREF.name, message.get("items"), total, read_work, following, message.get("next-cursor"))


def read_single(body: object) -> Paper:
    """Parse a single work. Raises `BadResponse` for anything else."""
    if paper := read_work(_message(body, "work")):
        return paper
    raise BadResponse(CROSSREF.name, "did not send a work; try again later.")


def read_work(work: object) -> Paper | None:
    """Return the paper of a work object; None if it has no DOI. If the record of a preprint or a publication names
    the other version, both are kept, with both DOIs."""
    fields = mapping(work)
    name = doi(fields.get("DOI"))
    if name is None:
        return None
    kind = fields.get("type")
    posted = _is_preprint(fields)
    updates = _updates(fields)
    withdrawn_by = withdrawals(fields)
    paper = build_paper(
        CROSSREF.name,
        title=_title(fields),
        abstract=abstract_of(fields.get("abstract")),
        authors=_people(fields.get("author")),
        date=_date(fields),
        venue=_venue(fields, posted),
        type=_TYPES.get(kind) if isinstance(kind, str) and (kind != "posted-content" or posted) else None,
        preprint=posted,
        identifiers=[name],
        citation_count=fields.get("is-referenced-by-count"),
        url=f"https://doi.org/{name.value}",
        retracted=bool(withdrawn_by),
        retraction_notice=_notice(withdrawn_by, name),
        concern=any(_words(update.get("type")) == "expression_of_concern" for update in updates),
        language=fields.get("language"),
        imprint=_imprint(fields),
        indexed=_day(fields, "created"),
    )
    return _with_other_version(paper, name, mapping(fields.get("relation")))


def withdrawals(fields: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the updates that withdraw the work."""
    return [update for update in _updates(fields) if _words(update.get("type")) in _WITHDRAWN]


def _updates(fields: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the updates of the work: from other records, or its own, which then names itself as the updated work."""
    own = [update for update in map(mapping, listing(fields.get("update-to")))
           if (name := doi(update.get("DOI"))) and name == doi(fields.get("DOI"))]  # fmt: skip
    return [*map(mapping, listing(fields.get("updated-by"))), *own]


def _message(body: object, kind: str) -> dict[str, object]:
    """Return the message of a reply of this kind. Raises `BadResponse` for another kind."""
    frame = mapping(body)
    if frame.get("message-type") != kind or not isinstance(frame.get("message"), dict):
        raise BadResponse(CROSSREF.name, "did not send works; try again later.")
    return mapping(frame["message"])


def _first(value: object) -> str:
    """Return the first text of a value, which is usually a list."""
    texts = [value] if isinstance(value, str) else listing(value)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _words(value: object) -> str:
    return value.strip().lower() if isinstance(value, str) else ""


def _title(fields: dict[str, object]) -> str:
    """Return the title with its subtitle, as other sources have it."""
    title, subtitle = _first(fields.get("title")), _first(fields.get("subtitle"))
    if not title or not subtitle or clean_text(subtitle).lower() in clean_text(title).lower():
        return title
    return f"{title.rstrip().rstrip(':')}: {subtitle}"


def abstract_of(raw: object) -> str:
    """Return the abstract without a heading such as "Abstract"; "" for publishers' placeholders."""
    text = _BARE_HEADING.sub("", raw) if isinstance(raw, str) else ""
    return "" if _NO_ABSTRACT.fullmatch(clean_text(text)) else text


def _people(entries: object) -> list[Author]:
    people = map(mapping, listing(entries))
    authors = (
        author(
            contributor.get("family") or contributor.get("name"),
            contributor.get("given"),
            contributor.get("ORCID"),
            contributor.get("suffix"),
        )
        for contributor in people
    )
    return [person for person in authors if person]


def _date(fields: dict[str, object]) -> str | None:
    """Return the earliest date of publication; the date of registration does not count."""
    return _day(fields, "issued", "published")


def _day(fields: dict[str, object], *names: str) -> str | None:
    dates = (listing(mapping(fields.get(key)).get("date-parts")) for key in names)
    parts = next((listing(date[0]) for date in dates if date), [])
    return partial_date(*parts[:3]) if parts else None


def _is_preprint(fields: dict[str, object]) -> bool | None:
    """Whether the record is a preprint; None for posted content without a subtype."""
    if fields.get("type") != "posted-content":
        return False if fields.get("type") else None
    subtype = _words(fields.get("subtype"))
    return subtype == "preprint" if subtype else None


def _venue(fields: dict[str, object], posted: bool | None) -> str:
    """Return the venue; for posted content, its server."""
    if titles := container_titles(fields):
        return titles[0]
    if not posted:
        return ""
    servers = (clean_text(mapping(institution).get("name")) for institution in listing(fields.get("institution")))
    return next(filter(None, servers), "")


def container_titles(fields: Mapping[str, object]) -> list[str]:
    """Return the titles of the journal or book and of its series, which records list in either order: the book of a
    conference has the name or acronym of the event, or a year, in its title."""
    value, event = fields.get("container-title"), mapping(fields.get("event"))
    event_names = {title_key(clean_text(event.get(name))) for name in ("name", "acronym")} - {""}

    def is_book(title: str) -> bool:
        return bool(re.search(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", title)) or any(
            f" {name} " in f" {title_key(title)} " for name in event_names
        )

    texts = [value] if isinstance(value, str) else listing(value)
    return sorted((text for text in texts if isinstance(text, str) and text.strip()), key=is_book, reverse=True)


def _notice(withdrawals: list[dict[str, object]], name: Identifier) -> Identifier | None:
    """Return the notice of withdrawal, preferably of a retraction; the work itself does not count."""
    worst = sorted(withdrawals, key=lambda update: _words(update.get("type")) != "retraction")
    return next((notice for update in worst if (notice := doi(update.get("DOI"))) and notice != name), None)


def _imprint(fields: dict[str, object]) -> Imprint:
    return publication_of(
        volume=fields.get("volume"),
        number=fields.get("issue"),
        pages=fields.get("page") or fields.get("article-number"),
        publisher=fields.get("publisher"),
        editors=_people(fields.get("editor")),
    )


def _with_other_version(paper: Paper, name: Identifier, relation: dict[str, object]) -> Paper:
    """Add the preprint or publication that the record names to `paper`."""
    is_preprint = paper.type == "preprint"
    others = _related(relation, "is-preprint-of" if is_preprint else "has-preprint")
    other = next((identifier for identifier in others if identifier != name), None)
    if other is None:
        return paper
    version = Version(doi=other.value, url=f"https://doi.org/{other.value}")
    names = closed([*paper.identifiers, other])
    if is_preprint:
        return replace(paper, identifiers=names, published=version)
    return replace(paper, identifiers=names, preprint=version)


def _related(relation: dict[str, object], kind: str) -> Iterator[Identifier]:
    for entry in map(mapping, listing(relation.get(kind))):
        if _words(entry.get("id-type")) == "doi" and (identifier := doi(entry.get("id"))):
            yield identifier
