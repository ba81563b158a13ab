"""Read data of an entry's paper from its note, from lines such as `PMID: 91000077` and `Original Date: 1850`.

Zotero, citeproc and Better BibTeX use this notation for values without a field.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cache.originals import Original
from connectors.identifiers import READERS, Identifier, parse_identifier
from connectors.records.build import is_arxiv_name, is_generation
from spar_tui.bibliography.field_table import KNOWN

_LINE = re.compile(r"(?:\{:)?([A-Za-z][A-Za-z _-]{1,30}?)\s?:\s*(\S.*)")
_KINDS = {names.csl: names.kind for names in KNOWN if names.csl not in ("", "note", "annote")} | {"editor": "people"}
_MEMBERS = {
    re.sub("[ _-]", "", name.lower()): name
    for name in (
        *_KINDS, *"type container-title publisher publisher-place collection-title collection-number volume issue page"
        " edition ISBN ISSN DOI PMID PMCID issued".split()
    )
}  # fmt: skip
_ALONE = re.compile(r"[<(]?(?:\\url\{)?((?=\S*[/:]|PMC)[^\s<>{}\[\]]+?)[>).}]{0,2}")
"""A note that is nothing but an identifier or the address of one."""
_KEYS = ("citationkey", "bibtex")


class Noted(NamedTuple):
    """The paper's identifiers and citation key in a note, and the text of its other lines."""

    names: list[tuple[str, str]]
    key: str
    text: str


_ARXIV_CLASS = re.compile(
    r"^[ \t]*+(?:arxiv (?:pre-?prints?|e-?prints?),? )?arxiv:[ \t]*+\S++[ \t]++\[([\w.-]{1,20})\]",
    re.IGNORECASE | re.MULTILINE,
)


def arxiv_class_in(note: str) -> str:
    """Return the class of an arXiv id in the form `arXiv:1706.03762 [cs.CL]`, also after `arXiv preprint`."""
    match = _ARXIV_CLASS.search(note)
    return match[1] if match else ""


def noted(note: str, of_fields: Sequence[tuple[str, str]] = ()) -> Noted:
    """Parse lines of `note` with only a label and an identifier or citation key.

    A line with more text is a remark, perhaps about another paper, and stays in the text, as does a line with another
    identifier than the entry's fields have, given with their schemes.
    """
    names, key, lines = list[tuple[str, str]](), "", list[str]()
    for line in _lines(note):
        label, value = _labeled(line) if ":" in line else ("", "")
        identifier = READERS[label](value) if label in READERS else None
        if identifier and _agrees(identifier, label, of_fields):
            names.append((label, value))
        elif is_arxiv_name(line):
            names.append(("arxiv", line))
        elif label in _KEYS and " " not in value:
            key = key or value
        else:
            lines.append(line)
    text = "\n".join(lines).strip()
    if (whole := _ALONE.fullmatch(text)) and (identifier := parse_identifier(whole[1])):
        names += [(identifier.scheme, whole[1])] * _agrees(identifier, identifier.scheme, of_fields)
    return Noted(names, key, text)


def _agrees(identifier: Identifier, scheme: str, of_fields: Iterable[tuple[str, str]]) -> bool:
    """Whether the fields of an entry have this identifier or none of its scheme."""
    own = {READERS[scheme](text) for name, text in of_fields if name == scheme and text} - {None}
    return not own or identifier in own


def _lines(note: str) -> Iterator[str]:
    """Yield the lines of `note`; one that has only identifiers, separated by semicolons, is several."""
    for line in note.split("\n"):
        parts = re.split(r";\s*", line.strip("; ")) if ";" in line else [line]
        yield from parts if all(_labeled(part)[0] in READERS for part in parts) else [line]


def _labeled(line: str) -> tuple[str, str]:
    """Return the label of a line, in lower case without blanks and hyphens, and the text after it."""
    match = _LINE.fullmatch(line.strip().rstrip(";}"))
    return (re.sub("[ _-]", "", match[1].lower()), match[2].strip()) if match else ("", "")


def members_in(note: str, present_names: Collection[str]) -> tuple[dict[str, Any], str]:
    """Return the CSL members in lines of `note`, except the `present_names`, and the other lines."""
    members, lines = dict[str, Any](), list[str]()
    for line in note.split("\n"):
        label, value = _labeled(line)
        name = _MEMBERS.get(label, "")
        kind = "date" if name == "issued" else _KINDS.get(name, "text")
        if not name or name in present_names or (name in members and kind != "people") or not _may_be(name, value):
            lines.append(line)
        elif kind == "people":
            members.setdefault(name, []).append(_person(value))
        else:
            members[name] = {"raw": value} if kind == "date" else value
    return members, "\n".join(lines).strip()


def _person(text: str) -> dict[str, Any]:
    family, bars, given_name = (part.strip() for part in text.partition("||"))
    return person_of(family, given_name) if bars else {"literal": text}


def person_of(family: str, given_name: str) -> dict[str, Any]:
    """Return a person; a generation follows the given names after a comma, because Zotero has no field for it."""
    first, comma, last = given_name.rpartition(", ")
    if comma and is_generation(last):
        return {"family": family, "given": first, "suffix": last}
    return {"family": family, "given": given_name}


def _may_be(name: str, value: str) -> bool:
    if name in ("ISBN", "ISSN"):
        return " " not in value
    return name.lower() not in READERS or READERS[name.lower()](value) is not None


def with_noted_members(original: Original) -> Original:
    """Add the members in the note of a CSL item that it lacks; other entries stay unchanged."""
    note = json.loads(original.value("note") or '""') if original.format == "csl-json" else ""
    if not isinstance(note, str) or ":" not in note:
        return original
    members, text = members_in(note, {"type", *(name for name, _ in original.fields)})
    fields = [(name, value) for name, value in original.fields if name != "note"]
    more = [(name, json.dumps(value, ensure_ascii=False)) for name, value in ({"note": text} | members).items()]
    return replace(original, fields=(*fields, *more)) if members else original
