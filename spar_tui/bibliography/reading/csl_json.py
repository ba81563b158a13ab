"""Read CSL-JSON files: from Zotero, pandoc and citation services."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from cache.originals import Original
from connectors.crossref.work import abstract_of, container_titles, withdrawals
from connectors.http.json_values import listing, mapping
from connectors.identifiers import READERS, first_doi
from connectors.paper import Author
from connectors.records.build import ANY_YEAR, author_from_name, iso_date, partial_date, told_date
from connectors.records.clean import clean_text, harmless, unescaped, with_exponents
from connectors.records.publication import PART_CAP, whole_pages
from spar_tui.bibliography.edtf import as_csl, first_day, of_csl, says_more
from spar_tui.bibliography.field_table import KNOWN, MAKERS
from spar_tui.bibliography.format_tables import types_of
from spar_tui.bibliography.keyword_lists import keywords_of
from spar_tui.bibliography.kinds import CSL_TYPES, PUBLISHER_IS_VENUE, Kind, kind_in_csl, numbers_in_csl, paper_type
from spar_tui.bibliography.languages import tag_of
from spar_tui.bibliography.markup import rich
from spar_tui.bibliography.name_lists import listed
from spar_tui.bibliography.names import ET_AL, Name, authors_in_csl, csl_name, name_of, without_others
from spar_tui.bibliography.reading.entries import AND_OTHERS, MOST_ENTRIES, RawEntry, found_of, no_date, without_et_al
from spar_tui.bibliography.reading.entries_read import FileEntries, Problem
from spar_tui.bibliography.reading.latex import without_accents
from spar_tui.bibliography.reading.noted import arxiv_class_in, noted, with_noted_members
from spar_tui.bibliography.reading.translation import PRINTED, Record
from spar_tui.bibliography.zotero_json import csl_of, is_zotero_item

_DETAILS = {
    "volume": "volume", "pages": "page", "publisher": "publisher", "address": "publisher-place",
    "series": "collection-title", "edition": "edition", "isbn": "ISBN", "issn": "ISSN",
}  # fmt: skip
_IDENTIFIERS = ("DOI", "PMID", "PMCID")
_CROSSREF_TYPES = types_of("crossref")
_RENAMED = {
    "short-container-title": "container-title-short", "publisher-location": "publisher-place",
    "article-number": "number", "subject": "keyword", "degree": "genre", "edition-number": "edition",
}  # fmt: skip
_JOINED_LISTS = {"subject": "; ", "ISSN": ", ", "ISBN": ", "}
_OTHER_DATES = ("published", "published-print", "published-online", "posted", "approved")
_OF_OTHER_WORKS = frozenset({"reference", "relation"})
_HOUSEKEEPING = frozenset({"indexed", "deposited", "content-domain", "score", "created", "prefix", "member"})
_OF_A_PERSON = frozenset(("note", "annote", "custom"))
"""Members that a person wrote, which stay unchanged."""
_TEXTS = frozenset(
    "title title-short container-title container-title-short collection-title event-title original-title publisher"
    " publisher-place event-place".split()
)
"""Members whose text is one line; YAML has a title such as 1984 as a number."""
_TELLING = ("id", "citation-key", "author", "issued", *_IDENTIFIERS)
"""Members that only works have among the things with a title."""
_SMALL_CAPS = re.compile(r'<span style="font-variant: ?small-caps;?">([^<>]*)</span>', re.IGNORECASE)
_PEOPLE = ("author", "editor", *(names.csl for names in KNOWN if names.kind == "people" and names.csl))
DATES = ("issued", "submitted", "available-date", *(names.csl for names in KNOWN if names.kind == "date"))


def read_csl_json(text: str) -> FileEntries:
    """Return the items of an array, of an object's `items` or `references`, or a single one; also Zotero's and
    Crossref's.

    If an array is cut off, the items before are read. Raises `ValueError` for invalid JSON.
    """
    raw_entries, problems = list[RawEntry](), list[Problem]()
    for line, item in _items(text, problems):
        if isinstance(item, dict) and item.get("itemType") in ("note", "attachment", "annotation"):
            continue  # not a work
        if isinstance(item, dict):
            csl_item = csl_of(item) if is_zotero_item(item) else csl_of_work(item) if is_crossref_work(item) else item
            if _is_work(csl_item):
                raw_entries.append(item_entry(csl_item, line))
            else:
                problems.append(Problem(line, "", "it is not a work: it has no type of CSL, Zotero or Crossref"))
        else:
            problems.append(Problem(line, "", f"it is not an item: {json.dumps(item)[:40]}"))
    return found_of(raw_entries, problems)


def _is_work(item: Mapping[str, Any]) -> bool:
    """Whether an object describes a work: it has a CSL type; or a title, and either no type or a member of a work."""
    own_type = _text(item.get("type"))
    has_telling_field = not own_type or any(map(item.get, _TELLING))
    return own_type in CSL_TYPES or bool(_text(item.get("title")) and has_telling_field)


def _items(text: str, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    """Yield each item with its line; if the array is cut off, add a problem."""
    start = len(text) - len(text.lstrip())
    end = "]" if text[start : start + 1] == "[" else ""  # otherwise a single item, or one per line
    if not end:
        read = _decoded(text, start)[0]
        answer = read.get("message", read) if isinstance(read, dict) else read  # Crossref's API wraps its answers
        if not isinstance(answer, dict):
            raise ValueError("it has no items")
        lists = [answer[name] for name in ("items", "references") if isinstance(answer.get(name), list)]
        if not lists and not (_is_work(answer) or is_zotero_item(answer) or is_crossref_work(answer)):
            raise ValueError("its JSON is not a bibliography")
        if lists or answer is not read:
            yield from ((1, item) for item in (lists[0] if lists else [answer]))
            return
    line, counted_to, count, at = 1, 0, 0, start + len(end)
    while True:
        blank = _SEPARATOR.match(text, at)
        at = blank.end() if blank else at
        if text[at : at + 1] == end:
            return
        line, counted_to = line + text.count("\n", counted_to, at), at
        try:
            item, at = _decoded(text, at)
        except ValueError as error:
            reason = str(error) if error.args[0].startswith(_CUT_OFF) else f"from here on it cannot be read: {error}"
            key = _KEY_FIRST.match(text, at)
            problems.append(Problem(line, harmless(key[1]) if key else "", reason, to_end=True))
            return
        count += 1
        if count > MOST_ENTRIES:
            raise ValueError(f"it has more than {MOST_ENTRIES:,} items")
        yield line, item


_SEPARATOR = re.compile(r"[\s,]*")
_KEY_FIRST = re.compile(r'\{\s*"(?:id|citation-key)"\s*:\s*"([^"\\]*)"')
"""The beginning of an item with its key, where most programs write it."""
_CUT_OFF = "the file is cut off"
_REST_OF_WORD = re.compile(r"[\w.+-]*\s*")
"""What can stand between a fault and the end of a text that was cut off."""


def _decoded(text: str, at: int) -> tuple[Any, int]:
    try:
        return json.JSONDecoder().raw_decode(text, at)
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated string") or _REST_OF_WORD.fullmatch(text, error.pos):
            place_name = f"line {text.count(chr(10), 0, len(text.rstrip())) + 1}"
            raise ValueError(f"{_CUT_OFF} in {place_name}, before the item ends") from None
        fault = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        raise ValueError(f"{fault} in line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        raise ValueError("a number in it has too many digits") from None


def item_entry(item: dict[str, Any], line: int) -> RawEntry:
    """Parse an item, keeping its original form."""
    raw = raw_entry(_original(item), line)
    wrong = ((name, value) for name, value in item.items() if name in _TEXTS and isinstance(value, list | dict | bool))
    raw.faults += [f"its {name} is not a text: {json.dumps(value, ensure_ascii=False)[:60]}" for name, value in wrong]
    return raw


def _original(item: dict[str, Any]) -> Original:
    """Return the item as it is in the file, with values as JSON."""
    members = []
    for name, value in item.items():
        if name not in ("id", "type") and ((usual := _usual(name, value)) or not value):
            own_value = _cleaned(usual, harmless if name in _OF_A_PERSON else lambda text: harmless(unescaped(text)))
            members.append((harmless(name), json.dumps(own_value, ensure_ascii=False)))
    key = _text(item.get("citation-key")) or _text(item.get("id"))
    return Original("csl-json", harmless(_text(item.get("type"))), harmless(key), tuple(members))


def _usual(name: str, value: Any) -> Any:
    """Normalize a value that CSL does not allow: addresses of identifiers, dates in other notations, lists of numbers,
    placeholders for pages, JATS tags."""
    is_one = name in _IDENTIFIERS and isinstance(value, str) and first_doi(value) == value
    if is_one and (identifier := READERS[name.lower()](value)):
        at = value.lower().find(identifier.value.lower())
        return value[at : at + len(identifier.value)] if at > 0 else value if at == 0 else identifier.value
    if name in DATES and not (
        isinstance(value, dict)
        and (value.keys() not in ({"date-parts"}, {"raw"}) or all(map(_NUMBER.fullmatch, map(str, _numbers(value)))))
    ):
        words = _text(value.get("raw")) if isinstance(value, dict) else ""
        date = of_csl(value) or told_date(words) or ""
        return as_csl(date) if date else {} if isinstance(value, dict) and not any(_numbers(value)) else value
    if name in _PEOPLE and isinstance(value, list):
        names = (author_from_name(person) if isinstance(person, str) else None for person in value)
        return [csl_name(name_of(name)) if name else person for person, name in zip(value, names, strict=True)]
    if name in ("ISBN", "ISSN") and isinstance(value, list):
        return ", ".join(map(str, value))
    if name in _TEXTS and not isinstance(value, str):
        return _text(value)
    if not isinstance(value, str) or name in _OF_A_PERSON:
        return value
    if name in _TEXTS:
        value = " ".join(value.split())
    if name == "page":
        return value if len(value) > PART_CAP or whole_pages(value) else ""
    if name == "abstract" and "</" in value:
        return clean_text(with_exponents(value), len(value))
    return rich(value) if "<jats:" in value else value


def _numbers(date: Mapping[str, Any]) -> Iterator[object]:
    """Yield the words of a date, or its numbers; Crossref has null for an unknown day."""
    parts = date.get("date-parts")
    yield from (date["raw"],) if "raw" in date else ()
    yield from chain.from_iterable(part for part in parts if isinstance(part, list)) if isinstance(parts, list) else ()


_NUMBER = re.compile(r"-?0*[1-9][0-9]*")


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    match value:
        case str():
            return clean(value)
        case list():
            return [_cleaned(part, clean) for part in value]
        case dict():
            return {harmless(name): _cleaned(part, clean) for name, part in value.items()}
        case float() if value != value or value in (float("inf"), float("-inf")):
            return None  # JSON has no such numbers
    return value


def item_in(original: Original) -> dict[str, Any]:
    """Return the members of an item, with those in its note."""
    return {name: json.loads(value) for name, value in with_noted_members(original).fields}


_PRINTED = PRINTED - {"container-title-short"} | frozenset(
    ("authority", "collection-number", "number", "page-first", "ISBN", "ISSN", "language")
)
_USUAL = {name.lower(): name for name in (
    *_PRINTED, *_DETAILS.values(), *_IDENTIFIERS, *_PEOPLE, "title", "issued", "abstract", "keyword", "note", "annote",
    "citation-key", *(names.csl for names in KNOWN if names.csl))}  # fmt: skip
"""The members that a reader or the table of fields reads, by their names in lower case."""
_USUAL |= {"event": "event-title", "journalabbreviation": "container-title-short", "shorttitle": "title-short"}
_WITHOUT_MEMBER = frozenset(names.key for names in KNOWN if not names.csl)
"""Fields that stand in `custom`, under their names."""


def record_in(original: Original) -> Record:
    """Return the item under the usual names of its members, those of which no other format has, and printed ones."""
    item, custom, further = dict[str, Any](), dict[str, Any](), list[tuple[str, str, str]]()
    for own_name, value in item_in(original).items():
        name = _USUAL.get(own_name.lower(), "")
        text = text_of_member(value) or json.dumps(value, ensure_ascii=False)
        if own_name == "custom" and isinstance(value, dict):
            item["noted"] = {name: value[name] for name in _WITHOUT_MEMBER if isinstance(value.get(name), str)}
            custom |= {name: clean_text(text_of_member(inner)) for name, inner in value.items()
                       if name != "attachments" and name not in _WITHOUT_MEMBER}  # fmt: skip
        elif not name:
            custom[own_name] = clean_text(text)
        elif name == "issued" and says_more(words := stated_date(value)):
            further.append((own_name, name, words))
        elif name in _PRINTED or name in item:
            further.append((own_name, name, text))
        item.setdefault(name or own_name, value)
    return Record(item, {name: text for name, text in custom.items() if text}, further)


def stated_date(issued: object) -> str:
    """Return the words of a date; "" for a date in numbers or none."""
    return str(issued.get("literal") or issued.get("raw") or "") if isinstance(issued, dict) else ""


def people_of_member(value: object) -> Iterator[Name]:
    """Yield the people of a member, and last `ET_AL` if it says that there are others."""
    persons, has_others = without_others(value if isinstance(value, list) else [])
    yield from map(name_of, authors_in_csl(person for person in persons if isinstance(person, dict | Author)))
    yield from [ET_AL] * has_others


def text_of_member(value: Any) -> str:
    """Return a member as text; "" for one of numbers and the like."""
    if isinstance(value, str) or value is None:
        return without_accents(value or "")
    if isinstance(value, list) and value and all(isinstance(item, dict | Author) for item in value):
        return listed(people_of_member(value))
    date = of_csl(value) if isinstance(value, dict | list) else ""
    return date or stated_date(value) or json.dumps(value, ensure_ascii=False)


def raw_entry(original: Original, line: int) -> RawEntry:
    """Parse an item."""
    return raw_entry_of(item_in(original), kind_in_csl(original.type), original, line)


def raw_entry_of(item: Mapping[str, Any], own_kind: Kind, original: Original, line: int) -> RawEntry:
    """Parse an item of a kind of work, made from an original of any format."""
    kind = paper_type(own_kind, _text(item.get("genre")))
    publisher = _text(item.get("publisher")) or (_text(item.get("authority")) if own_kind == "standard" else "")
    names = [(scheme.lower(), _text(item.get(scheme))) for scheme in ("DOI", "PMID", "PMCID", "arxiv")]
    notes = [noted(note, names) for name in ("note", "annote") if (note := _text(item.get(name)))]
    names += [name for note in notes for name in note.names]
    number = _text(item.get("number"))
    if kind == "preprint" and number.lower().startswith("arxiv"):
        names.append(("arxiv", number))
    venue = _text(item.get("container-title"))
    makers = next((role for role in MAKERS if item.get(role)), "author")
    authors, et_al = _listed(item.get(makers))
    editors, more_editors = _listed(item.get("editor"))
    date = _date(item.get("issued"))
    issued = item["issued"] if isinstance(item.get("issued"), dict) else {}
    return RawEntry(
        line=line,
        faults=no_date(_text(issued.get("literal")) or _text(issued.get("raw")))
        if not (date or of_csl(issued))
        else [],
        key=next((note.key for note in notes if note.key), original.key),
        kind=kind,
        title=_SMALL_CAPS.sub(r"<sc>\1</sc>", _text(item.get("title"))),
        authors=authors,
        et_al=et_al,
        editors=[*editors, *([AND_OTHERS] if more_editors else [])],
        date=date,
        venue=_venue(own_kind, publisher, venue),
        names=[(scheme, name) for scheme, name in names if name],
        arxiv_class=arxiv_class_in(_text(item.get("note"))),
        retracted=_text(item.get("status")).lower() == "retracted",
        url=_text(item.get("URL")),
        abstract=_text(item.get("abstract")),
        keywords=list(map(_text, keywords))
        if isinstance(keywords := item.get("keyword"), list)
        else keywords_of(_text(keywords)),
        notes=[note.text for note in notes],
        files=list(_files(item.get("custom"))),
        language=tag_of(_text(item.get("language"))).partition("-")[0],
        details={name: _text(item[member]) for name, member in _DETAILS.items() if member in item}
        | {"number": next((text for member in numbers_in_csl(own_kind) if (text := _text(item.get(member)))), "")},
        original=original,
    )


def _venue(kind: Kind, publisher: str, container: str) -> str:
    if kind in PUBLISHER_IS_VENUE:
        return publisher or container
    return container or (publisher if kind == "preprint" else "")


def _text(value: object) -> str:
    """Return a string or number as text; of a list, as some services answer, the first value."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        value = next(iter(value), "")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)


def _listed(people: object) -> tuple[list[Author], bool]:
    """Return the people of a list, and whether the list is incomplete (a name in it is "others")."""
    if isinstance(people, list) and people and isinstance(people[0], Author):  # made by a reader of names
        made = [person for person in people if isinstance(person, Author)]
        return made, len(made) < len(people)
    persons, more = without_others(people if isinstance(people, list) else [people])
    authors, et_al = without_et_al(list(authors_in_csl(persons)))
    return authors, et_al or more


def _files(custom: object) -> Iterator[str]:
    """Yield the paths of the files attached to a Zotero item, PDFs first."""
    attachments = custom.get("attachments") if isinstance(custom, dict) else None
    file_items = (
        [attachment for attachment in attachments if isinstance(attachment, dict)]
        if isinstance(attachments, list)
        else []
    )
    paths = [path for item in file_items if (path := _text(item.get("path")))]
    yield from sorted(paths, key=lambda path: not path.lower().endswith(".pdf"))


def _date(issued: object) -> str | None:
    if not isinstance(issued, dict):
        return told_date(_text(issued)) if issued else None
    parts = issued.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        day = partial_date(*parts[0][:3], earliest=ANY_YEAR)
        if day:
            return day
    words = (told_date(_text(issued.get(name))) for name in ("literal", "raw"))
    return next(filter(None, words), None) or iso_date(first_day(of_csl(issued)), earliest=ANY_YEAR)


def is_crossref_work(item: Mapping[str, Any]) -> bool:
    """Whether an item is in Crossref's form: with a Crossref type, a list of titles, or Crossref as its source."""
    return (
        str(item.get("type")) in _CROSSREF_TYPES
        or isinstance(item.get("title"), list)
        or item.get("source") == "Crossref"
    )


def csl_of_work(work: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a Crossref work to a CSL-JSON item, without data on other works and on Crossref's record."""
    item: dict[str, Any] = {}
    for name, value in work.items():
        if name in _OF_OTHER_WORKS | _HOUSEKEEPING or value in (None, "", []):
            continue
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = _JOINED_LISTS[name].join(value) if name in _JOINED_LISTS else value[0]
        item[_RENAMED.get(name, name)] = value
    for role in ("author", "editor", "translator", "chair"):
        if isinstance(people := item.get(role), list):
            item[role] = [_crossref_person(person) for person in people if isinstance(person, dict)]
    item["type"] = _CROSSREF_TYPES.get(str(work.get("type")), work.get("type", "document"))
    if item["type"] in ("chapter", "paper-conference") and len(titles := container_titles(work)) > 1:
        item["container-title"] = titles[0]
        item.setdefault("collection-title", titles[1])
    if not of_csl(item.get("issued")) and (name := next((name for name in _OTHER_DATES if of_csl(item.get(name))), "")):
        item["issued"] = item.pop(name)
    event, [institution, *_] = mapping(item.pop("event", {})), [*listing(item.pop("institution", [])), {}]
    about = {
        "event-title": event.get("name"), "event-place": event.get("location"),
        "event-date": {"date-parts": [part for end in ("start", "end")
                                      for part in listing(mapping(event.get(end)).get("date-parts"))]},
        "publisher": mapping(institution).get("name") or mapping(item.pop("standards-body", {})).get("name"),
        "publisher-place": next(iter(listing(mapping(institution).get("place"))), ""),
    }  # fmt: skip
    item |= {name: value for name, value in about.items() if value and value != {"date-parts": []}}
    if isinstance(subtitle := item.pop("subtitle", None), str) and isinstance(item.get("title"), str):
        item["title"] = f"{item['title']}: {subtitle}"
    if withdrawals(work):
        item["status"] = "retracted"
    if "abstract" in item:
        item["abstract"] = abstract_of(item["abstract"])
    return item


def _crossref_person(person: Mapping[str, Any]) -> dict[str, Any]:
    if not person.get("family") and person.get("name"):
        return {"literal": person["name"]}
    return {part: person[part] for part in ("family", "given", "suffix", "ORCID") if part in person}
