"""Text to paste: citations for LaTeX or Markdown, references for a mail, or entries for a .bib file."""

from collections.abc import Sequence
from typing import Literal

from spar_tui.bibliography.bibtex import bib_entry
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.styles import DEFAULT_STYLE, reference_list

QuickForm = Literal["cite", "pandoc", "line", "bibtex", "biblatex"]


def quick(entries: Sequence[Entry], form: QuickForm) -> str:
    r"""Return `\cite{key}`, `[@key]`, an APA line per entry, or whole entries. Raises `UserError`."""
    match form:
        case "cite":
            return f"\\cite{{{','.join(entry.key for entry in entries)}}}"
        case "pandoc":
            return f"[{'; '.join(f'@{entry.key}' for entry in entries)}]"
        case "line":
            return "\n".join(reference_list(entries, DEFAULT_STYLE).lines)
        case dialect:
            return "\n".join(bib_entry(entry, dialect).text.rstrip("\n") for entry in entries)
