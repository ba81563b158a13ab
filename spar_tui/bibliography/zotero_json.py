"""Convert Zotero's own items, as in Better BibTeX's "BetterBibTeX JSON", to CSL-JSON.

As in Zotero, lines of `extra` such as `Citation Key: x` or `publisher: ACM` stand for fields that Zotero lacks.
"""

import json
import re
from collections.abc import Mapping
from itertools import chain
from typing import Any

from cache.originals import Original
from spar_tui.bibliography.edtf import as_csl, edtf, is_plain, of_words
from spar_tui.bibliography.format_tables import fields_by_member, members_of, types_of
from spar_tui.bibliography.keyword_lists import listed_keywords
from spar_tui.bibliography.reading.html_notes import text_of_html
from spar_tui.bibliography.reading.noted import members_in, noted, person_of

TYPES = types_of("zotero")
MEMBERS = fields_by_member("zotero")
_ROLES = members_of("zotero-creators")
_DATES = fields_by_member("zotero-dates")
LABELS = {
    re.sub("(?<=[a-z])(?=[A-Z])", " ", name).lower(): member
    for name, member in (*((name, member) for member, names in MEMBERS.items() for name in names), *_ROLES.items())
}
"""The CSL member of each field and creator by its name in Zotero's window and tables, in lower case."""

_STORED = re.compile(r"\d{4}-\d\d-\d\d(?: (.+))?")


def _date(text: str) -> str:
    """Convert a date to EDTF. In Zotero's database, `2015-03-00 March 2015` is a day and its words."""
    stored = _STORED.fullmatch(text)
    words = of_words(stored[1] or "" if stored else text)
    return edtf(text[:10].replace("-00", "")) if stored and is_plain(words) else words


def is_zotero_item(item: Mapping[str, Any]) -> bool:
    """Whether an item is in Zotero's own form."""
    return "itemType" in item and "type" not in item


def item_key(original: Original) -> str:
    """Return the permanent key of an imported item in its Zotero; "" for other entries."""
    custom = json.loads(original.value("custom") or "{}") if original.format == "csl-json" else {}
    key = custom.get("itemKey") if isinstance(custom, dict) else None
    return key if isinstance(key, str) else ""


def csl_of(item: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an item to CSL-JSON; fields without a member go into `custom`."""
    csl_item: dict[str, Any] = {"type": TYPES.get(str(item.get("itemType")), "document")}
    used = {"itemType", "creators", "tags", "notes", *chain(*_DATES.values())}
    for member, names in MEMBERS.items():
        if name := next((name for name in names if item.get(name)), None):
            csl_item[member] = item[name]
            used.add(name)
    creators = item.get("creators")
    for creator in filter(lambda creator: isinstance(creator, Mapping), creators if isinstance(creators, list) else ()):
        csl_item.setdefault(_ROLES.get(str(creator.get("creatorType")), "author"), []).append(_name(creator))
    for member, names in _DATES.items():
        if date := next((item[name] for name in names if item.get(name)), None):
            edtf_date = _date(date) if isinstance(date, str) else ""
            csl_item[member] = as_csl(edtf_date) if edtf_date else {"raw": date}
    if keywords := _texts(item.get("tags"), "tag"):
        csl_item["keyword"] = listed_keywords(keywords)
    if notes := _texts(item.get("notes"), "note"):
        csl_item["annote"] = "\n\n".join(map(text_of_html, notes))
    _add_extra(csl_item)
    custom = {name: value for name, value in item.items() if name not in used and value}
    return csl_item | ({"custom": custom} if custom else {})


def _add_extra(csl_item: dict[str, Any]) -> None:
    """Add the members in the lines of `extra` that are missing; other lines stay in the note."""
    if not isinstance(csl_item.get("note"), str):
        return
    members, text = members_in(csl_item.pop("note"), csl_item.keys() - {"type", "editor"})
    editors = [*csl_item.get("editor", []), *members.pop("editor", [])]
    own = noted(text)
    if kind := members.get("type"):
        members["type"] = kind.lower().replace(" ", "_") if "-" not in kind else kind.lower()
    others = "\n".join(filter(None, (*(f"{scheme}: {name}" for scheme, name in own.names), own.text)))
    csl_item |= {**members, "citation-key": csl_item.get("citation-key") or own.key, "editor": editors, "note": others}
    for name in ("citation-key", "editor", "note"):
        if not csl_item[name]:
            del csl_item[name]


def _name(creator: Mapping[str, Any]) -> dict[str, Any]:
    if creator.get("name"):
        return {"literal": creator["name"]}
    family, given = creator.get("lastName", ""), creator.get("firstName", "")
    return person_of(family if isinstance(family, str) else "", given if isinstance(given, str) else "")


def _texts(values: object, member: str) -> list[str]:
    """Return tags or notes as text; newer versions write objects with the text in this `member`."""
    listed = values if isinstance(values, list) else []
    texts = (value.get(member) if isinstance(value, Mapping) else value for value in listed)
    return [text for text in texts if isinstance(text, str) and text]
