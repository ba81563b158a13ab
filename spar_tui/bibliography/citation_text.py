"""Text to paste: citations for LaTeX or Markdown, or references for a mail."""

from collections.abc import Sequence
from typing import Literal

from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.styles import DEFAULT_STYLE, reference_list

QuickForm = Literal["cite", "pandoc", "line"]


def quick(entries: Sequence[Entry], form: QuickForm) -> str:
    r"""Return `\cite{key}`, `[@key]`, or an APA line per entry. Raises `UserError`."""
    match form:
        case "cite":
            return f"\\cite{{{','.join(entry.key for entry in entries)}}}"
        case "pandoc":
            return f"[{'; '.join(f'@{entry.key}' for entry in entries)}]"
        case "line":
            return "\n".join(reference_list(entries, DEFAULT_STYLE).lines)
