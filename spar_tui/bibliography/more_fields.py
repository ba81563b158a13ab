"""Carry an imported entry's less common fields over to other formats."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

from cache.originals import FileFormat, Original
from connectors.addresses import is_address
from connectors.identifiers import READERS, first_doi, parse_identifier
from connectors.isbn import serials
from connectors.records.build import ANY_YEAR, GROUP_WORDS, is_arxiv, is_arxiv_name, iso_date, month_named, told_date
from connectors.records.clean import clean_text
from connectors.records.letters import to_ascii
from connectors.records.matching import title_key
from connectors.records.web_address import web_address
from spar_tui.bibliography.edtf import (
    as_csl,
    as_ris,
    edtf,
    is_plain,
    is_state,
    of_biblatex,
    of_csl,
    of_ris,
    of_words,
    of_year,
)
from spar_tui.bibliography.field_table import (
    EDITORS,
    KNOWN,
    NUMBER_OF_PAGES,
    ROLES,
    TITLE_PARTS,
    VERBATIM,
    FieldNames,
    joined_title,
)
from spar_tui.bibliography.kinds import ARCHIVES, PUBLISHER_IS_VENUE, STATES, WORKS, Kind, kind_of_type
from spar_tui.bibliography.languages import country_names, langid_of, most_specific_tag, tag_of
from spar_tui.bibliography.name_lists import listed, people
from spar_tui.bibliography.names import ET_AL, Name, authors_in_csl, csl_name, name_of, without_others
from spar_tui.bibliography.reading import csl_json, pubmed, ris
from spar_tui.bibliography.reading.latex import decode, decode_styled, without_accents
from spar_tui.bibliography.reading.names import people_of
from spar_tui.bibliography.reading.noted import identifiers_in, noted, with_noted_members
from spar_tui.bibliography.reading.translation import Record
from spar_tui.bibliography.reading.values import as_printed
from spar_tui.bibliography.tex_macros import journal_of

Target = Literal["bibtex", "ris", "csl-json"]


_ALIASES: Mapping[str, Mapping[str, str]] = {
    "bibtex": {"langid": "language", "hyphenation": "language", "annote": "annotation",
               "articleno": "eid", "art_number": "eid", **{role: f"x-{role}" for role in ROLES}},
    "csl-json": {"event": "event-title", "journalabbreviation": "container-title-short", "shorttitle": "title-short"},
}  # fmt: skip
_TITLES = " ".join((*TITLE_PARTS, *chain(*TITLE_PARTS.values()))).removeprefix("title ")
_COMMON = {
    "bibtex": "author editor title year month day date pages doi eprint eprinttype archiveprefix pmid pmcid arxiv"
    " arxivid pmc abstract keywords keyword groups mendeley-tags mendeley-groups file note annotation annote comment"
    " crossref xdata collaboration",
    "csl-json": "title author editor issued page DOI PMID PMCID URL abstract keyword note annote citation-key",
}
"""Fields that every entry is made from."""
_PRINTED = {
    "bibtex": "journal volume number issue reportnumber publisher school institution organization howpublished holder"
    " address location series edition isbn issn url langid hyphenation language eid eprintclass primaryclass"
    f" {_TITLES}",
    "csl-json": "container-title publisher authority publisher-place collection-title collection-number edition volume"
    " issue number page-first ISBN ISSN language",
}
"""Fields of the printed form and the location, and others with the same meaning: a format has one field for them."""
PRINTED_IN_BIB = {*f"{_COMMON['bibtex']} {_PRINTED['bibtex']}".split(), *(names.bib for names in KNOWN)} - {
    *"abstract keywords keyword groups mendeley-tags mendeley-groups file comment".split()
}
"""Fields that styles of BibTeX and BibLaTeX print, so that TeX must be able to read them."""
_LANGUAGES = ("language", "langid", "hyphenation", "la")
_NAME = re.compile(r"[^A-Za-z0-9-]+")
NOTES = ("note", "annotation")
_DEGREES: Mapping[str, str] = {kind: work.words for kind in ("phdthesis", "mastersthesis") for work in WORKS.values()
            if work.bibtex == kind and work.printed}  # fmt: skip
"""The kind of thesis that a BibTeX type implies, which other formats have no type for."""


_WITHOUT_MEMBER = {names.key for names in KNOWN if not names.csl}
"""Fields that CSL-JSON has in `custom`, under their names."""


def more_in(original: Original, target: Target, kind: Kind) -> dict[str, str]:
    """Return the fields of `more_of` that the `target` has for such works."""
    placed = {names.key for names in _placed(target, kind)}
    return {name: text for name, text in more_of(original).items() if name in placed}


def role_of_editors(original: Original) -> str:
    """Return the CSL role of the editors if their type (`editortype`) says that they are no editors; else ""."""
    if original.format == "bibtex":
        kind = decode(original.value("editortype"))
    else:
        kind = record_of(original).item.get("noted", {}).get("editortype", "")
    return next((role for role, own_kind in ROLES.items() if kind.lower() == own_kind), "")


def record_of(original: Original) -> Record:
    """Return the item of an entry in any format but BibTeX's, and its values without a member."""
    if original.format == "csl-json":
        item = csl_json.item_in(original)
        custom = item["custom"] if isinstance(item.get("custom"), dict) else {}
        own = {name: text for name, text in custom.items() if name in _WITHOUT_MEMBER and isinstance(text, str)}
        return Record(item | {"noted": own}, {}, [])
    return ris.record_in(original) if original.format == "ris" else pubmed.record_in(original)


def more_of(original: Original) -> dict[str, str]:
    """Return the values of the `KNOWN` fields by key, as plain text: dates as EDTF, people as a BibTeX list."""
    values, kind = dict[str, str](), kind_of_type(original)
    if original.format != "bibtex":
        item = record_of(original).item
        aliases = _ALIASES["csl-json"]
        members = {aliases.get(name.lower(), name.lower()): value for name, value in reversed(item.items())}
        identifiers = [(scheme.lower(), str(item[scheme])) for scheme in ("DOI", "PMID", "PMCID") if item.get(scheme)]
        for names in KNOWN:
            value = members.get(names.member(kind))
            if value and (text := _text_of_member(names, value, identifiers)):
                values[names.key] = text
        values |= item.get("noted", {})
    else:
        texts = dict[str, list[str]]()
        for name, value in original.whole:
            texts.setdefault(_ALIASES["bibtex"].get(name.lower(), name.lower()), []).append(value)
        identifiers = identifiers_in(original)
        for names in KNOWN:
            latex = texts.get(_name_in("bibtex", names, kind))
            if latex and (text := _text_of_latex(names, latex, identifiers)):
                values[names.key] = text
        values |= {role: values.pop(name) for name, role in _roles(original).items() if values.pop(f"{name}type", "")}
        values |= {name: title for name in ("issuetitle", "eventtitle") if (title := _whole_title(original, name))}
        if degree := _DEGREES.get(original.type.lower()):
            values.setdefault("type", degree)
    if words := _words_for_date(original):
        values.setdefault("pubstate", words)
    return values


def _roles(original: Original) -> dict[str, str]:
    """Return the further editors of a BibLaTeX entry whose type is a CSL role: the role by field."""
    types = ((name, decode(original.value(f"{name}type")).lower()) for name in EDITORS if original.value(name))
    return {name: role for name, kind in types for role, own_kind in ROLES.items() if kind == own_kind}


def _whole_title(original: Original, name: str) -> str:
    return clean_text(joined_title(*(decode(original.value(part)) for part in (name, *TITLE_PARTS[name]))))


_HOLDERS = ("journaltitle", "journal", "booktitle", "maintitle")


def titles_of(original: Original, title: str, container: str) -> tuple[str, str]:
    """Return the titles of an entry and its container, with BibLaTeX's subtitles, additions and main titles."""
    if original.format != "bibtex":
        return title, container
    main, addition = _whole_title(original, "maintitle"), TITLE_PARTS["title"][1]
    title = joined_title(title, "", decode_styled(original.value(addition)).styled)
    holders = () if kind_of_type(original) in PUBLISHER_IS_VENUE else _HOLDERS
    name = next((name for name in holders if original.value(name)), "")
    if not name:
        return joined_title(main, "", title), container
    if name == "maintitle":
        return title, main
    parts = (decode(original.value(part)) for part in TITLE_PARTS.get(name, ()))
    return title, joined_title(main, "", joined_title(container, *parts))


def _stated_date(original: Original) -> str:
    """Return the date as text; "" for a date in numbers or none."""
    if original.format == "bibtex":
        return decode(original.value("date") or original.value("year"))
    issued = record_of(original).item.get("issued")
    return str(issued.get("literal") or issued.get("raw") or "") if isinstance(issued, dict) else ""


def _words_for_date(original: Original) -> str:
    """Return the words in place of a date, such as "in press"; "" for a date or nothing."""
    text = _stated_date(original)
    return clean_text(text) if is_state(text) else ""


def _says_more(text: str) -> bool:
    """Whether the text of a date says more than a date."""
    return bool(text) and not (of_words(text) or is_state(text) or len(told_date(text) or "") == len("2001-02-03"))


def _name_in(file_format: FileFormat, names: FieldNames, kind: Kind) -> str:
    """Return the field's name in the format, in lower case, or the made-up name that `as_bib_fields` gives it."""
    return names.name_in(file_format, kind).lower() or (_made_name(names.csl) if file_format == "bibtex" else "")


def _made_name(name: str) -> str:
    return f"x-{_NAME.sub('-', to_ascii(name)).strip('-').lower()}"


def collaborations_of(original: Original, names: Iterable[Name]) -> tuple[Name, ...]:
    """Return the groups from INSPIRE's field `collaboration`, except those already in `names`. Other formats list
    groups among the authors."""
    name_keys = {title_key(name.literal or name.surname) for name in names}
    groups = decode(original.value("collaboration")) if original.format == "bibtex" else ""
    group_names = (
        name if not GROUP_WORDS.isdisjoint(name.lower().split()) else f"{name} Collaboration"
        for name in re.split(r",| and ", groups)
        if name.strip()
    )
    return tuple(Name(literal=name) for name in map(clean_text, group_names) if title_key(name) not in name_keys)


def date_of(original: Original) -> str:
    """Return the date as EDTF if a paper's date cannot express it: a range, a season, an uncertain date, or a year to
    come, which may be of another calendar."""
    if original.format == "bibtex":
        year, month = (original.value(name)[:200] for name in ("year", "month"))
        own_date = of_biblatex(original.value("date")) or of_year(year, month)
    else:
        item = record_of(original).item
        own_date = item["edtf"] if "edtf" in item else of_csl(item.get("issued"))
    return "" if is_plain(own_date) and (not own_date or iso_date(own_date, earliest=ANY_YEAR)) else own_date


def rest_of(original: Original, target: Target, kind: Kind, print_fields: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the fields that the `target` lacks for such works, as plain text under their own names; `print_fields` are
    texts that the entry contains anyway."""
    printed_words = f" {_words(' '.join(print_fields))} "
    placed = {names.key for names in _placed(target, kind)}
    if original.format in ("ris", "pubmed"):
        return tuple(dict.fromkeys(_rest_of_record(original, target, placed, printed_words)))
    return tuple(_rest_of_entry(original, target, kind, printed_words))


def _rest_of_record(
    original: Original, target: Target, placed: Collection[str], printed_words: str
) -> Iterator[tuple[str, str]]:
    """Yield the values of a record that have no member, no room in theirs, or no place in the target."""
    item, custom, further = record_of(original)
    yield from ((name, text) for name, text in custom.items() if name != "attachments")
    if target == "csl-json":
        yield from (("L1", file["path"]) for file in custom.get("attachments", ()))
    for name, _, value in further:
        text = clean_text(without_accents(value))
        if text and not any(f" {_words(form)} " in printed_words for form in (text, _as_printed(name.lower(), text))):
            yield name, text
    more, own_kind = more_of(original), kind_of_type(original)
    for names in KNOWN:
        if names.key in more and names.key not in placed:
            in_note = names.key in item.get("noted", {})
            yield ("N1", f"{names.key}: {more[names.key]}") if in_note else (
                names.name_in(original.format, own_kind) or names.key, more[names.key])  # fmt: skip


def _rest_of_entry(original: Original, target: Target, kind: Kind, printed_words: str) -> Iterator[tuple[str, str]]:
    common = set(_COMMON[original.format].lower().split())
    looked_at = set(_PRINTED[original.format].lower().split())
    if target == "csl-json":
        common -= {"file"}
    archive = original.value("eprinttype") or original.value("archiveprefix")
    if archive and archive.strip("{} ").lower() not in ARCHIVES:
        common -= {"eprint", "eprinttype", "archiveprefix"}
    doi = _plain(original.format, original.value("doi")) if original.value("doi") else ""
    if doi and (first_doi(doi) != doi or not READERS["doi"](doi)):
        looked_at |= {"doi"}  # no DOI, or several: the entry has none or the first
    placed = {names.key: _name_in(original.format, names, kind_of_type(original)) for names in _placed(target, kind)}
    if target == "csl-json" and role_of_editors(original):
        placed["editortype"] = "editortype"
    common |= {*placed.values()}
    if original.format == "bibtex":
        year, month, date = (original.value(name)[:200] for name in ("year", "month", "date"))
        looked_at |= {"month"} if of_year("2000", month) == "2000" and not month_named(decode(month)) else set()
        looked_at |= set() if of_year(year) or is_state(decode(year)) else {"year"}  # its text says more than a date
        looked_at |= {"date"} if _says_more(decode(date)) else set()
        common |= {part for name, role in _roles(original).items() if role in placed for part in (name, f"{name}type")}
    if original.format == "csl-json" and _says_more(_stated_date(original)):
        looked_at |= {"issued"}
    aliases = _ALIASES[original.format]
    common |= aliases.keys()
    present = {name.lower() for name, _ in original.whole}
    # Two names of a field, with perhaps two values.
    looked_at |= {name for pair in aliases.items() if present.issuperset(pair) for name in pair}
    for name, value, custom in _members(with_noted_members(original)):
        if custom and name in _WITHOUT_MEMBER:
            continue  # more_of has it
        folded = f"custom {name.lower()}" if custom else name.lower()  # another value for that field
        if folded in common and folded not in looked_at:
            continue
        text = clean_text(_plain(original.format, value))
        printed_elsewhere = folded in {*common, *looked_at} and any(
            f" {_words(form)} " in printed_words for form in (text, _as_printed(folded, text))
        )
        if text and not printed_elsewhere:
            is_verbatim = original.format == "bibtex" and folded in VERBATIM
            yield name, value if is_verbatim else text


def _placed(target: Target, kind: Kind) -> list[FieldNames]:
    """Return the fields that the `target` supports; RIS has notes for all, and .bib files fields with made-up names."""
    return [names for names in KNOWN if target == "ris" or names.name_in(target, kind)
            or (target == "bibtex" and not names.bib)]  # fmt: skip


def nameless_in_bib(more: Mapping[str, str]) -> list[str]:
    """Return the names of the fields that .bib files have only under made-up names."""
    return [names.key for names in KNOWN if names.key in more and not names.bib and names.key not in ROLES]


def _as_printed(name: str, text: str) -> str:
    """Return the text of a field as an entry in another format has it."""
    if name == "holder":
        return " ".join(author.name for author in people_of(text).named)
    if is_address(text) or name in ("an", "c2"):
        identifier = parse_identifier(text)
        return identifier.value if identifier else web_address(text) or text
    if name in ("issn", "isbn", "sn", "is"):
        return ", ".join(serials(text))
    if name == "location":
        return country_names(text)
    if name in ("journal", "howpublished"):
        return "arXiv" if is_arxiv(text) or is_arxiv_name(text) else journal_of(text)
    return (tag_of(text) or text) if name in _LANGUAGES else text


def _members(original: Original) -> Iterator[tuple[str, str, bool]]:
    """Yield the fields, with whether they are members of `custom`; those have their own names."""
    for name, value in original.whole:
        custom = json.loads(value) if name == "custom" and original.format == "csl-json" else None
        if isinstance(custom, dict):
            yield from (
                (member, json.dumps(inner), True) for member, inner in custom.items() if member != "attachments"
            )
        else:
            yield name, value, False


def _words(text: str) -> str:
    """Return text for comparison; holders of a patent are separated by "and" or a semicolon."""
    return title_key(text).replace(" and ", " ")


def _text_of_member(names: FieldNames, value: Any, identifiers: Sequence[tuple[str, str]]) -> str:
    """Return a member of an item as plain text."""
    if names.kind == "people":
        return listed(_people_of_member(value))
    if names.key in NOTES:
        notes = re.split(r"\n[^\S\n]*+\n\s*+", noted(_text(value), identifiers).text)
        return clean_text("; ".join(filter(None, map(str.strip, notes))))
    text = clean_text(_text(value))
    if names.kind == "date":
        return _date_or_words(of_csl(value), text)
    return _in_words(names, [text])


def _text_of_latex(names: FieldNames, values: Sequence[str], identifiers: Sequence[tuple[str, str]]) -> str:
    """Return a field of a .bib file as plain text."""
    if names.kind == "people":
        return listed(name for value in values for name in people(value))
    if names.key in NOTES:
        texts = (noted(_plain("bibtex", value), identifiers).text for value in values)
        return clean_text("; ".join(filter(None, texts)))
    texts_decoded = [clean_text(_plain("bibtex", value)) for value in values]
    if names.kind == "date":
        return _date_or_words(of_biblatex(values[0]) or of_ris(texts_decoded[0]), texts_decoded[0])
    return _in_words(names, texts_decoded)


def _date_or_words(date: str, text: str) -> str:
    day = "" if date else told_date(text) or ""
    return date or (day if len(day) == len("2001-02-03") else text)


def _in_words(names: FieldNames, texts: list[str]) -> str:
    """Return the first of the `texts` in the words that all formats share."""
    if names.kind == "language":
        return most_specific_tag(texts)
    text = texts[0]
    if names.bib == "pubstate":
        return STATES.get(text.lower(), text)
    return WORKS[text.lower()].words if names.bib == "type" and text.lower() in WORKS else text


def _people_of_member(value: Any) -> Iterator[Name]:
    persons, has_others = without_others(value if isinstance(value, list) else [])
    yield from map(name_of, authors_in_csl(filter(lambda member: isinstance(member, dict), persons)))
    yield from [ET_AL] * has_others


def _plain(file_format: str, value: str) -> str:
    if file_format == "bibtex":
        return as_printed(value) if is_address(value) else decode(value)
    return _text(json.loads(value)) or value


def _text(value: Any) -> str:
    """Return a member as text; "" for one of numbers and the like."""
    if isinstance(value, str) or value is None:
        return without_accents(value or "")
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return listed(_people_of_member(value))
    words = next((value[name] for name in ("literal", "raw") if value.get(name)), "") if isinstance(value, dict) else ""
    return (
        (of_csl(value) if isinstance(value, dict | list) else "") or str(words) or json.dumps(value, ensure_ascii=False)
    )


def as_bib_fields(
    more: Mapping[str, str],
    further_fields: Iterable[tuple[str, str]],
    dialect: str = "biblatex",
    *,
    has_people: bool = True,
    taken: Collection[str] = (),
) -> list[tuple[str, str]]:
    """Return the fields of an entry of a dialect, as plain text. Without `has_people`, it has no author and no editor,
    so the first of other people stand where styles look for a name: as editors of their own type. Further fields of
    BibLaTeX keep their names unless `taken`."""
    fields = [field for names in KNOWN if names.key in more and names.key not in ROLES
              for field in _bib_fields(names, more[names.key], dialect)]  # fmt: skip
    editors_of_types = EDITORS if has_people or dialect == "bibtex" else ("editor", *EDITORS)
    free = (name for name in editors_of_types if more.keys().isdisjoint((name, f"{name}type")))
    for role in filter(more.__contains__, ROLES):
        editors = next(free, "")
        fields += [(editors or _made_name(role), more[role]), *([(f"{editors}type", ROLES[role])] if editors else [])]
    own = PRINTED_IN_BIB - {"type", *taken, *(name for name, _ in fields)}
    return [*fields, *((name if name in own else _made_name(name), text) for name, text in further_fields)]


def _bib_fields(names: FieldNames, text: str, dialect: str) -> Iterator[tuple[str, str]]:
    """Yield the field; a language becomes BibLaTeX's two fields: its name, and the tag if the name says less."""
    if names.key == "language" and (langid := langid_of(text)):
        exact = tag_of(langid) == text
        if dialect == "biblatex":
            yield "langid", langid
        if not exact or dialect == "bibtex":
            yield "language", langid if exact else text
    elif names.key == "origlanguage":
        yield names.bib, langid_of(text) or text
    elif names.key == "pubstate" and dialect == "biblatex":
        yield names.bib, next((key for key, words in STATES.items() if words == text), text)
    else:
        yield names.bib or _made_name(names.csl), text


def as_ris_lines(
    more: Mapping[str, str], further_fields: Iterable[tuple[str, str]], kind: Kind, tags: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Return the lines of a RIS record; a field without a tag, or with one of `tags`, becomes a note with its name."""
    lines = list[tuple[str, str]]()
    for names in KNOWN:
        text, tag = more.get(names.key, ""), names.name_in("ris", kind)
        unlike = names.key == "pagetotal" and not NUMBER_OF_PAGES.fullmatch(text)  # it would be read as pages
        if text and (not tag or tag in tags or unlike):
            lines.append(("N1", f"{names.key}: {text}"))
        elif names.kind == "people":
            lines += [(tag, f"{name.literal}," if name.literal else name.inverted) for name in people(text)]
        elif text:
            lines.append((tag, as_ris(text) or text if names.kind == "date" else text))
    return [*lines, *(("N1", f"{name}: {text}") for name, text in further_fields)]


def as_csl_members(more: Mapping[str, str], further_fields: Iterable[tuple[str, str]], kind: Kind) -> dict[str, Any]:
    """Return the members of a CSL item for such works; fields without a member go into `custom`."""
    names_in_csl = ((names, names.name_in("csl-json", kind)) for names in KNOWN if names.key in more)
    item = {name: _in_csl(names, more[names.key]) for names, name in names_in_csl if name}
    custom = dict[str, str]()
    for name, text in further_fields:
        custom[name] = f"{custom[name]}; {text}" if name in custom else text
    return item | ({"custom": custom} if custom else {})


def _in_csl(names: FieldNames, text: str) -> Any:
    if names.kind == "people":
        return list(map(csl_name, people(text)))
    if names.kind == "date":
        return as_csl(text) if edtf(text) else {"literal": text}
    return text
