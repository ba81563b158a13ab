"""Read Zotero's RDF: items, their journals and books, notes and files, with references between them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from connectors.records.clean import clean_text
from connectors.zotero.library import collection_path
from spar_tui.bibliography.format_tables import members_of
from spar_tui.bibliography.reading.entries_read import FileEntries, Problem
from spar_tui.bibliography.reading.item_files import found_in_items
from spar_tui.bibliography.reading.xml_text import leaves, line_of, text_of
from spar_tui.bibliography.zotero_json import csl_of

if TYPE_CHECKING:
    from lxml import etree

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_FIELDS = members_of("zotero-rdf")
_OWN = frozenset("itemType title abstractNote pages extra shortTitle type url citationKey accessDate".split())
_ABOVE = {path: name for path, name in _FIELDS.items() if name not in _OWN} | {
    "title": "publicationTitle",
    "alternative": "journalAbbreviation",
}
"""Fields of the journal or book that contains the item, which it may lack itself."""
_OF_SERIES = {"title": "series", "identifier": "seriesNumber"}
"""Fields of the series of the item, or of its journal or book."""
_OF_WORKS = ("attachment", "note", "annotation")
"""Items that are parts of works."""
_LINKS = ("isPartOf", "isReferencedBy", "link")


def read_zotero_rdf(root: "etree._Element") -> FileEntries:
    """Return the items of the file, with the paths of the collections that contain them as tags, such as `A/B`."""
    named = {about: element for element in root if isinstance(about := element.get(f"{_RDF}about"), str)}
    names = {about: (clean_text(element.findtext("title", "")), "") for about, element in named.items()}
    parts = [
        (part.get(f"{_RDF}resource", ""), collection.get(f"{_RDF}about", ""))
        for collection in root.iterchildren("Collection")
        for part in collection.iterchildren("hasPart")
    ]
    names |= {part: (names[part][0], above) for part, above in parts if part in names}
    collections: dict[str, list[str]] = {}
    for part, above in parts:
        collections.setdefault(part, []).append(collection_path(above, names))
    works = [
        element
        for element in root.iterchildren("*")
        if element.find("itemType") is not None and element.findtext("itemType") not in _OF_WORKS
    ]
    contents = found_in_items(((line_of(element), csl_of(_item(element, named))) for element in works), _loose(root))
    # Tags of the shelf, but no keywords of the work.
    tags = {line_of(element): collections.get(element.get(f"{_RDF}about", ""), []) for element in works}
    entries = (
        replace(entry, tags=tuple(dict.fromkeys((*entry.tags, *tags[entry.line])))) for entry in contents.entries
    )
    return FileEntries(tuple(entries), contents.problems)


_LEFT_OUT = ("this element has no type of item, so it is no work", "this note or file of no work is left out")


def _loose(root: "etree._Element") -> list[Problem]:
    """Return problems for what belongs to no work: notes and files, and other elements without a type of item."""
    linked = {link.get(f"{_RDF}resource") for link in root.iter(*_LINKS)}
    lines: dict[bool, list[int]] = {}
    for element in root.iterchildren("*"):
        is_note = element.tag == "Memo" or element.findtext("itemType") in _OF_WORKS
        is_untyped = element.tag != "Collection" and element.find("itemType") is None
        if (is_note or is_untyped) and element.get(f"{_RDF}about") not in linked:
            lines.setdefault(is_note, []).append(line_of(element))
    return [
        Problem(first, "", _LEFT_OUT[is_note] + (f" (and {len(more):,} more)" if more else ""), taken=is_note)
        for is_note, [first, *more] in lines.items()
    ]


def _item(element: "etree._Element", named: "Mapping[str, etree._Element]") -> dict[str, Any]:
    """Return the item in Zotero's own form."""
    item: dict[str, Any] = {"creators": list(_creators(element)), "tags": [*_tags(element)], "notes": []}
    _add(item, element, _FIELDS)
    for tag, linked in _linked(element, named):
        if tag == "isPartOf":
            for node in (linked, *(above for link, above in _linked(linked, named) if link == tag)):
                _add(item, node, _OF_SERIES if node.tag == "Series" else _ABOVE)
        elif linked.tag == "Memo":
            item["notes"].append({"note": linked.findtext("value", "")})
        elif (file := linked.find("resource")) is not None and (path := file.get(f"{_RDF}resource")):
            item.setdefault("attachments", []).append({"path": path})
    return item


def _add(item: dict[str, Any], element: "etree._Element", fields: Mapping[str, str]) -> None:
    # Links, people and tags are read elsewhere.
    for path, text in leaves(element, lambda node: "" if node.tag in _LINKS or node.find(".//Person") is not None
                             or (node.tag == "subject" and node.find("LCC") is None) else str(node.tag)):  # fmt: skip
        scheme, _, value = text.partition(" ")
        if path == "identifier" and scheme in ("DOI", "ISBN", "ISSN"):
            item.setdefault(scheme, value)
        elif name := fields.get(path, path if fields is _FIELDS else ""):  # other elements have Zotero's names
            item.setdefault(name, text)


def _linked(element: "etree._Element", named: "Mapping[str, etree._Element]") -> "Iterator[tuple[str, etree._Element]]":
    """Yield the elements that the item refers to or contains."""
    for link in element.iterchildren(*_LINKS):
        elsewhere = named.get(link.get(f"{_RDF}resource", ""))
        inner = [*link.iterchildren("*"), *([] if elsewhere is None else [elsewhere])]
        yield from ((str(link.tag), node) for node in inner)


def _creators(element: "etree._Element") -> Iterator[dict[str, str]]:
    for people in element.iterchildren("*"):
        role = str(people.tag).removesuffix("s")
        for person in people.iter("Person"):
            family, given = person.findtext("surname", ""), person.findtext("givenName", "")
            named = {"lastName": family, "firstName": given} if given else {"name": family}
            yield {"creatorType": role, **named}


def _tags(element: "etree._Element") -> Iterator[dict[str, str]]:
    return ({"tag": text_of(subject)} for subject in element.iterchildren("subject") if subject.find("LCC") is None)
