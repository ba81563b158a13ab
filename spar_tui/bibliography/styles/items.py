"""A reference as the programs that read CSL styles want it."""

from typing import Any

from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.styles.parts import Reference

_UNUSED = ("abstract", "keyword", "note", "PMID")
_MARK = "\ue000"
"""Stands for `<` on the way, so that nothing in a record can be read as a tag; no record holds it."""


def reference_of(entry: Entry) -> Reference:
    """An entry with its CSL item."""
    return Reference(entry, item=csl_item(entry))


def style_item(one: Reference, doi_as_url: bool = False) -> dict[str, Any]:
    """The CSL item of a reference: plain text, with the members that styles ask for beyond what the record says.

    `doi_as_url` gives the DOI's address as the work's own.
    """
    item = {name: _hidden(value) for name, value in one.item.items() if name not in _UNUSED}
    if one.letter:
        item["year-suffix"] = one.letter
    item["title"] = plain(one.entry.title).replace("<", _MARK)
    if one.form == "preprint":  # as Zotero has them
        item["publisher"] = item.pop("container-title", "arXiv" if one.entry.arxiv else "")
        if one.entry.arxiv:
            item["number"] = f"arXiv:{one.entry.arxiv}"
    if one.form == "thesis":
        item.setdefault("genre", "Thesis")
    if doi_as_url if one.entry.doi else "URL" not in item:
        item["URL"] = one.link
    return {name: value for name, value in item.items() if value}


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("<", _MARK)
    if isinstance(value, list):
        return [_hidden(part) for part in value]
    return {name: _hidden(part) for name, part in value.items()} if isinstance(value, dict) else value


def shown(text: str) -> str:
    """What a program made of items, on one line, with the signs that were hidden from it."""
    return " ".join(text.replace(_MARK, "<").split())
