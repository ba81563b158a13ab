"""Read bibliographies in XML; the root element decides the format."""

from dataclasses import replace
from typing import TYPE_CHECKING

from connectors.paper import Paper
from connectors.pubmed.records import read_record
from connectors.records.build import UNTITLED, told_date
from connectors.records.matching import BIBLIOGRAPHY
from connectors.records.medline import without_stop
from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.edtf import as_csl, is_plain, of_issue
from spar_tui.bibliography.entry import entry_of as cited
from spar_tui.bibliography.reading.csl_json import item_entry
from spar_tui.bibliography.reading.endnote import read_endnote_xml
from spar_tui.bibliography.reading.entries import entry_of
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry, InvalidSyntax, Problem
from spar_tui.bibliography.reading.mods import read_mods
from spar_tui.bibliography.reading.translation import Item
from spar_tui.bibliography.reading.xml_text import line_of, text_of, whole_records, xml_root
from spar_tui.bibliography.reading.zotero_rdf import read_zotero_rdf

if TYPE_CHECKING:
    from lxml import etree


def read_xml(text: str) -> FileEntries:
    """Return the entries of a document, of an invalid one those of its valid records. Raises `ValueError` for an
    unknown kind, and for a document without valid records."""
    try:
        return _entries(xml_root(text))
    except InvalidSyntax:
        rest, problems = whole_records(text)
        contents = _entries(xml_root(rest)) if problems else FileEntries()
        if not contents.entries:
            raise
        listed = sorted((*contents.problems, *problems), key=lambda problem: problem.line)
        return FileEntries(contents.entries, tuple(listed))


def _entries(root: "etree._Element") -> FileEntries:
    match root.tag:
        case "PubmedArticleSet" | "PubmedBookArticleSet" | "PubmedArticle" | "PubmedBookArticle":
            return _of_pubmed(root)
        case "modsCollection" | "mods":
            return read_mods(root)
        case "RDF":
            return read_zotero_rdf(root)
        case "xml" | "records" if root.find(".//record/ref-type") is not None:
            return read_endnote_xml(root)
    raise ValueError(f"<{root.tag}> is not the start of a file from EndNote, PubMed or Zotero, or in MODS")


def _of_pubmed(root: "etree._Element") -> FileEntries:
    """Read PubMed records like the live source does. Data that papers lack, such as the season of an issue, goes into a
    CSL item."""
    entries, problems = list[FoundEntry](), list[Problem]()
    for record in root.iter("PubmedArticle", "PubmedBookArticle"):
        line = line_of(record)
        paper = read_record(record, BIBLIOGRAPHY)
        entry = entry_of(item_entry(_item(paper, record), line)) if paper else None
        if paper and isinstance(entry, FoundEntry):
            entries.append(replace(entry, paper=paper))
            if paper.title == UNTITLED:
                problems.append(Problem(line, str(paper.identifiers[0]), "it has no title", taken=True))
        else:
            problems.append(Problem(line, "", "it has no PubMed id"))
    return FileEntries(tuple(entries), tuple(problems))


def _item(paper: Paper, record: "etree._Element") -> Item:
    """Return the paper as a CSL item, with the record's further data."""
    keywords = tuple(filter(None, map(text_of, record.iterfind(".//KeywordList/Keyword"))))
    item = csl_item(replace(cited(paper, ""), keywords=keywords, abstract=paper.abstract))
    for person, member in zip(paper.authors, item.get("author", []), strict=False):
        member |= {"ORCID": person.orcid} if person.orcid else {}
    stated = record.find(".//JournalIssue/PubDate")
    parts = {} if stated is None else {str(part.tag): text_of(part) for part in stated.iterchildren("*")}
    text = " ".join(parts[name] for name in ("Year", "Season", "Month") if parts.get(name))
    date = of_issue(parts.get("MedlineDate") or text)
    more = {
        "issued": None if is_plain(date) else as_csl(date),
        "available-date": as_csl(online) if (online := _electronic_date(record)) else None,
        "ISSN": record.findtext(".//Journal/ISSN"),
        "ISBN": record.findtext(".//Book/Isbn"),
        "publisher-place": record.findtext(".//Book/Publisher/PublisherLocation"),
        "collection-title": record.findtext(".//Book/CollectionTitle"),
        "edition": record.findtext(".//Book/Edition"),
        "container-title-short": record.findtext(".//Journal/ISOAbbreviation"),
        "language": paper.language,
        "original-title": without_stop(record.findtext(".//VernacularTitle", "")),
        "status": "retracted" if paper.retracted else "",
        "genre": "Review" if paper.type == "review" else "",
        "custom": {
            tag: "; ".join(dict.fromkeys("/".join(map(text_of, [*node] or [node])) for node in nodes))
            for tag, path in _CUSTOM.items()
            if (nodes := record.findall(f".//{path}")) and not (date and tag == "DP")
        },
    }
    return item | {name: value for name, value in more.items() if value}


def _electronic_date(record: "etree._Element") -> str:
    parts = record.find(".//Article/ArticleDate")
    return told_date("/".join(text_of(part) for part in parts.iterchildren("*")) if parts is not None else "") or ""


_CUSTOM = {
    "MH": "MeshHeading", "RN": "Chemical/NameOfSubstance", "GR": "Grant", "AD": "Affiliation", "COIS": "CoiStatement",
    "SI": "DataBank/AccessionNumberList/AccessionNumber", "DP": "PubDate/MedlineDate",
}  # fmt: skip
"""Elements without a CSL member, by the tag that MEDLINE has for them."""
