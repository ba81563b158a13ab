"""Convert a publication in dblp's search results to a `Paper`."""

import re
from html import unescape

from lxml import etree

from connectors.errors import BadResponse
from connectors.http.json_values import mapping
from connectors.http.paging import ResultPage, read_rows
from connectors.identifiers import Identifier, arxiv, doi
from connectors.paper import Author, Paper
from connectors.records.build import author_from_name, build_paper, partial_date
from connectors.records.medline import without_stop
from connectors.records.publication import publication_of
from connectors.registry import DBLP

_TYPES = {
    "journal articles": "article",
    "conference and workshop papers": "conference-paper",
    "books and theses": "book",
    "parts in books or collections": "chapter",
    "editorship": "book",
    "reference works": "chapter",
    "data and artifacts": "dataset",
}
_HOMONYM = re.compile(r" \d{4}$")
"""The number that distinguishes two people with the same name."""
_THESIS = re.compile(r"phd/|ms/")
_PREPRINTS = "corr"
"""arXiv's name in dblp: the Computing Research Repository."""


def read_list(body: object, following: bool = False) -> ResultPage:
    """Parse a list of publications, as `read_rows` does."""
    result = mapping(mapping(body).get("result"))
    hits = mapping(result.get("hits"))
    total, rows = _number(hits.get("@total")), _several(hits.get("hit"))
    if total is None or mapping(result.get("status")).get("@code") != "200":
        raise BadResponse(DBLP.name, "sent a list without hits or how many there are; try again later.")
    return read_rows(DBLP.name, rows, total, lambda row: read_info(mapping(row).get("info")), following)


def read_info(info: object) -> Paper | None:
    """Return the paper of one hit; None if it has no title or no dblp key."""
    fields = mapping(info)
    title, key = _text(fields.get("title")), _text(fields.get("key"))
    if not (title and key):
        return None
    venue = next(iter(_texts(fields.get("venue"))), "")
    posted = venue.lower() == _PREPRINTS
    kind = "thesis" if _THESIS.match(key) else _TYPES.get(_text(fields.get("type")).lower())
    return build_paper(
        DBLP.name,
        title=without_stop(title),
        authors=_people(fields.get("authors")),
        date=partial_date(fields.get("year")),
        venue="arXiv" if posted else venue,
        type=kind,
        preprint=posted,
        identifiers=_identifiers(fields, posted),
        url=f"https://dblp.org/rec/{key}",
        imprint=publication_of(
            volume=None if posted else fields.get("volume"),
            number=fields.get("number"),
            pages=fields.get("pages"),
            publisher=fields.get("publisher"),
        ),
    )


def _identifiers(fields: dict[str, object], posted: bool) -> list[Identifier | None]:
    """Return the DOI, from either field, and for a preprint the arXiv id, which is in the volume field."""
    name = doi(fields.get("doi")) or next(filter(None, map(doi, _texts(fields.get("ee")))), None)
    return [name, arxiv(_text(fields.get("volume")).removeprefix("abs/")) if posted else None]


def _people(value: object) -> list[Author]:
    """Return the authors; a single one is not in a list, and older replies have names only."""
    names = (
        mapping(entry).get("text") if isinstance(entry, dict) else entry
        for entry in _several(mapping(value).get("author"))
    )
    people = (author_from_name(_HOMONYM.sub("", name.strip())) for name in names if isinstance(name, str))
    return [person for person in people if person]


def _several(value: object) -> list[object]:
    """Return a list as it is, and a single value as a list."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _texts(value: object) -> list[str]:
    return [text for text in _several(value) if isinstance(text, str)]


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    """Parse a number, which dblp sends as text."""
    text = _text(value)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None


KINDS = {
    "article": "Journal Articles", "inproceedings": "Conference and Workshop Papers", "proceedings": "Editorship",
    "book": "Books and Theses", "incollection": "Parts in Books or Collections", "phdthesis": "Books and Theses",
    "mastersthesis": "Books and Theses", "data": "Data and Artifacts",
}  # fmt: skip
"""Elements of publications, with the type names of dblp's search; `www` elements are person pages."""
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z]{2,10};")


def read_element(element: bytes) -> Paper | None:
    """Return the paper of an element; None if it is no publication or is damaged."""
    text = _NAMED.sub(lambda match: unescape(match[0]), element.decode("latin-1"))
    try:
        root = etree.fromstring(text, etree.XMLParser(resolve_entities=False, no_network=True))
    except (etree.XMLSyntaxError, ValueError):
        return None
    fields: dict[str, list[str]] = {}
    for child in root.iterchildren("*"):
        fields.setdefault(child.tag, []).append("".join(map(str, child.itertext())))
    if root.tag not in KINDS:
        return None
    first = {name: texts[0] for name, texts in fields.items()}
    return read_info(first | {
        "key": root.get("key"), "type": KINDS[root.tag], "ee": fields.get("ee", []),
        "venue": first.get("journal") or first.get("booktitle") or first.get("school"),
        "authors": {"author": fields.get("author") or fields.get("editor", [])},
    })  # fmt: skip
