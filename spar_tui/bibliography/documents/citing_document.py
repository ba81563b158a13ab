"""`CitingDocument`: a file, and the references in it."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from spar_tui.bibliography.reading.entries_read import Found


@dataclass(frozen=True, slots=True)
class CitingDocument:
    """What a file cites: `file` is the one that the entries' lines are of, `raw` what it holds, `kind` "" for a
    bibliography. `notes` are sentences on what could not be read; with `looked_up` there is no file, and the sources
    told what is cited."""

    file: Path
    raw: bytes
    found: Found
    kind: str = ""
    notes: tuple[str, ...] = ()
    looked_up: bool = False


class TextLine(NamedTuple):
    """A line or paragraph of a document. `heading` is its level as a heading, from 1, or 0 for plain text."""

    text: str
    heading: int = 0
