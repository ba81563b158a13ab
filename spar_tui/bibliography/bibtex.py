"""Write BibLaTeX (UTF-8) and BibTeX (ASCII LaTeX) in one fixed form: same entries, same bytes."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import unquote

from cache.originals import Original
from connectors.addresses import is_address
from connectors.identifiers import READERS
from connectors.records.build import MONTHS, is_generation
from connectors.records.clean import unescaped
from connectors.records.matching import title_key
from connectors.records.publication import edition_number, ordinal
from spar_tui.bibliography.corrected_fields import with_corrections
from spar_tui.bibliography.edtf import as_biblatex, edtf
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.field_table import KNOWN, VERBATIM
from spar_tui.bibliography.inert_tex import inert
from spar_tui.bibliography.kinds import PEOPLE, Kind
from spar_tui.bibliography.latex import Ascii, encode, encode_letters, verbatim, with_escaped_ampersands
from spar_tui.bibliography.more_fields import PRINTED_IN_BIB, as_bib_fields
from spar_tui.bibliography.name_lists import people
from spar_tui.bibliography.names import ET_AL, Name
from spar_tui.bibliography.reading.latex import decode
from spar_tui.bibliography.reading.values import as_printed, identifier_in
from spar_tui.bibliography.verbatim import (
    IN_BIBTEX,
    balanced,
    bib_fields,
    bib_type,
    in_biblatex,
    tells,
    without_percent,
    year_and_month,
)

Capabilities = Literal["bibtex", "biblatex"]

_CONTAINERS: dict[Kind, tuple[str, str]] = {
    **dict.fromkeys(("article", "magazine", "newspaper", "review"), ("journaltitle", "journal")),
    **dict.fromkeys(("proceedings", "chapter", "inbook", "reference-entry"), ("booktitle", "booktitle")),
    **dict.fromkeys(("book", "collection", "conference-volume"), ("publisher", "publisher")),
    **dict.fromkeys(("thesis", "phdthesis", "mastersthesis"), ("institution", "school")),
    "report": ("institution", "institution"), "dataset": ("publisher", "howpublished"),
    "manual": ("organization", "organization"), "standard": ("organization", "howpublished"),
    "online": ("organization", "howpublished"), "preprint": ("", ""),
}  # fmt: skip
"""Field for an entry's container in BibLaTeX and in BibTeX; `howpublished` for kinds without one."""
_EXTRA_FIELDS = {
    "abstract": ("abstract",), "keywords": ("keywords", "keyword"), "file": ("file",),
    "annotation": ("annotation", "annote"), "annote": ("annotation", "annote"),
}  # fmt: skip
_OF_PEOPLE = PEOPLE | {names.key for names in KNOWN if names.kind == "people"}
_NOT_TEXT = VERBATIM | frozenset("ids crossref xref related entryset howto".split())
"""Fields whose values are not LaTeX."""
_MONTH_MACROS = re.compile(rf"(?<![A-Za-z])({chr(124).join(MONTHS)})(?![A-Za-z])")
_AND = re.compile(r"\band\b", re.IGNORECASE)
_SPLIT_FAMILY = re.compile(r"[\s,]|^and\b|^others$", re.IGNORECASE)
_NOT_A_VENUE = re.compile(r"arxiv\b", re.IGNORECASE)


class BibtexText(NamedTuple):
    """The text of an entry or a part of it, and the characters that could not be converted to ASCII.

    `inert` are the TeX commands in its fields that were escaped because they can do more than typeset.
    """

    text: str
    kept: frozenset[str]
    inert: frozenset[str] = frozenset()


def bib_entry(entry: Entry, dialect: Capabilities, ascii_only: bool | None = None, most_names: int = 0) -> BibtexText:
    """Write `entry` in a dialect. By default BibTeX gets ASCII only, unless the imported entry was written for BibTeX.

    If there are more than `most_names` names (0: no limit), write the first ones "and others".
    """
    custom = dialect == "bibtex" and (entry.original is None or in_biblatex(entry.original))
    if ascii_only and dialect == "bibtex":  # biber would lose letters
        return _BibtexWriter(dialect, "all", most_names).written(entry)
    writer = _BibtexWriter(dialect, custom if ascii_only is None else ascii_only, most_names)
    return writer.written(entry)


class _BibtexWriter:
    def __init__(self, dialect: Capabilities, ascii_only: Ascii, most_names: int) -> None:
        self.dialect, self.ascii_only, self.most_names = dialect, ascii_only, most_names
        self.kept: set[str] = set()
        self.inert: set[str] = set()

    def written(self, entry: Entry) -> BibtexText:
        extras = self.extras(entry)
        if entry.original and entry.original.format == "bibtex":
            type_name = self.type(entry) if "type" in entry.corrected else bib_type(entry.original, self.dialect)
            fields, kind = self.original(entry, extras), type_name
        else:
            fields, kind = [*self.fields(entry), *extras], self.type(entry)
        bare = _bare(entry.original)
        lines = [
            f"  {name} = {value if (name, value) in bare else self.delimited(name, value)},\n"
            for name, value in fields if value
        ]  # fmt: skip
        text = f"@{kind}{{{entry.key},\n{''.join(lines)}}}\n"
        return BibtexText(text, frozenset(self.kept), frozenset(self.inert))

    def delimited(self, name: str, value: str) -> str:
        """Return the value of a field in braces, with dangerous TeX commands escaped, whatever its origin."""
        if name.lower() == "month" and (parts := _MONTH_MACROS.split(value))[1:]:  # macros that styles define
            return " # ".join(part if part in MONTHS else f"{{{inert(part).text}}}" for part in parts if part)
        latex = inert(value)
        self.inert.update(latex.commands)
        return f"{{{latex.text}}}"

    def original(self, entry: Entry, extras: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the fields of the person's file, with corrections, and the requested `extras`."""
        replaced = {field for name, value in extras if value for field in _EXTRA_FIELDS[name]}
        fields = []
        for name, own_value in self.own_fields(entry):
            folded = name.lower()
            if folded in replaced:
                continue
            value = _repaired(folded, own_value, self.dialect)
            if self.most_names and folded in ("author", "editor"):
                author = folded == "author"
                value = self.people(entry.names, entry.et_al) if author else self.people(entry.editors)
            elif self.ascii_only and folded not in _NOT_TEXT:
                encoded = encode_letters(value, self.ascii_only)
                self.kept |= encoded.kept
                value = encoded.text
            fields.append((name, value))
        return [*fields, *extras]

    def own_fields(self, entry: Entry) -> list[tuple[str, str]]:
        """Return the fields of the person's file, with corrections."""
        assert entry.original is not None
        fields = list(bib_fields(entry.original, self.dialect, entry.handed_down))
        if not entry.corrected:
            return fields
        return with_corrections(fields, entry.corrected, self.made(entry, fields), "bibtex", entry.kind)

    def made(self, entry: Entry, fields: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return fields made from the paper, to correct the file's; a date takes the form that the file uses."""
        fields_of_entry = [*self.fields(entry), ("abstract", self.words(entry.abstract))]
        there = {name.lower() for name, _ in fields}
        if "year" in there and self.dialect == "biblatex" and entry.date:
            fields_of_entry = [field for field in fields_of_entry if field[0] != "date"]
            month = int(entry.date[5:7]) if len(entry.date) >= 7 else 0
            fields_of_entry += [("year", entry.year), ("month", MONTHS[month - 1] if month else "")]
        return fields_of_entry

    def fields(self, entry: Entry) -> list[tuple[str, str]]:
        """Return the fields made from the paper's data."""
        has_people = bool(entry.names or entry.editors)
        fields = [
            ("author", self.people(entry.names, entry.et_al)),
            ("editor", self.people(entry.editors)),
            ("title", self.words(entry.title, protect=True)),
            *self.origin(entry),
            *self.numbers(entry),
            *self.names_and_addresses(entry),
        ]
        taken = [name for name, value in fields if value]
        more = as_bib_fields(entry.more, entry.rest, self.dialect, has_people=has_people, taken=taken)
        return [*fields, *((name, self.value(name, text)) for name, text in more)]

    def value(self, name: str, text: str) -> str:
        """Return the value of a less common field."""
        if name.removeprefix("x-") in _OF_PEOPLE:
            return self.people(people(text))
        date = as_biblatex(edtf(text))
        return (without_percent(date) if self.dialect == "bibtex" else date) or self.words(text)

    def extras(self, entry: Entry) -> list[tuple[str, str]]:
        """Return the fields that are written only on request."""
        return [
            ("abstract", self.words(entry.abstract)),
            ("keywords", self.keywords(entry.keywords)),
            ("file", ";".join(map(_path, entry.file.split("\n")))),
            ("annotation" if self.dialect == "biblatex" else "annote", self.words(entry.note)),
        ]

    def type(self, entry: Entry) -> str:
        # In BibLaTeX, `book` requires an author.
        edited = self.dialect == "biblatex" and entry.kind == "book" and entry.editors and not entry.names
        return "collection" if edited else entry.type_in(self.dialect)

    def words(self, text: str, *, protect: bool = False) -> str:
        if not text:
            return ""
        encoded = encode(text, ascii_only=self.ascii_only, protect=protect)
        self.kept |= encoded.kept
        return encoded.text

    def keywords(self, keywords: Sequence[str]) -> str:
        """Join keywords with commas; put braces around a keyword that contains a comma or semicolon."""
        words = [
            f"{{{self.words(keyword)}}}" if re.search("[,;]", keyword) else self.words(keyword) for keyword in keywords
        ]
        # A single keyword in braces gets a comma, because braces around a whole field protect nothing.
        return f"{words[0]}," if len(words) == 1 and words[0].startswith("{") else ", ".join(words)

    def people(self, names: Sequence[Name], et_al: bool = False) -> str:
        limit = self.most_names
        names_shown = [self.name(name) for name in names[: limit or None]]
        return " and ".join(
            [*names_shown, "others"] if names and (et_al or len(names_shown) < len(names)) else names_shown
        )

    def name(self, name: Name) -> str:
        person = _person(name, self.ascii_only)
        self.kept |= person.kept
        return person.text

    def origin(self, entry: Entry) -> list[tuple[str, str]]:
        """Return the fields that say where and when the work appeared."""
        field = self.container(entry.kind)
        venue = [(field, self.words(entry.container))] if field else []
        # The kind of thesis or report is unknown, so a style must not print "PhD" or "technical".
        if "type" not in entry.more:
            venue.append(("type", {"thesis": "Thesis", "report": "Report"}.get(entry.kind, "")))
        if self.dialect == "biblatex" and not entry.date_words:
            return [*venue, ("date", as_biblatex(entry.edtf or entry.date or ""))]
        date = year_and_month(entry.edtf or entry.date or "")
        fields = dict(field for field in date if entry.edtf or field[0] != "day")
        return [*venue, *(fields | ({"year": self.words(entry.date_words)} if entry.date_words else {})).items()]

    def container(self, kind: Kind) -> str:
        return _CONTAINERS.get(kind, ("howpublished", "howpublished"))[self.dialect == "bibtex"]

    def numbers(self, entry: Entry) -> list[tuple[str, str]]:
        first, last = map(self.words, entry.page_range)
        # The venue of some kinds of works is their publisher.
        is_publisher = entry.container and (
            self.container(entry.kind) == "publisher" or entry.publisher == entry.container
        )
        publisher = "" if is_publisher else entry.publisher
        fields_present = {
            "publisher": publisher,
            "location" if self.dialect == "biblatex" else "address": entry.address,
            "series": entry.series,
            "edition": self.edition(entry.edition),
            "volume": entry.volume,
            "number": entry.number,
        }
        pages = (f"{first}--{last}" if last else first).replace("–", "--")
        fields = [(name, self.words(text)) for name, text in fields_present.items()]
        if entry.kind == "patent" and self.dialect == "biblatex":  # the publisher of a patent is its holder
            holders = [Name(literal=holder) for holder in map(str.strip, publisher.split(";")) if holder]
            fields[0] = ("holder", self.people(holders))
        return [*fields, ("pages", pages), ("isbn", self.words(entry.isbn)), ("issn", self.words(entry.issn))]

    def edition(self, text: str) -> str:
        """Return a numbered edition as the styles of the dialect expect it: `2` or `2nd`."""
        number = edition_number(text)
        return text if number is None else str(number) if self.dialect == "biblatex" else ordinal(number)

    def names_and_addresses(self, entry: Entry) -> list[tuple[str, str]]:
        fields = [("doi", verbatim(entry.doi or ""))]
        if entry.arxiv:
            kind, area = (
                ("eprinttype", "eprintclass") if self.dialect == "biblatex" else ("archiveprefix", "primaryclass")
            )
            fields += [("eprint", verbatim(entry.arxiv)), (kind, "arxiv" if self.dialect == "biblatex" else "arXiv")]
            # Old arXiv ids contain the class.
            fields += [(area, "" if "/" in entry.arxiv else self.words(entry.arxiv_class))]
        elif entry.kind == "preprint" and entry.container and not _NOT_A_VENUE.match(entry.container):
            fields += [("organization" if self.dialect == "biblatex" else "howpublished", self.words(entry.container))]
        if entry.pmid and self.dialect == "biblatex" and not entry.arxiv:
            fields += [("eprint", entry.pmid), ("eprinttype", "pubmed")]
        else:
            fields += [("pmid", entry.pmid or "")]
        fields += [("pmcid", entry.pmcid or "")]
        return [*fields, ("url", verbatim(entry.own_url or ""))]


_PLAIN_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/)?10\.[^\s\\{}$%]+", re.IGNORECASE)


def _printable(name: str, value: str) -> str:
    """Return a DOI without label, proxy and LaTeX, and an address without LaTeX, because BibLaTeX prints both as
    written; any other value, and an address with LaTeX that is no sign of it, unchanged."""
    if name == "doi" and not _PLAIN_DOI.fullmatch(value):
        text = identifier_in(value)
        doi = READERS["doi"](text)
        doi_pattern = rf"({re.escape(doi.value)})[\s.;,]*" if doi else "(?!)"  # anything else there would be lost
        printed_doi = re.search(rf"{doi_pattern}\Z", unquote(text), re.IGNORECASE)
        return verbatim(printed_doi[1]) if printed_doi else value
    plain = as_printed(value) if name == "url" else value
    is_clean = is_address(plain) and not re.search(r"[\s\\]", plain)
    return verbatim(plain) if plain != value and is_clean else value


def repaired(entry: Entry, dialect: Capabilities) -> list[str]:
    """Return the written fields of an entry of a .bib file whose values `_repaired` changes."""
    if entry.original is None or entry.original.format != "bibtex":
        return []
    fields = ((name.lower(), value) for name, value in _BibtexWriter(dialect, False, 0).own_fields(entry))
    return [name for name, value in fields if _repaired(name, value, dialect) != value]


def _repaired(name: str, value: str, dialect: Capabilities) -> str:
    """Return a value for TeX, which fails at a bare &, and for BibLaTeX, which prints the LaTeX in a DOI or an
    address."""
    if name not in _NOT_TEXT:
        return with_escaped_ampersands(value) if name in PRINTED_IN_BIB else value
    value = unescaped(value)
    return _printable(name, value) if dialect == "biblatex" else value


_THESES = ("mastersthesis", "phdthesis")
_PRINTED_OF: Mapping[str, str] = {
    "article": "journal volume number pages", "book": "editor publisher volume number series address edition",
    "booklet": "howpublished address", "manual": "organization address edition", "misc": "howpublished",
    "inbook": "editor publisher volume number series type address edition chapter pages",
    "incollection": "booktitle editor publisher volume number series type chapter pages address edition",
    **dict.fromkeys(("inproceedings", "conference"), "booktitle editor volume number series pages address organization"
                    " publisher"),
    "proceedings": "editor volume number series address organization publisher",
    **dict.fromkeys(_THESES, "type school address"),
    "techreport": "type number institution address", "unpublished": "",
}  # fmt: skip
"""The fields that BibTeX's standard styles print of each type, besides those of `_PRINTED_OF_ALL`."""
_PRINTED_OF_ALL = "author title year month note key"
_NOT_MISSED = frozenset(
    "day date doi url urldate eprint eprinttype eprintclass archiveprefix primaryclass pmid pmcid pmc arxiv arxivid"
    " isbn issn eid language langid annote annotation crossref xdata label library pagination bookpagination"
    " entrysubtype".split()
)
"""Fields that other styles of BibTeX print, or that no style prints as they are."""


def unprinted(entry: Entry) -> list[str]:
    """Return the fields of an entry for BibLaTeX that BibTeX's standard styles do not print and whose
    value no printed field contains. For an entry for BibTeX, return the institution of a thesis without a school."""
    if entry.original is None:
        return []
    if not in_biblatex(entry.original):
        has_school = entry.original.type.lower() not in _THESES or tells(entry.original, "school")
        return ["institution"] if tells(entry.original, "institution") and not has_school else []
    fields = [(name.lower(), value) for name, value in bib_fields(entry.original, "bibtex", entry.handed_down)]
    of_type = _PRINTED_OF.get(bib_type(entry.original, "bibtex").lower(), "")
    printed_fields = {*_PRINTED_OF_ALL.split(), *of_type.split()}
    text = f" {title_key(' '.join(decode(value) for name, value in fields if name in printed_fields))} "
    return [
        name for name, value in fields
        if name in PRINTED_IN_BIB - printed_fields - _NOT_MISSED and not name.startswith("short")
        and f" {title_key(decode(value))} " not in text
    ]  # fmt: skip


def _bare(original: Original | None) -> list[tuple[str, str]]:
    """Return the fields whose values are abbreviations defined by styles, under their names in both dialects."""
    if original is None:
        return []
    names = [name for kind, name in original.beside if kind == "bare"]
    renamed = IN_BIBTEX | {"institution": "school"}
    return [
        (field_name, original.value(name)) for name in names for field_name in (name, renamed.get(name.lower(), name))
    ]


@lru_cache(maxsize=10_000)  # the same people write many papers of a field
def _person(name: Name, ascii_only: Ascii) -> BibtexText:
    """Format a name as `von Family, Jr, Given`, with braces around parts that BibTeX would split."""
    letters: set[str] = set()

    def words(text: str) -> str:
        encoded = encode(text, ascii_only=ascii_only)
        letters.update(encoded.kept)
        return encoded.text

    if name == ET_AL:
        return BibtexText("others", frozenset())
    if name.literal:
        return BibtexText(f"{{{words(name.literal)}}}", frozenset(letters))
    surname, given = f"{words(name.particle)} {words(name.family)}".strip(), words(name.given)
    if _SPLIT_FAMILY.search(name.family):
        surname = f"{words(name.particle)} {{{words(name.family)}}}".strip()
    if _AND.search(name.particle):
        surname = f"{{{words(name.surname)}}}"
    if "," in name.given or _AND.search(name.given) or is_generation(name.given):
        given = f"{{{given}}}"
    return BibtexText(", ".join(filter(None, [surname, words(name.suffix), given])), frozenset(letters))


def _path(path: str) -> str:
    """Escape a file path as JabRef and Zotero do: an unescaped colon or semicolon separates parts of the field."""
    path = re.sub(r"[:;\\]", lambda match: "\\" + match[0], path)
    return re.sub(r"[{}\x00-\x1f]", lambda match: f"%{ord(match[0]):02X}", path)


def bib_file(entries: Sequence[BibtexText]) -> str:
    """Join entries with one blank line between them."""
    return "\n".join(entry.text for entry in entries)


_ENTRY = re.compile(r"@\s*\w+\s*[{(]")
_NO_ENTRY = re.compile(r"@(?!\s*\w+\s*[{(])")
"""At which BibTeX expects an entry and fails, as in an address for mail."""
_OUTSIDE = ("head", "before", "behind")
_KEY = re.compile(r"@\w+\{([^,\s]*),")
_ENTRYSET = re.compile(r"^  entryset = \{(.*)\},$", re.IGNORECASE | re.MULTILINE)
_ENCODING = re.compile(r"((?:en)?coding:\s*)(?!utf-?8\b)[\w.-]+", re.IGNORECASE)
_DEFINES = frozenset(
    rf"\{name}" for name in "newcommand renewcommand providecommand def gdef long ifx undefined".split()
)
"""The commands that a preamble may use for definitions."""


class Frame(NamedTuple):
    """The text above all entries, before each entry (by key) and below all; and the omitted parts, with reasons."""

    top: str
    before: dict[str, str]
    bottom: str
    left_out: list[str]


def without_sets(originals: Iterable[Original | None], format: str) -> list[str]:
    """Return a note on each `@set` of the entries' files, for a format without sets."""
    sets = dict.fromkeys(text for original in originals for text in _beside(original, "set"))
    return [f"the set {_key(text)} is left out: {format} has no sets." for text in sets]


def frame_of(
    entries: Sequence[Entry], dialect: Capabilities, existing_members: Collection[str] = (), old: str = ""
) -> Frame:
    """Return the text that surrounded the `entries` in their files, without repetition. BibTeX gets no `@set` and no
    `@xdata`, which it does not support. When appending, `old` is the text of the file, which is not repeated, and
    `existing_members` are its keys in lower case.
    """
    old = " ".join(old.split())
    sets, left_out = list[str](), list[str]()
    for text, members in _sets(entries).items() if dialect == "biblatex" else ():
        if missing_members := _members(text) - {*existing_members} - members:
            needed_keys = " and ".join(sorted(missing_members))
            left_out.append(f"the set {_key(text)} is left out: it also needs {needed_keys}.")
        else:
            sets.append(text)
    preambles = list[str]()
    for text in _once(entries, "preamble"):
        if unsafe := set(inert(text).commands) - _DEFINES:
            left_out.append(f"a preamble is left out, because it has unsafe TeX commands: {' '.join(sorted(unsafe))}")
        else:
            preambles.append(text)
    texts = dict.fromkeys(text for entry in entries if entry.original for kind, text in entry.original.beside
                           if kind != "preamble" and _ENTRY.search(text))  # fmt: skip
    outside = (text for entry in entries if entry.original for kind, text in entry.original.beside if kind in _OUTSIDE)
    if any(_NO_ENTRY.search(text) and not text.startswith("@") for text in outside):
        left_out.append("text beside the entries has an @ that is now written as (at): BibTeX expects an entry there.")
    if commands := sorted({command for text in texts for command in inert(text).commands}):
        left_out.append(f"text beside the entries had unsafe TeX commands, now written as text: {' '.join(commands)}")
    shared = dict[str, str]()
    for entry in entries if dialect == "biblatex" else ():
        if entry.original and (
            entry.handed_down is not None
            or any("xdata=" in value.replace(" ", "").lower() for _, value in entry.original.fields)
        ):
            for text in _beside(entry.original, "xdata"):
                shared.setdefault(_key(text).casefold(), text)
    top = [*_once(entries, "head"), *preambles, *shared.values(), *sets]
    before = {entry.key: _joined(_beside(entry.original, "before"), old) for entry in entries if entry.original}
    return Frame(_joined(top, old), before, _joined(_once(entries, "behind"), old), left_out)


def _beside(original: Original | None, kind: str) -> Iterator[str]:
    return (text for label, text in original.beside if label == kind) if original else iter(())


def _once(entries: Sequence[Entry], kind: str) -> list[str]:
    return list(dict.fromkeys(text for entry in entries for text in _beside(entry.original, kind)))


def _sets(entries: Sequence[Entry]) -> dict[str, set[str]]:
    """Return each set with the names of its members that are written here under their own keys."""
    by_key = dict[str, set[str]]()
    for entry in entries:
        for text in _beside(entry.original, "set"):
            assert entry.original is not None
            is_own_key = entry.key == entry.original.key
            aliases = {key.strip().casefold() for key in entry.original.value("ids").split(",")}
            by_key.setdefault(text, set()).update({entry.key.casefold(), *aliases} if is_own_key else ())
    return by_key


def _members(text: str) -> set[str]:
    match = _ENTRYSET.search(text)
    return {key.strip().casefold() for key in match[1].split(",")} - {""} if match else set()


def with_members(text: str, new_name: Callable[[str], str]) -> str:
    """Return the text of a set with its members renamed by `new_name`."""
    return _ENTRYSET.sub(lambda match: match[0].replace(match[1], new_name(match[1])), text)


def _key(text: str) -> str:
    match = _KEY.match(text)
    return match[1] if match else ""


def _joined(texts: Iterable[str], old: str) -> str:
    """Join the texts that are not in `old`, each followed by a blank line."""
    return "".join(f"{text}\n\n" for text in map(_given_back, texts) if " ".join(text.split()) not in old)


def _given_back(text: str) -> str:
    """Make `text` safe for the file: name its new encoding, escape commands in text that BibTeX reads as an entry, and
    drop the @ if unbalanced braces could swallow what follows."""
    if not text.startswith("@"):
        text = _NO_ENTRY.sub("(at)", _ENCODING.sub(r"\1UTF-8", text))
    if _ENTRY.search(text) and not text.lower().startswith("@preamble"):
        text = inert(text).text
    return text if balanced(text) or not text.startswith("@") else text[1:]
