"""Identifiers of works: DOI, arXiv id, PMID, PMCID, ids of Semantic Scholar, OpenAlex and OpenReview, in any spelling.

An `Identifier` is normalized by construction: two spellings of an identifier are equal, and an unusable one (an empty
string, a zero, `10.0000/unknown`) is None and never joins two papers.
"""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args
from urllib.parse import unquote

from connectors.addresses import is_address, named_by
from connectors.records.clean import unescaped

Scheme = Literal["doi", "arxiv", "pmid", "pmcid", "s2", "openalex", "openreview"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
ARXIV_DOIS = "10.48550/"
"""Prefix of arXiv's DOIs, which DataCite issues; other registries do not have them."""


class Identifier(NamedTuple):
    """A normalized identifier of a work within one scheme."""

    scheme: Scheme
    value: str

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"


_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s\"]+")
_PLAIN_DOI = re.compile(r"(?:https://doi\.org/)?(10\.[0-9]{4,9}/[A-Za-z0-9._/()-]*[A-Za-z0-9])")
"""The spelling in most records."""
_DOI_LABEL = re.compile(r"^(?:(?:urn:)?doi\b(?!\.org)\s*[:=]?\s*|info:(?:doi|hdl)/)+", re.IGNORECASE)
_MADE_UP_DOI = re.compile(r"10\.0{4,}/|10\.\d+/(?:unknown|none|null|n/?a|tba|tbd|xxx+)$")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")
_ARXIV = re.compile(
    r"(?:(?P<new>[0-9]{2}(?:0[1-9]|1[0-2])\.[0-9]{4,5})|(?P<field>[a-z]+(?:-[a-z]+)?)(?:\.[a-z]{2})?/(?P<old>[0-9]{7}))"
    r"(?:v[0-9]+)?(?:\.pdf)?(?:\s*\[[a-z.-]{2,20}\](?:\s+[0-9]{1,2}\s+[a-z]{3,9}\s+[0-9]{4})?)?"
)
"""An id with its version, category in brackets and date, as arXiv prints them at the side of a page."""
_ARXIV_LABEL = re.compile(
    r"^(?:info:arxiv/|(?:oai:)?arxiv(?:\.org(?=\s*[:=]))?\b(?!\.org)(?:\s+(?:e-?prints?|preprints?)\b)?\s*[:=]?\s*)+",
    re.IGNORECASE,
)
_PMID = re.compile(r"([1-9][0-9]{0,8})(?:\s*\[pub ?med\b[^\[\]]*\])?", re.IGNORECASE)
"""An id, also with its state in brackets, as PubMed prints it."""
_PMID_LABEL = re.compile(r"^(?:info:pmid/|pmid:?\s*)+", re.IGNORECASE)
_PMCID = re.compile(r"PMC([1-9][0-9]{0,9})(?:\.[0-9]+)?", re.IGNORECASE)
_PMCID_LABEL = re.compile(r"^(?:pmcid:?\s*)+", re.IGNORECASE)
LONGEST = 2_000
"""Maximum length of an identifier as written, including its address or label."""
_S2 = re.compile(r"[0-9a-f]{40}")
_S2_LABEL = re.compile(r"^s2:\s*", re.IGNORECASE)
_S2_CORPUS = re.compile(r"corpusid:\s*([1-9][0-9]{0,11})", re.IGNORECASE)
_OPENALEX = re.compile(r"W[1-9][0-9]{0,14}")
_OPENALEX_ADDRESS = "https://openalex.org/"
_OPENALEX_LABEL = re.compile(r"^openalex:\s*", re.IGNORECASE)
_OPENREVIEW = re.compile(r"[A-Za-z0-9_-]{8,14}")
_OPENREVIEW_LABEL = re.compile(r"^openreview:\s*", re.IGNORECASE)
_UNSEEN = re.compile(r"[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")


def doi(raw: object) -> Identifier | None:
    """Parse a DOI in any spelling: bare, `doi:`, an address that contains one, percent-encoded, in capitals, with a
    trailing dot."""
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    text = plain[1] if (plain := _PLAIN_DOI.fullmatch(raw)) else _value(raw, "doi", _DOI_LABEL)
    if "%" in text:
        text = unquote(text)
    text = text.lower().rstrip(".,;:'\"")
    # A closing bracket belongs to a DOI only if the DOI has the opening one, as in SICI names.
    while text and text[-1] in ")]}>" and text.count(text[-1]) > text.count("([{<"[")]}>".index(text[-1])]):
        text = text[:-1].rstrip(".,;")
    if len(text) > 300 or not text.isprintable() or not _DOI.fullmatch(text) or _MADE_UP_DOI.match(text):
        return None
    if (preprint := _ARXIV_DOI.fullmatch(text)) and (name := arxiv(preprint[1])):
        return Identifier("doi", f"10.48550/arxiv.{name.value}")
    return Identifier("doi", text)


def arxiv(raw: object) -> Identifier | None:
    """Parse an arXiv id, without its version, from a bare id, `arXiv:`, an address of arXiv or a mirror, or a
    10.48550 DOI."""
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    text = _value(raw, "arxiv", _ARXIV_LABEL).lower()
    if not _ARXIV.fullmatch(text) and (preprint := _ARXIV_DOI.fullmatch(_value(raw, "doi", _DOI_LABEL).lower())):
        text = preprint[1]
    if match := _ARXIV.fullmatch(text):
        return Identifier("arxiv", match["new"] or f"{match['field']}/{match['old']}")
    return None


def pmid(raw: object) -> Identifier | None:
    """Parse a PubMed id from a number, a string, `PMID:` or an address of PubMed or Europe PMC; never zero."""
    if isinstance(raw, bool) or not isinstance(raw, str | int) or len(str(raw)) > LONGEST:
        return None
    text = _value(str(raw), "pmid", _PMID_LABEL)
    match = _PMID.fullmatch(text)
    return Identifier("pmid", match[1]) if match else None


def pmcid(raw: object) -> Identifier | None:
    """Parse a PubMed Central id (`PMC…`); digits alone are accepted, because Semantic Scholar omits the letters."""
    if isinstance(raw, bool) or not isinstance(raw, str | int) or len(str(raw)) > LONGEST:
        return None
    text = _value(str(raw), "pmcid", _PMCID_LABEL)
    match = _PMCID.fullmatch(text if text[:3].upper() == "PMC" else f"PMC{text}")
    return Identifier("pmcid", f"PMC{match[1]}") if match else None


def s2(raw: object) -> Identifier | None:
    """Parse a Semantic Scholar paper id (40 hexadecimal digits) or corpus id (`CorpusId:…`)."""
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    text = _value(raw, "s2", _S2_LABEL)
    if corpus := _S2_CORPUS.fullmatch(text):
        return Identifier("s2", f"CorpusId:{corpus[1]}")
    return Identifier("s2", text.lower()) if _S2.fullmatch(text.lower()) else None


def openalex(raw: object) -> Identifier | None:
    """Parse an OpenAlex work id (`W…`), bare or as an address."""
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    if raw.startswith(_OPENALEX_ADDRESS) and _OPENALEX.fullmatch(raw, len(_OPENALEX_ADDRESS)):
        # the form in reference lists, with dozens per record
        return Identifier("openalex", raw[len(_OPENALEX_ADDRESS) :])
    text = _value(raw, "openalex", _OPENALEX_LABEL).upper()
    return Identifier("openalex", text) if _OPENALEX.fullmatch(text) else None


def openreview(raw: object) -> Identifier | None:
    """Parse an OpenReview forum id, bare, as `openreview:…` or as an address. It is case-sensitive."""
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    text = _value(raw, "openreview", _OPENREVIEW_LABEL)
    return Identifier("openreview", text) if _OPENREVIEW.fullmatch(text) else None


def _value(raw: str, scheme: str, label: re.Pattern[str]) -> str:
    """Return the value of this scheme in `raw`: from an address the identifier that it names, else the text without
    its label, invisible characters and HTML entities."""
    text = _UNSEEN.sub("", raw).strip()
    text = label.sub("", unescaped(text))
    if is_address(text):
        identifier = named_by(text)
        if identifier and identifier.scheme == scheme:
            return identifier.value
        return "" if text[:2] == "//" or "://" in text else text
    return text


READERS = {
    "doi": doi, "arxiv": arxiv, "pmid": pmid, "pmcid": pmcid, "s2": s2, "openalex": openalex, "openreview": openreview,
}  # fmt: skip
_ENCLOSED = re.compile(r"(?=[(\[{\"'“‘«]|.*[,;]$)[(\[{\"'“‘«]?(.*?)[)\]}\"'”’»]?[,;.]?", re.DOTALL)
"""An identifier in brackets or quotation marks, or before a comma, as copied from a sentence."""
_PREFIXED = re.compile(rf"({'|'.join(SCHEMES)}):\s*(.+)", re.IGNORECASE | re.DOTALL)


def parse_identifier(text: str) -> Identifier | None:
    """Parse an identifier that a person typed or pasted, in any scheme; None if it is none. A bare number is a PMID;
    a bare 40-digit hexadecimal word is a Semantic Scholar id."""
    if len(text) > LONGEST:
        return None
    text = _UNSEEN.sub("", text).strip().strip("<>").strip()
    if (enclosed := _ENCLOSED.fullmatch(text)) and not enclosed[1].isdecimal():
        text = enclosed[1].strip()
    if prefixed := _PREFIXED.fullmatch(text):
        return READERS[prefixed[1].lower()](prefixed[2])
    readers = (pmcid,) if text[:3].upper() == "PMC" else (arxiv, doi, openalex, s2, pmid)
    if is_address(text) and (address_identifier := named_by(text)):
        readers = (READERS[address_identifier.scheme], *readers)
    elif text[:2] == "//" or "://" in text[:8]:
        return None  # an address of something else
    return next((identifier for read in readers if (identifier := read(text))), None)


def sole_identifier(question: str) -> Identifier | None:
    """Return the DOI, arXiv id or address that a question consists of, if any. A number alone may be a year."""
    return None if question.strip().isdigit() else parse_identifier(question)


_SECOND_DOI = re.compile(
    r"(?:(?<!\s)\s++[|/&]?|[;,|&])\s*+(?>(?:\w{1,10}\s++)?)(?:https?://(?:dx\.)?doi\.org/|doi:\s*+)?10\.\d{4,9}/",
    re.IGNORECASE,
)
"""A further DOI behind one, with what separates them, such as a semicolon or "and"."""


def first_doi(text: str) -> str:
    """Return `text` up to a second DOI in it."""
    if text.count("10.") < 2:
        return text
    second = _SECOND_DOI.search(text, text.find("10.") + 1)
    return text[: second.start()] if second else text


def certainly_named(link: str) -> Identifier | None:
    """Return the identifier that an address of a registry or an archive names; None for any other page, whatever its
    path."""
    identifier = named_by(link, by_host=True) if len(link) <= LONGEST and is_address(link) else None
    return READERS[identifier.scheme](identifier.value) if identifier else None


def identifiers(*candidates: Identifier | None) -> tuple[Identifier, ...]:
    """Return `candidates` sorted, once each and without Nones, with the arXiv id of every arXiv DOI."""
    return closed(name for name in candidates if name)


def closed(names: Iterable[Identifier]) -> tuple[Identifier, ...]:
    """Return `names` sorted by scheme, once each, with the arXiv id of every 10.48550 DOI."""
    identifiers = set(names)
    identifiers |= {
        name
        for item in identifiers
        if item.scheme == "doi" and item.value.startswith(ARXIV_DOIS) and (name := arxiv(item.value))
    }
    return tuple(sorted(identifiers, key=lambda name: (SCHEMES.index(name.scheme), name.value)))


def is_preprint_doi(value: str) -> bool:
    """Whether a DOI was issued by a preprint server."""
    return _PREPRINT_DOI.match(value) is not None


_PREPRINT_DOI = re.compile(
    r"10\.48550/"  # arXiv
    r"|10\.1101/(?:\d{6}|\d{4}\.\d{2}\.\d{2}\.)"  # bioRxiv and medRxiv; the press's journals share the prefix
    r"|10\.64898/\d{4}\.\d{2}\.\d{2}\."  # bioRxiv and medRxiv since December 2025
    r"|10\.2139/ssrn"
    r"|10\.21203/rs"  # Research Square
    r"|10\.20944/preprints"
    r"|10\.26434/chemrxiv"
    r"|10\.312(?:34|19)/osf"
    r"|10\.36227/techrxiv"
    r"|10\.22541/(?:au|essoar)"  # Authorea and ESS Open Archive
    r"|10\.1002/essoar"
    r"|10\.2196/preprints"
    r"|10\.7287/peerj\.preprints",
    re.IGNORECASE,
)
