"""What an imported entry tells beside the common fields, carried into another format than its own."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from cache.originals import Original
from connectors.paper import Author
from connectors.records.build import author_from_name
from connectors.records.clean import clean_text
from connectors.records.matching import title_key
from connectors.records.medline import language_of, retracted
from spar_tui.bibliography.edtf import as_csl, as_ris, edtf, is_plain, of_biblatex, of_csl, of_issue, of_ris, of_words
from spar_tui.bibliography.field_table import KNOWN, FieldNames
from spar_tui.bibliography.kinds import ARCHIVES, STATES, WORKS, kind_in_csl, numbers_in_csl
from spar_tui.bibliography.names import Name, name_of
from spar_tui.bibliography.reading.latex import decode
from spar_tui.bibliography.reading.names import people_of
from spar_tui.bibliography.reading.noted import noted, with_noted_members

Target = Literal["bibtex", "ris", "csl-json"]


_PLACES = {"bibtex": 0, "ris": 1, "csl-json": 2}
_ALIASES: Mapping[str, Mapping[str, str]] = {
    "bibtex": {"langid": "language", "hyphenation": "language", "annote": "annotation"}, "ris": {},
    "csl-json": {"event": "event-title"},
}  # fmt: skip
_COMMON = {
    "bibtex": "author editor title subtitle journal journaltitle booktitle maintitle year month day date volume number"
    " issue pages publisher school institution organization howpublished address location series edition isbn issn doi"
    " url eprint eprinttype archiveprefix eprintclass primaryclass pmid pmcid arxiv arxivid abstract keywords keyword"
    " groups file note annotation annote comment langid crossref xdata holder collaboration",
    "ris": "TI T1 CT BT AU A1 ED A2 PY Y1 DA T2 JO JF JA J2 PB VL IS SP EP CY ET T3 SN DO AN UR L1 L2 AB N2 KW N1 RN",
    "csl-json": "title author editor issued container-title publisher publisher-place collection-title edition volume"
    " issue collection-number page ISBN ISSN DOI PMID PMCID URL abstract keyword note annote citation-key",
    "pubmed": "TI BTI FAU AU CN FED ED DP JT TA PMID PMC LID AID AB OT VI IP PG PT LA",
}
"""What an entry is made of in any case."""
_PRINTED = {
    "bibtex": "subtitle journal journaltitle booktitle maintitle volume number issue publisher school institution"
    " organization howpublished holder address location series edition isbn issn url",
    "ris": "T2 JO JF JA J2 BT PB VL IS CY T3 ET SN AN L2 UR",
    "csl-json": "container-title publisher publisher-place collection-title collection-number edition volume issue"
    " ISBN ISSN",
    "pubmed": "",
}
"""Of that, where it was printed or is found: an entry of a format has a place for one of several that say so."""
_LISTS = frozenset("AU A1 ED A2 A3 A4 KW N1 RN L1".split())
"""The tags of RIS that can be repeated; of any other an entry has a place for one value."""
_NAME = re.compile(r"[^A-Za-z0-9-]+")
NOTES = ("note", "annotation")
_DEGREES: Mapping[str, str] = {kind: work.words for kind in ("phdthesis", "mastersthesis") for work in WORKS.values()
            if work.bibtex == kind and work.printed}  # fmt: skip
"""What a type of entry says of a thesis, which no other format has a type for."""
_INNOTES = {names.key: names for names in KNOWN if not names.ris}
_IN_NOTE = re.compile(rf"({'|'.join(_INNOTES)}): (\S.*)")
"""A field for which RIS has no tag."""


def more_of(original: Original) -> dict[str, str]:
    """The values of the `KNOWN` fields by their key, as plain text: dates as EDTF, people as a list of BibTeX."""
    if original.format == "pubmed":
        withdrawn = retracted([value.lower() for name, value in original.fields if name == "PT"])
        told = {"language": language_of(original.value("LA")) or "", "pubstate": "retracted" if withdrawn else ""}
        return {name: text for name, text in told.items() if text}
    column = _PLACES[original.format]
    texts, aliases = dict[str, list[str]](), _ALIASES[original.format]
    original = with_noted_members(original)
    for name, value in (*original.fields, *original.inherited):
        texts.setdefault(aliases.get(name.lower(), name.lower()), []).append(value)
    if original.format == "csl-json" and "number" in numbers_in_csl(kind_in_csl(original.type)):
        texts.pop("number", None)  # then it is no article's
    if original.format == "ris" and not {"t2", "jf"} & texts.keys():
        texts.pop("j2", None)  # then it is the only name of the journal
    values = {
        names.key: text
        for names in KNOWN
        if (text := _read(original.format, names, texts.get(_name_in(column, names), [])))
    }
    if words := _words_for_date(original):
        values.setdefault("pubstate", words)
    if original.format == "bibtex" and (degree := _DEGREES.get(original.type.lower())):
        values.setdefault("type", degree)
    if original.format == "ris":
        values |= {match[1]: match[2] for note in texts.get("n1", []) if (match := _IN_NOTE.fullmatch(note))}
    return values


def _words_for_date(original: Original) -> str:
    """What stands for the date and is none, such as "in press"; "" for a date, and where nothing stands."""
    match original.format:
        case "csl-json":
            issued = json.loads(original.value("issued") or "null")
            text = str(issued.get("literal") or issued.get("raw") or "") if isinstance(issued, dict) else ""
        case "ris":
            text = original.value("PY") or original.value("Y1") or original.value("DA")
        case _:
            text = decode(original.value("date") or original.value("year"))
    return clean_text(text) if re.search(r"\w", text) and not re.search(r"\d", text) else ""


def is_field_of_ris(note: str) -> bool:
    """Whether a note of RIS is a field that `as_ris_lines` wrote for want of a tag."""
    return _IN_NOTE.fullmatch(note) is not None


def _name_in(place: int, names: FieldNames) -> str:
    """The field's name in the format at this place of the table, in lower case; where BibTeX has none, what
    `as_bib_fields` writes."""
    return str(names[place]).lower() or (_made_name(names.csl) if place == 0 else "")


def _made_name(name: str) -> str:
    return f"x-{_NAME.sub('-', name).strip('-').lower()}"


def collaborations_of(original: Original, names: Iterable[Name]) -> tuple[Name, ...]:
    """The groups that INSPIRE names in a field of their own, other formats among the authors; without those that are
    among the `names` already."""
    there = {title_key(name.literal or name.surname) for name in names}
    told = decode(original.value("collaboration")) if original.format == "bibtex" else ""
    whole = (
        name if "ollaboration" in name else f"{name} Collaboration"
        for name in re.split(r",| and ", told)
        if name.strip()
    )
    return tuple(Name(literal=name) for name in map(clean_text, whole) if title_key(name) not in there)


def date_of(original: Original) -> str:
    """When the work appeared, as EDTF, if that is more than a day, month or year: a range, a season, about when."""
    match original.format:
        case "bibtex":
            own_date = of_biblatex(original.value("date")) or of_words(decode(original.value("year")[:200]),
                                                             decode(original.value("month")[:200]))  # fmt: skip
        case "csl-json":
            own_date = of_csl(json.loads(with_noted_members(original).value("issued") or "null"))
        case "ris":
            year = original.value("PY") or original.value("Y1")
            stated = [of_issue(original.value("DA"), year[:4]), *map(of_ris, map(original.value, ("DA", "PY", "Y1")))]
            own_date = next((date for date in stated if date and not is_plain(date)), "")
        case "pubmed":
            own_date = of_issue(original.value("DP"))
    return "" if is_plain(own_date) else own_date


def rest_of(original: Original, target: Target, printed: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The fields that the `target` has no place for, as plain text, under the names that they have; `printed` is what
    the entry says of where it was."""
    column = _PLACES.get(original.format)
    common, there = set(_COMMON[original.format].lower().split()), _words(" ".join(printed))
    original = with_noted_members(original)
    looked_at = set(_PRINTED[original.format].lower().split())
    if target == "csl-json":
        common -= {"file", "l1"}
    if original.value("AB"):
        common.discard("n2")  # which is another abstract then
    archive = original.value("eprinttype") or original.value("archiveprefix")
    if archive and archive.strip("{} ").lower() not in ARCHIVES:
        common -= {"eprint", "eprinttype", "archiveprefix"}
    if column is not None:
        placed = [_name_in(column, names) for names in KNOWN if names.bib or target != "bibtex"]
        common |= {*placed, *_ALIASES[original.format]}
        looked_at -= {*placed}
    rest, seen = list[tuple[str, str]](), set[str]()
    for name, value in _told(original):
        again = original.format == "ris" and name in seen and name not in _LISTS
        seen.add(name)
        if name.lower() in common and not again and name.lower() not in looked_at:
            continue
        text = clean_text(_plain(original.format, value))
        if text and (name.lower() not in common or _words(text) not in there):
            rest.append((name, text))
    return tuple(rest)


def _told(original: Original) -> Iterator[tuple[str, str]]:
    """The fields, those of `custom` by their own names."""
    for name, value in (*original.fields, *original.inherited):
        custom = json.loads(value) if name == "custom" and original.format == "csl-json" else None
        if isinstance(custom, dict):
            yield from ((own, json.dumps(inner)) for own, inner in custom.items() if own != "attachments")
        else:
            yield name, value


def _words(text: str) -> str:
    """What is compared of a text; several holders of a patent have an "and" between them, or a semicolon."""
    return title_key(text).replace(" and ", " ")


def _read(file_format: str, names: FieldNames, values: Sequence[str]) -> str:
    if not values:
        return ""
    if names.kind == "people":
        return _listed(name for value in values for name in _people(file_format, value))
    if names.key in NOTES:
        texts = (noted(_plain(file_format, value)).text for value in values if not is_field_of_ris(value))
        return clean_text("; ".join(filter(None, texts)))
    text = clean_text(_plain(file_format, values[0]))
    if names.kind == "date":
        own = edtf if file_format != "bibtex" else of_biblatex
        read = of_csl(json.loads(values[0])) if file_format == "csl-json" else own(values[0]) or of_ris(text)
        return read or text
    if names.bib == "pubstate":
        return STATES.get(text.lower(), text)
    return WORKS[text.lower()].words if names.bib == "type" and text.lower() in WORKS else text


def _people(file_format: str, value: str) -> Iterator[Name]:
    if file_format == "bibtex":
        yield from people(value)
    elif file_format == "ris":
        author = Author(value.rstrip(", ")) if value.endswith(",") else author_from_name(value)
        yield from [name_of(author)] if author else []
    else:
        entries = json.loads(value)
        for person in entries if isinstance(entries, list) else []:
            if isinstance(person, dict):
                parts = {part: clean_text(text) for part, text in person.items() if isinstance(text, str)}
                particle = parts.get("non-dropping-particle") or parts.get("dropping-particle", "")
                literal = parts.get("literal", "") or ("" if "family" in parts else parts.get("name", ""))
                yield Name(parts.get("family", ""), parts.get("given", ""), particle, parts.get("suffix", ""), literal)


def _listed(names: Iterable[Name]) -> str:
    texts = (f"{{{name.literal}}}" if name.literal else ", ".join(filter(None, (name.surname, name.suffix, name.given)))
             for name in names)  # fmt: skip
    return " and ".join(filter(None, texts))


def people(listed: str) -> list[Name]:
    """The persons and groups of a list in BibTeX's notation."""
    return [name_of(author) for author in people_of(listed).named]


def _plain(file_format: str, value: str) -> str:
    if file_format == "bibtex":
        return decode(value)
    return _of_json(json.loads(value)) if file_format == "csl-json" else value


def _of_json(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return _listed(_people("csl-json", json.dumps(value)))
    if isinstance(value, str):
        return value
    return (of_csl(value) if isinstance(value, dict | list) else "") or json.dumps(value, ensure_ascii=False)


def as_bib_fields(more: Mapping[str, str], rest: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The fields of an entry of BibTeX, as plain text."""
    fields = [(names.bib, more[names.bib]) for names in KNOWN if names.bib and names.bib in more]
    return [*fields, *((_made_name(name), text) for name, text in rest)]


def as_ris_lines(more: Mapping[str, str], rest: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The lines of a record of RIS; what has no tag is a note that names the field."""
    lines = list[tuple[str, str]]()
    for names in KNOWN:
        text = more.get(names.key, "")
        if names.ris and names.kind == "people":
            lines += [(names.ris, f"{name.literal}," if name.literal else name.inverted) for name in people(text)]
        elif text and names.ris:
            lines.append((names.ris, as_ris(text) or text if names.kind == "date" else text))
        elif text:
            lines.append(("N1", f"{names.key}: {text}"))
    return [*lines, *(("N1", f"{name}: {text}") for name, text in rest)]


def as_csl_members(more: Mapping[str, str], rest: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The members of an item of CSL; what has none is `custom`."""
    item = {names.csl: _in_csl(names, more[names.key]) for names in KNOWN if names.key in more}
    return item | ({"custom": dict(rest)} if rest else {})


def _in_csl(names: FieldNames, text: str) -> Any:
    if names.kind == "people":
        return list(map(csl_name, people(text)))
    if names.kind == "date":
        return as_csl(text) if edtf(text) else {"literal": text}
    return text


def csl_name(name: Name) -> dict[str, str]:
    """A name as CSL has it; what is not known of it is left out."""
    if name.literal:
        return {"literal": name.literal}
    parts = {"family": name.family, "given": name.given, "non-dropping-particle": name.particle, "suffix": name.suffix}
    return {part: text for part, text in parts.items() if text}
