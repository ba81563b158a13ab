"""An entry as an item of Zotero: what its type has no field for stands in `extra`, as Zotero itself reads it there."""

import html
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from spar_tui.bibliography.csl_json import csl_item
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.names import Name
from spar_tui.bibliography.zotero.fields import extra_line, item_type, type_in_extra
from spar_tui.bibliography.zotero_json import MEMBERS

_OWN_PLACES = ("id", "type", "author", "editor", "issued", "note", "keyword", "custom", "accessed", "DOI", "PMID")


def item_of(entry: Entry) -> dict[str, Any]:
    """`entry` as an item, as Zotero's API takes it, without its notes and files."""
    kind = item_type(entry.kind)
    item: dict[str, Any] = {"itemType": kind.name}
    extra = [extra_line("citation-key", entry.key)]
    if told := type_in_extra(entry.kind):
        extra.append(extra_line("type", told))
    told_by_csl = csl_item(replace(entry, keywords=(), note="", original=None, rest=()))
    for member, value in told_by_csl.items():
        if member in _OWN_PLACES or not isinstance(value, str):
            continue
        names = (*MEMBERS.get(member, ()), *(("repository",) if member == "container-title" else ()))
        name = next((name for name in names if name in kind.fields and name not in item), None)
        if name:
            item[name] = value
        else:
            extra.append(extra_line(member, value))
    extra += [*_identifiers(entry, item, kind.fields), *_editors(entry, kind.editors)]
    item["creators"] = [*_creators(entry, kind.author, kind.editors)]
    if entry.date:
        item["date"] = entry.date
    if date := told_by_csl.get("accessed"):
        item["accessDate"] = "-".join(f"{part:02}" for part in date["date-parts"][0])
    item["tags"] = [{"tag": keyword} for keyword in entry.keywords]
    return item | {"extra": "\n".join(extra)}


def note_of(text: str) -> str:
    """A person's note as the HTML that Zotero keeps."""
    paragraphs = (html.escape(part, quote=False).replace("\n", "<br/>") for part in text.split("\n\n"))
    return "".join(f"<p>{part}</p>" for part in paragraphs)


def _identifiers(entry: Entry, item: dict[str, Any], fields: frozenset[str]) -> Iterator[str]:
    """Put identifiers where the item's type has them; the others as lines of `extra`."""
    if entry.doi and "DOI" in fields:
        item["DOI"] = entry.doi
    elif entry.doi:
        yield f"DOI: {entry.doi}"
    if entry.arxiv and "archiveID" in fields:
        item["archiveID"] = f"arXiv:{entry.arxiv}"
    elif entry.arxiv:
        yield f"arXiv: {entry.arxiv}"
    if entry.pmid:
        yield f"PMID: {entry.pmid}"


def _editors(entry: Entry, has_editors: bool) -> Iterator[str]:
    for name in () if has_editors else entry.editors:
        yield extra_line("editor", name.literal or f"{name.surname} || {_given(name)}")


def _creators(entry: Entry, role: str, has_editors: bool) -> Iterator[dict[str, str]]:
    yield from (_creator(name, role) for name in entry.names)
    if entry.names and entry.et_al:
        yield {"creatorType": role, "name": "others"}
    if has_editors:
        yield from (_creator(name, "editor") for name in entry.editors)


def _creator(name: Name, role: str) -> dict[str, str]:
    if name.literal:
        return {"creatorType": role, "name": name.literal}
    return {"creatorType": role, "lastName": name.surname, "firstName": _given(name)}


def _given(name: Name) -> str:
    """The given names, and behind a comma the generation, where Zotero looks for it."""
    return ", ".join(filter(None, [name.given, name.suffix]))
