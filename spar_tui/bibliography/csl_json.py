"""Write CSL-JSON, the format of pandoc, Zotero and citeproc."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from connectors.records.publication import edition_number
from spar_tui.bibliography.corrected_fields import with_corrections
from spar_tui.bibliography.edtf import as_csl
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.keyword_lists import listed_keywords
from spar_tui.bibliography.kinds import PUBLISHER_IS_VENUE, numbers_in_csl
from spar_tui.bibliography.markup import plain, rich
from spar_tui.bibliography.more_fields import as_csl_members
from spar_tui.bibliography.names import OTHERS, Name, csl_name


def csl_file(entries: Sequence[Entry]) -> str:
    """Return a JSON array of items, with each member of an item on its own line."""
    return json.dumps([csl_item(entry) for entry in entries], ensure_ascii=False, indent=2) + "\n"


def csl_item(entry: Entry) -> dict[str, Any]:
    """Return `entry` as a CSL item, without unknown values."""
    if entry.original and entry.original.format == "csl-json":
        return _own_item(entry)
    publisher = entry.kind in PUBLISHER_IS_VENUE
    first, last = entry.page_range
    more = as_csl_members(entry.more, entry.rest, entry.kind)
    numbers = numbers_in_csl(entry.kind)
    number = "collection-number" if entry.series and "collection-number" in numbers[:2] else numbers[0]
    words = {"literal": plain(entry.date_words)} if entry.date_words else {}
    item = {
        "id": entry.key,
        "type": entry.type_in("csl"),
        "author": [*map(_name, entry.names), *([OTHERS] if entry.names and entry.et_al else [])],
        "editor": [_name(name) for name in entry.editors],
        "title": rich(entry.title),
        "container-title": "" if publisher else plain(entry.container),
        "publisher": plain(entry.container if publisher and entry.container else entry.publisher),
        "publisher-place": plain(entry.address),
        "collection-title": plain(entry.series),
        "edition": str(edition_number(entry.edition) or plain(entry.edition)),
        "issued": as_csl(date) | words if (date := entry.edtf or entry.date) else {},
        "volume": plain(entry.volume),
        number: plain(entry.number),
        "page": "-".join(filter(None, map(plain, (first, last)))).replace("–", "-"),
        "ISBN": plain(entry.isbn),
        "ISSN": plain(entry.issn),
        "DOI": entry.doi,
        "PMID": entry.pmid,
        "PMCID": entry.pmcid,
        "URL": entry.url,
        "abstract": plain(entry.abstract),
        "keyword": listed_keywords([plain(keyword) for keyword in entry.keywords]),
    }
    notes = [entry.arxiv_name, plain(entry.note), more.pop("note", "")]
    item["note"] = "\n".join(filter(None, notes))
    return {name: value for name, value in (item | more).items() if value}


def _own_item(entry: Entry) -> dict[str, Any]:
    """Return the item of the person's file unchanged, with the requested extras."""
    assert entry.original is not None
    members = [(name, json.loads(value)) for name, value in entry.original.fields]
    own_type = entry.type_in("csl") if "type" in entry.corrected else entry.original.type
    if entry.corrected:
        made = csl_item(replace(entry, original=None))
        members = with_corrections(members, entry.corrected, list(made.items()), "csl-json", entry.kind)
    item: dict[str, Any] = {"id": entry.key, "type": own_type, **dict(members)}
    item |= {"citation-key": entry.key} if "citation-key" in item else {}
    extra_members = {
        "abstract": plain(entry.abstract),
        "keyword": listed_keywords([plain(keyword) for keyword in entry.keywords]),
    }
    extra_members["note"] = plain(entry.note)
    return item | {name: text for name, text in extra_members.items() if text}


def _name(name: Name) -> dict[str, str]:
    return {part: plain(text) for part, text in csl_name(name).items()}
