"""Find faults of an entry other than wrong fields: missing fields, a preprint that was published since, a duplicate."""

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from agents.lookup.records import RecordLookup
from connectors.paper import Paper, Version
from connectors.records.build import UNTITLED, is_preprint_venue
from connectors.records.clean import clean_text
from connectors.records.publication import without_withdrawal
from spar_tui.bibliography.comparing.differences import title_of, written_year
from spar_tui.bibliography.more_fields import date_of, record_of
from spar_tui.bibliography.one_work import contradictions, describe, one_work
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.phrases import CONCERN

_KINDS: dict[str, str] = {
    "a web page": "online electronic internet www web webpage website url elec blog icomm post post-weblog forumpost",
    "a patent": "patent pat",
    "a standard": "standard stand",
    "a law or bill": "legislation legal legadmin legadminmaterial legmaterial statute stat bill unbill regulation"
    " treaty constitution gazette",
    "a court case": "jurisdiction case legal_case legal-case",
    "a hearing": "hearing hear",
    "software or hardware": "software softwareversion softwaremodule codefragment program package bundle class comp"
    " hardware",
    "a manual": "manual",
    "a thesis": "thesis phdthesis mastersthesis mathesis bathesis candthesis thes",
    "a report": "report techreport rprt",
    "an unpublished work": "unpublished unpb manuscript manscpt pamphlet",
    "a recording": "audio video movie music sound performance motion_picture song broadcast mpct podcast",
    "a work of art or a map": "artwork image art map graphic figure musical_score",
    "a message or talk": "letter interview personal_communication pcomm speech presentation talk slide",
    "a data set": "dataset data aggr",
    "a whole journal": "periodical jfull",
    "a newspaper article": "newspaper news article-newspaper",
}
_BY_TYPE = {type_: kind for kind, types in _KINDS.items() for type_ in types.split()}
"""The kind of an entry by its lower-case type in BibLaTeX, RIS and CSL."""
_ANYTHING = frozenset(("", "misc", "gen", "document", "other", "entry"))
"""Types without meaning."""
_MAY_BE_PAPERS = frozenset(("a web page", "an unpublished work"))
_ADDRESS = re.compile(r"https?:|\bwww\.", re.IGNORECASE)
_PATENT = re.compile(r"\bpatents?\b", re.IGNORECASE)


def held_by_no_source(entry: FoundEntry) -> str:
    """Return the kind of the entry, such as `a patent`, if paper databases do not index such works; else "".

    A work with an arXiv or PubMed id is a paper, whatever its type, and so is a web page with a DOI. An entry of
    unknown type is a web page if only an address leads to it.
    """
    schemes = {name.scheme for name in entry.paper.identifiers}
    if schemes - {"doi"}:
        return ""
    subtype = entry.original.value("entrysubtype").lower() if entry.original else ""
    if kind := _BY_TYPE.get(entry.type, "") or _BY_TYPE.get(subtype, ""):
        return "" if schemes and kind in _MAY_BE_PAPERS else kind
    if schemes or entry.type not in _ANYTHING:
        return ""
    if any(map(_PATENT.search, _places(entry))):  # as in Google Scholar's entries
        return "a patent"
    return "a web page" if has_address(entry) else ""


def has_address(entry: FoundEntry) -> bool:
    """Whether the entry has a web address, even in a field for something else."""
    return bool(entry.address) or any(map(_ADDRESS.search, _places(entry)))


def _places(entry: FoundEntry) -> tuple[str, ...]:
    return entry.paper.venue, entry.note, entry.details.get("publisher", "")


def fault_of_address(address: str) -> str:
    """Return why `address` is not a complete web address; "" if it is one, or has another scheme."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "it cannot be read"
    if re.search(r"\s", address):
        return "it contains a space"
    if parts.scheme and parts.scheme not in ("http", "https") and re.match(r"[a-z][a-z0-9+.-]+:[^0-9]", address, re.I):
        return ""
    if parts.scheme not in ("http", "https"):
        return "it does not begin with http:// or https://"
    if not host or not re.fullmatch(r"[^\s.]+(?:\.[^\s.]+)+\.?|\[?[0-9a-f:]+\]?", host):
        return "it has no host name"
    return ""


_NOTICE = 400
"""Number of characters at the start of an abstract that are searched for a notice of withdrawal."""
_WITHDRAWN = re.compile(
    r"\b(?:manuscript|preprint|paper|article) (?:has been|was|is) withdrawn|"
    r"\bauthors? (?:have|has) withdrawn (?:this|their|the) (?:manuscript|preprint|paper|article)",
    re.IGNORECASE,
)


def withdrawal(records: Mapping[str, Paper]) -> str:
    """Return a sentence if a record marks its work as withdrawn, in its title or abstract; else ""."""
    for source, record in records.items():
        if without_withdrawal(record.title) != record.title or _WITHDRAWN.search(record.abstract[:_NOTICE]):
            return f"the paper was withdrawn ({', '.join(filter(None, (title_of(source), record.page)))})"
    return ""


def concerns(records: Mapping[str, Paper]) -> list[str]:
    """Return a sentence if a record names an expression of concern about its work."""
    texts = [f"{title_of(source)}, {record.page}" for source, record in records.items() if record.concern]
    return [f"{CONCERN} ({texts[0]})"] if texts else []


def published_since(paper: Paper, lookup: RecordLookup, records: Iterable[Paper]) -> str:
    """Return where a paper cited as a preprint was published; "" if it is no preprint or was not published."""
    if paper.type != "preprint":
        return ""
    for record in records:
        if (version := record.published) and (version.doi or version.venue) and not is_preprint_venue(version.venue):
            return f"it has appeared {_where(version)}"
    if lookup.published and (version := lookup.published.published):
        return (
            f"a paper with its title and first author has appeared {_where(version)}; cite that one if it is the same"
        )
    return ""


def _where(version: Version) -> str:
    parts = (
        f"in {version.date[:4]}" if version.date else "",
        f"in {version.venue}" if version.venue else "",
        f"doi:{version.doi}" if version.doi else "",
    )
    return ", ".join(filter(None, parts))


def gaps_of(entry: FoundEntry, kind: str) -> Iterator[str]:
    """Yield what the entry lacks. For works that sources do not index (`kind` from `held_by_no_source`), which are
    cited in many ways, only check what every citation needs.
    """
    paper = entry.paper
    presence = {"title": paper.title != UNTITLED}
    if kind:
        presence["address"] = kind != "a web page" or has_address(entry)
    else:
        presence |= {"author": bool(paper.authors or paper.imprint.editors), "year": _has_year(entry)}
        if paper.type in ("article", "conference-paper", "chapter"):
            presence["journal" if paper.type == "article" else "book title"] = bool(paper.venue)
    if missing_names := [name for name, is_present in presence.items() if not is_present]:
        yield f"it has no {' and no '.join(missing_names)}"
    schemes = {name.scheme for name in paper.identifiers}
    item = record_of(entry.original).item if entry.original else {}
    for member in ("DOI", "PMID", "PMCID"):
        if (text := clean_text(item.get(member), 60)) and member.lower() not in schemes:
            yield f"its {member.lower()} field holds no {member}: “{text}”"
    if kind and entry.address and (fault := fault_of_address(entry.address)):
        yield f"its address {entry.address} is not valid: {fault}"


def _has_year(entry: FoundEntry) -> bool:
    """Whether the entry has a year, also one with unspecified digits, such as `16XX`."""
    return written_year(entry) is not None or bool(entry.original and date_of(entry.original))


def double_sentence(first: FoundEntry, entry: FoundEntry) -> str:
    place_name = f"{first.key or 'an entry'} in line {first.line}" if first.line else first.key
    described = describe(first), describe(entry)
    if one_work(*described, one_file=True):
        return f"it is the same work as {place_name}"
    differing = list(contradictions(*described))
    return f"it looks like the same work as {place_name}, but they differ in {' and '.join(differing)}"
