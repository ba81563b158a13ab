"""One paper in a form to paste: into LaTeX, Markdown, a mail, or a .bib file."""

from typing import Literal, get_args

from spar_tui.bibliography.bibtex import bib_entry
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.styles import STYLES, references

QuickForm = Literal["cite", "pandoc", "line", "bibtex", "biblatex"]
QUICK_FORMS: tuple[QuickForm, ...] = get_args(QuickForm)


def quick(entry: Entry, form: QuickForm) -> str:
    r"""`\cite{key}`, `[@key]`, one plain line in APA style, or the whole entry."""
    match form:
        case "cite":
            return f"\\cite{{{entry.key}}}"
        case "pandoc":
            return f"[@{entry.key}]"
        case "line":
            return references([entry], STYLES["apa"])[0]
        case dialect:
            return bib_entry(entry, dialect).text
