"""Read exports of EndNote and RefWorks: XML, lines with `%` tags (refer, .enw), and RefWorks's two-letter tags."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from connectors.identifiers import doi
from connectors.isbn import isbn
from spar_tui.bibliography.format_tables import members_of, types_of
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.item_files import bounded, found_in_fields
from spar_tui.bibliography.reading.tagged import TaggedRecord, cut_off, tagged_records
from spar_tui.bibliography.reading.translation import FieldTable
from spar_tui.bibliography.reading.xml_text import leaves, line_of

if TYPE_CHECKING:
    from lxml import etree

_TYPES = types_of("endnote")
_ELEMENTS = FieldTable(members_of("endnote-xml"), _TYPES)
_TAGS = FieldTable(members_of("refer"), _TYPES)
_REFWORKS = FieldTable(members_of("refworks"), _TYPES | types_of("refworks"))
_UNTYPED = {"J": "journal article", "B": "book section", "R": "report", "I": "book"}
"""The type of a record without one, by the first of these tags that it has, as in refer before EndNote."""
_LINE = re.compile(r"%([0-9A-Z@?!&()*+^><\[\]=~#$])(?:[ \t]+(.*))?")


_COMMENTS = re.compile(r"(?:\A|(?<=\n\n))(?:#.*\n)+")
"""Comments before a record of refer."""


def read_endnote_xml(root: "etree._Element") -> FileEntries:
    """Return the records of EndNote's XML."""
    return found_in_fields(((line_of(record), _fields(record)) for record in root.iter("record")), _ELEMENTS)


def _fields(record: "etree._Element") -> Iterator[tuple[str, str]]:
    kind = record.find("ref-type")
    if kind is not None:
        yield "ref-type", kind.get("name", "")
    provider = record.find("remote-database-provider")
    from_pubmed = provider is not None and "".join(map(str, provider.itertext())).strip() == "NLM"
    # Each run of text in one type face has its own element.
    for path, text in leaves(record, lambda element: "" if element.tag == "style" else str(element.tag)):
        yield "pubmed" if from_pubmed and path == "accession-num" else path, text


def read_refer(text: str) -> FileEntries:
    """Return the records of a file with `%` tags: each begins with its type or, without types, after a blank line."""
    typed = re.search(r"^%0[ \t]", text, re.MULTILINE) is not None
    text = text if typed else _COMMENTS.sub(lambda lines: "\n" * lines[0].count("\n"), text)

    records = bounded(tagged_records(text, _LINE, lambda tag, _, blank: tag == "0" if typed else blank, "T"))
    table = _TAGS if typed else _TAGS._replace(order="natural")
    return found_in_fields(((record.line, _typed(record)) for record in records), table, cut_off(records, text))


def read_refworks(text: str) -> FileEntries:
    """Return the records of RefWorks's tagged format."""
    line = re.compile(r"([A-Z][A-Z0-9])(?: (.*))?")
    records = tagged_records(text, line, lambda tag, *_: tag == "RT", ("T1",))
    return found_in_fields(((record.line, record.lines()) for record in records), _REFWORKS)


def _typed(record: TaggedRecord) -> Iterator[tuple[str, str]]:
    # Bibutils and the ACL Anthology write volumes without a series this way.
    moved = {"S": "B", "Y": "E"} if record.all("S") and not record.all("B", "J") else {}
    moved["+"] = "affiliation"
    old = not record.all("0")  # in refer, the tag of the DOI has the number of a government or of a book
    for tag, text in record.listed("K"):
        if old and tag == "R" and not doi(text):
            tag = "N"
        yield "@" if tag == "G" and isbn(text) else moved.get(tag, tag), text
    if old:
        yield "0", next((kind for tag, kind in _UNTYPED.items() if record.all(tag)), "")
