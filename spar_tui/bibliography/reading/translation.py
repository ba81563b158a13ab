"""Convert records of other formats to CSL-JSON items, so that one reader handles all names, dates and pages.

A table maps each field of a format to a CSL member. Other fields stay in `custom`.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from connectors.identifiers import certainly_named, parse_identifier
from connectors.isbn import serials
from connectors.paper import Author
from connectors.records.build import abstract_in, told_date
from connectors.records.clean import harmless
from connectors.records.publication import first_to_last, page_range
from spar_tui.bibliography.edtf import as_csl, edtf, is_plain, is_state, of_issue, of_words
from spar_tui.bibliography.field_table import joined_title
from spar_tui.bibliography.keyword_lists import listed_keywords
from spar_tui.bibliography.kinds import (
    BOOKS,
    IN_ISSUES,
    IN_SECTIONS,
    THESES,
    VERSIONED,
    WHOLE,
    Kind,
    degree_in,
    kind_in_csl,
    numbers_in_csl,
)
from spar_tui.bibliography.languages import tag_of
from spar_tui.bibliography.markup import rich
from spar_tui.bibliography.more_fields import NUMBER_OF_PAGES
from spar_tui.bibliography.names import OTHERS, csl_name, name_of
from spar_tui.bibliography.reading.csl_json import item_entry
from spar_tui.bibliography.reading.entries import MOST_ENTRIES, found_of, is_et_al, text_of_html
from spar_tui.bibliography.reading.entries_read import FileEntries, Problem
from spar_tui.bibliography.reading.latex import without_accents
from spar_tui.bibliography.reading.name_lines import Order, names_in, order_of, people_in
from spar_tui.bibliography.reading.ris import SERIAL, WITH_SERIES

Fields = Iterable[tuple[str, str]]
Item = dict[str, Any]
T = TypeVar("T")

PEOPLE_IN_CSL = frozenset(
    "author chair collection-editor compiler composer container-author contributor curator director editor"
    " editor-translator editorial-director executive-producer guest host illustrator interviewer narrator organizer"
    " original-author performer producer recipient reviewed-author script-writer series-creator translator".split()
)
_DATES = ("accessed", "event-date")
_JOINED = {"abstract": "\n", "annote": "\n\n", "note": "\n", "ISSN": ", ", "ISBN": ", "}
"""Members that join the values of several fields, with their separators."""
_IN_LINES = ("abstract", "annote", "note", "keyword")
"""Members whose line breaks are kept."""
_VERBATIM = frozenset(("file", "URL", "DOI", "citation-key"))
_EDITED = frozenset(("edited book", "book, edited"))
"""Types whose authors are the editors."""
_LABELED = re.compile(r"arxiv|pmid|pmc", re.IGNORECASE)
_OF_PUBMED = re.compile(r"pubmed|medline", re.IGNORECASE)
_NO_DATA = re.compile(r"\[no [a-z ]+ available\]", re.IGNORECASE)
"""What Scopus writes into a cell without data."""
_RETRACTED = frozenset(("retracted", "retracted publication"))
"""Types that say nothing but that a work was retracted."""
_IN_JOURNALS = ("article-journal", "review", "review-book")


class FieldTable(NamedTuple):
    """Maps a format's fields to CSL members, and its types (in lower case) to CSL types.

    A field mapped to "" is dropped. Special members: `type`, of which the first known one counts, and the last decides
    whether the work is in a journal; `group`, an author that is a group; `date` and `year`, combined into `issued`;
    `first-page`, `last-page` and `article-number`; `subtitle`; `serial`, an ISSN or ISBN; `arxiv`; `accession`, an
    identifier if it has a label; `file`, a path.
    """

    members: Mapping[str, str]
    types: Mapping[str, str]
    genres: Collection[str] = ()
    """The types that also go into `genre`."""
    by_type: bool = False
    """Whether the type decides what secondary authors (`editor`), tertiary ones (`collection-editor`), subsidiary ones
    (`translator`) and the `section` are, as in EndNote."""
    order: Order = ""
    """How the format writes names; "" if the names of a file show it."""


def found_in_items(items: Iterable[tuple[int, Item]], problems: Sequence[Problem] = ()) -> FileEntries:
    """Return the entries of items with their lines. Raises `ValueError` if there are too many."""
    return found_of((item_entry(item, line) for line, item in bounded(items)), problems)


def found_in_fields(
    records: Iterable[tuple[int, Iterable[tuple[str, str]]]], table: FieldTable, problems: Sequence[Problem] = ()
) -> FileEntries:
    """Return the entries of records, given as fields with their lines; all names decide the order of each one."""
    listed = [(line, list(fields)) for line, fields in bounded(records)]
    if not table.order:
        cells = (text for _, fields in listed for name, text in fields if table.members.get(name) in PEOPLE_IN_CSL)
        table = table._replace(order=order_of(name for cell in cells for name in names_in(cell)))
    return found_in_items(((line, item_of(fields, table)) for line, fields in listed), problems)


def bounded(records: Iterable[T]) -> list[T]:
    """Return the records as a list. Raises `ValueError` if there are too many, before processing them."""
    first = list(islice(records, MOST_ENTRIES + 1))
    if len(first) > MOST_ENTRIES:
        raise ValueError(f"it has more than {MOST_ENTRIES:,} records; split it")
    return first


def item_of(fields: Fields, table: FieldTable) -> Item:
    """Convert the fields of a record to an item."""
    texts_of: dict[str, list[str]] = {}
    custom: dict[str, Any] = {}
    fields = list(fields)
    in_pubmed = any(table.members.get(name) == "source" and _OF_PUBMED.search(raw) for name, raw in fields)
    for name, raw in fields:
        member = table.members.get(name)
        text = harmless(raw.strip())
        text = text_of_html(text) if member in _IN_LINES else " ".join(text.split())
        if member and member not in _VERBATIM:
            text = without_accents(text)
            text = rich(text) if "<" in text and "title" in member else text
        if member == "accession":
            labeled = f"pmid:{text}" if in_pubmed and text.isdecimal() else text
            identifier = parse_identifier(labeled) if _LABELED.match(labeled) else None
            member = {"pmid": "PMID", "pmcid": "PMCID", "arxiv": "arxiv"}.get(identifier.scheme) if identifier else None
            text = identifier.value if identifier else text
        if not text or member == "" or (member != "title" and _NO_DATA.fullmatch(text)):
            continue
        if member is None or (member == "PMCID" and text[:3].upper() != "PMC"):
            custom[name] = f"{custom[name]}; {text}" if name in custom else text
        elif member == "group":
            texts_of.setdefault("author", []).extend(f"{name.strip(', ')}," for name in text.split(";"))
        else:
            texts_of.setdefault(member, []).append(text)
    types_stated = [kind.strip() for text in texts_of.pop("type", []) for kind in text.split(";")]
    kinds, read = [kind.lower() for kind in types_stated], {*table.types, *_RETRACTED, *_EDITED}
    types = [table.types[kind] for kind in kinds if kind in table.types]
    if types and types[-1] not in _IN_JOURNALS:
        types = [type for type in types if type not in _IN_JOURNALS]  # the type is "Article" also for works in books
    untyped = "article-journal" if "container-title" in texts_of and _RETRACTED.issuperset(kinds) else "document"
    item: Item = {"type": next(iter(types), untyped)}
    if table.by_type:
        _rename(texts_of, kind_in_csl(item["type"]), edited=not _EDITED.isdisjoint(kinds))
    if not _EDITED.isdisjoint(kinds) and "author" in texts_of and "editor" not in texts_of:
        texts_of["editor"] = texts_of.pop("author")
    if genre := next((kind for kind in kinds if kind in table.genres), ""):
        item["genre"] = genre.capitalize()
    elif unread := [kind for kind in types_stated if not kind.isdecimal() and kind.lower() not in read]:
        if kind_in_csl(item["type"]) in THESES:
            item["genre"] = "; ".join(unread)
        else:
            custom["type"] = "; ".join(unread)
    if not _RETRACTED.isdisjoint(kinds):
        item["status"] = "retracted"
    named = certainly_named(next(iter(texts_of.get("URL", [])), ""))
    if named and (member := {"doi": "DOI", "pmid": "PMID", "pmcid": "PMCID"}.get(named.scheme)):
        texts_of.setdefault(member, []).append(named.value)
    if names := texts_of.pop("arxiv", []):
        texts_of.setdefault("note", []).append(f"arXiv:{re.sub('^arxiv:', '', names[0], flags=re.IGNORECASE)}")
    for text in chain.from_iterable(map(serials, texts_of.pop("serial", []))):
        texts_of.setdefault("ISSN" if len(re.sub("[^0-9Xx]", "", text)) <= 8 else "ISBN", []).append(text)
    if files := texts_of.pop("file", []):
        custom["attachments"] = [{"path": path} for path in files]
    if (subtitles := texts_of.pop("subtitle", [])) and "title" in texts_of:
        texts_of["title"][0] = joined_title(texts_of["title"][0], subtitles[0])
    if not any(map(abstract_in, texts_of.get("abstract", []))):
        texts_of.pop("abstract", None)
    first_texts = {member: texts[0] for member, texts in texts_of.items()}
    date = _date(" ".join(texts_of.pop("date", [])), " ".join(texts_of.pop("year", [])))
    pages = first_to_last(first_texts.get("first-page"), first_texts.get("last-page")) or page_range(
        first_texts.get("page")
    )
    pages = pages or next(
        (first_texts[name] for name in ("page", "first-page", "article-number") if name in first_texts), ""
    )
    for member in texts_of.keys() - {"first-page", "last-page", "article-number", "page"}:
        item[member] = _value(member, texts_of[member], table.order)
        others = [text for text in dict.fromkeys(texts_of[member][1:]) if text != texts_of[member][0]]
        if others and isinstance(item[member], str) and member not in (*_JOINED, "keyword"):
            custom[member] = "; ".join(others)  # a member holds one value only
    item = {name: item[name] for name in ("type", *texts_of) if name in item} | item  # in the order of the fields
    titles = [str(item.get(name, "")).casefold() for name in ("container-title", "title")]
    if item["type"] == "book" and {"first-page", "last-page"} <= texts_of.keys() and titles[0] not in ("", titles[1]):
        item["type"] = "chapter"  # the Web of Science lists the chapters of books so
    kind = kind_in_csl(item["type"])
    if kind in WHOLE and "author" not in item and "container-author" in item:
        item["author"] = item.pop("container-author")
    if kind in VERSIONED and "edition" in item:
        item.setdefault("version", item.pop("edition"))
    if (words := date.get("literal", "")) and not re.search(r"\d", words):
        item, date = item | ({"status": item.get("status", words)} if is_state(words) else {}), {}
        custom |= {} if is_state(words) else {"date": words}
    if kind in IN_ISSUES and (epub := edtf(item.get("edition", "").replace("/", "-"))):
        item["available-date"] = as_csl(epub)  # EndNote has the day of the electronic edition there
        item.pop("edition")
    if (article := first_texts.get("article-number", pages)) != pages:
        (item if kind in IN_ISSUES else custom).setdefault("number", article)
    if kind in WITH_SERIES and "collection-title" not in item:
        series = item.get("container-title", "")
        if series and series.casefold() != item.get("title", "").casefold():
            item["collection-title"] = item.pop("container-title")
    if kind in WHOLE and item.get("container-title", "").casefold() == item.get("title", "").casefold():
        item.pop("container-title", None)  # of what stands in itself
    if (degree := degree_in(item.get("volume", ""), kind)) and item.setdefault("genre", item.pop("volume")) != degree:
        custom["degree"] = degree
    if numbers_in_csl(kind)[0] == "number":
        # Such a work has another number in this field.
        if "number" not in item and not all(map(SERIAL.fullmatch, item.get("ISSN", "0000-0000").split(", "))):
            item["number"] = item.pop("ISSN")
        if "issue" in item and "number" not in item:
            item["number"] = item.pop("issue")
    if kind in WHOLE and "first-page" not in texts_of and NUMBER_OF_PAGES.fullmatch(pages):
        item, pages = {**item, "number-of-pages": pages}, ""
    return {name: value for name, value in (item | {"issued": date, "page": pages, "custom": custom}).items() if value}


_BY_KIND: Mapping[Kind, Mapping[str, str]] = {
    "video": {"collection-editor": "producer", "translator": "performer"},
    "letter": {"editor": "recipient"}, "legislation": {"editor": "author", "edition": "chapter-number"},
    "case": {"editor": "container-title"}, "patent": {"editor": "authority"}, "standard": {"editor": "authority"},
    **{kind: {"collection-editor": "contributor"} for kind in THESES},  # the advisor
}  # fmt: skip
"""What EndNote's fields of secondary authors and others hold for some kinds of works."""


def _rename(texts_of: dict[str, list[str]], kind: Kind, *, edited: bool) -> None:
    """Rename the members in which EndNote has something else for works of a kind."""
    renamed = dict(_BY_KIND.get(kind, {}))
    if edited and "author" in texts_of:
        renamed |= {"author": "editor", "editor": "collection-editor"}
    elif kind in BOOKS and "collection-editor" in texts_of:
        renamed |= {"editor": "collection-editor", "collection-editor": "editor"}
    if kind in BOOKS | _OF_CHAPTERS:
        renamed["section"] = "chapter-number"
    elif kind in IN_ISSUES - IN_SECTIONS:
        renamed["section"] = "" if "page" in texts_of else "first-page"
    moved = {name: texts_of.pop(name) for name in renamed if name in texts_of}
    for name, texts in moved.items():
        if renamed[name]:
            texts_of[renamed[name]] = [*texts_of.get(renamed[name], []), *texts]


_OF_CHAPTERS = frozenset[Kind](("chapter", "inbook", "reference-entry"))


def _value(member: str, texts: list[str], order: Order) -> Any:
    if member in PEOPLE_IN_CSL:
        return list(map(_person, people_in(texts, order)))
    if member == "keyword":
        return listed_keywords(
            [keyword for text in texts for keyword in map(str.strip, re.split("[;\n]", text)) if keyword]
        )
    if member == "language":
        return tag_of(texts[0]) or texts[0]
    if member in _DATES:
        return _date(texts[0], "")
    return _JOINED[member].join(dict.fromkeys(texts)) if member in _JOINED else texts[0]


def _person(person: Author) -> dict[str, str]:
    if is_et_al(person):
        return OTHERS
    return csl_name(name_of(person)) | ({"ORCID": person.orcid} if person.orcid else {})


def _date(text: str, year: str) -> Item:
    if (stated := edtf(text) or of_issue(text, year)) and not is_plain(stated):
        return as_csl(stated)
    if date := told_date(text or year, year):
        return {"date-parts": [[int(date)] if date.startswith("-") else [int(part) for part in date.split("-")]]}
    if stated := of_words(text or year):
        return as_csl(stated)
    return {"literal": text or year} if text or year else {}
