"""Opening a bibliography, whatever its encoding, and telling by its text what it is."""

import codecs
import re
import sys
from collections.abc import Callable
from pathlib import Path

from spar_tui.bibliography.reading.entries import MOST_ENTRIES
from spar_tui.bibliography.reading.entries_read import Found
from spar_tui.errors import UsageError

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is still read: more than 100,000 entries, and some ten times this in memory."""
STDIN = "standard input"

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"%\s*Encoding:\s*([\w.-]{2,30})", re.IGNORECASE)
_MARKS = {
    "ris": re.compile(r"^TY  ?- ", re.MULTILINE),
    "pubmed": re.compile(r"^(?:PMID *- ?\d|OWN *- \w)", re.MULTILINE),
    "bibtex": re.compile(r"^[ \t]*@[ \t]*\w+\s*[{(]", re.MULTILINE),
}
"""What begins an entry."""
_BY_NAME = {".bib": "bibtex", ".bibtex": "bibtex", ".ris": "ris", ".json": "csl-json", ".nbib": "pubmed"}


def read_text(path: Path) -> str:
    """The text of a file: UTF-8, what its beginning declares, else the old Western European encoding.

    Raises `UsageError` for what is no text file of a sensible size.
    """
    return decoded(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """The bytes of a file of a sensible size. Raises `UsageError`."""
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name the bibliography in it.")
        if not path.is_file() and path.exists():
            raise UsageError(f"{path} is no file.")
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}).") from None
    if len(raw) > LARGEST:
        raise UsageError(f"{path} is larger than {LARGEST // 1024 // 1024} MB; split it, or leave the abstracts out.")
    return raw


def standard_input() -> bytes:
    """What stands on standard input. Raises `UsageError` for more than is read of a file."""
    raw = sys.stdin.buffer.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise UsageError(f"{STDIN} is larger than {LARGEST // 1024 // 1024} MB; split it.")
    return raw


def decoded(raw: bytes, name: str) -> str:
    """`raw` as text with `\\n` at the ends of lines. Raises `UsageError` if it is none."""
    if raw.startswith(b"%PDF-"):
        raise UsageError(
            f"{name} is a PDF and no bibliography; `spar mark PAPER --pdf FILE` keeps it with a saved paper."
        )
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            text = raw.removeprefix(bom).decode(encoding, "replace")
            break
    else:
        if b"\0" in raw:
            raise UsageError(f"{name} is no text file.")
        text = _without_bom(raw)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _without_bom(raw: bytes) -> str:
    declared = _DECLARED.search(raw[:2_000])
    for encoding in ("utf-8", declared[1].decode() if declared else "cp1252", "cp1252"):
        try:
            return raw.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return raw.decode("latin-1")


def found_in(text: str, name: str) -> Found:
    """What `text` holds; where it does not tell what it is, the file's name does. Raises `UsageError`."""
    kind = kind_of(text, name)
    if not kind and not text.strip():
        raise UsageError(f"{name} is empty.")
    if not kind:
        raise UsageError(f"{name} is no bibliography that can be read: BibTeX, BibLaTeX, RIS, PubMed or CSL-JSON.")
    return read_as(kind, text, name)


def read_as(kind: str, text: str, name: str) -> Found:
    """What `text`, which is of this kind, holds. Raises `UsageError`."""
    if kind in _MARKS and sum(1 for _ in _MARKS[kind].finditer(text)) > MOST_ENTRIES:
        raise UsageError(f"{name} holds more than {MOST_ENTRIES:,} entries; split it.")
    try:
        return _reader(kind)(text)
    except ValueError as error:
        raise UsageError(f"{name} cannot be read: {error}.") from None


def kind_of(text: str, name: str) -> str:
    """What `text` is, by itself or else by its file's name; "" if neither tells."""
    return _kind(text) or _BY_NAME.get(Path(name).suffix.lower(), "")


def _kind(text: str) -> str:
    """What the text is; the tag that stands first decides, for an abstract can quote another format."""
    if text.lstrip()[:1] in ("[", "{"):
        return "csl-json"
    places = {kind: found.start() for kind, mark in _MARKS.items() if (found := mark.search(text))}
    return min(places, key=lambda kind: places[kind], default="")


def _reader(kind: str) -> Callable[[str], Found]:
    """The format's reader, imported when it is needed."""
    if kind == "bibtex":
        from spar_tui.bibliography.reading.bibtex import read_bibtex

        return read_bibtex
    if kind == "csl-json":
        from spar_tui.bibliography.reading.csl_json import read_csl_json

        return read_csl_json
    if kind == "ris":
        from spar_tui.bibliography.reading.ris import read_ris

        return read_ris
    from spar_tui.bibliography.reading.pubmed import read_pubmed

    return read_pubmed
