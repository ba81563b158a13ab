"""Kinds of works that no source of papers lists: that nobody knows one of them says nothing against it."""

import re
from urllib.parse import urlsplit

from spar_tui.bibliography.reading.entries_read import FoundEntry

_KINDS: dict[str, str] = {
    "a web page": "online electronic internet www web webpage website url elec blog icomm post post-weblog forumpost",
    "a patent": "patent pat",
    "a standard": "standard stand",
    "a law or bill": "legislation legal legadmin legadminmaterial legmaterial statute stat bill unbill regulation"
    " treaty constitution gazette",
    "a court case": "jurisdiction case legal_case hearing hear",
    "software or hardware": "software softwareversion softwaremodule codefragment program package bundle class comp"
    " hardware",
    "a manual": "manual",
    "an unpublished work": "unpublished unpb manuscript manscpt pamphlet",
    "a recording": "audio video movie music sound performance motion_picture song broadcast mpct podcast",
    "a work of art or a map": "artwork image art map graphic figure musical_score",
    "a message or talk": "letter interview personal_communication pcomm speech presentation talk slide",
    "a data set": "dataset data aggr",
    "a whole journal": "periodical jfull",
    "a piece of a newspaper": "newspaper news article-newspaper",
}
_BY_TYPE = {type_: kind for kind, types in _KINDS.items() for type_ in types.split()}
"""What an entry is, by the types of BibLaTeX, RIS and CSL in lower case."""
_ANYTHING = frozenset(("", "misc", "gen", "document", "other", "entry"))
"""Types that say nothing."""
_MAY_BE_PAPERS = frozenset(("a web page", "an unpublished work"))
_ADDRESS = re.compile(r"https?:|\bwww\.", re.IGNORECASE)
_PATENT = re.compile(r"\bpatents?\b", re.IGNORECASE)


def held_by_no_source(entry: FoundEntry) -> str:
    """What the entry is, such as `a patent`, if sources of papers do not list such works; "" if they may.

    What has an id of arXiv or PubMed is a paper, whatever its type; so is a web page that has a DOI. An entry that says
    nothing of its kind is a web page if an address is all that leads to it.
    """
    schemes = {name.scheme for name in entry.paper.identifiers}
    if schemes - {"doi"}:
        return ""
    if kind := _BY_TYPE.get(entry.type, ""):
        return "" if schemes and kind in _MAY_BE_PAPERS else kind
    if schemes or entry.type not in _ANYTHING:
        return ""
    if any(map(_PATENT.search, _places(entry))):  # as Google Scholar writes it
        return "a patent"
    return "a web page" if has_address(entry) else ""


def has_address(entry: FoundEntry) -> bool:
    """Whether an address stands in the entry, be it in a field that is made for something else."""
    return bool(entry.address) or any(map(_ADDRESS.search, _places(entry)))


def _places(entry: FoundEntry) -> tuple[str, ...]:
    return entry.paper.venue, entry.note, entry.details.get("publisher", "")


def fault_of_address(address: str) -> str:
    """What `address` lacks to be a whole web address; "" if nothing, or if it is of another kind than the web's."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "it cannot be read"
    if re.search(r"\s", address):
        return "it has a blank in it"
    if parts.scheme and parts.scheme not in ("http", "https") and re.match(r"[a-z][a-z0-9+.-]+:[^0-9]", address, re.I):
        return ""
    if parts.scheme not in ("http", "https"):
        return "it does not begin with http:// or https://"
    if not host or not re.fullmatch(r"[^\s.]+(?:\.[^\s.]+)+\.?|\[?[0-9a-f:]+\]?", host):
        return "it names no host"
    return ""
