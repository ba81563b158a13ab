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
from connectors.records.medline import language_of, retracted, type_of, without_stop
from connectors.records.web_address import web_address
from spar_tui.bibliography.edtf import (
    as_csl,
    as_ris,
    edtf,
    is_plain,
    is_state,
    of_biblatex,
    of_csl,
    of_issue,
    of_ris,
    of_words,
    of_year,
)
from spar_tui.bibliography.field_table import (
    A2_IS_NO_EDITOR,
    EDITORS,
    KNOWN,
    ROLES,
    SPONSORED,
    TITLE_PARTS,
    VERBATIM,
    FieldNames,
    joined_title,
)
from spar_tui.bibliography.kinds import (
    ARCHIVES,
    BOOKS,
    OF_CONFERENCES,
    PUBLISHER_IS_VENUE,
    STATES,
    WHOLE,
    WORKS,
    Kind,
    degree_in,
    kind_of_type,
)
from spar_tui.bibliography.languages import country_names, langid_of, most_specific_tag, tag_of
from spar_tui.bibliography.names import ET_AL, Name, authors_in_csl, csl_name, is_others, name_of, without_others
from spar_tui.bibliography.reading.latex import decode, decode_styled, without_accents
from spar_tui.bibliography.reading.name_lines import people_in
from spar_tui.bibliography.reading.names import people_of
from spar_tui.bibliography.reading.noted import identifiers_in, noted, with_noted_members
from spar_tui.bibliography.reading.values import as_printed
from spar_tui.bibliography.tex_macros import journal_of

Target = Literal["bibtex", "ris", "csl-json"]


_ALIASES: Mapping[str, Mapping[str, str]] = {
    "bibtex": {"langid": "language", "hyphenation": "language", "annote": "annotation",
               "articleno": "eid", "art_number": "eid", **{role: f"x-{role}" for role in ROLES}},
    "ris": {"ja": "j2", "jo": "j2", "j1": "j2", "a1": "au", "tt": "op"},
    "csl-json": {"event": "event-title", "journalabbreviation": "container-title-short", "shorttitle": "title-short"},
}  # fmt: skip
_TITLES = " ".join((*TITLE_PARTS, *chain(*TITLE_PARTS.values()))).removeprefix("title ")
_COMMON = {
    "bibtex": "author editor title year month day date pages doi eprint eprinttype archiveprefix pmid pmcid arxiv"
    " arxivid pmc abstract keywords keyword groups mendeley-tags mendeley-groups file note annotation annote comment"
    " crossref xdata collaboration",
    "ris": "TI T1 CT AU A1 ED A2 PY Y1 DA SP EP DO L1 AB N2 KW N1 RN",
    "csl-json": "title author editor issued page DOI PMID PMCID URL abstract keyword note annote citation-key",
    "pubmed": "TI TT FAU AU CN FED ED DP JT TA PMID PMC LID AID AB OT VI IP PG PT LA",
}
"""Fields that every entry is made from."""
_PRINTED = {
    "bibtex": "journal volume number issue reportnumber publisher school institution organization howpublished holder"
    " address location series edition isbn issn url langid hyphenation language eid eprintclass primaryclass"
    f" {_TITLES}",
    "ris": "T2 JO JF JA J1 J2 BT PB VL IS CP M1 SV CY PP T3 ET SN AN C2 L2 L3 LK UR LA SE",
    "csl-json": "container-title publisher authority publisher-place collection-title collection-number edition volume"
    " issue number page-first ISBN ISSN language",
    "pubmed": "BTI CTI PB PL EN IS ISBN",
}
"""Fields of the printed form and the location, and others with the same meaning: a format has one field for them."""
PRINTED_IN_BIB = {*f"{_COMMON['bibtex']} {_PRINTED['bibtex']}".split(), *(names.bib for names in KNOWN)} - {
    *"abstract keywords keyword groups mendeley-tags mendeley-groups file comment".split()
}
"""Fields that styles of BibTeX and BibLaTeX print, so that TeX must be able to read them."""
_LISTS = frozenset("AU A1 ED A2 A3 A4 AB N2 KW N1 RN L1".split())
"""RIS tags that can be repeated; any other tag has room for one value."""
_LANGUAGES = ("language", "langid", "hyphenation", "la")
_NAME = re.compile(r"[^A-Za-z0-9-]+")
NOTES = ("note", "annotation")
_DEGREES: Mapping[str, str] = {kind: work.words for kind in ("phdthesis", "mastersthesis") for work in WORKS.values()
            if work.bibtex == kind and work.printed}  # fmt: skip
"""The kind of thesis that a BibTeX type implies, which other formats have no type for."""
_UNTAGGED = "|".join(names.key for names in KNOWN if not names.ris or (names.only and "ris" in names.only[0]))
DETAILS_IN_NOTES = ("volume-of-thesis", "edition")
"""Details whose RIS tag holds something else for some kinds of works: the degree of a thesis, or a version."""
_IN_NOTE = re.compile(rf"({'|'.join(DETAILS_IN_NOTES)}|{_UNTAGGED}): (\S.*)")
"""A field in a RIS note, because it has no tag."""
_JOURNALS = ("T2", "JF", "JO", "JA", "BT")
_SHORT_NAMES = ("JA", "J1", "JO")
NUMBER_OF_PAGES = re.compile(r"(?:[ivxlc]+,\s*)?\d+(?:\s?(?:pp?\.?|pages))?", re.IGNORECASE)


def more_in(original: Original, target: Target, kind: Kind) -> dict[str, str]:
    """Return the fields of `more_of` that the `target` has for such works."""
    placed = {names.key for names in _placed(target, kind)}
    return {name: text for name, text in more_of(original).items() if name in placed}


def role_of_editors(original: Original) -> str:
    """Return the CSL role of the editors if their type (`editortype`) says that they are no editors; else ""."""
    if original.format == "ris":
        notes = (value for name, value in original.fields if name == "N1")
        kind = next((note.removeprefix("editortype: ") for note in notes if note.startswith("editortype: ")), "")
    else:
        kind = decode(original.value("editortype")) if original.format == "bibtex" else ""
    return next((role for role, own_kind in ROLES.items() if kind.lower() == own_kind), "")


def tags_of_editors(original: Original) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tags in a RIS record of the editors and of the editors of the series, which depend on its type.

    Most programs write an editor as `ED` or `A2`. In EndNote and Zotero, a book has its editors in `A3`, and an edited
    book in `AU`; `A2` is then for the series.
    """
    kind = kind_of_type(original)
    if kind in A2_IS_NO_EDITOR:
        return ("ED",), ("A3",)
    if kind in BOOKS and not original.value("ED"):
        if original.type.upper() == "EDBOOK" and (original.value("AU") or original.value("A1")):
            return ("AU", "A1"), ("A2", "A3")
        if original.value("A3"):
            return ("A3",), ("A2",)
    return ("ED", "A2"), ("A3",)


def more_of(original: Original) -> dict[str, str]:
    """Return the values of the `KNOWN` fields by key, as plain text: dates as EDTF, people as a BibTeX list."""
    if original.format == "pubmed":
        types = [value.lower() for name, value in original.fields if name == "PT"]
        translated = without_stop(original.value("TT")) if original.value("TI") else ""
        journal, short = original.value("JT"), original.value("TA")
        short_title = short if title_key(journal) not in ("", title_key(short)) else ""
        values = {"type": next((value for name, value in original.fields
                              if name == "PT" and type_of([value.lower()]) == "review"), ""),
                "language": language_of(original.value("LA")) or "", "origtitle": translated,
                "shortjournal": short_title, "pubstate": "retracted" if retracted(types) else ""}  # fmt: skip
        return {name: text for name, text in values.items() if text}
    texts, aliases = dict[str, list[str]](), _ALIASES[original.format]
    kind = kind_of_type(original)
    original = with_noted_members(original)
    for name, value in original.whole:
        texts.setdefault(aliases.get(name.lower(), name.lower()), []).append(value)
    if original.format == "ris":
        texts |= {"j2": _short_journals(original), "sp": [pages] if (pages := page_count(original)) else []}
        types = [text for text in texts.get("m3", []) if not READERS["doi"](text)]  # some programs write it there
        texts["m3"] = types or [degree_in(original.value("VL"), kind)]
        if kind in OF_CONFERENCES and "c3" in texts:
            texts["c3"] = texts.get("t2", [])  # C3 is the container
        series = tags_of_editors(original)[1] if kind != "video" else ("A3",)
        texts["a3"] = [text for tag in series for text in texts.get(tag.lower(), [])]
    identifiers = identifiers_in(original)
    values = {
        names.key: text
        for names in KNOWN
        if (text := _read(original.format, names, texts.get(_name_in(original.format, names, kind), []), identifiers))
    }
    if original.format == "bibtex":
        values |= {role: values.pop(name) for name, role in _roles(original).items() if values.pop(f"{name}type", "")}
        values |= {name: title for name in ("issuetitle", "eventtitle") if (title := _whole_title(original, name))}
    if words := _words_for_date(original):
        values.setdefault("pubstate", words)
    if original.format == "bibtex" and (degree := _DEGREES.get(original.type.lower())):
        values.setdefault("type", degree)
    if original.format == "ris":
        values |= {match[1]: match[2] for note in texts.get("n1", []) if (match := _IN_NOTE.fullmatch(note))}
    return values


def _roles(original: Original) -> dict[str, str]:
    """Return the further editors of a BibLaTeX entry whose type is a CSL role: the role by field."""
    types = ((name, decode(original.value(f"{name}type")).lower()) for name in EDITORS if original.value(name))
    return {name: role for name, kind in types for role, own_kind in ROLES.items() if kind == own_kind}


def _short_journals(original: Original) -> list[str]:
    """Return the short names of the journal in a RIS record, besides its first name."""
    name, alternate = next(filter(None, map(original.value, _JOURNALS)), ""), original.value("J2")
    if alternate and (name or kind_of_type(original) in PUBLISHER_IS_VENUE):
        return [alternate]
    return [text for text in map(original.value, _SHORT_NAMES) if text and title_key(text) != title_key(name)]


def page_count(original: Original) -> str:
    """Return the number of pages of a RIS record for a work printed on its own; "" if the tag holds the first page."""
    pages = original.value("SP")
    is_whole = kind_of_type(original) in WHOLE and not original.value("EP")
    return pages if is_whole and NUMBER_OF_PAGES.fullmatch(pages) else ""


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
    match original.format:
        case "csl-json":
            issued = json.loads(original.value("issued") or "null")
            return str(issued.get("literal") or issued.get("raw") or "") if isinstance(issued, dict) else ""
        case "ris":
            return original.value("PY") or original.value("Y1") or original.value("DA")
        case _:
            return decode(original.value("date") or original.value("year"))


def _words_for_date(original: Original) -> str:
    """Return the words in place of a date, such as "in press"; "" for a date or nothing."""
    text = _stated_date(original)
    return clean_text(text) if is_state(text) else ""


def _says_more(text: str) -> bool:
    """Whether the text of a date says more than a date."""
    return bool(text) and not (of_words(text) or is_state(text) or len(told_date(text) or "") == len("2001-02-03"))


def is_field_of_ris(note: str) -> bool:
    """Whether a RIS note is a field that `as_ris_lines` wrote as a note, because it has no tag."""
    return _IN_NOTE.fullmatch(note) is not None


def noted_detail(name: str, notes: Iterable[str]) -> str:
    """Return one of `DETAILS_IN_NOTES` from the notes of a RIS record."""
    fields = filter(None, map(_IN_NOTE.fullmatch, notes))
    return next((field[2] for field in fields if field[1] == name), "")


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
    match original.format:
        case "bibtex":
            year, month = (original.value(name)[:200] for name in ("year", "month"))
            own_date = of_biblatex(original.value("date")) or of_year(year, month)
        case "csl-json":
            own_date = of_csl(json.loads(with_noted_members(original).value("issued") or "null"))
        case "ris":
            year = original.value("PY") or original.value("Y1")
            stated = [*(of_issue(original.value(tag), year[:4]) for tag in ("DA", "Y1")),
                      *(of_ris(original.value(tag)) for tag in _DATES_IN_RIS)]  # fmt: skip
            own_date = next((date for date in stated if date and not is_plain(date)), of_ris(year))
        case "pubmed":
            own_date = of_issue(original.value("DP"))
    return "" if is_plain(own_date) and (not own_date or iso_date(own_date, earliest=ANY_YEAR)) else own_date


def rest_of(original: Original, target: Target, kind: Kind, print_fields: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the fields that the `target` lacks for such works, as plain text under their own names; `print_fields` are
    texts that the entry contains anyway."""
    common, printed_words = set(_COMMON[original.format].lower().split()), f" {_words(' '.join(print_fields))} "
    looked_at = set(_PRINTED[original.format].lower().split())
    if target == "csl-json":
        common -= {"file", "l1"}
    if original.value("AB"):
        common.discard("n2")  # a second abstract
    archive = original.value("eprinttype") or original.value("archiveprefix")
    if archive and archive.strip("{} ").lower() not in ARCHIVES:
        common -= {"eprint", "eprinttype", "archiveprefix"}
    dois = ((name, _plain(original.format, original.value(name))) for name in ("doi", "do") if original.value(name))
    # No DOI, or several: the entry has none or the first.
    looked_at |= {name for name, text in dois if first_doi(text) != text or not READERS["doi"](text)}
    own_kind = kind_of_type(original)
    placed = {names.key: _name_in(original.format, names, own_kind) for names in _placed(target, kind)}
    if target == "csl-json" and role_of_editors(original):
        placed["editortype"] = "editortype"
    common |= {*placed.values()}
    if original.format == "ris":
        of_editors, of_series = tags_of_editors(original)
        of_series = of_series if placed.get("collection-editor") else ()  # of a thesis the tag has its advisor
        sponsors = ("A2",) if own_kind in SPONSORED else ()
        of_people = {*map(str.lower, (*of_editors, *of_series, *sponsors)), *placed.values()}
        common |= of_people
        looked_at |= {"l1"} if original.value("L1").startswith("http") else set()  # no path
        looked_at |= {"a2", "a3"} - of_people  # of some works the holder, the reporter or an author
    if original.format == "bibtex":
        year, month, date = (original.value(name)[:200] for name in ("year", "month", "date"))
        looked_at |= {"month"} if of_year("2000", month) == "2000" and not month_named(decode(month)) else set()
        looked_at |= set() if of_year(year) or is_state(decode(year)) else {"year"}  # its text says more than a date
        looked_at |= {"date"} if _says_more(decode(date)) else set()
        common |= {part for name, role in _roles(original).items() if role in placed for part in (name, f"{name}type")}
    if original.format == "csl-json" and _says_more(_stated_date(original)):
        looked_at |= {"issued"}
    aliases = _ALIASES.get(original.format, {})
    common |= aliases.keys()
    there_too = {name for pair in aliases.items() if {name.lower() for name, _ in original.whole}.issuperset(pair)
                 for name in pair}  # fmt: skip
    looked_at |= there_too - {"au", "a1"}  # two names of a field, with perhaps two values
    original = with_noted_members(original)
    further_fields, seen = list[tuple[str, str]](), set[str]()
    for name, value, custom in _members(original):
        folded = f"custom {name.lower()}" if custom else name.lower()  # another value for that field
        again = original.format == "ris" and name in seen and name not in _LISTS
        seen.add(name)
        in_note = _IN_NOTE.fullmatch(value) if folded == "n1" else None
        if in_note and in_note[1] not in {*placed, *DETAILS_IN_NOTES}:
            further_fields.append((name, value))
        if folded in common and not again and folded not in looked_at:
            continue
        text = clean_text(_plain(original.format, value))
        printed_elsewhere = folded in {*common, *looked_at} and any(
            f" {_words(form)} " in printed_words for form in (text, _as_printed(folded, text))
        )
        if text and not printed_elsewhere:
            is_verbatim = original.format == "bibtex" and folded in VERBATIM
            further_fields.append((name, value if is_verbatim else text))
    if original.format == "ris":
        year = (original.value("PY") or original.value("Y1"))[:4]
        unread = ((tag, _unread(original.value(tag), year)) for tag in _DATES_IN_RIS)
        printed_words += f" {_words(_words_for_date(original))} "
        further_fields += [(tag, text) for tag, text in unread if text and f" {_words(text)} " not in printed_words]
    return tuple(further_fields)


_DATES_IN_RIS = ("DA", "PY", "Y1")


def _unread(date: str, year: str) -> str:
    """Return the words of a RIS date that no other format can express, such as a season beside a month; else ""."""
    words = re.sub(r"T[\d:.]+Z?", "", date.split("/", 3)[-1])
    is_read = edtf(date) or of_words(date) or not (is_plain(of_ris(date)) and is_plain(of_issue(date, year)))
    return "" if is_read or all(map(month_named, re.findall(r"[^\W\d_]+", words))) else clean_text(words)


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
    if is_address(text):
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


def _read(
    file_format: str, names: FieldNames, values: Sequence[str], identifiers: Sequence[tuple[str, str]] = ()
) -> str:
    if not values:
        return ""
    if names.kind == "people" and file_format == "ris":
        return listed(map(name_of, people_in(values, "inverted")))
    if names.kind == "people":
        return listed(name for value in values for name in _people(file_format, value))
    if names.key in NOTES:
        of_fields = file_format == "ris" and names.key == "note"
        values = [value for value in values if not (of_fields and is_field_of_ris(value))]
        texts = (noted(_plain(file_format, value), identifiers).text for value in values)
        return clean_text("; ".join(filter(None, texts)))
    if names.kind == "language":
        return most_specific_tag([clean_text(_plain(file_format, value)) for value in values])
    text = clean_text(_plain(file_format, values[0]))
    if names.kind == "date":
        reader = edtf if file_format != "bibtex" else of_biblatex
        read = of_csl(json.loads(values[0])) if file_format == "csl-json" else reader(values[0]) or of_ris(text)
        day = "" if read else told_date(text) or ""
        return read or (day if len(day) == len("2001-02-03") else text)
    if names.bib == "pubstate":
        return STATES.get(text.lower(), text)
    return WORKS[text.lower()].words if names.bib == "type" and text.lower() in WORKS else text


def _people(file_format: str, value: str) -> Iterator[Name]:
    if file_format == "bibtex":
        yield from people(value)
    else:
        members = json.loads(value)
        persons, has_others = without_others(members if isinstance(members, list) else [])
        yield from map(name_of, authors_in_csl(filter(lambda member: isinstance(member, dict), persons)))
        yield from [ET_AL] * has_others


def listed(names: Iterable[Name]) -> str:
    return " and ".join(filter(None, map(_in_list, names)))


_SIGNS = {"\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "~": r"\textasciitilde{}"}
"""Characters of a name that are special in LaTeX."""


def _in_list(name: Name) -> str:
    """Format a name for a BibTeX list, with braces around parts that would be split."""
    literal, *parts = (
        re.sub(r"[\\{}~]", lambda sign: _SIGNS[sign[0]], part)
        for part in (name.literal, name.surname, name.suffix, name.given)
    )
    if literal:
        is_word = re.fullmatch(r"[^\s,]+", literal) and not is_others(literal)
        return "others" if name == ET_AL else literal if is_word else f"{{{literal}}}"
    return ", ".join(f"{{{part}}}" if re.search(r",|\band\b", part, re.IGNORECASE) else part for part in parts if part)


def people(text: str) -> list[Name]:
    """Return the people and groups of a list in BibTeX's notation; `ET_AL` is the last if the list is incomplete."""
    persons = people_of(text)
    return [*map(name_of, persons.named), *([ET_AL] if persons.et_al else [])]


def _plain(file_format: str, value: str) -> str:
    if file_format == "bibtex":
        return as_printed(value) if is_address(value) else decode(value)
    read = json.loads(value) if file_format == "csl-json" else value
    if isinstance(read, str) or read is None:
        return without_accents(read or "")
    if isinstance(read, list) and read and all(isinstance(item, dict) for item in read):
        return listed(_people("csl-json", value)) or value
    words = next((read[name] for name in ("literal", "raw") if read.get(name)), "") if isinstance(read, dict) else ""
    return (of_csl(read) if isinstance(read, dict | list) else "") or str(words) or value


def as_bib_fields(
    more: Mapping[str, str],
    further_fields: Iterable[tuple[str, str]],
    dialect: str = "biblatex",
    *,
    has_people: bool = True,
) -> list[tuple[str, str]]:
    """Return the fields of an entry of a dialect, as plain text. Without `has_people`, it has no author and no editor,
    so the first of other people stand where styles look for a name: as editors of their own type."""
    fields = [field for names in KNOWN if names.key in more and names.key not in ROLES
              for field in _bib_fields(names, more[names.key], dialect)]  # fmt: skip
    editors_of_types = EDITORS if has_people or dialect == "bibtex" else ("editor", *EDITORS)
    free = (name for name in editors_of_types if more.keys().isdisjoint((name, f"{name}type")))
    for role in filter(more.__contains__, ROLES):
        editors = next(free, "")
        fields += [(editors or _made_name(role), more[role]), *([(f"{editors}type", ROLES[role])] if editors else [])]
    return [*fields, *((_made_name(name), text) for name, text in further_fields)]


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
