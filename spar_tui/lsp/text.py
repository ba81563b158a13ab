"""The text around the cursor, and what is shown of a work: pure functions over lines."""

import re

from cache.shelf import Shelved
from connectors.paper import Paper, short_authors
from connectors.records.clean import visible
from spar_tui.bibliography.markdown import escaped

KEY_BEGIN = re.compile(r"[^\s{}()\[\],;@#%\"~\\<>]{0,200}$")
KEY_END = re.compile(r"^[^\s{}()\[\],;@#%\"~\\<>]*")
"""The part of a citation key before the cursor, and the part after it."""
_LONGEST = 800
"""Maximum number of characters of an abstract that are shown."""
_OPEN = {
    "tex": re.compile(r"\\[A-Za-z]*[Cc]ite[A-Za-z]*\*?(?:[^{}\\]|\{[^{}]*\})*\{(?:[^{}]*,)?\s*([^{},]*)$"),
    "markdown": re.compile(r"(?:^|[\s\[(;\-])@\{?([^\s@{}\[\]();,]*(?:_[^\s@{}\[\]();,]*)*)$"),
    "typst": re.compile(r"(?:^|[\s\[(;])@([^\s@\[\]();,]*)$|#cite\(\s*<([^<>]*)$"),
}
"""Patterns of a line up to the cursor inside a citation; the group is the part of the key typed so far."""
_KINDS = {
    ".tex": "tex", ".ltx": "tex", ".latex": "tex", ".typ": "typst",
    ".md": "markdown", ".markdown": "markdown", ".qmd": "markdown", ".rmd": "markdown",
}  # fmt: skip


def kind_of_document(suffix: str) -> str:
    """`tex`, `markdown`, `typst` by the file's ending; "" for all others."""
    return _KINDS.get(suffix.lower(), "")


def typed_key(before: str, kind: str) -> str | None:
    """What is typed of a key in the line `before` the cursor, words of a title too in LaTeX; None where no key
    stands."""
    found = _OPEN[kind].search(before) if kind in _OPEN else None
    return next((part for part in found.groups() if part is not None), "") if found else None


def about_work(paper: Paper, shelved: Shelved | None = None) -> str:
    """What is known of a work, in Markdown in which its texts are letters only."""
    people = ", ".join(filter(None, (short_authors(paper), str(paper.year or ""), paper.venue)))
    lines = [f"**{escaped(visible(paper.title))}**", escaped(visible(people))]
    if paper.retracted:
        lines.append("**Retracted.**")
    if shelved and shelved.note:
        lines.append(f"Your note: {escaped(visible(shelved.note[:_LONGEST]))}")
    if paper.abstract:
        cut = f"{paper.abstract[:_LONGEST].rpartition(' ')[0]} …" if len(paper.abstract) > _LONGEST else paper.abstract
        lines.append(escaped(visible(cut)))
    return "\n\n".join(filter(None, lines))
