"""Read exports of EndNote and RefWorks: XML, lines with `%` tags (refer, .enw), and RefWorks's two-letter tags."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from connectors.identifiers import doi
from connectors.isbn import isbn
from connectors.records.build import author_from_name
from spar_tui.bibliography.names import name_of
from spar_tui.bibliography.reading.entries_read import Found
from spar_tui.bibliography.reading.tagged import TaggedRecord, cut_off, tagged_records
from spar_tui.bibliography.reading.translation import Table, bounded, found_in_items, item_of
from spar_tui.bibliography.reading.xml_text import leaves, line_of

if TYPE_CHECKING:
    from lxml import etree

_TYPES = {
    "journal article": "article-journal", "electronic article": "article-journal",
    "magazine article": "article-magazine", "newspaper article": "article-newspaper", "book": "book",
    "edited book": "book", "electronic book": "book", "serial": "book", "ancient text": "book",
    "classical work": "book",
    "book section": "chapter", "electronic book section": "chapter", "encyclopedia": "entry-encyclopedia",
    "dictionary": "entry-dictionary", "conference paper": "paper-conference",
    "conference proceedings": "paper-conference", "thesis": "thesis", "report": "report",
    "government document": "report", "unpublished work": "manuscript", "manuscript": "manuscript",
    "preprint": "article", "dataset": "dataset", "aggregated database": "dataset", "online database": "dataset",
    "computer program": "software", "web page": "webpage", "blog": "post-weblog", "discussion forum": "post",
    "patent": "patent", "standard": "standard", "bill": "bill", "statute": "legislation",
    "legal rule or regulation": "legislation", "case": "legal_case", "hearing": "hearing",
    "personal communication": "personal_communication", "artwork": "graphic", "figure": "figure",
    "chart or table": "figure", "map": "map", "music": "song", "film or broadcast": "motion_picture",
    "audiovisual material": "motion_picture", "pamphlet": "pamphlet",
}  # fmt: skip
_ELEMENTS = Table({
    "ref-type": "type", "contributors/authors/author": "author", "contributors/secondary-authors/author": "editor",
    "contributors/tertiary-authors/author": "collection-editor", "contributors/subsidiary-authors/author": "translator",
    "titles/title": "title", "titles/secondary-title": "container-title", "titles/tertiary-title": "collection-title",
    "titles/short-title": "title-short", "titles/alt-title": "container-title-short",
    "titles/translated-title": "original-title", "periodical/full-title": "container-title",
    "periodical/abbr-1": "container-title-short", "pages": "page", "volume": "volume", "number": "issue",
    "issue": "issue", "num-vols": "number-of-volumes", "edition": "edition", "keywords/keyword": "keyword",
    "dates/year": "year", "dates/pub-dates/date": "date", "pub-location": "publisher-place", "publisher": "publisher",
    "isbn": "serial", "electronic-resource-num": "DOI", "abstract": "abstract", "notes": "annote",
    "research-notes": "annote", "urls/related-urls/url": "URL", "urls/web-urls/url": "URL", "label": "citation-key",
    "language": "language", "accession-num": "accession", "custom7": "article-number",
    "work-type": "genre", "access-date": "accessed", "remote-database-name": "source",
    "section": "section",
    "custom2": "PMCID", "pubmed": "PMID", "database": "", "source-app": "", "rec-number": "", "foreign-keys/key": "",
}, _TYPES, by_type=True)  # fmt: skip
"""The CSL member of each element of a record, by the element's path."""
_TAGS = Table({
    "0": "type", "A": "author", "E": "editor", "T": "title", "J": "container-title", "B": "container-title",
    "S": "collection-title", "D": "year", "8": "date", "V": "volume", "N": "issue", "P": "page", "I": "publisher",
    "C": "publisher-place", "X": "abstract", "K": "keyword", "U": "URL", "R": "DOI", "@": "serial", "Z": "annote",
    "O": "annote", "<": "annote", "F": "citation-key", "G": "language", "7": "edition", "9": "genre",
    "!": "title-short", "M": "accession",
    "6": "number-of-volumes", ">": "file", "[": "accessed", "~": "source", "2": "PMCID", "Q": "original-title",
    "Y": "collection-editor", "?": "translator", "&": "section",
}, _TYPES, by_type=True)  # fmt: skip
_REFWORKS = Table({
    "RT": "type", "ID": "", "A1": "author", "A2": "editor", "A3": "collection-editor", "A4": "translator",
    "A5": "translator", "T1": "title", "T2": "container-title", "T3": "collection-title", "JF": "container-title",
    "JO": "container-title-short", "YR": "year", "FD": "date", "VO": "volume", "IS": "issue", "SP": "first-page",
    "OP": "last-page", "K1": "keyword", "AB": "abstract", "NO": "annote", "PB": "publisher", "PP": "publisher-place",
    "ED": "edition", "SN": "serial", "DO": "DOI", "UL": "URL", "LK": "URL", "LA": "language", "CL": "call-number",
    "RD": "accessed", "DB": "source", "DS": "", "SR": "",
}, _TYPES | {
    "book, whole": "book", "book, edited": "book", "monograph": "book", "book, section": "chapter",
    "dissertation/thesis": "thesis", "unpublished material": "manuscript", "case/court decisions": "legal_case",
    "laws/statutes": "legislation", "bills/resolutions": "bill", "sound recording": "song",
    "motion picture": "motion_picture", "video/dvd": "motion_picture",
})  # fmt: skip
_UNTYPED = {"J": "journal article", "B": "book section", "R": "report", "I": "book"}
"""The type of a record without one, by the first of these tags that it has, as in refer before EndNote."""
_LINE = re.compile(r"%([0-9A-Z@?!&()*+^><\[\]=~#$])(?:[ \t]+(.*))?")


_COMMENTS = re.compile(r"(?:\A|(?<=\n\n))(?:#.*\n)+")
"""Comments before a record of refer."""


def read_endnote_xml(root: "etree._Element") -> Found:
    """Return the records of EndNote's XML."""
    return found_in_items((line_of(record), item_of(_fields(record), _ELEMENTS)) for record in root.iter("record"))


def _fields(record: "etree._Element") -> Iterator[tuple[str, str]]:
    kind = record.find("ref-type")
    if kind is not None:
        yield "ref-type", kind.get("name", "")
    provider = record.find("remote-database-provider")
    from_pubmed = provider is not None and "".join(map(str, provider.itertext())).strip() == "NLM"
    # Each run of text in one type face has its own element.
    for path, text in leaves(record, lambda element: "" if element.tag == "style" else str(element.tag)):
        yield "pubmed" if from_pubmed and path == "accession-num" else path, text


def read_refer(text: str) -> Found:
    """Return the records of a file with `%` tags: each begins with its type or, without types, after a blank line."""
    typed = re.search(r"^%0[ \t]", text, re.MULTILINE) is not None
    text = text if typed else _COMMENTS.sub(lambda lines: "\n" * lines[0].count("\n"), text)

    def begins(tag: str, record: TaggedRecord | None, blank: bool) -> bool:
        untyped = blank and tag in ("A", "T") and record is not None and bool(record.all("T"))
        return tag == "0" or untyped if typed else blank

    records = bounded(tagged_records(text, _LINE, begins))
    return found_in_items(((record.line, item_of(_typed(record), _TAGS)) for record in records), cut_off(records, text))


def read_refworks(text: str) -> Found:
    """Read RefWorks's tagged format; names without a comma are of groups."""
    records = tagged_records(text, re.compile(r"([A-Z][A-Z0-9]) (.*)"), lambda tag, *_: tag == "RT")
    with_groups = (
        (record.line, [(tag, f"{text}," if tag[0] == "A" and tag[1:].isdigit() and "," not in text else text)
                       for tag, text in record.lines()])
        for record in records
    )  # fmt: skip
    return found_in_items((line, item_of(fields, _REFWORKS)) for line, fields in with_groups)


def _typed(record: TaggedRecord) -> Iterator[tuple[str, str]]:
    # Bibutils and the ACL Anthology write volumes without a series this way.
    moved = {"S": "B", "Y": "E"} if record.all("S") and not record.all("B", "J") else {}
    moved["+"] = "affiliation"
    old = not record.all("0")  # refer has names in their natural order, and the number of a government or of a book
    for tag, text in record.listed("K"):
        if old and tag in "AEY?" and (person := author_from_name(text)):
            text = name_of(person).inverted
        if old and tag == "R" and not doi(text):
            tag = "N"
        yield "@" if tag == "G" and isbn(text) else moved.get(tag, tag), text
    if old:
        yield "0", next((kind for tag, kind in _UNTYPED.items() if record.all(tag)), "")
