"""Open a bibliography in any encoding, and detect its format from the text."""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from spar_tui.bibliography.reading.encodings import DecodedText, decode, guess_notices
from spar_tui.bibliography.reading.entries import MOST_ENTRIES
from spar_tui.bibliography.reading.entries_read import FileEntries, Problem
from spar_tui.errors import UsageError

LARGEST = 64 * 1024 * 1024
"""Maximum size of a file in bytes: more than 100,000 entries; reading needs about ten times as much memory."""
STDIN = "standard input"

_MARKS = {
    "ris": re.compile(r"^\ufeff?[ \t]*+(?:[0-9]{1,6}[.):]?[ \t]++)?TY[ \t]*+-[ \t]*+[A-Za-z]", re.MULTILINE),
    "pubmed": re.compile(r"^(?:PMID *- ?\d|OWN *- \w)", re.MULTILINE),
    "bibtex": re.compile(r"^[ \t]*@[ \t]*\w+\s*[{(]", re.MULTILINE),
    "refer": re.compile(r"^\ufeff?%[0A-Z] +\S.*\n%[0-9A-Z@?!&] ", re.MULTILINE),
    "web-of-science": re.compile(r"^\ufeff?PT [A-Z]$(?=\n[A-Z][A-Z0-9] )", re.MULTILINE),
    "refworks": re.compile(r"^\ufeff?RT [A-Z].*$(?=\n[A-Z][A-Z0-9] )", re.MULTILINE),
    "yaml": re.compile(
        r"\A\ufeff?(?:[ \t]*\n|---[ \t]*\n|#[^\n]*\n|[\w-]+:[^\n]*\n)*"
        r"(?:references:[ \t]*\n|- (?:id|type|title|author|citation-key): "
        r"|[^\s#@%:{}][^\n:{}]*:[ \t]*\n[ \t]+(?:type|title|author|date|parent|editor):)"
    ),
    "xml": re.compile(
        r"\A\s*(?:<!--.*?-->\s*)?<(?:\?xml|!DOCTYPE\s+(?!html\b)\w+"
        r"|xml|records|PubmedArticleSet|PubmedBookArticleSet|(?:\w+:)?mods(?:Collection)?|rdf:RDF)\b"
    ),
}
"""The start of an entry by format; the earliest match decides, because an abstract can quote another format."""
_WEB_PAGE = re.compile(
    r"\ufeff?\s*+(?>(?:<\?[^>]*+>\s*+|<!--(?>(?:(?!-->).)*)-->\s*+)*)<(?:!DOCTYPE\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_MARK = 1_000
_JSON = re.compile(r"\ufeff?\s*+(?:\{|\[(?!\d+\]\s)\s*+(?:[\[\]{\"\d-]|true|false|null))")
"""The start of JSON, but not of a list with references numbered `[1]`."""
_READERS = {
    "bibtex": "bibtex.read_bibtex", "csl-json": "csl_json.read_csl_json", "ris": "ris.read_ris",
    "pubmed": "pubmed.read_pubmed", "refer": "endnote.read_refer", "xml": "xml_files.read_xml",
    "web-of-science": "tables.read_web_of_science", "table": "tables.read_table",
    "refworks": "endnote.read_refworks", "yaml": "yaml_files.read_yaml",
    "identifiers": "identifier_list.read_identifiers",
}  # fmt: skip
"""The reader of each format, imported when needed."""
_BY_NAME = {
    ".bib": "bibtex", ".bibtex": "bibtex", ".ris": "ris", ".json": "csl-json", ".nbib": "pubmed", ".enw": "refer",
    ".ciw": "web-of-science", ".xml": "xml", ".rdf": "xml", ".yaml": "yaml", ".yml": "yaml",
}  # fmt: skip
FORMATS = (
    "BibTeX, BibLaTeX, RIS, EndNote (XML, .enw), RefWorks, PubMed (.nbib, XML), Web of Science (text, tabs), CSV of"
    " Scopus and others, CSL-JSON, CSL-YAML, hayagriva, MODS, Zotero RDF, or an identifier a line"
)
"""The formats that can be read, as shown to people."""


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file. Raises `UsageError`, also if it is too large."""
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name the bibliography in it.")
        if not path.is_file() and path.exists():
            raise UsageError(f"{path} is not a file.")
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}).") from None
    if len(raw) > LARGEST:
        raise UsageError(f"{path} is larger than {LARGEST // 1024 // 1024} MB; split it, or leave the abstracts out.")
    return raw


def standard_input() -> bytes:
    """Return the bytes of standard input. Raises `UsageError` if it exceeds the limit for files."""
    raw = sys.stdin.buffer.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise UsageError(f"{STDIN} is larger than {LARGEST // 1024 // 1024} MB; split it.")
    return raw


def decoded(raw: bytes, name: str, encoding: str = "") -> DecodedText:
    """Decode `raw` to text with `\\n` line ends, with the guessed encodings. Raises `UsageError` if it is not text."""
    if raw.startswith(b"%PDF-"):
        raise UsageError(
            f"{name} is a PDF, not a bibliography; `spar mark PAPER --pdf FILE` attaches it to a saved paper."
        )
    try:
        return decode(raw, encoding)
    except LookupError:
        raise UsageError(f"{encoding} is not a known encoding, such as utf-8, cp1252 or gb18030.") from None
    except ValueError:
        raise UsageError(f"{name} is not a text file.") from None


def found_in_bytes(raw: bytes, name: str, encoding: str = "") -> FileEntries:
    """Return the contents of a file from its bytes; guessed encodings are problems. Raises `UsageError`."""
    text, guesses = decoded(raw, name, encoding)
    contents = found_in(text, name)
    guessed = [Problem(line, "", reason, taken=True) for line, reason in guess_notices(guesses)]
    problems = sorted((*contents.problems, *guessed), key=lambda problem: problem.line)
    return FileEntries(contents.entries, tuple(problems))


def found_in(text: str, name: str) -> FileEntries:
    """Return the contents of `text`; if its format is unclear, the file's name decides. Raises `UsageError`."""
    if _WEB_PAGE.match(text):
        raise UsageError(f"{name} is a web page, not a bibliography; download the citation in one of these: {FORMATS}.")
    kind = kind_of(text, name)
    if not kind and not text.strip():
        raise UsageError(f"{name} is empty.")
    if not kind:
        raise UsageError(f"{name} is not a bibliography in a known format: {FORMATS}.")
    return read_as(kind, text, name)


def read_as(kind: str, text: str, name: str) -> FileEntries:
    """Return the contents of `text` in the format `kind`. Raises `UsageError`."""
    if (
        kind in _MARKS
        and (kind != "bibtex" or text.count("@") > MOST_ENTRIES)
        and sum(1 for _ in _MARKS[kind].finditer(text)) > MOST_ENTRIES
    ):
        raise UsageError(f"{name} has more than {MOST_ENTRIES:,} entries; split it.")
    try:
        module, _, name_of_reader = _READERS[kind].partition(".")
        reader: Callable[[str], FileEntries] = getattr(import_module(f"{__package__}.{module}"), name_of_reader)
        return reader(text)
    except ValueError as error:
        raise UsageError(f"{name} cannot be read: {error}.") from None


def kind_of(text: str, name: str) -> str:
    """Return the format of `text`, from the text or else from the file's name; "" if unknown."""
    return _kind(text) or _BY_NAME.get(Path(name).suffix.lower(), "")


def _kind(text: str) -> str:
    """Detect the format of the text."""
    from spar_tui.bibliography.reading.columns import is_table
    from spar_tui.bibliography.reading.identifier_list import is_list

    if _JSON.match(text):
        return "csl-json"
    if is_table(text):
        return "table"
    first, kind_so_far = len(text), ""
    for kind, mark in _MARKS.items():
        if (match := mark.search(text, 0, first + _LONGEST_MARK)) and match.start() < first:
            first, kind_so_far = match.start(), kind
    return kind_so_far or ("identifiers" if is_list(text) else "")
