"""What an imported entry tells beside the common fields, carried into another format than its own."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from cache.originals import Original
from connectors.records.build import author_from_name
from connectors.records.clean import clean_text
from spar_tui.bibliography.kinds import WORKS
from spar_tui.bibliography.reading.latex import decode


class Names(NamedTuple):
    """A field's name in BibTeX and BibLaTeX, in RIS ("" where it has none) and in CSL, and what its value is."""

    bib: str
    ris: str
    csl: str
    kind: Literal["text", "people", "date"] = "text"


KNOWN: tuple[Names, ...] = (
    Names("type", "M3", "genre"),
    Names("shorttitle", "ST", "title-short"),
    Names("language", "LA", "language"),
    Names("eventtitle", "C3", "event-title"),
    Names("venue", "C1", "event-place"),
    Names("chapter", "SE", "chapter-number"),
    Names("eid", "C7", "number"),
    Names("version", "C8", "version"),
    Names("volumes", "NV", "number-of-volumes"),
    Names("pagetotal", "M2", "number-of-pages"),
    Names("library", "DP", "source"),
    Names("urldate", "Y2", "accessed", "date"),
    Names("translator", "A4", "translator", "people"),
    Names("bookauthor", "", "container-author", "people"),
    Names("origdate", "", "original-date", "date"),
    Names("eventdate", "", "event-date", "date"),
    Names("origtitle", "", "original-title"),
    Names("origpublisher", "", "original-publisher"),
    Names("origlocation", "", "original-publisher-place"),
    Names("part", "", "part-number"),
    Names("pubstate", "", "status"),
)
"""Fields beside the common ones that more than one format has a place for, in the order in which they are written."""
_ALIASES = {"langid": "language", "event": "event-title"}
_COMMON = {
    "bibtex": "author editor title subtitle journal journaltitle booktitle maintitle year month day date volume number"
    " issue pages publisher school institution organization howpublished address location series edition isbn issn doi"
    " url eprint eprinttype archiveprefix eprintclass primaryclass pmid pmcid arxiv arxivid abstract keywords keyword"
    " groups file note annotation annote comment langid crossref xdata ids",
    "ris": "TI T1 CT BT AU A1 ED A2 PY Y1 DA T2 JO JF JA J2 PB VL IS SP EP CY ET T3 SN DO AN UR L1 L2 AB N2 KW N1 RN",
    "csl-json": "title author editor issued container-title publisher publisher-place collection-title edition volume"
    " issue page ISBN ISSN DOI PMID PMCID URL abstract keyword note annote citation-key",
    "pubmed": "TI BTI FAU AU CN FED ED DP JT TA PMID PMC LID AID AB OT VI IP PG PT",
}
"""What an entry is made of in any case."""
_NAME = re.compile(r"[^A-Za-z0-9-]+")


def more_of(original: Original) -> dict[str, str]:
    """The values of the `KNOWN` fields by their name in BibTeX, as plain text."""
    place = {"bibtex": 0, "ris": 1, "csl-json": 2}.get(original.format)
    if place is None:
        return {}
    told: dict[str, list[str]] = {}
    for name, text in _texts(original):
        told.setdefault(_ALIASES.get(name.lower(), name.lower()), []).append(text)
    found = ((names, told.get(names[place].lower(), [])) for names in KNOWN if names[place])
    return {names.bib: " and ".join(texts) if names.kind == "people" else texts[-1] for names, texts in found if texts}


def rest_of(original: Original) -> tuple[tuple[str, str], ...]:
    """The fields that no other format has a place for, as plain text, under the names that they have."""
    place = {"bibtex": 0, "ris": 1, "csl-json": 2}.get(original.format)
    known = set(_COMMON[original.format].lower().split())
    known |= {names[place].lower() for names in KNOWN} | {*_ALIASES} if place is not None else set()
    return tuple((name, text) for name, text in _texts(original) if name.lower() not in known)


def _texts(original: Original) -> Iterator[tuple[str, str]]:
    for name, value in (*original.fields, *original.inherited):
        if text := clean_text(_plain(original.format, value)):
            yield name, WORKS[text.lower()].words if name.lower() == "type" and text.lower() in WORKS else text


def _plain(file_format: str, value: str) -> str:
    if file_format == "bibtex":
        return decode(value)
    return _of_json(json.loads(value)) if file_format == "csl-json" else value


def _of_json(value: Any) -> str:
    if isinstance(value, dict) and isinstance(parts := value.get("date-parts"), list) and parts:
        return "-".join(str(part).zfill(2) for part in parts[0]) if isinstance(parts[0], list) else ""
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return " and ".join(", ".join(filter(None, map(one.get, ("family", "given")))) or one.get("literal", "")
                            for one in value)  # fmt: skip
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_bib_fields(more: Mapping[str, str], rest: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """The fields of an entry of BibTeX, as plain text."""
    return [*more.items(), *((f"x-{_NAME.sub('-', name).strip('-').lower()}", text) for name, text in rest)]


def as_ris_lines(more: Mapping[str, str], rest: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """The lines of a record of RIS; what has no tag is a note that names the field."""
    lines = list[tuple[str, str]]()
    for names in KNOWN:
        texts = (
            more[names.bib].split(" and ")
            if names.bib in more and names.kind == "people"
            else [more.get(names.bib, "")]
        )
        lines += [(names.ris or "N1", text if names.ris else f"{names.bib}: {text}") for text in texts if text]
    return [*lines, *(("N1", f"{name}: {text}") for name, text in rest)]


def as_csl_members(more: Mapping[str, str], rest: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """The members of an item of CSL; what has none is `custom`."""
    members = ((names.csl, _in_csl(names, more[names.bib])) for names in KNOWN if names.bib in more)
    item: dict[str, Any] = {name: value for name, value in members if value}
    return item | ({"custom": dict(rest)} if rest else {})


def _in_csl(names: Names, text: str) -> Any:
    if names.kind == "people":
        return [_person(name) for name in text.split(" and ")]
    if names.kind == "date":
        date = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", text.replace("/", "-").strip("-"))
        return {"date-parts": [[int(part) for part in date.groups() if part]]} if date else None
    return text


def _person(name: str) -> dict[str, str]:
    family, comma, given = name.partition(",")
    if comma:
        return {"family": family.strip(), "given": given.strip()}
    person = author_from_name(name)
    return {"family": person.family, "given": person.given} if person and person.given else {"literal": name}
