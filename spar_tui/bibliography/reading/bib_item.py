"""Convert entries of BibTeX and BibLaTeX to items, so that one reader handles the works of all formats."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from cache.originals import Original
from connectors.addresses import is_address
from connectors.identifiers import parse_identifier
from connectors.records.build import ANY_YEAR, is_arxiv, iso_date, month_named, partial_date, told_date
from connectors.records.clean import clean_text
from connectors.records.letters import to_ascii
from spar_tui.bibliography.edtf import first_day, is_plain, is_state, of_biblatex, of_ris, of_words, of_year, says_more
from spar_tui.bibliography.field_table import EDITORS, KNOWN, ROLES, TITLE_PARTS, VERBATIM, FieldNames, joined_title
from spar_tui.bibliography.format_tables import fields_by_member, members_of
from spar_tui.bibliography.keyword_lists import LIST_CAP, keywords_in_latex
from spar_tui.bibliography.kinds import (
    ARCHIVES,
    PEOPLE,
    WORKS,
    Kind,
    kind_in_bib,
    kind_of_type,
    numbers_in_csl,
    paper_type,
)
from spar_tui.bibliography.languages import country_names, most_specific_tag, tag_of
from spar_tui.bibliography.names import OTHERS
from spar_tui.bibliography.reading.csl_json import raw_entry_of
from spar_tui.bibliography.reading.entries import RawEntry
from spar_tui.bibliography.reading.latex import decode, decode_styled
from spar_tui.bibliography.reading.names import misread_names, people_of
from spar_tui.bibliography.reading.noted import arxiv_class_in, noted
from spar_tui.bibliography.reading.translation import PRINTED, Item, Record
from spar_tui.bibliography.reading.values import as_printed, attached_files, identifier_in, without_codes
from spar_tui.bibliography.tex_macros import journal_of

_FIELDS = fields_by_member("bibtex")
_TEXTS = {member: _FIELDS[member] for member in (
    "volume", "publisher", "publisher-place", "collection-title", "edition", "ISBN", "ISSN", "abstract",
    "status")} | {"page": (*_FIELDS["page"], *_FIELDS["article-number"])}  # fmt: skip
"""The fields of the members that have one text; of several fields the first counts."""
NOTES = ("note", "annotation")
REMARKS = (*_FIELDS["note"], *_FIELDS["annote"], *_FIELDS["remark"])
"""Fields with remarks of the person who keeps the file."""
_VENUES: dict[Kind, tuple[str, ...]] = {
    **dict.fromkeys(("book", "collection", "conference-volume", "dataset"), ("publisher", "howpublished")),
    **dict.fromkeys(("thesis", "phdthesis", "mastersthesis"), ("school", "institution", "howpublished")),
    "report": ("institution", "organization", "publisher", "howpublished"),
    "manual": ("organization", "publisher", "howpublished"),
    "standard": ("organization", "institution", "publisher", "howpublished"),
    "booklet": ("howpublished", "publisher"), "software": ("howpublished", "organization", "publisher"),
}  # fmt: skip
_ANY_VENUE = ("journaltitle", "journal", "booktitle", "maintitle", "organization", "howpublished")
_BY_ACM = frozenset(("acmid", "numpages", "issue_date", "articleno"))
"""Fields that only ACM writes."""
TEXT_CAP = 100_000
"""Maximum number of characters read of a value; notes may be that long."""
_MEMBERS = {"doi": "DOI", "pmid": "PMID", "pmcid": "PMCID", "arxiv": "arxiv"}
_short_text = lru_cache(maxsize=5_000)(decode)
_SHORT = 200


def _text(latex: str, language: str = "") -> str:
    """Decode a value; entries share short ones, such as journals, years and numbers."""
    return _short_text(latex, language) if len(latex) <= _SHORT else decode(latex, language)


class _LatexFields:
    """The fields of an entry by name in lower case, and the language of the work."""

    def __init__(self, original: Original) -> None:
        self.fields = {name.lower(): value for name, value in original.whole}
        stated = self.fields.get("langid") or self.fields.get("language", "")
        self.language = tag_of(_text(stated[:100])).partition("-")[0] if stated else ""

    def text(self, *names: str) -> str:
        """Return the text of the first field that has one."""
        for name in names:
            if name in self.fields and (text := _text(self.fields[name][:TEXT_CAP], self.language).strip()):
                return text
        return ""


def raw_entry(original: Original, line: int) -> RawEntry:
    """Parse an entry."""
    entry, kind = _LatexFields(original), kind_in_bib(original.type)
    fields, text = entry.fields, entry.text
    whole_venue = journal_of(text(*_VENUES.get(kind, _ANY_VENUE)))
    venue, link = _linked(whole_venue, fields.get("howpublished", "")[:TEXT_CAP].strip())
    url = as_printed(fields.get("url", "") or link)
    decoded = (decode_styled(fields[name][:TEXT_CAP].strip(), entry.language)
               for name in ("title", "subtitle") if name in fields)  # fmt: skip
    titles = [title for title in decoded if title.text.strip()]
    names = list(_names(fields))
    in_venue = noted("" if is_arxiv(venue) else venue, names)
    raw = raw_entry_of(_item(entry, kind, venue, names), kind, original, line)
    raw.kind = paper_type(kind, " ".join(filter(None, map(fields.get, ("type", "entrysubtype", "pubstate")))))
    raw.title, raw.styled_title = (": ".join(parts) for parts in (zip(*titles, strict=True) if titles else ("", "")))
    raw.venue = in_venue.text or (venue if is_arxiv(venue) else "")
    raw.names = [*names, *in_venue.names, *(name for name in raw.names if name not in names)]
    raw.arxiv_class = text("primaryclass", "eprintclass") or next(
        filter(None, (arxiv_class_in(text(name)) for name in _MAY_NAME_CLASS if name in fields)), ""
    )
    raw.date = _date(fields)
    raw.url, raw.address = without_codes(url), url
    raw.files = attached_files(fields.get("file", "")[:LIST_CAP])
    raw.aliases = [*aliases_in(fields), *[raw.key] * (raw.key != original.key)]
    raw.key = original.key
    raw.faults = [fault for name in fields if name in PEOPLE for fault in misread_names(fields[name])]
    return raw


@lru_cache(maxsize=8)  # an export looks at each record several times
def record_in(original: Original) -> Record:
    """Return the item of an entry with its less common fields, the fields of other programs, and the printed ones."""
    entry, kind = _LatexFields(original), kind_of_type(original)
    known, roles = _known(kind), _roles(entry)
    used = _MEMBER_OF.keys() - (() if _archive(entry.fields) else {*_FIELDS["eprint"]})
    item = _item(entry, kind, "", list(_names(entry.fields))) | {"note": "", "annote": ""}
    custom, further, values = dict[str, Any](), list[tuple[str, str, str]](), dict[FieldNames, list[str]]()
    for name, latex in original.whole:
        folded = name.lower()
        text = latex if folded in VERBATIM else _plain(latex)
        if names := known.get(folded):
            values.setdefault(names, []).append(latex)
        if folded in _PRINTED or (names and len(values[names]) > 1) or (folded in _DATES and _says_more(folded, latex)):
            further.append((name, "", text))
        elif not names and folded not in used:
            custom[name] = text
    item |= {names.member(kind): _value(names, latex_values) for names, latex_values in values.items()}
    for name in ("issuetitle", "eventtitle"):
        if title := whole_title(original, name):
            item[known[name].member(kind)] = title
    for name, role in roles.items():
        item[role] = item.pop(known[name].member(kind))
        item.pop(known[f"{name}type"].member(kind))
    if degree := _DEGREES.get(original.type.lower()):
        item.setdefault("genre", degree)
    if "file" in entry.fields:
        custom["attachments"] = [{"path": entry.fields["file"]}]
    date, year, month = (entry.fields.get(name, "")[:200] for name in _DATES)
    item |= {"edtf": of_biblatex(date) or of_year(year, month), "issued": {"literal": decode(date or year)}}
    return Record(item, {name: text for name, text in custom.items() if text}, further)


@cache
def _known(kind: Kind) -> Mapping[str, FieldNames]:
    """Return the less common fields of works of a kind by their names, those without one by the name that exports
    give them."""
    known = {names.name_in("bibtex", kind).lower() or made_name(names.csl): names for names in reversed(KNOWN)}
    return known | {alias: known[name] for alias, name in _ALIASES.items() if name in known}


def _plain(latex: str) -> str:
    return clean_text(as_printed(latex) if is_address(latex) else decode(latex))


def _value(names: FieldNames, values: list[str]) -> Any:
    """Return the value of a member from the values of its fields, which may have several names."""
    if names.kind == "people":
        lists = list(map(people_of, values))
        others = [OTHERS] * any(people.et_al for people in lists)
        return [*(person for people in lists for person in people.named), *others]
    texts = list(map(_plain, values))
    if names.kind == "date":
        return {"literal": of_biblatex(values[0]) or of_ris(texts[0]) or texts[0]}
    if names.kind == "language":
        return most_specific_tag(texts)
    return "\n\n".join(texts) if names.key in NOTES else texts[0]


def _says_more(name: str, latex: str) -> bool:
    """Whether a date, year or month has text that the date cannot store."""
    text = _UNKNOWN_MACRO.sub("", decode(latex[:200]))
    if name == "month":
        return of_year("2000", latex) == "2000" and not month_named(text)
    return not (of_year(latex) or of_year(text) or is_state(text)) if name == "year" else says_more(text)


def _roles(entry: _LatexFields) -> dict[str, str]:
    """Return the CSL role of each further editor whose type is one, by field."""
    types = ((name, decode(entry.fields.get(f"{name}type", "")).lower()) for name in EDITORS if name in entry.fields)
    return {name: role for name, kind in types for role, own_kind in ROLES.items() if kind == own_kind}


def whole_title(original: Original, name: str) -> str:
    """Return a title of BibLaTeX with its subtitle and addition."""
    return clean_text(joined_title(*(decode(original.value(part)) for part in (name, *TITLE_PARTS[name]))))


def made_name(name: str) -> str:
    """Return the name that .bib files give to a field for which BibLaTeX has no name."""
    return f"x-{_NO_NAME.sub('-', to_ascii(name)).strip('-').lower()}"


_NO_NAME = re.compile(r"[^A-Za-z0-9-]+")
_ALIASES = {"langid": "language", "hyphenation": "language", "annote": "annotation", "articleno": "eid",
            "art_number": "eid", **{role: f"x-{role}" for role in ROLES}}  # fmt: skip
_MEMBER_OF = {name: member for name, member in members_of("bibtex").items() if member != "remark"}
_PRINTED = {name for name, member in _MEMBER_OF.items()
            if member in PRINTED or member in ("ISBN", "ISSN", "language", "title-part", "holder", "arxiv-class")
            or name == "eid"}  # fmt: skip
_DATES = ("date", "year", "month")
_DEGREES: Mapping[str, str] = {kind: work.words for kind in ("phdthesis", "mastersthesis") for work in WORKS.values()
            if work.bibtex == kind and work.printed}  # fmt: skip
"""The kind of thesis that a BibTeX type implies, which other formats have no type for."""


def _item(entry: _LatexFields, kind: Kind, venue: str, identifiers: Sequence[tuple[str, str]]) -> Item:
    """Return the members that the reader of a work needs; `record_in` adds the others."""
    fields, text = entry.fields, entry.text
    item: Item = {member: value for member, names in _TEXTS.items() if (value := text(*names))}
    item |= {_MEMBERS[scheme]: name for scheme, name in reversed(identifiers) if scheme in _MEMBERS}
    for role in ("author", "editor"):
        people = people_of(fields.get(role, ""))
        item[role] = [*people.named, *([OTHERS] if people.et_al else [])]
    item[numbers_in_csl(kind)[0]] = text("number", "issue", *(("reportnumber",) if kind == "report" else ()))
    if "publisher-place" in item:
        item["publisher-place"] = country_names(item["publisher-place"])
    if "address" not in fields and not _BY_ACM.isdisjoint(fields):
        item.pop("publisher-place", None)  # its `location` is that of the conference
    if kind == "proceedings" and "organization" in fields and venue != (organization := text("organization")):
        item.setdefault("publisher", organization)
    if "holder" in fields and "publisher" not in item:
        item["publisher"] = "; ".join(holder.name for holder in people_of(fields["holder"]).named)
    for member in ("note", "annote"):
        names = _FIELDS[member] if member == "note" else REMARKS[1:]
        texts = (text(name) for name in names if name in fields)
        item[member] = "\n\n".join(dict.fromkeys("\n".join(map(str.strip, note.splitlines())) for note in texts))
    keywords = (fields[name] for name in _FIELDS["keyword"] if name in fields)
    item["keyword"] = [decode(keyword) for listed in keywords for keyword in keywords_in_latex(listed)]
    item["language"] = entry.language
    return item


_MAY_NAME_CLASS = ("journal", "howpublished", "note")
_HREF = re.compile(r"\\(?:href|url)\s?\{([^{}]+)\}(?:\{[^{}]*\})?")
_LINK = re.compile(r"[\s(<\[]{0,9}(https?://[^\s<>]+)")


def _linked(venue: str, how_published: str) -> tuple[str, str]:
    """Return the venue and the address of the work. One that names a paper is only the work's if a field has nothing
    else; in a sentence, as in a note, it may be that of another paper."""
    target = _HREF.search(how_published)
    bare, link = _without_link(venue)
    link = link or (target[1] if target else "")
    is_alone = len(venue.split()) == 1 or (target and target[0] == how_published)
    return (bare, link) if is_alone or not parse_identifier(as_printed(link)) else (venue, "")


def _without_link(venue: str) -> tuple[str, str]:
    """Return a venue without the address in it, and the address; text that leads to it, such as `Available at`, is no
    venue."""
    match = _LINK.search(venue) if "/" in venue else None
    if match is None:
        return ("", venue) if is_address(venue) else (venue, "")
    before, bracket = venue[: match.start()], match[0][: match.start(1) - match.start()].strip()
    is_label = bool(before) and not bracket and before[-1] not in ",;."
    return "" if is_label else before.rstrip(" ,;."), match[1].rstrip(".,;)]")


def aliases_in(fields: Mapping[str, str]) -> list[str]:
    return [alias.strip() for alias in as_printed(fields["ids"][:LIST_CAP]).split(",")] if "ids" in fields else []


def _names(fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the entry's identifiers with their schemes."""
    for name in ("doi", "pmid", "pmc", "pmcid", "arxiv", "arxivid"):
        if name in fields:
            yield {"arxivid": "arxiv", "pmc": "pmcid"}.get(name, name), identifier_in(fields[name])
    if "eprint" in fields:
        scheme, name = _archive(fields), identifier_in(fields["eprint"])
        if scheme == "arxiv" and name.isdecimal():  # before 2007 the archive is a part of the id
            archive = fields.get("primaryclass") or fields.get("eprintclass", "")
            name = f"{archive.strip('{} ').partition('.')[0]}/{name}"
        if scheme:
            yield scheme, name


def _archive(fields: Mapping[str, str]) -> str:
    """Return the scheme of the identifier in `eprint`; "" for an unknown archive."""
    archive = fields.get("eprinttype") or fields.get("archiveprefix") or "arxiv"
    return ARCHIVES.get(archive.strip("{} ").lower(), "")


_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_WHOLE_YEAR = re.compile(r"(-\d{4}|\d{3,4})(?!\d)")
"""A year that is not a short form such as `17`."""
_UNKNOWN_MACRO = re.compile(r"\\[A-Za-z]+\{[^{}]*\}")
"""A macro that `decode` does not know, with its argument; files define such macros to sort entries."""
_DIGITS = re.compile(r"\d+")


def _date(fields: Mapping[str, str]) -> str | None:
    """Return `date` (the start of a range), else `year` and `month`, which can be a number, a name, or `12~jun`."""
    if date := fields.get("date", "").strip("{} "):
        exact = date if date[:1] in ("1", "2") and is_plain(date) else first_day(of_biblatex(date))
        if day := iso_date(exact, earliest=ANY_YEAR) or told_date(decode(date[:100])):
            return day
    return _date_of_parts(fields.get("year", "")[:100], fields.get("month", "")[:100], fields.get("day"))


@lru_cache(maxsize=1_000)  # a bibliography covers only some decades
def _date_of_parts(year_text: str, month_text: str, day_text: str | None) -> str | None:
    text = decode(year_text)
    stated = text if text.isdecimal() else first_day(of_year(year_text))
    year = _WHOLE_YEAR.match(stated) or _YEAR.search(_UNKNOWN_MACRO.sub("", text)) or _YEAR.search(text)
    month = decode(month_text)
    named = month_named(month if month.strip() else text)  # `year = {March 2004}`
    numbers = _DIGITS.findall(month)
    day = day_text or (numbers[0] if named and numbers else None)
    number = named or of_words("2000", month)[5:7]
    return partial_date(int(year[1]) if year else None, number, day, earliest=ANY_YEAR)
