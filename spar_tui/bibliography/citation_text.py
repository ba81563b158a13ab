"""Papers in a form to paste: into LaTeX, Markdown, a mail, or a .bib file."""

from collections.abc import Sequence
from typing import Literal

from spar_tui.bibliography.bibtex import bib_entry
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.styles import DEFAULT_STYLE, reference_list

QuickForm = Literal["cite", "pandoc", "line", "bibtex", "biblatex"]


def quick(entries: Sequence[Entry], form: QuickForm) -> str:
    r"""`\cite{key}`, `[@key]`, a plain line for each in APA style, or the whole entries. Raises `UserError`."""
    match form:
        case "cite":
            return f"\\cite{{{','.join(entry.key for entry in entries)}}}"
        case "pandoc":
            return f"[{'; '.join(f'@{entry.key}' for entry in entries)}]"
        case "line":
            return "\n".join(reference_list(entries, DEFAULT_STYLE).lines)
        case dialect:
            return "\n".join(bib_entry(entry, dialect).text.rstrip("\n") for entry in entries)
