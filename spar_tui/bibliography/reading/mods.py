"""Read MODS, as written by libraries, Zotero and bibutils."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from connectors.records.build import is_generation
from spar_tui.bibliography.edtf import of_biblatex
from spar_tui.bibliography.format_tables import members_of, types_of
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.item_files import found_in_fields
from spar_tui.bibliography.reading.translation import PEOPLE_IN_CSL, FieldTable
from spar_tui.bibliography.reading.xml_text import leaves, line_of, text_of

if TYPE_CHECKING:
    from lxml import etree

_ORIGIN = members_of("mods-origin")
_TABLE = FieldTable(
    _ORIGIN
    | {f"relatedItem[host]/{path}": member for path, member in _ORIGIN.items()}
    | members_of("mods")
    | {f"name[{role}]": role for role in PEOPLE_IN_CSL},
    {name.lower(): csl_type for name, csl_type in types_of("zotero").items()} | types_of("mods"),
    order="natural",
)
_ROLES = members_of("mods-roles")
_HOLDERS = ("conference publication", "periodical", "newspaper", "magazine", "book")
"""Genres of a container that a part of it may have as its own."""
_LIVED = re.compile(r",\s?(?:b\.\s?|ca?\.\s?)?[0-9]{4}\??(?:-[0-9]{0,4})?\.?$")
"""The years of a person's life after the name, as in library catalogs."""


_ISO = ("edtf", "iso8601", "w3cdtf")
"""The encodings of dates that count years before Christ by ISO 8601."""
_MARKS = {"approximate": "~", "questionable": "?", "inferred": "?"}


def read_mods(root: "etree._Element") -> FileEntries:
    """Return the records of a collection, or the single record."""
    return found_in_fields(((line_of(record), _fields(record)) for record in root.iter("mods")), _TABLE)


def _fields(record: "etree._Element") -> Iterator[tuple[str, str]]:
    for people in record.iter("name"):
        _inverted(people)
    _join_dates(record)
    for article in [*record.iter("nonSort")]:
        if (title := article.getnext()) is not None and (parent := article.getparent()) is not None:
            title.text = f"{text_of(article)} {text_of(title)}"
            parent.remove(article)
    yield from (("accessed", str(url.get("dateLastAccessed", ""))) for url in record.iterfind("location/url"))
    host = record.find("relatedItem[@type='host']") is not None
    for path, text in leaves(record, _name):
        within = path == "relatedItem[host]/genre" or (path == "genre" and host and text.lower() in _HOLDERS)
        yield path, f"in {text}" if within else text
    if record.findtext("typeOfResource") == "text" and not host:
        yield "genre", record.findtext("originInfo/issuance", "")
    yield "ID", record.get("ID", "")  # some programs write the key here, others their own number


def _join_dates(record: "etree._Element") -> None:
    """Join the start and the end of a date to a range, count years before Christ and mark uncertain dates as
    `edtf` does, and drop the year of the copyright beside a date of issue."""
    for date in record.iter("dateIssued", "copyrightDate", "date"):
        text = text_of(date)
        iso_date = of_biblatex(text) if date.get("encoding") in _ISO else ""
        date.text = f"{iso_date or text}{_MARKS.get(date.get('qualifier', ''), '')}"
    for origin in record.iter("originInfo"):
        start, end = origin.find("dateIssued[@point='start']"), origin.find("dateIssued[@point='end']")
        if start is not None and end is not None:
            start.text = f"{text_of(start)}/{text_of(end)}"
            origin.remove(end)
        issued = origin.find("dateIssued") is not None
        for year in origin.findall("copyrightDate"):
            year.tag = "copyrightDate" if issued else "dateIssued"


def _name(element: "etree._Element") -> str:
    """Return an element's tag with its type or unit, which do not matter for a subject."""
    if (parent := element.getparent()) is not None and parent.tag == "subject":
        return str(element.tag)
    kind = "invalid" if element.get("invalid") == "yes" else element.get("type") or element.get("unit") or ""
    is_described = element.tag in ("genre", "subject", "note", "abstract")
    return f"{element.tag}[{kind}]" if kind and not is_described else str(element.tag)


def _inverted(people: "etree._Element") -> None:
    """Replace the parts of a name element by `Family, Given, Suffix`, with the role as its type; a conference is an
    event."""
    role = next((text_of(term).lower() for term in people.iterfind("role/roleTerm")), "")
    parts = [(part.get("type", ""), text_of(part)) for part in people.iterfind("namePart")]
    family, given_name, suffix, full_name = (
        " ".join(text for kind, text in parts if kind == kind_needed)
        for kind_needed in ("family", "given", "termsOfAddress", "")
    )
    group = people.get("type") in ("corporate", "conference")
    if group:
        full_name = ". ".join(text for kind, text in parts if kind == "")
    suffix = suffix if is_generation(suffix) else ""  # others are titles, such as "Dr."
    for child in [*people]:
        people.remove(child)
    full_name = full_name if group else _LIVED.sub("", full_name).rstrip(" ,")  # a comma ends the name of a group
    people.text = ", ".join(filter(None, (full_name or family, "" if full_name else given_name, suffix)))
    whole_tag = getattr(people.getparent(), "tag", "")
    if people.get("type") == "corporate" and whole_tag != "subject":
        people.text += ","  # as in RIS
    people.set("type", "event" if people.get("type") == "conference" else _ROLES.get(role, role))
