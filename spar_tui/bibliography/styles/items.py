"""Convert references to items for programs that read CSL styles."""

from typing import Any

from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.styles.parts import Reference

_UNUSED = ("abstract", "keyword", "note", "PMID")
_MARK = "\ue000"
"""Temporary replacement for `<`, so that nothing in a record is read as a tag; no record contains it."""


def reference_of(entry: Entry) -> Reference:
    """Return an entry with its CSL item."""
    return Reference(entry, item=csl_item(entry))


def style_item(cited: Reference, doi_as_url: bool = False) -> dict[str, Any]:
    """Return the CSL item of a reference: plain text, with additional members that styles need. With `doi_as_url`, the
    DOI's address is the work's address.
    """
    item = {name: _hidden(value) for name, value in cited.item.items() if name not in _UNUSED}
    if cited.letter:
        item["year-suffix"] = cited.letter
    item["title"] = plain(cited.entry.title).replace("<", _MARK)
    if cited.form == "preprint":  # as in Zotero
        item["publisher"] = item.pop("container-title", "arXiv" if cited.entry.arxiv else "")
        if cited.entry.arxiv:
            item["number"] = f"arXiv:{cited.entry.arxiv}"
    if cited.form == "thesis":
        item.setdefault("genre", "Thesis")
    if doi_as_url if cited.entry.doi else "URL" not in item:
        item["URL"] = cited.link
    return {name: value for name, value in item.items() if value}


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("<", _MARK)
    if isinstance(value, list):
        return [_hidden(part) for part in value]
    return {name: _hidden(part) for name, part in value.items()} if isinstance(value, dict) else value


def shown(text: str) -> str:
    """Return a program's output on one line, with the hidden characters restored."""
    return " ".join(text.replace(_MARK, "<").split())
