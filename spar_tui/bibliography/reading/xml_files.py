"""Bibliographies in XML, told apart by their roots."""

from typing import TYPE_CHECKING

from connectors.pubmed.records import read_record
from connectors.records.matching import BIBLIOGRAPHY
from spar_tui.bibliography.reading.endnote import read_endnote_xml
from spar_tui.bibliography.reading.entries_read import Found, FoundEntry, Problem
from spar_tui.bibliography.reading.mods import read_mods
from spar_tui.bibliography.reading.xml_text import line_of, text_of, xml_root
from spar_tui.bibliography.reading.zotero_rdf import read_zotero_rdf

if TYPE_CHECKING:
    from lxml import etree


def read_xml(text: str) -> Found:
    """The entries of a document. Raises `ValueError` for one of no kind that is read."""
    root = xml_root(text)
    match root.tag:
        case "PubmedArticleSet" | "PubmedBookArticleSet" | "PubmedArticle" | "PubmedBookArticle":
            return _of_pubmed(root)
        case "modsCollection" | "mods":
            return read_mods(root)
        case "RDF":
            return read_zotero_rdf(root)
        case "xml" | "records" if root.find(".//record/ref-type") is not None:
            return read_endnote_xml(root)
    raise ValueError(f"<{root.tag}> begins no XML of EndNote, PubMed or Zotero, and no MODS")


def _of_pubmed(root: "etree._Element") -> Found:
    """Records as PubMed's service answers them, which is how its live source reads them too."""
    entries, problems = list[FoundEntry](), list[Problem]()
    for record in root.iter("PubmedArticle", "PubmedBookArticle"):
        line = line_of(record)
        if paper := read_record(record, BIBLIOGRAPHY):
            keywords = tuple(map(text_of, record.iterfind(".//KeywordList/Keyword")))
            entries.append(FoundEntry(line, "", paper, tuple(filter(None, keywords))))
        else:
            problems.append(Problem(line, "", "it has no PubMed id"))
    return Found(tuple(entries), tuple(problems))
