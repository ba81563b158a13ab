"""What a note of an entry says of its own paper."""

import re
from typing import NamedTuple

from connectors.identifiers import arxiv, doi, pmcid, pmid

_NOTED = re.compile(r"\s*(doi|arxiv|pmid|pmcid|citation[ -]key)\s*:\s*(\S[^\n]*?)\s*;?\s*", re.IGNORECASE)
"""A line of a note that is nothing but an identifier with its label, or a citation key as Zotero pins one."""
READERS = {"doi": doi, "arxiv": arxiv, "pmid": pmid, "pmcid": pmcid}
"""What reads an identifier, by its scheme."""


class Noted(NamedTuple):
    """What a note says of its own paper, line by line, and the text of its other lines."""

    names: list[tuple[str, str]]
    key: str
    text: str


def noted(note: str) -> Noted:
    """Read the lines of `note` that are an identifier with its label and nothing else.

    A line that says more is a remark, and may well be about another paper: it stays a remark.
    """
    names, key, lines = list[tuple[str, str]](), "", list[str]()
    for line in note.split("\n"):
        found = _NOTED.fullmatch(line)
        label = found[1].lower() if found else ""
        if found and label in READERS and READERS[label](found[2]):
            names.append((label, found[2]))
        elif found and label.startswith("citation"):
            key = key or found[2]
        else:
            lines.append(line)
    return Noted(names, key, "\n".join(lines).strip())
