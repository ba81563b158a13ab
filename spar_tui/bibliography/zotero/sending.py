"""Send papers of the library to the person's Zotero; papers that are already there are not sent again."""

import html
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from rapidfuzz import fuzz

from cache import shelf as shelves
from cache.originals import chosen_among
from cache.shelf import Shelved
from cache.store import Store
from connectors.errors import SourceError
from connectors.isbn import isbns
from connectors.records.clean import clean_text, harmless
from connectors.records.matching import title_key
from connectors.zotero.client import ZoteroClient
from connectors.zotero.library import (
    MOST_AT_ONCE,
    Writer,
    ZoteroCollection,
    ZoteroItem,
    ZoteroServer,
    about,
    collection_named,
    collections,
    existing_collection,
    items,
    save_by_connector,
)
from spar_tui.bibliography.append import AppendTarget, there_already
from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry import EXTRAS, Entry, Extra, PreferredVersion
from spar_tui.bibliography.exporting import ExportedPaper
from spar_tui.bibliography.field_table import KNOWN
from spar_tui.bibliography.gathering import entry_for
from spar_tui.bibliography.joined_entries import items_for_readers
from spar_tui.bibliography.kinds import Kind
from spar_tui.bibliography.name_lists import people
from spar_tui.bibliography.names import ET_AL, Name
from spar_tui.bibliography.one_work import SIMILAR
from spar_tui.bibliography.reading.csl_json import read_csl_json
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry
from spar_tui.bibliography.zotero_json import MEMBERS
from spar_tui.errors import UsageError
from spar_tui.openable_files import is_local_file

_OF_THE_LIBRARY = frozenset(
    "key version collections relations dateAdded dateModified parentItem deleted inPublications".split()
)
"""Fields of an item about its place in Zotero, not about the work."""


async def read_zotero(
    address: str, collection: str, progress: Callable[[int], None] = lambda more: None
) -> FileEntries:
    """Return the entries of the library, or of the named collection, with the paths of their collections as tags.
    Raises `SourceError`."""
    async with ZoteroClient(address) as client:
        await about(client)
        chosen = await existing_collection(client, collection) if collection else None
        found, paths = await items(client, chosen, progress=progress), dict(await collections(client))
    for item in found:
        tags, keys = (
            value if isinstance(value := item.data.get(name), list) else [] for name in ("tags", "collections")
        )
        item.data["tags"] = [*tags, *({"tag": path} for key, path in paths.items() if key in keys)]
    return entries_of(found)


async def library_of(client: ZoteroClient) -> tuple[ZoteroServer, FileEntries]:
    """Return the version of Zotero and the entries of its whole library. Raises `SourceError`."""
    which = await about(client)
    return which, entries_of(await items(client, below=False))


def entries_of(items: Sequence[ZoteroItem]) -> FileEntries:
    """Convert items to entries; standalone files and notes are skipped. An entry's line is the number of its item."""
    rows = (json.dumps(_exported(item), ensure_ascii=False) for item in items)
    return read_csl_json("[" + ",\n".join(rows) + "]")


def _exported(item: ZoteroItem) -> dict[str, Any]:
    """Return the item as Better BibTeX would export it, without fields that change independently of the work."""
    data = {name: value for name, value in item.data.items() if name not in _OF_THE_LIBRARY}
    files = [path for path in item.files if Path(path).is_file()]
    return data | {
        "itemKey": item.key,
        **({"notes": [{"note": harmless(note)} for note in item.notes]} if item.notes else {}),
        **({"attachments": [{"path": path} for path in files]} if files else {}),
    }


_ANY = "title abstractNote date language shortTitle url accessDate rights extra"
_BOOK = f"{_ANY} series seriesNumber volume numberOfVolumes edition place publisher ISBN libraryCatalog"


class ItemType(NamedTuple):
    """The name of a type, its fields, the role of its authors, and whether it has editors."""

    name: str
    fields: frozenset[str]
    author: str = "author"
    editors: bool = False


def _type(name: str, fields: str, author: str = "author", *, editors: bool = False) -> ItemType:
    return ItemType(name, frozenset(fields.split()), author, editors)


_TYPES = {
    item_type.name: item_type
    for item_type in (
        _type("journalArticle", f"{_ANY} publicationTitle volume issue pages series DOI ISSN libraryCatalog"
              " journalAbbreviation", editors=True),
        _type("magazineArticle", f"{_ANY} publicationTitle volume issue pages ISSN libraryCatalog"),
        _type("newspaperArticle", f"{_ANY} publicationTitle place edition pages ISSN libraryCatalog"),
        _type("book", f"{_BOOK} numPages", editors=True),
        _type("bookSection", f"{_BOOK} bookTitle pages", editors=True),
        _type("encyclopediaArticle", f"{_BOOK} encyclopediaTitle pages", editors=True),
        _type("conferencePaper", f"{_ANY} proceedingsTitle conferenceName place publisher volume pages series DOI ISBN"
              " libraryCatalog", editors=True),
        _type("thesis", f"{_ANY} thesisType university place numPages libraryCatalog"),
        _type("report", f"{_ANY} reportNumber reportType seriesTitle place institution pages libraryCatalog"),
        _type("preprint", f"{_ANY} genre repository archiveID place series DOI libraryCatalog", editors=True),
        _type("manuscript", f"{_ANY} manuscriptType place numPages libraryCatalog"),
        _type("dataset", f"{_ANY} type versionNumber repository repositoryLocation DOI libraryCatalog"),
        _type("standard", f"{_ANY} organization type number versionNumber place publisher DOI numPages libraryCatalog"),
        _type("computerProgram", f"{_ANY} versionNumber place company ISBN libraryCatalog", "programmer"),
        _type("webpage", f"{_ANY} websiteTitle websiteType"),
        _type("letter", f"{_ANY} letterType libraryCatalog"),
        _type("artwork", f"{_ANY} libraryCatalog", "artist"),
        _type("audioRecording", f"{_ANY} seriesTitle volume numberOfVolumes place label ISBN libraryCatalog",
              "performer"),
        _type("videoRecording", f"{_ANY} seriesTitle volume numberOfVolumes place studio ISBN libraryCatalog",
              "director"),
        _type("document", f"{_ANY} publisher libraryCatalog", editors=True),
    )
}  # fmt: skip
_OF_KIND: dict[Kind, str] = {
    "article": "journalArticle", "review": "journalArticle", "magazine": "magazineArticle",
    "newspaper": "newspaperArticle", "proceedings": "conferencePaper", "preprint": "preprint", "book": "book",
    "collection": "book", "conference-volume": "book", "booklet": "book", "manual": "book", "chapter": "bookSection",
    "inbook": "bookSection", "reference-entry": "encyclopediaArticle", "thesis": "thesis", "phdthesis": "thesis",
    "mastersthesis": "thesis", "report": "report", "dataset": "dataset", "software": "computerProgram",
    "online": "webpage", "unpublished": "manuscript", "standard": "standard", "letter": "letter", "artwork": "artwork",
    "audio": "audioRecording", "video": "videoRecording",
}  # fmt: skip
"""Item types by kind. Patents, laws, cases and periodicals need other fields in Zotero, so they become documents."""
_PLAIN = {"patent": "patent", "legislation": "legislation", "case": "legal_case", "periodical": "periodical"}
"""The types to state in `extra`, because no item type expresses them."""


def item_type(kind: Kind) -> ItemType:
    """Return the item type for works of `kind`."""
    return _TYPES[_OF_KIND.get(kind, "document")]


def extra_line(name: str, value: str) -> str:
    """Format a CSL member as a line of `extra`, which Zotero itself parses."""
    label = "Citation Key" if name == "citation-key" else name
    return f"{label}: {' '.join(value.split())}"


_OWN_PLACES = ("id", "type", "author", "editor", "issued", "note", "keyword", "custom", "accessed", "DOI", "PMID")


def item_of(entry: Entry) -> dict[str, Any]:
    """Convert `entry` to an item for Zotero's API, without notes and files."""
    kind = item_type(entry.kind)
    item: dict[str, Any] = {"itemType": kind.name}
    extra = [extra_line("citation-key", entry.key)]
    if type_name := _PLAIN.get(entry.kind):
        extra.append(extra_line("type", type_name))
    told_by_csl = csl_item(replace(entry, keywords=(), note="", original=None, rest=()))
    for member, value in told_by_csl.items():
        if member in _OWN_PLACES or not isinstance(value, str):
            continue
        names = (*MEMBERS.get(member, ()), *(("repository",) if member == "container-title" else ()))
        name = next((name for name in names if name in kind.fields and name not in item), None)
        if name:
            item[name] = value
        else:
            extra.append(extra_line(member, value))
    extra += _identifiers(entry, item, kind.fields)
    roles = {names.csl: people(entry.more[names.key]) for names in KNOWN
             if names.kind == "people" and names.csl and names.key in entry.more}  # fmt: skip
    makers = roles.pop(kind.author, [])
    roles |= {"editor": list(entry.editors)} if not kind.editors else {}
    extra += [extra_line(role, name.literal or f"{name.surname} || {_given(name)}")
              for role, names_of_role in roles.items() for name in names_of_role]  # fmt: skip
    item["creators"] = [*_creators(entry, kind.author, kind.editors), *(_creator(name, kind.author) for name in makers)]
    if entry.date:
        item["date"] = entry.date
    if parts := told_by_csl.get("accessed", {}).get("date-parts"):
        item["accessDate"] = "-".join(f"{part:02}" for part in parts[0])
    item["tags"] = [{"tag": keyword} for keyword in entry.keywords]
    return item | {"extra": "\n".join(extra)}


def note_of(text: str) -> str:
    """Convert a person's note to Zotero's HTML."""
    paragraphs = (html.escape(part, quote=False).replace("\n", "<br/>") for part in text.split("\n\n"))
    return "".join(f"<p>{part}</p>" for part in paragraphs)


def _identifiers(entry: Entry, item: dict[str, Any], fields: frozenset[str]) -> Iterator[str]:
    """Set identifiers in the item if its type has fields for them; yield the others as lines of `extra`."""
    if entry.doi and "DOI" in fields:
        item["DOI"] = entry.doi
    elif entry.doi:
        yield f"DOI: {entry.doi}"
    if entry.arxiv and "archiveID" in fields:
        item["archiveID"] = f"arXiv:{entry.arxiv}"
    elif entry.arxiv:
        yield f"arXiv: {entry.arxiv}"
    if entry.pmid:
        yield f"PMID: {entry.pmid}"


def _creators(entry: Entry, role: str, has_editors: bool) -> Iterator[dict[str, str]]:
    yield from (_creator(name, role) for name in entry.names)
    if entry.names and entry.et_al:
        yield _creator(ET_AL, role)
    if has_editors:
        yield from (_creator(name, "editor") for name in entry.editors)


def _creator(name: Name, role: str) -> dict[str, str]:
    if name.literal:
        return {"creatorType": role, "name": "others" if name == ET_AL else name.literal}
    return {"creatorType": role, "lastName": name.surname, "firstName": _given(name)}


def _given(name: Name) -> str:
    """Return the given names, and after a comma the generation, where Zotero expects it."""
    return ", ".join(filter(None, [name.given, name.suffix]))


_NAMED = 5


@dataclass(frozen=True, slots=True)
class SendOptions:
    """Options for sending papers; `collection` is "" for none."""

    pattern: str
    collection: str = ""
    version: PreferredVersion = "published"
    extras: tuple[Extra, ...] = EXTRAS


@dataclass(slots=True)
class Sent:
    """Result so far: papers by number that were added or there already, and notes."""

    added: list[int] = field(default_factory=list)
    there: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """Return how many papers were added, also after a failure."""
        return f"{_papers(len(self.added))} added to Zotero, {len(self.there):,} there already"


class _Outgoing(NamedTuple):
    number: int
    entry: Entry
    files: Sequence[str]
    """Paths to link. A path that only a bibliography names could be any file of the machine, so it is left out."""


async def send_to_zotero(
    store: Store,
    address: str,
    chosen: Mapping[int, ExportedPaper],
    wanted: SendOptions,
    sent: Sent,
    waiting: Callable[[str], None],
    progress: Callable[[int], None] = lambda more: None,
) -> None:
    """Add those of the papers `chosen`, by number, that Zotero lacks; `sent` is updated even on failure. Raises
    `SourceError` and `UserError`.
    """
    async with ZoteroClient(address) as client:
        which, library = await library_of(client)
        if wanted.collection and not which.server:
            raise UsageError(
                "--collection needs Zotero 10; with this Zotero, select the collection in its window and leave "
                "--collection out."
            )
        shelved = {saved_paper.number: saved_paper for saved_paper in shelves.shelf(store)}
        present = {*there_already(store, AppendTarget(), library.entries), *_by_isbn(shelved, library.entries)}
        sent.there = [number for number in chosen if number in present]
        outgoing = _outgoing(store, chosen, shelved, wanted, sent)
        progress(len(sent.there))
        if wanted.collection and sent.there:
            sent.notes.append("papers that Zotero had already were not added to the collection.")
        if not outgoing:
            return
        if which.server:
            await _by_api(Writer(client, which.server, waiting), client, outgoing, wanted.collection, sent, progress)
        else:
            await _by_connector(client, outgoing, sent, progress)


def _by_isbn(shelved: Mapping[int, Shelved], entries: Sequence[FoundEntry]) -> Iterator[int]:
    """Yield the shelf's books whose ISBN is in Zotero with a similar title."""
    books = {
        isbn: entry for entry in entries if entry.paper.type == "book" for isbn in isbns(entry.details.get("isbn", ""))
    }
    for number, saved_paper in shelved.items():
        numbers = isbns(saved_paper.details.get("isbn", "")) if saved_paper.paper.type == "book" else ()
        other = next((books[isbn] for isbn in numbers if isbn in books), None)
        if other and fuzz.token_set_ratio(title_key(saved_paper.paper.title), title_key(other.paper.title)) >= SIMILAR:
            yield number


def _outgoing(
    store: Store, chosen: Mapping[int, ExportedPaper], shelved: Mapping[int, Shelved], wanted: SendOptions, sent: Sent
) -> list[_Outgoing]:
    """Return the papers that are not in Zotero yet; omissions are added to the notes of `sent`."""
    there = set(sent.there)
    papers = {number: chosen_paper.paper for number, chosen_paper in chosen.items() if number not in there}
    items = items_for_readers(store, papers, wanted.pattern)
    entries = {
        item.number: entry_for(item, "text", wanted.version, wanted.extras, shelved.get(item.number)) for item in items
    }
    files = {number: list(filter(is_local_file, entry.file.splitlines())) for number, entry in entries.items()}
    own = chosen_among(store, [path for paths in files.values() for path in paths])
    if foreign := sum(path not in own for paths in files.values() for path in paths):
        sent.notes.append(
            f"{_files(foreign)} not linked: only an imported bibliography names {'it' if foreign == 1 else 'them'}. "
            "`spar mark PAPER --pdf FILE` links a file."
        )
    return [
        _Outgoing(number, entry, [path for path in files[number] if path in own]) for number, entry in entries.items()
    ]


async def _by_api(
    writer: Writer,
    client: ZoteroClient,
    outgoing: Sequence[_Outgoing],
    name: str,
    sent: Sent,
    progress: Callable[[int], None],
) -> None:
    """Send papers in batches of fifty, each with its notes and files, so that a failure leaves little incomplete."""
    collection = await _collection(writer, client, name, sent) if name else None
    for start in range(0, len(outgoing), MOST_AT_ONCE):
        part = outgoing[start : start + MOST_AT_ONCE]
        here = {"collections": [collection.key]} if collection else {}
        done = await writer.items([item_of(item.entry) | here for item in part])
        sent.added += [part[index].number for index in sorted(done.keys)]
        sent.failed += [f"{part[index].entry.key}: {why}" for index, why in sorted(done.failed.items())]
        progress(len(part))
        children = [child for index, key in sorted(done.keys.items()) for child in _children(part[index], key)]
        try:
            lost = (await writer.items(children)).failed if children else {}
        except SourceError:
            sent.notes.append(f"the notes and files of the last {_papers(len(done.keys))} may be missing in Zotero.")
            raise
        if lost:
            why = next(iter(lost.values()))
            sent.notes.append(f"Zotero refused {len(lost):,} of {len(children):,} notes and files: {why}.")


async def _collection(writer: Writer, client: ZoteroClient, name: str, sent: Sent) -> ZoteroCollection:
    if collection := collection_named(name, await collections(client)):
        return collection
    if "/" in name:
        raise UsageError(
            f"Zotero has no collection {clean_text(name)}; create it there, or give a name without a slash."
        )
    made = await writer.collection(clean_text(name))
    sent.notes.append(f"created the collection {made.path} in Zotero.")
    return made


def _children(item: _Outgoing, parent: str) -> list[dict[str, Any]]:
    """Return the note and the files of an item; Zotero links to files in their place."""
    notes: list[dict[str, Any]] = [
        {"itemType": "note", "parentItem": parent, "note": note_of(item.entry.note), "tags": []}
    ]
    files: list[dict[str, Any]] = [
        {"itemType": "attachment", "linkMode": "linked_file", "parentItem": parent, "title": Path(path).name,
         "path": path, "contentType": "application/pdf" if path.lower().endswith(".pdf") else "", "tags": []}
        for path in item.files
    ]  # fmt: skip
    return [*(notes if item.entry.note else []), *files]


async def _by_connector(
    client: ZoteroClient, outgoing: Sequence[_Outgoing], sent: Sent, progress: Callable[[int], None]
) -> None:
    def safe(more: int) -> None:
        sent.added += [item.number for item in outgoing[len(sent.added) : len(sent.added) + more]]
        progress(more)

    notes = ([{"note": note_of(item.entry.note)}] if item.entry.note else [] for item in outgoing)
    items = [item_of(item.entry) | {"notes": note, "attachments": []}
             for item, note in zip(outgoing, notes, strict=True)]  # fmt: skip
    await save_by_connector(client, items, safe)
    sent.notes.append("the papers are in the collection selected in Zotero's window; choosing another needs Zotero 10.")
    if files := sum(len(item.files) for item in outgoing):
        sent.notes.append(f"{_files(files)} not sent: that needs Zotero 10.")


def _papers(many: int) -> str:
    return f"{many:,} {'paper' if many == 1 else 'papers'}"


def _files(many: int) -> str:
    return f"{many:,} file was" if many == 1 else f"{many:,} files were"


def named_failures(failed: Sequence[str]) -> str:
    """Return the first papers that Zotero refused, with the reasons."""
    more = f"; and {len(failed) - _NAMED:,} more" if len(failed) > _NAMED else ""
    return "; ".join(failed[:_NAMED]) + more
