"""Carry an imported entry's less common fields over to other formats."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from cache.originals import Original
from connectors.addresses import is_address
from connectors.identifiers import parse_identifier
from connectors.isbn import serials
from connectors.records.build import ANY_YEAR, GROUP_WORDS, is_arxiv, is_arxiv_name, iso_date, told_date
from connectors.records.clean import clean_text
from connectors.records.matching import title_key
from connectors.records.web_address import web_address
from spar_tui.bibliography.edtf import as_csl, as_ris, edtf, is_plain, is_state, of_csl
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
from spar_tui.bibliography.format_tables import members_of
from spar_tui.bibliography.kinds import PUBLISHER_IS_VENUE, STATES, WORKS, Kind, kind_of_type
from spar_tui.bibliography.languages import country_names, langid_of, most_specific_tag, tag_of
from spar_tui.bibliography.name_lists import listed, people
from spar_tui.bibliography.names import Name, csl_name
from spar_tui.bibliography.reading.bib_item import NOTES, made_name, whole_title
from spar_tui.bibliography.reading.csl_json import people_of_member, stated_date, text_of_member
from spar_tui.bibliography.reading.entries import reader_of
from spar_tui.bibliography.reading.latex import decode, decode_styled, without_accents
from spar_tui.bibliography.reading.names import people_of
from spar_tui.bibliography.reading.noted import noted
from spar_tui.bibliography.reading.translation import Record
from spar_tui.bibliography.reading.values import as_printed
from spar_tui.bibliography.tex_macros import journal_of

Target = Literal["bibtex", "ris", "csl-json"]


_UNPRINTED = ("abstract", "keyword", "file", "remark", "article-number")
PRINTED_IN_BIB = {*(name for name, member in members_of("bibtex").items() if member not in _UNPRINTED),
                  *(names.bib for names in KNOWN)}  # fmt: skip
"""Fields that styles of BibTeX and BibLaTeX print, so that TeX must be able to read them."""
_LANGUAGES = ("language", "langid", "hyphenation", "la")


def more_in(original: Original, target: Target, kind: Kind) -> dict[str, str]:
    """Return the fields of `more_of` that the `target` has for such works."""
    placed = {names.key for names in _placed(target, kind)}
    return {name: text for name, text in more_of(original).items() if name in placed}


def role_of_editors(original: Original) -> str:
    """Return the CSL role of the editors if their type (`editortype`) says that they are no editors; else ""."""
    kind = more_of(original).get("editortype", "").lower()
    return next((role for role, own_kind in ROLES.items() if kind == own_kind), "")


def record_of(original: Original) -> Record:
    """Return the item of an entry in any format, its fields without a member, and values that may have no room."""
    record: Record = reader_of(original).record_in(original)
    return record


def more_of(original: Original) -> dict[str, str]:
    """Return the values of the `KNOWN` fields by key, as plain text: dates as EDTF, people as a BibTeX list."""
    values, kind, item = dict[str, str](), kind_of_type(original), record_of(original).item
    identifiers = [(scheme.lower(), str(item[scheme])) for scheme in ("DOI", "PMID", "PMCID") if item.get(scheme)]
    for names in KNOWN:
        value = item.get(names.member(kind))
        if value and (text := _text_of_member(names, value, identifiers)):
            values[names.key] = text
    values |= item.get("noted", {})
    if is_state(words := stated_date(item.get("issued"))):
        values.setdefault("pubstate", clean_text(words))
    return values


_HOLDERS = ("journaltitle", "journal", "booktitle", "maintitle")


def titles_of(original: Original, title: str, container: str) -> tuple[str, str]:
    """Return the titles of an entry and its container, with BibLaTeX's subtitles, additions and main titles."""
    if original.format != "bibtex":
        return title, container
    main, addition = whole_title(original, "maintitle"), TITLE_PARTS["title"][1]
    title = joined_title(title, "", decode_styled(original.value(addition)).styled)
    holders = () if kind_of_type(original) in PUBLISHER_IS_VENUE else _HOLDERS
    name = next((name for name in holders if original.value(name)), "")
    if not name:
        return joined_title(main, "", title), container
    if name == "maintitle":
        return title, main
    parts = (decode(original.value(part)) for part in TITLE_PARTS.get(name, ()))
    return title, joined_title(main, "", joined_title(container, *parts))


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
    item = record_of(original).item
    own_date = item["edtf"] if "edtf" in item else of_csl(item.get("issued"))
    return "" if is_plain(own_date) and (not own_date or iso_date(own_date, earliest=ANY_YEAR)) else own_date


def rest_of(original: Original, target: Target, kind: Kind, print_fields: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the fields that the `target` lacks for such works, as plain text under their own names; `print_fields` are
    texts that the entry contains anyway."""
    printed_words = f" {_words(' '.join(print_fields))} "
    return tuple(dict.fromkeys(_rest_of_record(original, target, kind, printed_words)))


def _rest_of_record(original: Original, target: Target, kind: Kind, printed_words: str) -> Iterator[tuple[str, str]]:
    """Yield the values of a record that have no member, no room in theirs, or no place in the target."""
    item, custom, further = record_of(original)
    yield from ((name, text) for name, text in custom.items() if name != "attachments")
    if target == "csl-json":
        yield from (("L1" if original.format == "ris" else "file", file["path"])
                    for file in custom.get("attachments", ()))  # fmt: skip
    for name, _, value in further:
        text = clean_text(without_accents(value))
        if text and not any(f" {_words(form)} " in printed_words for form in (text, _as_printed(name.lower(), text))):
            yield name, text
    more, own_kind = more_of(original), kind_of_type(original)
    placed = {names.key for names in _placed(target, kind)} | {name.lower() for name, *_ in further}
    placed |= {"editortype"} if target == "csl-json" and role_of_editors(original) else set()
    for names in KNOWN:
        if names.key in more and names.key not in placed:
            made = made_name(names.csl) if original.format == "bibtex" else names.key
            in_note = names.key in item.get("noted", {})
            yield ("N1", f"{names.key}: {more[names.key]}") if in_note else (
                names.name_in(original.format, own_kind) or made, more[names.key])  # fmt: skip


def _placed(target: Target, kind: Kind) -> list[FieldNames]:
    """Return the fields that the `target` supports; RIS has notes for all, and .bib files fields with made-up names."""
    return [names for names in KNOWN if target == "ris" or names.name_in(target, kind)
            or (target == "bibtex" and not names.bib)]  # fmt: skip


def nameless_in_bib(more: Mapping[str, str]) -> list[str]:
    """Return the names of the fields that .bib files have only under made-up names."""
    return [names.key for names in KNOWN if names.key in more and not names.bib and names.key not in ROLES]


def _as_printed(name: str, text: str) -> str:
    """Return the text of a field as an entry in another format has it."""
    text = as_printed(text) if name in VERBATIM else text
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


def _words(text: str) -> str:
    """Return text for comparison; holders of a patent are separated by "and" or a semicolon."""
    return title_key(text).replace(" and ", " ")


def _text_of_member(names: FieldNames, value: Any, identifiers: Sequence[tuple[str, str]]) -> str:
    """Return a member of an item as plain text."""
    if names.kind == "people":
        return listed(people_of_member(value))
    if names.key in NOTES:
        notes = re.split(r"\n[^\S\n]*+\n\s*+", noted(text_of_member(value), identifiers).text)
        return clean_text("; ".join(filter(None, map(str.strip, notes))))
    text = clean_text(text_of_member(value))
    if names.kind == "date":
        day = told_date(text) or ""
        return of_csl(value) or (day if len(day) == len("2001-02-03") else text)
    if names.kind == "language":
        return most_specific_tag([text])
    if names.bib == "pubstate":
        return STATES.get(text.lower(), text)
    return WORKS[text.lower()].words if names.bib == "type" and text.lower() in WORKS else text


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
        fields += [(editors or made_name(role), more[role]), *([(f"{editors}type", ROLES[role])] if editors else [])]
    own = PRINTED_IN_BIB - {"type", *taken, *(name for name, _ in fields)}
    return [*fields, *((name if name in own else made_name(name), text) for name, text in further_fields)]


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
        yield names.bib or made_name(names.csl), text


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
