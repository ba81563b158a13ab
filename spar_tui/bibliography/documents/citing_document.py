"""`CitingDocument`: a file, and the references in it."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from spar_tui.bibliography.reading.entries_read import FileEntries


@dataclass(frozen=True, slots=True)
class CitingDocument:
    """The references in a file: `file` is where the lines of the entries are, `raw` its contents, `kind` "" for a
    bibliography. `notes` describe what could not be read; if `looked_up`, the references come from sources and there is
    no file."""

    file: Path
    raw: bytes
    found: FileEntries
    kind: str = ""
    notes: tuple[str, ...] = ()
    looked_up: bool = False


class TextLine(NamedTuple):
    """A line or paragraph of a document. `heading` is its level as a heading, from 1, or 0 for plain text."""

    text: str
    heading: int = 0
