"""The formats of `spar export`, by name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from connectors.records.clean import visible
from spar_tui.bibliography.bibtex import bib_entry, bib_file, frame_of
from spar_tui.bibliography.corrected_fields import with_corrections
from spar_tui.bibliography.csl_json import csl_file
from spar_tui.bibliography.edtf import as_ris
from spar_tui.bibliography.entry import Entry, Extra
from spar_tui.bibliography.kinds import NAMES, PUBLISHER_IS_VENUE
from spar_tui.bibliography.markdown import markdown_file
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.more_fields import as_ris_lines
from spar_tui.bibliography.names import Name
from spar_tui.bibliography.spreadsheet import csv_file
from spar_tui.bibliography.verbatim import ris_lines


def ris_file(entries: Sequence[Entry]) -> str:
    """Records with a blank line between them and nothing before the first."""
    return "\n".join(map(ris_record, entries))


def ris_record(entry: Entry) -> str:
    """`entry` from `TY` to `ER`."""
    own = entry.original and entry.original.format == "ris"
    lines = _own_lines(entry) if own else _lines(entry)
    return "".join(f"{tag}  - {value}\n" for tag, value in lines) + "ER  - \n"


def _own_lines(entry: Entry) -> Iterator[tuple[str, str]]:
    """The record of the person's file as it stands there, and what is asked for beside it."""
    assert entry.original is not None
    asked = [(tag, plain(value)) for tag, value in _extras(entry) if value]
    replaced = {tag for tag, _ in asked}
    own_type = NAMES[entry.kind].ris if "type" in entry.corrected else entry.original.type
    yield from (("TY", own_type), ("ID", entry.key))
    told = list(ris_lines(entry.original))
    if entry.corrected:
        told = with_corrections(told, entry.corrected, list(_lines(entry)), "ris", entry.kind)
    yield from (line for line in told if line[0] not in replaced)
    yield from asked


def _extras(entry: Entry) -> list[tuple[str, str]]:
    """What is written only where it is asked for."""
    keywords = (("KW", keyword) for keyword in entry.keywords)
    files = (("L1", path) for path in entry.file.split("\n"))
    return [("AB", entry.abstract), *keywords, *files, ("N1", entry.note)]


def _lines(entry: Entry) -> Iterator[tuple[str, str]]:
    first, last = entry.page_range
    publisher = entry.kind in PUBLISHER_IS_VENUE
    told = [
        ("TY", NAMES[entry.kind].ris),
        ("ID", entry.key),
        *(("AU", _name(name)) for name in entry.names),
        # With the comma, as EndNote wants it, no program takes it for a person.
        ("AU", "et al.," if entry.names and entry.et_al else ""),
        *(("ED", _name(name)) for name in entry.editors),
        ("TI", entry.title),
        ("PB" if publisher else "T2", entry.container),
        ("PY", entry.year),
        ("DA", as_ris(entry.edtf or entry.date or "")),
        ("VL", entry.volume),
        ("IS", entry.number),
        ("SP", first),
        ("EP", last),
        ("PB", entry.publisher if not (publisher and entry.container) else ""),
        ("CY", entry.address),
        ("T3", entry.series),
        ("ET", entry.edition),
        *(("SN", number) for numbers in (entry.isbn, entry.issn) for number in numbers.split(", ")),
        ("DO", entry.doi or ""),
        *zip(("AN", "C2", "N1"), _ids(entry), strict=False),
        ("UR", entry.url or ""),
        *as_ris_lines(entry.more, entry.rest),
        *_extras(entry),
    ]
    return ((tag, line) for tag, value in told if (line := plain(value)))


def _ids(entry: Entry) -> Iterator[str]:
    """The identifiers that no tag is made for."""
    named = (("arXiv", entry.arxiv), ("PMID", entry.pmid), ("PMCID", entry.pmcid))
    return (f"{scheme}:{value}" for scheme, value in named if value)


def _name(name: Name) -> str:
    # Without the comma at its end a group's name is split at "and".
    return f"{name.literal}," if name.literal else name.inverted


Format = Literal["bibtex", "biblatex", "ris", "csl-json", "markdown", "csv", "text"]
FORMATS: tuple[Format, ...] = get_args(Format)
APPENDABLE: tuple[Format, ...] = ("bibtex", "biblatex", "ris")
SUFFIXES: dict[str, Format] = {
    ".bib": "biblatex", ".ris": "ris", ".json": "csl-json", ".md": "markdown", ".csv": "csv", ".txt": "text",
}  # fmt: skip
_LARGEST_NAMED = 5


def format_named(name: str) -> Format:
    """The format of this name."""
    return next(one for one in FORMATS if one == name)


@dataclass(frozen=True, slots=True)
class Writing:
    """How entries are to be written. `ascii_only` None means the custom of the format, `most_names` 0 that all authors
    are named; `references` writes text; `told` is called with how many more entries are written; without `by_key` the
    entries stay in their order."""

    format: Format
    extras: tuple[Extra, ...] = ()
    ascii_only: bool | None = None
    most_names: int = 0
    references: Callable[[Sequence[Entry]], str] | None = None
    told: Callable[[int], None] = lambda more: None
    by_key: bool = True


class Text(NamedTuple):
    """A bibliography. By entry key: the letters that could not be converted to ASCII, and the TeX commands that were
    escaped; what stood beside the entries in their file and is `left_out`, with the reason."""

    text: str
    kept: dict[str, frozenset[str]]
    inert: dict[str, frozenset[str]]
    left_out: Sequence[str] = ()


def format_of_file(name: str) -> Format | None:
    """The format that a file's name promises."""
    return SUFFIXES.get(Path(name).suffix.lower())


def written(entries: Sequence[Entry], how: Writing, *, framed: bool = True) -> Text:
    """`entries` as one file, `by_key` sorted, so that the order in which they were found changes nothing; `framed` by
    what stood beside them in their file."""
    parents = {entry.original.value("crossref").casefold() for entry in entries if entry.original and entry.with_parent}
    # BibTeX wants a parent behind its children.
    by_key = sorted(entries, key=lambda entry: (entry.key.casefold(), entry.key)) if how.by_key else entries
    ordered = sorted(by_key, key=lambda entry: entry.key.casefold() in parents)
    kept, inert, left_out = dict[str, frozenset[str]](), dict[str, frozenset[str]](), list[str]()
    match how.format:
        case "bibtex" | "biblatex":
            texts = []
            for entry in ordered:
                texts.append(bib_entry(entry, how.format, how.ascii_only, how.most_names))
                how.told(1)
            kept = {entry.key: text.kept for entry, text in zip(ordered, texts, strict=True) if text.kept}
            inert = {entry.key: text.inert for entry, text in zip(ordered, texts, strict=True) if text.inert}
            if framed:
                top, before, bottom, left_out = frame_of(ordered, how.format)
                texts = [text._replace(text=before.get(entry.key, "") + text.text)
                         for entry, text in zip(ordered, texts, strict=True)]  # fmt: skip
                text = f"{top}{bib_file(texts)}{chr(10) + bottom.rstrip(chr(10)) + chr(10) if bottom else ''}"
            else:
                text = bib_file(texts)
        case "ris":
            text = ris_file(ordered)
        case "csl-json":
            text = csl_file(ordered)
        case "markdown":
            text = markdown_file(ordered)
        case "csv":
            text = csv_file(ordered, how.extras)
        case "text":
            assert how.references is not None
            text = "\n".join(map(visible, how.references(ordered).split("\n")))
    if how.format not in ("bibtex", "biblatex"):
        how.told(len(ordered))
    return Text(text, kept, inert, left_out)


def remarks(
    entries: Sequence[Entry], kept: Mapping[str, frozenset[str]], inert: Mapping[str, frozenset[str]]
) -> list[str]:
    """What a person should know about entries that could not be written as well as others."""
    incomplete = {
        ("has no title", "have no title"): [entry.key for entry in entries if not entry.title],
        ("has no author", "have no author"): [entry.key for entry in entries if not (entry.names or entry.editors)],
        ("has no year", "have no year"): [entry.key for entry in entries if not (entry.year or entry.edtf)],
        ("is RETRACTED", "are RETRACTED"): [entry.key for entry in entries if entry.retracted],
    }
    told = [f"{named_entries(keys)} {verb[len(keys) > 1]}." for verb, keys in incomplete.items() if keys]
    if changed := {entry.key: entry.rewritten for entry in entries if entry.rewritten}:
        fields = ", ".join(sorted(frozenset().union(*changed.values())))
        verb = "differ" if len(changed) > 1 else "differs"
        told.append(f"{named_entries(list(changed))} {verb} from your file in what is yours here: {fields}.")
    if kept:
        letters = sorted(frozenset().union(*kept.values()))
        shown = " ".join(letters[:12]) + (" …" if len(letters) > 12 else "")
        verb = "hold" if len(kept) > 1 else "holds"
        reason = "letters that LaTeX has no common macro for; they stay in UTF-8"
        told.append(f"{named_entries(list(kept))} {verb} {reason}: {shown}")
    if inert:
        commands = sorted(frozenset().union(*inert.values()))
        shown = " ".join(commands[:12]) + (" …" if len(commands) > 12 else "")
        told.append(f"{named_entries(list(inert))} had unsafe TeX commands, now written as text: {shown}")
    return told


def named_entries(keys: Sequence[str]) -> str:
    """`3 entries (a, b, c)`: how many there are, and the first of them by name."""
    more = ", …" if len(keys) > _LARGEST_NAMED else ""
    return f"{len(keys)} {'entry' if len(keys) == 1 else 'entries'} ({', '.join(sorted(keys)[:_LARGEST_NAMED])}{more})"


def keeps_all_lines(old: str, new: str) -> bool:
    """Whether every line of `old` stands in `new` in the same order: then writing `new` in its place loses nothing."""
    lines = iter(_comparable(new))
    return all(line in lines for line in _comparable(old))


def _comparable(text: str) -> list[str]:
    # The last item of a JSON array gets a comma when another follows.
    return [line.rstrip().rstrip(",") for line in text.lstrip("\ufeff").splitlines()]
