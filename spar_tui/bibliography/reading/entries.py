"""Convert the parsed data of any format to entries that can be saved."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import chain, islice
from types import ModuleType

from cache.originals import Original
from cache.shelf_texts import DETAIL_CAP, TAG_CAP, plain_note
from connectors.addresses import is_address
from connectors.identifiers import READERS, Identifier, arxiv, first_doi, parse_identifier
from connectors.isbn import serials
from connectors.paper import Author, Imprint, PaperType
from connectors.records.build import UNTITLED, author_from_name, build_paper, is_arxiv, is_arxiv_name
from connectors.records.clean import ABSTRACT_CAP, clean_text
from connectors.records.matching import BIBLIOGRAPHY
from connectors.records.publication import publication_of, whole_pages, without_withdrawal
from spar_tui.bibliography.edtf import of_words
from spar_tui.bibliography.inert_tex import acting_commands
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry, Problem
from spar_tui.bibliography.reading.html_notes import text_of_html
from spar_tui.bibliography.reading.latex import without_accents
from spar_tui.bibliography.reading.names import AND_MORE
from spar_tui.bibliography.unfit_keys import unfit_key

KEYWORDS_CAP = 100
MOST_ENTRIES = 100_000
"""Maximum number of entries read of a file: each needs some kilobytes and a tenth of a millisecond, however short."""

_NO_KEY = re.compile(r"https?:|(?:item|ref|zotero)-?\d+$|(?!0\d)\d+$", re.IGNORECASE)
"""Keys made by programs: addresses, and numbers that collide between files. BibTeX files have none."""
_ARXIV_HINT = re.compile(
    r"(?:^\s*+(?:corr[, ]*+)?abs/|arxiv(?:\.org/(?:abs|pdf)/|[ :.]*+(?:preprint[ :]*+)?(?:arxiv[ :]*+)?))"
    r"(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)",
    re.IGNORECASE,
)
_ET_AL = re.compile(r"et\.? al(?:ii|\.)?,? *", re.IGNORECASE)
AND_OTHERS = Author("et al.")
"""The last editor of an incomplete list; a paper says of its authors only whether there are more."""
_WITH_INITIAL = re.compile(r"(?:[^,]+,\s+)?[^\W\d_]\.")


@dataclass(slots=True)
class RawEntry:
    """A work as plain text, before any check. `names` are identifiers in any spelling, with their schemes."""

    line: int
    key: str = ""
    kind: PaperType = "other"
    title: str = ""
    styled_title: str = ""
    authors: list[Author] = field(default_factory=list)
    et_al: bool = False
    editors: list[Author] = field(default_factory=list)
    date: str | None = None
    venue: str = ""
    names: list[tuple[str, str]] = field(default_factory=list)
    arxiv_class: str = ""
    retracted: bool = False
    url: str = ""
    abstract: str = ""
    keywords: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    language: str = ""
    details: Mapping[str, str] = field(default_factory=dict)
    original: Original | None = None
    address: str = ""
    aliases: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Values that programs for the format misread, each with a reason."""


def no_date(text: str) -> list[str]:
    """Return a fault for text such as "in press" in place of a date; [] for no text."""
    stated = clean_text(text, 200)
    return [f"“{stated[:60]}” is not a date, so it has no year"] if stated and not of_words(stated) else []


def found_of(raw_entries: Iterable[RawEntry], problems: Sequence[Problem] = ()) -> FileEntries:
    """Return the entries, and all problems in the order of the file."""
    entries, wrong, numbered = list[FoundEntry](), [*problems], list[RawEntry]()
    for raw in raw_entries:
        entry = entry_of(raw)
        if isinstance(entry, Problem):
            wrong.append(entry)
            continue
        entries.append(entry)
        if not entry.paper.title or entry.paper.title == UNTITLED:
            name = raw.key or next(map(str, entry.paper.identifiers), "")
            wrong.append(Problem(raw.line, name, "it has no title", taken=True))
        if _has_number(raw):
            numbered.append(raw)
        elif raw.original and raw.original.format == "bibtex" and not raw.original.key:
            wrong.append(Problem(raw.line, "", "it has no key, so it gets one", taken=True))
        elif raw.key and not entry.key:
            wrong.append(Problem(raw.line, raw.key, f"{unfit_key(raw.key)}, so it gets another key", taken=True))
        wrong += [Problem(raw.line, raw.key, fault, taken=True) for fault in dict.fromkeys(raw.faults)]
        if raw.original and (commands := acting_commands(raw.original)):
            command_list = " ".join(commands[:5]) + (" …" if len(commands) > 5 else "")
            reason = f"its fields have unsafe TeX commands; an export writes them as text: {command_list}"
            wrong.append(Problem(raw.line, raw.key, reason, taken=True))
    for raw in numbered[:1]:
        more_text = f" (and {len(numbered) - 1:,} more)" if len(numbered) > 1 else ""
        reason = f"its key is a program's number or address for the entry, so it gets another key{more_text}"
        wrong.append(Problem(raw.line, raw.key, reason, taken=True))
    return FileEntries(tuple(entries), tuple(sorted(wrong, key=lambda problem: problem.line)))


def _decoded(raw: RawEntry) -> RawEntry:
    """Return an entry of a format without LaTeX, with letters for the macros left over in its texts."""

    if raw.original and raw.original.format == "bibtex":
        return raw
    for name in ("title", "styled_title", "venue", "abstract"):
        setattr(raw, name, without_accents(getattr(raw, name)))
    for people in (raw.authors, raw.editors):
        people[:] = [replace(person, family=without_accents(person.family), given=without_accents(person.given))
                     if "\\" in person.family + person.given else person for person in people]  # fmt: skip
    raw.details = {name: without_accents(text) for name, text in raw.details.items()}
    return raw


def entry_of(raw: RawEntry) -> FoundEntry | Problem:
    """Return the entry, or a problem if it cannot be used."""
    raw = _decoded(raw)
    names = [*_named(raw.names), *_hinted(raw)]
    title = clean_text(raw.title)
    if not (title or names or raw.authors or raw.editors or raw.venue or raw.url or any(raw.notes)):
        return Problem(raw.line, raw.key, "it has no title, name, venue, link or note, so it cannot be cited")
    on_arxiv = next((name for name in names if name.scheme == "arxiv"), None)
    venue = "" if is_arxiv_name(raw.venue) else raw.venue
    addresses = (text for name, text in raw.names if is_address(text) and not any(_named([(name, text)])))
    details = dict(_details(raw.details, on_arxiv))
    links = [path for path in map(str.strip, raw.files) if path.startswith(("http://", "https://"))]
    url = raw.url or next(chain(addresses, links), "")
    if on_arxiv and not venue and not any(name.scheme == "doi" for name in names):
        venue = "arXiv"
    paper = build_paper(
        BIBLIOGRAPHY,
        title=title,
        styled_title=raw.styled_title or raw.title,
        abstract=raw.abstract[:ABSTRACT_CAP],
        authors=raw.authors,
        et_al=raw.et_al,
        date=raw.date,
        venue=venue,
        type=raw.kind,
        identifiers=names,
        retracted=raw.retracted or without_withdrawal(title) != title,
        url=_first_address(url) or (f"https://arxiv.org/abs/{on_arxiv.value}" if on_arxiv else None),
        language=raw.language,
        imprint=_imprint(raw, details),
    )
    notes = [
        note
        for text in raw.notes
        if (note := plain_note(text_of_html(text))) and not (on_arxiv and is_arxiv_name(note))
    ]
    return FoundEntry(
        raw.line,
        "" if unfit_key(raw.key) or _has_number(raw) else raw.key,
        paper,
        tuple(_tags(raw.keywords)),
        "\n\n".join(dict.fromkeys(notes)),
        tuple(path for path in map(str.strip, raw.files) if path and path not in links),
        details,
        raw.original,
        _first_address(raw.address or url),
        tuple(alias for alias in dict.fromkeys(raw.aliases) if alias and alias != raw.key and not unfit_key(alias)),
    )


def _imprint(raw: RawEntry, details: Mapping[str, str]) -> Imprint:
    editors, more_editors = without_et_al(raw.editors)
    return publication_of(
        **{part: details.get(part) for part in ("volume", "number", "pages", "publisher")},
        arxiv_class=raw.arxiv_class,
        editors=[*editors, *([AND_OTHERS] if more_editors else [])],
    )


def reader_of(original: Original) -> ModuleType:
    """Return the module that reads entries of this format; it has the functions `record_in` and `raw_entry`."""
    name = "bib_item" if original.format == "bibtex" else original.format.replace("-", "_")
    return import_module(f"spar_tui.bibliography.reading.{name}")


def found_again(original: Original) -> FoundEntry | None:
    """Parse a stored entry again; None if nothing in it can be read any more, which no import would store."""
    raw: RawEntry = reader_of(original).raw_entry(original, 0)
    if isinstance(entry := entry_of(raw), Problem):
        return None
    if entry.paper.type == "preprint":  # the person's file may say where it was printed, unlike a source
        entry = replace(entry, paper=replace(entry.paper, imprint=_imprint(raw, entry.details)))
    return entry


def _has_number(raw: RawEntry) -> bool:
    """Whether the key of an entry is a program's number for it, and its note gives no other."""
    return raw.original is not None and raw.key in ("", raw.original.key) and is_number_in_file(raw.original)


def is_number_in_file(original: Original) -> bool:
    """Whether the key of an entry is a program's address or number for it, which a citation key never is."""
    may_be = original.format != "bibtex" and not original.value("citation-key")
    return may_be and _NO_KEY.match(original.key) is not None


def without_et_al(authors: list[Author]) -> tuple[list[Author], bool]:
    """Remove "et al." from the authors, also behind the name of the last one, and return whether it was there."""
    people = [author for author in authors if not is_et_al(author)]
    last = [person for author in people[-1:] if (person := _without_more(author))]
    return [*people[:-1], *last], len(people) < len(authors) or last != people[-1:]


def _without_more(author: Author) -> Author | None:
    folded = author.name.lower()
    if "al" not in folded and "others" not in folded:
        return author
    if author.given.endswith("et") and author.family.strip(".,").lower() == "al":  # `Ann Roe et al.` was split
        return author_from_name(AND_MORE.sub("", author.name))
    parts = {part: AND_MORE.sub("", f" {getattr(author, part)}").strip() for part in ("family", "given", "suffix")}
    person = replace(author, **parts)
    is_whole_name = person != author and not person.given and _WITH_INITIAL.match(person.family)
    return author_from_name(person.family) if is_whole_name else person


def is_et_al(author: Author) -> bool:
    """Whether an author is an "et al.", however it was split into names."""
    inverted = f"{author.family} {author.given}"
    return "al" in inverted.lower() and any(map(_ET_AL.fullmatch, (author.name, inverted)))


def _named(names: Iterable[tuple[str, str]]) -> Iterator[Identifier]:
    """Yield the identifiers of fields that hold them. Other identifiers, or a remark in brackets, may follow one; a
    blank inside it does not end it."""
    for scheme, value in names:
        markup = _MARKUP.fullmatch(value.strip()) if value[-1:] in ")>" else None
        text = first_doi(markup[1] or markup[3] if markup else value)
        read = READERS.get(scheme, parse_identifier)
        if not (identifier := read(text)):
            first = _REMARK.sub("", _LABEL.sub(r"\1", text.strip()))
            # A field for PMIDs may hold a PMC id.
            identifier = read(first) or (None if first.isdecimal() else parse_identifier(first))
        if identifier:
            yield identifier


_MARKUP = re.compile(r"\[[^\[\]]*\]\((\S+?)\)|<([A-Za-z]+)(?:\s[^<>]*)?>(.*)</\2>", re.DOTALL)
"""A link of Markdown, or a tag of HTML around an identifier."""
_LABEL = re.compile(r"^(\w+:)\s+")
_REMARK = re.compile(r"(?<=\S)(?:[;,]\s|\s+[(\[]).*", re.DOTALL)
"""Further identifiers behind the first one, or a remark in brackets."""


def _hinted(raw: RawEntry) -> Iterator[Identifier]:
    """Yield an arXiv id in a field for something else, and identifiers in the address."""
    # A note with more than the id is probably about another paper.
    hints = (raw.venue, *(raw.details.get(name, "") for name in ("number", "volume", "pages")), *raw.notes)
    if is_arxiv(raw.venue) and (identifier := arxiv(raw.details.get("volume", ""))):
        yield identifier
    for text in (text for text in hints if text and ("/" in text or "." in text) and is_arxiv_name(text)):
        if (hint := _ARXIV_HINT.search(text)) and (identifier := arxiv(hint[1])):
            yield identifier
            break
    url = _first_address(raw.url)
    if re.search("[:/]", url) and (identifier := parse_identifier(url)) and identifier.scheme not in dict(raw.names):
        yield identifier


def _first_address(text: str) -> str:
    """Return the first of several addresses in a field for one; text without such addresses stays unchanged."""
    if text.count("://") < 2:
        return text
    first, *more_parts = re.split(r"(?<=[\s;,])(?=https?://)", text.strip(), maxsplit=1)
    return first.rstrip("; ,\n\t") if more_parts else text


def _details(details: Mapping[str, str], on_arxiv: Identifier | None) -> Iterator[tuple[str, str]]:
    for name, raw in details.items():
        is_arxiv_value = is_arxiv_name(raw) or (on_arxiv and name == "volume" and arxiv(raw) == on_arxiv)
        text = "" if is_arxiv_value else clean_text(raw, DETAIL_CAP)
        numbers = ", ".join(serials(text)) if name in ("issn", "isbn") else text
        if text := whole_pages(text) if name == "pages" else numbers:
            yield name, text


def _tags(keywords: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for keyword in islice(dict.fromkeys(keywords), 10 * KEYWORDS_CAP):
        tag = clean_text(keyword, TAG_CAP)
        if tag and tag.casefold() not in seen and len(seen) < KEYWORDS_CAP:
            seen.add(tag.casefold())
            yield tag
