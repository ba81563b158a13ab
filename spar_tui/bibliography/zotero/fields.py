"""What Zotero has a field for, by the type of item, and a line of `extra` for any other."""

from typing import NamedTuple

from spar_tui.bibliography.kinds import Kind

_ANY = "title abstractNote date language shortTitle url accessDate rights extra"
_BOOK = f"{_ANY} series seriesNumber volume numberOfVolumes edition place publisher ISBN libraryCatalog"


class ItemType(NamedTuple):
    """A type's name, its fields, what its authors are called, and whether it has editors."""

    name: str
    fields: frozenset[str]
    author: str = "author"
    editors: bool = False


def _type(name: str, fields: str, author: str = "author", *, editors: bool = False) -> ItemType:
    return ItemType(name, frozenset(fields.split()), author, editors)


_TYPES = {
    one.name: one
    for one in (
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
"""Patents, laws, cases and periodicals, whose fields in Zotero are others, go as documents that say what they are."""
_PLAIN = {"patent": "patent", "legislation": "legislation", "case": "legal_case", "periodical": "periodical"}


def item_type(kind: Kind) -> ItemType:
    """The type of item that a work of `kind` is."""
    return _TYPES[_OF_KIND.get(kind, "document")]


def type_in_extra(kind: Kind) -> str:
    """What `extra` says that the work is, where its item's type does not; "" elsewhere."""
    return _PLAIN.get(kind, "")


def extra_line(name: str, value: str) -> str:
    """A member of CSL as a line of `extra`, as Zotero itself reads it."""
    label = "Citation Key" if name == "citation-key" else name
    return f"{label}: {' '.join(value.split())}"
