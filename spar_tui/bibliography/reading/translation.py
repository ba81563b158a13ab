"""Convert records of other formats to CSL-JSON items, so that one reader handles all names, dates and pages.

A table maps each field of a format to a CSL member. Other fields stay in `custom`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

from connectors.identifiers import certainly_named, parse_identifier
from connectors.isbn import serials
from connectors.paper import Author
from connectors.records.build import abstract_in, told_date
from connectors.records.clean import harmless
from connectors.records.publication import edition_number, first_to_last, page_range
from spar_tui.bibliography.edtf import as_csl, edtf, is_plain, is_state, of_issue, of_ris, of_words, with_year
from spar_tui.bibliography.field_table import KNOWN, NUMBER_OF_PAGES, joined_title
from spar_tui.bibliography.keyword_lists import listed_keywords
from spar_tui.bibliography.kinds import (
    BOOKS,
    IN_ISSUES,
    THESES,
    VERSIONED,
    WHOLE,
    WITH_SERIES,
    Kind,
    degree_in,
    kind_in_csl,
    numbers_in_csl,
)
from spar_tui.bibliography.languages import most_specific_tag
from spar_tui.bibliography.markup import rich
from spar_tui.bibliography.names import OTHERS, csl_name, name_of
from spar_tui.bibliography.reading.entries import is_et_al
from spar_tui.bibliography.reading.html_notes import text_of_html
from spar_tui.bibliography.reading.latex import without_accents
from spar_tui.bibliography.reading.name_lines import Order, people_in

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
    `first-page`, `last-page` and `article-number`; `subtitle`; `serial`, an ISSN or ISBN; `own-number`, unless it is a
    remark; `arxiv`; `accession`, an identifier if it has a label; `file`, a path; and RIS tags such as `A2`, for what
    the type of work decides (`members_in_ris`), as in EndNote.
    """

    members: Mapping[str, str]
    types: Mapping[str, str]
    genres: Collection[str] = ()
    """The types that also go into `genre`."""
    order: Order = ""
    """How the format writes names; "" if the names of a file show it."""


class Record(NamedTuple):
    """The item of a record, its fields without a member, and values without room, each with its field and member."""

    item: Item
    custom: dict[str, Any]
    further: list[tuple[str, str, str]]


def item_of(fields: Fields, table: FieldTable) -> Item:
    """Convert the fields of a record to an item; those without a member go into `custom`."""
    item, custom, further = record_of(fields, table)
    for _, name, text in further:
        custom[name] = f"{custom[name]}; {text}" if name in custom else text
    if number := edition_number(item.get("edition", "")):
        item["edition"] = str(number)
    people = {role: list(map(csl_person, item[role])) for role in PEOPLE_IN_CSL & item.keys()}
    return item | people | ({"custom": custom} if custom else {})


def record_of(fields: Fields, table: FieldTable, own_kind: Kind | None = None) -> Record:
    """Convert the fields of a record; `own_kind` is the kind of work if the format has types of its own."""
    texts_of: dict[str, list[str]] = {}
    names_of: dict[str, list[str]] = {}
    custom: dict[str, Any] = {}
    further = list[tuple[str, str, str]]()
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
            text = identifier.value if identifier and member != "arxiv" else text
        if not text or member == "" or (member != "title" and _NO_DATA.fullmatch(text)):
            continue
        if member is None or (member == "PMCID" and text[:3].upper() != "PMC"):
            custom[name] = f"{custom[name]}; {text}" if name in custom else text
        elif member == "group":
            texts_of.setdefault("author", []).extend(f"{name.strip(', ')}," for name in text.split(";"))
        else:
            texts_of.setdefault(member, []).append(text)
            names_of.setdefault(member, []).append(name)
    types_stated = [kind.strip() for text in texts_of.pop("type", []) for kind in text.split(";")]
    kinds, read = [kind.lower() for kind in types_stated], {*table.types, *_RETRACTED, *_EDITED}
    types = [table.types[kind] for kind in kinds if kind in table.types]
    if types and types[-1] not in _IN_JOURNALS:
        types = [type for type in types if type not in _IN_JOURNALS]  # the type is "Article" also for works in books
    untyped = "article-journal" if "container-title" in texts_of and _RETRACTED.issuperset(kinds) else "document"
    item: Item = {"type": next(iter(types), untyped)}
    kind = own_kind or kind_in_csl(item["type"])
    edited = not _EDITED.isdisjoint(kinds)
    places = members_in_ris(kind, {*texts_of}, edited=edited)
    moved = [(member, texts_of.pop(member), names_of.pop(member)) for member in (*texts_of,)
             if member in places or member in RIS_TAGS]  # fmt: skip
    for member, texts, names in moved:
        if place := places.get(member):
            texts_of[place] = [*texts_of.get(place, ()), *texts]
            names_of[place] = [*names_of.get(place, ()), *names]
        else:
            further += [(name, name, text) for name, text in zip(names, texts, strict=True)]
    if edited and "author" in texts_of and "editor" not in texts_of:
        texts_of["editor"] = texts_of.pop("author")
    if genre := next((kind for kind in kinds if kind in table.genres), ""):
        item["genre"] = genre.capitalize()
    elif unread := [kind for kind in types_stated if not kind.isdecimal() and kind.lower() not in read]:
        if kind in THESES:
            item["genre"] = "; ".join(unread)
        else:
            custom["type"] = "; ".join(unread)
    if not _RETRACTED.isdisjoint(kinds):
        item["status"] = "retracted"
    named = certainly_named(next(iter(texts_of.get("URL", [])), ""))
    if named and (member := {"doi": "DOI", "pmid": "PMID", "pmcid": "PMCID"}.get(named.scheme)):
        texts_of.setdefault(member, [named.value])
    if names := texts_of.pop("arxiv", []):
        texts_of.setdefault("note", []).append(f"arXiv:{re.sub('^arxiv:', '', names[0], flags=re.IGNORECASE)}")
    serial_names = names_of.get("serial", [])
    for name, text in zip(serial_names, texts_of.pop("serial", []), strict=True):
        further += [(name, "serial", number) for number in _further_serials(text, texts_of, kind)]
    for name, number in zip(names_of.get("own-number", []), texts_of.pop("own-number", []), strict=True):
        if kind in IN_ISSUES or numbers_in_csl(kind)[0] in texts_of or not is_own_number(number):
            further.append((name, name, number))
        else:
            texts_of[numbers_in_csl(kind)[0]] = [number]
    if files := texts_of.pop("file", []):
        custom["attachments"] = [{"path": path} for path in files]
    if (subtitles := texts_of.pop("subtitle", [])) and "title" in texts_of:
        texts_of["title"][0] = joined_title(texts_of["title"][0], subtitles[0])
    if not any(map(abstract_in, texts_of.get("abstract", []))):
        texts_of.pop("abstract", None)
    first_texts = {member: texts[0] for member, texts in texts_of.items()}
    date = _date(" ".join(texts_of.pop("date", [])), " ".join(texts_of.pop("year", [])))
    ends = [first_texts[name] for name in ("first-page", "last-page") if name in first_texts]
    pages = first_to_last(first_texts.get("first-page"), first_texts.get("last-page")) or page_range(
        first_texts.get("page")
    )
    pages = pages or first_texts.get("page") or "--".join(ends) or first_texts.get("article-number", "")
    for member in texts_of.keys() - {"first-page", "last-page", "article-number", "page"}:
        item[member] = _value(member, texts_of[member], table.order)
        if isinstance(item[member], str) and member not in (*_JOINED, "keyword", "language"):
            own = texts_of[member]  # a member holds one value only
            further += [
                (name, member, text)
                for index, (name, text) in enumerate(zip(names_of.get(member, own), own, strict=False))
                if text not in own[:index]
            ][1:]
    item = {name: item[name] for name in ("type", *texts_of) if name in item} | item  # in the order of the fields
    titles = [str(item.get(name, "")).casefold() for name in ("container-title", "title")]
    if item["type"] == "book" and {"first-page", "last-page"} <= texts_of.keys() and titles[0] not in ("", titles[1]):
        item["type"] = "chapter"  # the Web of Science lists the chapters of books so
        kind = own_kind or "chapter"
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
    if (
        kind in THESES
        and (department := item.pop("container-title", ""))
        and item.setdefault("publisher", department) != department
    ):
        further.append((names_of["container-title"][0], "department", department))
    if (degree := degree_in(item.get("volume", ""), kind)) and item.setdefault("genre", item.pop("volume")) != degree:
        custom["degree"] = degree
    if numbers_in_csl(kind)[0] == "number" and "issue" in item and "number" not in item:
        item["number"] = item.pop("issue")  # such a work has its own number in this field
    if kind in WHOLE and "first-page" not in texts_of and NUMBER_OF_PAGES.fullmatch(pages):
        item, pages = {**item, "number-of-pages": pages}, ""
    item |= {name: value for name, value in {"issued": date, "page": pages}.items() if value}
    return Record({name: value for name, value in item.items() if value}, custom, further)


def _further_serials(text: str, texts_of: dict[str, list[str]], kind: Kind) -> Iterator[str]:
    """Add the numbers in a field for ISSNs and ISBNs to their members, by their form; any other number is that of a
    report or patent, or else the usual one for the kind of work. Yield those for which there is no room."""
    number_member = numbers_in_csl(kind)[0]
    usual = "number" if number_member == "number" else "ISSN" if kind in IN_ISSUES else "ISBN"
    for number in serials(text):
        form = {8: "ISSN", 10: "ISBN", 13: "ISBN"}.get(len(re.findall(r"[0-9Xx]", number)), usual)
        member = usual if usual == "number" and is_number_among_serials(number) else form
        if member == "number" and "number" in texts_of:
            yield number
        else:
            texts_of.setdefault(member, []).append(number)


def is_number_among_serials(text: str) -> bool:
    """Whether `text` in a field for ISSNs and ISBNs is a number of the work itself."""
    return [*serials(text)] == [text] and not _SERIAL.fullmatch(text)


def is_own_number(text: str) -> bool:
    """Whether `text` is the number of a report or in a series; databases also write remarks into its field."""
    return _NUMBER.fullmatch(text) is not None


_NUMBER = re.compile(r"(?!10\.\d{4})(?:[\w./, -]{1,20}|(?=.*\d)[\w./:, -]{1,20})")
_SERIAL = re.compile(r"[0-9Xx -]++(?:\([^()]*+\))?")
SECONDARY = ("A2", "A3", "A4")
PRINTED = frozenset(
    "container-title container-title-short collection-title volume issue own-number publisher publisher-place serial"
    " edition DOI URL accession PMID".split()
)
"""Members of texts that an entry in any format contains."""
RIS_TAGS = {names.ris for names in KNOWN} - {"", "AU", "PB"} | {*SECONDARY, "ET", "SE"}
"""The tags in which works of different kinds have different fields."""


@cache
def _by_kind(kind: Kind) -> Mapping[str, str]:
    """Return the member of each RIS tag for the less common fields of works of a kind."""
    usual = {"A2": "editor", "A3": "collection-editor", "A4": "translator", "ET": "edition", "SE": "SE"}
    usual |= {"legislation": {"A2": "author"}, "case": {"A2": "container-title"}, "patent": {"A2": "publisher"},
              "standard": {"A2": "authority"}}.get(kind, {})  # fmt: skip
    tags = {tag: names.member(kind) for names in KNOWN if (tag := names.name_in("ris", kind))}
    common = {"AU": "author", "PB": "publisher", "SP": "first-page"}  # these tags have members for most kinds
    return usual | {common.get(tag, tag): member for tag, member in tags.items() if tag != "SP"}


def members_in_ris(kind: Kind, used: Collection[str], *, edited: bool) -> dict[str, str]:
    """Return the members for the RIS tags of works of a kind that has the members and tags `used`.

    In EndNote and Zotero, a book has its editors in `A3`, and an `edited` one in place of its authors; `A2` is then for
    the series.
    """
    members = dict(_by_kind(kind))
    if edited and "author" in used and "editor" not in used:
        members |= {"author": "editor", "A2": "collection-editor"}
    elif kind in BOOKS and "A3" in used and "editor" not in used:
        members |= {"A3": "editor", "A2": "collection-editor"}
    if members["SE"] == "SE":  # of articles in EndNote the first page
        members["SE"] = "" if {"page", "first-page"} & {*used} else "first-page"
    return members


def _value(member: str, texts: list[str], order: Order) -> Any:
    if member in PEOPLE_IN_CSL:
        return [OTHERS if is_et_al(person) else person for person in people_in(texts, order)]
    if member == "keyword":
        return listed_keywords(
            [keyword for text in texts for keyword in map(str.strip, re.split("[;\n]", text)) if keyword]
        )
    if member == "language":
        return most_specific_tag(texts)
    if member in _DATES:
        return _date(texts[0], "")
    return _JOINED[member].join(dict.fromkeys(texts)) if member in _JOINED else texts[0]


def csl_person(person: Author | dict[str, str]) -> dict[str, str]:
    """Return a person of an item as CSL has it."""
    if isinstance(person, dict):
        return person
    return csl_name(name_of(person)) | ({"ORCID": person.orcid} if person.orcid else {})


def _date(text: str, year: str) -> Item:
    stated = edtf(text) or (of_ris(text) if text.count("/") > 1 else of_issue(text, year))
    if not is_plain(stated):
        return as_csl(stated)
    day = told_date(text or year, year)
    if day and (year or stated or of_words(text) or len(day) == len("2001-02-03")):  # or its words say more
        words = with_year(text or year, day[:4])
        return csl_day(day) | ({"literal": words} if words else {})
    if stated := of_words(text or year):
        return as_csl(stated)
    return {"literal": text or year} if text or year else {}


def csl_day(day: str) -> Item:
    """Return an ISO date, as precise as known, as a date of CSL."""
    return {"date-parts": [[int(day)] if day.startswith("-") else [int(part) for part in day.split("-")]]}
