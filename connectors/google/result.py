"""Convert a Google Scholar result, free text truncated with ellipses, to a `Paper`."""

import re
from typing import NamedTuple

from connectors.http.json_values import listing, mapping
from connectors.identifiers import Identifier, certainly_named
from connectors.paper import Author, Paper
from connectors.records.build import author_from_name, build_paper, partial_date
from connectors.records.clean import clean_text
from connectors.registry import GOOGLE

_MARK = re.compile(r"^\s*\[(?P<mark>PDF|HTML|BOOK|CITATION|DOC|PS|TXT|B|C)\]\s*", re.IGNORECASE)
_PARTS = re.compile(r"(?<!\s)\s+[-–—]\s+|(?<!\s)\s+[-–—]$")
_YEAR = re.compile(r"(?:^|,\s*|\s)(?P<year>1[5-9]\d\d|20\d\d)$")
_SITE = re.compile(r"[\w-]+(\.[\w-]+)+")


class Publication(NamedTuple):
    """The line under a title in Scholar. Truncated lists and names keep their ellipsis in `venue` only."""

    authors: tuple[Author, ...] = ()
    venue: str = ""
    year: str | None = None


def read_publication(line: object) -> Publication:
    """Parse a line such as `A Vaswani, N Shazeer… - Advances in neural …, 2017 - proceedings.neurips.cc`."""
    parts = [part.strip() for part in _PARTS.split(clean_text(line, 1_000)) if part.strip()]
    if len(parts) > 1 and _SITE.fullmatch(parts[-1]):
        parts.pop()
    elif len(parts) > 2 and not _YEAR.search(parts[-1]):
        parts.pop()  # the publisher's name in place of the site
    dated = next((index for index, part in enumerate(parts) if _YEAR.search(part)), None)
    if dated is None:
        return Publication(_authors(parts[0]) if parts else (), " - ".join(parts[1:]))
    year = _YEAR.search(parts[dated])
    assert year is not None
    tail = parts[dated][: year.start()].strip(" ,")
    venue = " - ".join(part for part in (*parts[1:dated], tail) if part)
    return Publication(_authors(parts[0]) if dated else (), venue, year["year"])


def read_result(
    item: object, *, publication: object, citations: object, pdf: object, year: object = None
) -> Paper | None:
    """Return the paper of one result; None if it has no title. The snippet is not an abstract and is left out."""
    fields = mapping(item)
    title, marks = unmarked(clean_text(fields.get("title")))
    if not title:
        return None
    printed = read_publication(publication)
    return build_paper(
        GOOGLE.name,
        title=title,
        authors=printed.authors,
        date=partial_date(year) or partial_date(printed.year),
        venue=printed.venue,
        type="book" if {"BOOK", "B"} & marks else None,
        identifiers=link_identifiers(fields.get("link")),
        citation_count=citations,
        pdf=pdf,
        url=fields.get("link"),
    )


def unmarked(title: str) -> tuple[str, set[str]]:
    """Split a title into the title and its marks, such as `[PDF]`."""
    marks = set()
    while match := _MARK.match(title):
        marks.add(match["mark"].upper())
        title = title[match.end() :]
    return title, marks


def link_identifiers(link: object) -> list[Identifier]:
    """Return the identifier that an address certainly names, if any."""
    if not isinstance(link, str) or not link.startswith(("http://", "https://")):
        return []
    name = certainly_named(link)
    return [name] if name else []


def first_pdf(resources: object) -> object:
    """Return the address of the first PDF in SerpApi's resources."""
    entries = map(mapping, listing(resources))
    return next((entry.get("link") for entry in entries if entry.get("file_format") == "PDF"), None)


def _authors(names: str) -> tuple[Author, ...]:
    people = (author_from_name(name.strip(" …")) for name in names.replace("...", "…").split(","))
    return tuple(author for author in people if author)
