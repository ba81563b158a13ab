"""Collect the entries of the library's papers: as in the person's own file, or else made from the sources' data."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import unquote

from cache import citation_keys, originals
from cache.citation_keys import ByKey
from cache.originals import FileFormat, KeptOriginal, Original, RawFields
from cache.shelf import Shelved
from cache.store import Store
from connectors.identifiers import is_preprint_doi, parse_identifier
from connectors.paper import Paper
from connectors.records.build import is_arxiv_name
from connectors.records.clean import unescaped
from connectors.records.corrections import corrected as with_values
from connectors.records.corrections import corrected_fields
from connectors.records.matching import title_key
from spar_tui.bibliography.citation_key import keys_for, unused_key
from spar_tui.bibliography.edtf import with_year
from spar_tui.bibliography.entry import Entry, Extra, Format, PreferredVersion, entry_of
from spar_tui.bibliography.field_table import KNOWN, MAKERS
from spar_tui.bibliography.kinds import (
    PUBLISHER_IS_VENUE,
    Dialect,
    finer_type,
    kind_of_original,
    subtype_in_bib,
    tells_type,
)
from spar_tui.bibliography.more_fields import (
    collaborations_of,
    date_of,
    more_in,
    record_of,
    rest_of,
    role_of_editors,
    titles_of,
)
from spar_tui.bibliography.name_lists import listed
from spar_tui.bibliography.reading.bib_item import NOTES
from spar_tui.bibliography.reading.entries import found_again, is_number_in_file
from spar_tui.bibliography.reading.values import identifier_in
from spar_tui.bibliography.unfit_keys import is_path, unfit_key
from spar_tui.bibliography.verbatim import tells

SAME: dict[Format, FileFormat] = {
    "bibtex": "bibtex", "biblatex": "bibtex", "ris": "ris", "csl-json": "csl-json",
}  # fmt: skip
"""The file format of imported entries that each export format can write unchanged."""
_TITLES = ("title", "TI", "T1", "CT")
_PEOPLE = (*MAKERS, "editor", "AU", "A1", "ED", "A2")
_DATES = ("date", "year", "PY", "Y1", "DA", "issued")
"""Fields for title, people and date in all formats."""
_ASKED_FOR = {
    "keywords": ("keywords", "keyword", "KW"), "file": ("file", "L1"), "note": ("annotation", "annote", "N1", "note"),
}  # fmt: skip
"""Fields for the shelf data that is written on request."""
_WITH_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:\S+", re.IGNORECASE)
"""An address of any scheme, such as ftp: or urn:; words have a blank behind a colon."""
_FOR_DOIS = ("doi", "do", "m3", "lid", "aid", "url", "ur")
_DIALECTS: dict[str, Dialect] = {
    "bibtex": "bibtex", "biblatex": "biblatex", "ris": "ris", "csl-json": "csl", "text": "csl"
}  # fmt: skip


class Item(NamedTuple):
    """An entry to write: its paper, its key, and the imported entry if there is one."""

    number: int
    paper: Paper
    key: str
    original: Original | None = None


def items_of(
    store: Store,
    papers: Mapping[int, Paper],
    pattern: str,
    format: Format,
    reserved: Collection[str] = (),
    joined: Collection[int] = (),
) -> list[Item]:
    """Return the items for `papers`, by number: each imported entry under its own key, and one entry for each other
    paper. Missing keys are made by `pattern`, avoiding `reserved`, and stored. Entries of the papers `joined`, which
    become one record, need no keys beside their paper's. Raises `CacheError`.
    """
    with store.writing():
        stored = originals.of_papers(store, papers.keys())
        unnamed = {number: paper for number, paper in papers.items()
                   if not stored.get(number) or not all(entry.key for entry in stored[number])}  # fmt: skip
        keys = keys_for(store, unnamed, pattern, reserved)
        items: list[Item] = []
        for number, paper in papers.items():
            entries = stored.get(number, [])
            if not entries:
                items.append(Item(number, paper, keys[number]))
            for entry in entries:
                key = entry.key or _named(store, number, entry, keys[number], joined=number in joined)
                items.append(Item(number, paper, key, entry.original))
    return _with_ids(items, format)


def _with_ids(items: list[Item], format: Format) -> list[Item]:
    """Replace keys by the ids of the entries' own file that are no citation keys, such as `item-1`, if the format is
    the same and the id is unique."""
    if format not in ("ris", "csl-json"):
        return items
    ids = [_own_id(item.original) if item.original and item.original.format == format else "" for item in items]
    used = Counter(name.casefold() for name in (*ids, *(item.key for item in items)))
    return [
        item._replace(key=own_ids) if own_ids and own_ids != item.key and used[own_ids.casefold()] == 1 else item
        for item, own_ids in zip(items, ids, strict=True)
    ]


def _own_id(original: Original) -> str:
    key = original.key
    return key if is_number_in_file(original) or (unfit_key(key) and not is_path(key)) else ""


def under_cited_keys(items: Sequence[Item], keys_by_number: Mapping[int, Sequence[str]]) -> list[Item]:
    """Return the items with the papers in `keys_by_number` under the keys, spelled as in the document, by which it
    cites them. Their uncited entries are dropped; a key without an entry, such as a former key, gets the paper's first
    entry."""
    written = [item for item in items if item.number not in keys_by_number]
    for number, keys in keys_by_number.items():
        own = [item for item in items if item.number == number]
        by_key = ByKey((item.key, item) for item in own)
        written += [(by_key.get(key) or own[0])._replace(key=key) for key in keys if own]
    return written


def _named(store: Store, number: int, entry: KeptOriginal, new_key: str, *, joined: bool) -> str:
    """Choose and store a key for an imported entry that has none; if it is to be `joined` with the entry that has the
    paper's key, return that."""
    key = new_key
    if named_entry := originals.called(store, new_key):
        if joined and named_entry[0] == number:
            return key
        key = unused_key(new_key, citation_keys.taken(store), first=False)
        citation_keys.keep(store, number, key)
    originals.name(store, entry.number, key)
    return key


def entry_for(
    item: Item,
    format: Format,
    prefer: PreferredVersion = "published",
    extras: Sequence[Extra] = (),
    shelved: Shelved | None = None,
    *,
    everything: bool = False,
) -> Entry:
    """Return the entry of an item.

    In its own format it has the original, which is written unchanged; for another format it has the original's data,
    and with `everything` also the fields that the format lacks. The person's corrections come first. If a preprint is
    preferred to a published version, only the sources' data is used.
    """
    paper, original = item.paper, item.original
    corrections = corrected_fields(paper)
    if original is None or (prefer == "preprint" and paper.preprint and paper.type != "preprint"):
        return entry_of(paper, item.key, prefer, extras, shelved)
    if SAME.get(format) == original.format:
        kind = None if "type" in corrections else kind_of_original(original, paper.type)
        entry = entry_of(paper, item.key, "published", extras, shelved, kind if corrections else None)
        entry = _without_own_extras(entry, original) if extras else entry
        requested = (name for name, names in _ASKED_FOR.items() if getattr(entry, name) and tells(original, *names))
        return replace(
            entry,
            original=original,
            corrected=corrections,
            from_shelf=tuple(requested),
            title=entry.title if "title" in corrections or tells(original, *_TITLES) else "",
            names=entry.names if "authors" in corrections or tells(original, *_PEOPLE) else (),
            editors=entry.editors if tells(original, *_PEOPLE) else (),
            date=entry.date if "date" in corrections or tells(original, *_DATES) else None,
            edtf="" if entry.date else date_of(original),  # such as a decade
            abstract=entry.abstract or (paper.abstract if "abstract" in corrections else ""),
        )
    again = found_again(original)
    if again is None:
        return entry_of(paper, item.key, prefer, extras, shelved)
    values = {name: paper.identifier("doi") or "" if name == "doi" else getattr(paper, name) for name in corrections}
    shown_paper = with_values(again.paper, values) if values else again.paper
    kind = None if "type" in corrections else kind_of_original(original, shown_paper.type)
    entry = entry_of(shown_paper, item.key, "published", extras, shelved, kind, again.details)
    target = "csl-json" if format == "text" else SAME.get(format)  # the format that styles read
    if not entry.url and _WITH_SCHEME.fullmatch(again.address) and not parse_identifier(again.address):
        entry = replace(entry, url=again.address)
    entry = replace(entry, doi=_as_written(entry.doi, original))
    groups = () if "authors" in corrections else collaborations_of(original, entry.names)
    title, container = titles_of(original, entry.title, entry.container)
    entry = replace(
        entry,
        names=(*entry.names, *groups),
        # BibTeX gets a day only from the person's own file.
        edtf="" if "date" in corrections else date_of(original) or ((entry.date or "") if format == "bibtex" else ""),
        title=entry.title if "title" in corrections else title,
        container=entry.container if "venue" in corrections else container,
    )
    if target is None or target == "pubmed":
        return entry
    if format != "text":  # styles do not print these, and Zotero gets them on request
        entry = replace(
            entry,
            abstract=entry.abstract or shown_paper.abstract,
            keywords=entry.keywords or again.tags,
            file=entry.file or "\n".join(again.files),
            arxiv=_with_version(entry.arxiv, original),
        )
    more = more_in(original, target, entry.kind)
    has_authors = original.format == "bibtex" or "author" in record_of(original).item
    if not (has_authors or more.keys().isdisjoint(MAKERS)) and "authors" not in corrections:
        entry = replace(entry, names=(), et_al=False)  # as the makers of a film they stand under their own role
    role = role_of_editors(original) if entry.editors else ""
    if any(names.name_in(target, entry.kind) for names in KNOWN if role and target != "bibtex" and names.key == role):
        makers = filter(None, (listed(entry.editors), more.get(role, "")))
        entry, more = replace(entry, editors=()), {**more, role: " and ".join(makers), "editortype": ""}
    if title_key(entry.note) == title_key(" ".join(more.get(name, "") for name in NOTES)):
        entry = replace(entry, note="")  # the original's notes are in `more`
    more = {name: text for name, text in more.items() if name not in NOTES or not entry.note}
    if is_arxiv_name(more.get("eid", "")):  # CSL has the id of a preprint as its number
        more.pop("eid")
    finer = None if "type" in corrections else finer_type(original, entry.kind)
    dialect, entry = _DIALECTS[format], replace(entry, finer=finer)
    by_name = entry.kind == "preprint" and bool(entry.arxiv or is_preprint_doi(entry.doi or ""))
    if subtype := "" if by_name else subtype_in_bib(entry.kind, finer, dialect):  # in other formats the type says it
        more = {**more, "entrysubtype": subtype if target == "bibtex" else ""}
    # If the publisher is the venue, formats other than BibTeX have one field for both.
    publisher = "" if entry.container and entry.kind in PUBLISHER_IS_VENUE and target != "bibtex" else entry.publisher
    print_fields = (entry.title, entry.container, publisher, entry.address, entry.series, entry.edition, entry.volume,
               entry.number, *entry.page_range, entry.isbn, entry.issn, entry.abstract, entry.url or "",
               entry.arxiv_class, *more.values(), *map(str, shown_paper.identifiers))  # fmt: skip
    orcids = [f"{author.name}: {author.orcid}" for author in shown_paper.authors if author.orcid]
    more_fields = (*rest_of(original, target, entry.kind, print_fields), *[("orcid", "; ".join(orcids))] * bool(orcids))
    more_fields = tuple(field for field in more_fields if not (subtype and field[0].lower() == "entrysubtype"))
    if target in ("csl-json", "bibtex") and entry.year and "date" not in corrections:
        words = {
            field: text for field in more_fields if field[0] in _DATES and (text := with_year(field[1], entry.year))
        }
        entry = replace(entry, date_words=next(iter(words.values()), ""))
        more_fields = tuple(field for field in more_fields if field not in [*words][:1])
    field_names = tuple(name for name, _ in more_fields)
    if "type" not in corrections and not tells_type(entry.type_in(dialect), subtype, dialect, original, entry.kind):
        more_fields, field_names = (("type", original.type), *more_fields), (f"type {original.type}", *field_names)
    return replace(
        entry,
        # BibTeX's styles lack article numbers, so there the pages hold it too.
        pages="" if format != "bibtex" and entry.pages == more.get("eid") else entry.pages,
        more=more,
        rest=more_fields if everything else (),
        unplaced=() if everything or format == "text" else field_names,
    )


def _as_written(doi: str | None, original: Original) -> str | None:
    """Return a DOI in the capitals of the original, which mean nothing but are seen."""
    values = (value for name, value in original.fields if "10." in value and name.lower() in _FOR_DOIS)
    pattern = re.compile(re.escape(doi), re.IGNORECASE) if doi else None
    matches = (pattern.search(unquote(unescaped(identifier_in(value)))) for value in values) if pattern else iter(())
    return next((match[0] for match in matches if match), doi)


def _with_version(arxiv: str | None, original: Original) -> str | None:
    """Return the arXiv id with the version that the original gives: its own fields come before notes and others."""
    names = ("eprint", "arxiv", "arxivid", "number", "url", "ur", "doi", "do")
    fields = [(name.lower(), value) for name, value in original.fields]
    unfit = ("file", "l1", "custom", "abstract", "ab", "n2", "title", "ti", "t1", *names)
    values = [value for field_name in names for name, value in fields if name == field_name]
    values += [value for name, value in fields if name not in unfit]
    pattern = re.compile(rf"{re.escape(arxiv)}v[1-9][0-9]?(?![0-9])", re.IGNORECASE) if arxiv else None
    matches = (pattern.search(value) for value in values) if pattern else iter(())
    return next((match[0] for match in matches if match), arxiv)


def _without_own_extras(entry: Entry, original: Original) -> Entry:
    """Drop the requested extras that the original itself contains."""
    again = found_again(original)
    if again is None:
        return entry
    return replace(
        entry,
        abstract="" if again.paper.abstract else entry.abstract,
        keywords=() if set(again.tags) == set(entry.keywords) else entry.keywords,
        file="" if len(again.files) == len(entry.file.splitlines()) else entry.file,
        note="" if again.note == entry.note else entry.note,
    )


def with_parents(entries: Sequence[Entry], format: Format) -> list[Entry]:
    """Let entries refer to their parents instead of repeating inherited fields, if all parents are written too."""
    by_key = {entry.key.casefold(): entry.original for entry in entries if entry.original}
    return [
        replace(entry, handed_down=_handed_down(entry.original, by_key, format)) if entry.original else entry
        for entry in entries
    ]


def _handed_down(original: Original, by_key: Mapping[str, Original], format: Format) -> RawFields | None:
    """Return the fields that an original inherits from its parents among the entries `by_key`, or from those that come
    with it; None if not all parents are there. BibTeX inherits only from the parent itself, under the same name."""
    parent, comes = original.value("crossref").casefold(), any(kind == "xdata" for kind, _ in original.beside)
    shared = comes or original.value("xdata")
    if not (parent or shared) or (parent and parent not in by_key):
        return None
    if format == "bibtex":
        if not parent or by_key[parent].value("crossref"):  # BibTeX rejects nested references
            return None
        fields = {(name.lower(), value) for name, value in by_key[parent].fields}
        return tuple(field for field in original.inherited if field in fields)
    return original.inherited if comes or not shared else None
