"""The export formats by name, and how to write entries in each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, get_args

from connectors.records.visible import visible
from spar_tui.bibliography.bibtex import bib_entry, bib_file, frame_of
from spar_tui.bibliography.csl_json import csl_file
from spar_tui.bibliography.entry import Entry, Extra, Format
from spar_tui.bibliography.field_table import MAKERS, ROLES
from spar_tui.bibliography.markdown import markdown_file
from spar_tui.bibliography.ris import ris_file
from spar_tui.bibliography.spreadsheet import csv_file

FORMATS: tuple[Format, ...] = get_args(Format)
APPENDABLE: tuple[Format, ...] = ("bibtex", "biblatex", "ris")
SUFFIXES: dict[str, Format] = {
    ".docx": "text", ".bib": "biblatex", ".ris": "ris", ".json": "csl-json", ".md": "markdown", ".csv": "csv",
    ".txt": "text",
}  # fmt: skip
ENDINGS: Mapping[Format, str] = {"bibtex": ".bib", **{format: ending for ending, format in SUFFIXES.items()}}
_LARGEST_NAMED = 5


def format_named(name: str) -> Format:
    """Return the format with this name."""
    return next(option for option in FORMATS if option == name)


@dataclass(frozen=True, slots=True)
class Writing:
    """Options for writing entries. `ascii_only` None uses the format's default; `most_names` 0 writes all authors;
    `references` formats text; `told` is called with the number of newly written entries; without `by_key` the order of
    the entries is kept."""

    format: Format
    extras: tuple[Extra, ...] = ()
    ascii_only: bool | None = None
    most_names: int = 0
    references: Callable[[Sequence[Entry]], str] | None = None
    progress: Callable[[int], None] = lambda more: None
    by_key: bool = True


class Text(NamedTuple):
    """A bibliography. By entry key: the characters that could not be converted to ASCII, and the escaped TeX commands.
    `left_out` says which surrounding text of the entries' file was omitted, and why."""

    text: str
    kept: dict[str, frozenset[str]]
    inert: dict[str, frozenset[str]]
    left_out: Sequence[str] = ()


def format_of_file(name: str) -> Format | None:
    """Return the format for a file's suffix."""
    return SUFFIXES.get(Path(name).suffix.lower())


def written(entries: Sequence[Entry], how: Writing, *, framed: bool = True) -> Text:
    """Write `entries` as one file. Sorting `by_key` makes the result independent of the order in which papers were
    found; `framed` adds the text that surrounded the entries in their file."""
    parents = {
        entry.original.value("crossref").casefold()
        for entry in entries
        if entry.original and entry.handed_down is not None
    }
    # BibTeX requires parents after their children.
    by_key = sorted(entries, key=lambda entry: (entry.key.casefold(), entry.key)) if how.by_key else entries
    ordered = sorted(by_key, key=lambda entry: entry.key.casefold() in parents)
    letters_by_key, inert, left_out = dict[str, frozenset[str]](), dict[str, frozenset[str]](), list[str]()
    match how.format:
        case "bibtex" | "biblatex":
            texts = []
            for entry in ordered:
                texts.append(bib_entry(entry, how.format, how.ascii_only, how.most_names))
                how.progress(1)
            letters_by_key = {entry.key: text.kept for entry, text in zip(ordered, texts, strict=True) if text.kept}
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
        how.progress(len(ordered))
    return Text(text, letters_by_key, inert, left_out)


def has_people(entry: Entry) -> bool:
    """Whether an entry names an author, an editor or another maker."""
    is_made = not entry.more.keys().isdisjoint(ROLES) or (entry.original and any(map(entry.original.value, MAKERS)))
    return bool(entry.names or entry.editors or is_made)


def remarks(
    entries: Sequence[Entry], letters_by_key: Mapping[str, frozenset[str]], inert: Mapping[str, frozenset[str]]
) -> list[str]:
    """Return notes on retracted and incomplete entries, and on those that could not be written in full."""
    incomplete = {
        ("has no title", "have no title"): [entry.key for entry in entries if not entry.title],
        ("has no author", "have no author"): [entry.key for entry in entries if not has_people(entry)],
        ("has no year", "have no year"): [entry.key for entry in entries if not (entry.year or entry.edtf)],
        ("is RETRACTED", "are RETRACTED"): [entry.key for entry in entries if entry.retracted],
    }
    sentences = [f"{named_entries(keys)} {verb[len(keys) > 1]}." for verb, keys in incomplete.items() if keys]
    for fields_of, reason in (
        ({entry.key: entry.corrected for entry in entries}, "differ{} from your file, because you edited them in spar"),
        ({entry.key: entry.from_shelf for entry in entries}, "get{} these fields from your shelf, not from your file"),
    ):
        if fields_by_key := {key: fields for key, fields in fields_of.items() if fields}:
            fields = ", ".join(sorted(frozenset().union(*fields_by_key.values())))
            sentences.append(
                f"{named_entries([*fields_by_key])} {reason.format('s' * (len(fields_by_key) == 1))}: {fields}."
            )
    if letters_by_key:
        letters = sorted(frozenset().union(*letters_by_key.values()))
        letter_list = " ".join(letters[:12]) + (" …" if len(letters) > 12 else "")
        verb = "have" if len(letters_by_key) > 1 else "has"
        reason = "letters that LaTeX has no common macro for; they stay in UTF-8"
        sentences.append(f"{named_entries(list(letters_by_key))} {verb} {reason}: {letter_list}")
    if inert:
        commands = sorted(frozenset().union(*inert.values()))
        letter_list = " ".join(commands[:12]) + (" …" if len(commands) > 12 else "")
        sentences.append(f"{named_entries(list(inert))} had unsafe TeX commands, now written as text: {letter_list}")
    return sentences


def named_entries(keys: Sequence[str]) -> str:
    """Return `3 entries (a, b, c)`: their number and the first keys."""
    more = ", …" if len(keys) > _LARGEST_NAMED else ""
    return f"{len(keys)} {'entry' if len(keys) == 1 else 'entries'} ({', '.join(sorted(keys)[:_LARGEST_NAMED])}{more})"


def keeps_all_lines(old: str, new: str) -> bool:
    """Whether `new` contains all lines of `old` in the same order, so that replacing `old` loses nothing."""
    lines = iter(_comparable(new))
    return all(line in lines for line in _comparable(old))


def _comparable(text: str) -> list[str]:
    # The last item of a JSON array gets a comma when another one is added.
    return [line.rstrip().rstrip(",") for line in text.lstrip("\ufeff").splitlines()]
