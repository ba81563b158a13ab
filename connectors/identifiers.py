"""Names of works: DOI, arXiv id, PMID, PMCID, Semantic Scholar and OpenAlex ids, in any of their spellings.

An `Identifier` is normal by construction: two spellings of one name are equal, and what is no usable name
(an empty string, a zero, `10.0000/unknown`) is None and never joins two papers.
"""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple
from urllib.parse import unquote

Scheme = Literal["doi", "arxiv", "pmid", "pmcid", "s2", "openalex"]
SCHEMES: tuple[Scheme, ...] = ("doi", "arxiv", "pmid", "pmcid", "s2", "openalex")


class Identifier(NamedTuple):
    """A normalised name of a work within one scheme."""

    scheme: Scheme
    value: str

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"


_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s\"]+")
_DOI_PREFIX = re.compile(r"^(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/|doi:?\s*)+", re.IGNORECASE)
_MADE_UP_DOI = re.compile(r"10\.0{4,}/|10\.\d+/(?:unknown|none|null|n/?a|tba|tbd|xxx+)$")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")
_ARXIV_NEW = re.compile(r"([0-9]{2}(?:0[1-9]|1[0-2])\.[0-9]{4,5})(?:v[0-9]+)?")
_ARXIV_OLD = re.compile(r"([a-z]+(?:-[a-z]+)?)(?:\.[a-z]{2})?/([0-9]{7})(?:v[0-9]+)?")
_ARXIV_PREFIX = re.compile(
    r"^(?:https?://)?(?:(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format)/|arxiv:\s*)+", re.IGNORECASE
)
_PMID_PREFIX = re.compile(
    r"^(?:(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/|pmid:?\s*)+",
    re.IGNORECASE,
)
_PMCID = re.compile(r"PMC([1-9][0-9]{0,9})(?:\.[0-9]+)?", re.IGNORECASE)
LONGEST = 2_000
"""Most characters of an identifier as somebody wrote it, with the address or the words before it."""
_PMCID_PREFIX = re.compile(
    r"^(?:https?://(?:www\.)?(?:ncbi\.nlm\.nih\.gov/pmc/articles|pmc\.ncbi\.nlm\.nih\.gov/articles)/|pmcid:?\s*)+",
    re.IGNORECASE,
)
_S2 = re.compile(r"[0-9a-f]{40}")
_S2_PREFIX = re.compile(
    r"^(?:https?://)?(?:(?:www\.)?semanticscholar\.org/paper/(?:[^/]+/)?|api\.semanticscholar\.org/|s2:)",
    re.IGNORECASE,
)
_S2_CORPUS = re.compile(r"corpusid:\s*([1-9][0-9]{0,11})", re.IGNORECASE)
_OPENALEX = re.compile(r"W[1-9][0-9]{0,14}")
_OPENALEX_ADDRESS = "https://openalex.org/"
_OPENALEX_PREFIX = re.compile(r"^(?:(?:https?://)?(?:api\.)?openalex\.org/(?:works/)?|openalex:)", re.IGNORECASE)


def doi(raw: object) -> Identifier | None:
    """A DOI from any spelling: bare, `doi:`, a doi.org address, percent-encoded, in capitals, with a trailing dot."""
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    text = _DOI_PREFIX.sub("", raw.strip())
    if "%2f" in text.lower():
        text = unquote(text)
    text = text.lower().rstrip(".,;:'\"")
    # A closing bracket belongs to a DOI only where the DOI opened it, as in SICI names.
    while text and text[-1] in ")]}>" and text.count(text[-1]) > text.count("([{<"[")]}>".index(text[-1])]):
        text = text[:-1].rstrip(".,;")
    if len(text) > 300 or not text.isprintable() or not _DOI.fullmatch(text) or _MADE_UP_DOI.match(text):
        return None
    if (preprint := _ARXIV_DOI.fullmatch(text)) and (name := arxiv(preprint[1])):
        return Identifier("doi", f"10.48550/arxiv.{name.value}")
    return Identifier("doi", text)


def arxiv(raw: object) -> Identifier | None:
    """An arXiv id without its version, from a bare id, `arXiv:`, an arxiv.org address or a 10.48550 DOI."""
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    text = _ARXIV_PREFIX.sub("", _DOI_PREFIX.sub("", raw.strip())).lower()
    text = text.split("?")[0].split("#")[0].removesuffix(".pdf").rstrip("/")
    if preprint := _ARXIV_DOI.fullmatch(text):
        text = preprint[1]
    if new := _ARXIV_NEW.fullmatch(text):
        return Identifier("arxiv", new[1])
    if old := _ARXIV_OLD.fullmatch(text):
        return Identifier("arxiv", f"{old[1]}/{old[2]}")
    return None


def pmid(raw: object) -> Identifier | None:
    """A PubMed id from a number, a string, `PMID:` or a PubMed address; never zero."""
    if isinstance(raw, bool) or not isinstance(raw, str | int) or len(str(raw)) > LONGEST:
        return None
    text = _PMID_PREFIX.sub("", str(raw).strip()).split("?")[0].rstrip("/")
    return Identifier("pmid", text) if re.fullmatch(r"[1-9][0-9]{0,8}", text) else None


def pmcid(raw: object) -> Identifier | None:
    """A PubMed Central id (`PMC…`); Semantic Scholar leaves the letters out, so digits alone are taken too."""
    if isinstance(raw, bool) or not isinstance(raw, str | int) or len(str(raw)) > LONGEST:
        return None
    text = _PMCID_PREFIX.sub("", str(raw).strip()).rstrip("/")
    found = _PMCID.fullmatch(text if text[:3].upper() == "PMC" else f"PMC{text}")
    return Identifier("pmcid", f"PMC{found[1]}") if found else None


def s2(raw: object) -> Identifier | None:
    """A Semantic Scholar paper id (40 hexadecimal digits) or corpus id (`CorpusId:…`)."""
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    text = _S2_PREFIX.sub("", raw.strip())
    if corpus := _S2_CORPUS.fullmatch(text):
        return Identifier("s2", f"CorpusId:{corpus[1]}")
    return Identifier("s2", text.lower()) if _S2.fullmatch(text.lower()) else None


def openalex(raw: object) -> Identifier | None:
    """An OpenAlex work id (`W…`), bare or as an address."""
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    if raw.startswith(_OPENALEX_ADDRESS) and _OPENALEX.fullmatch(raw, len(_OPENALEX_ADDRESS)):
        return Identifier("openalex", raw[len(_OPENALEX_ADDRESS) :])  # as references stand in records, by the dozen
    text = _OPENALEX_PREFIX.sub("", raw.strip()).upper()
    return Identifier("openalex", text) if _OPENALEX.fullmatch(text) else None


_READERS = {"doi": doi, "arxiv": arxiv, "pmid": pmid, "pmcid": pmcid, "s2": s2, "openalex": openalex}
_PREFIXED = re.compile(r"(doi|arxiv|pmid|pmcid|s2|openalex):\s*(.+)", re.IGNORECASE | re.DOTALL)


def parse_identifier(text: str) -> Identifier | None:
    """The identifier that a person typed or pasted, whatever its scheme; None if it is none.

    A bare number is a PMID; a bare 40-digit hexadecimal word is a Semantic Scholar id.
    """
    if len(text) > LONGEST:
        return None
    text = text.strip()
    if prefixed := _PREFIXED.fullmatch(text):
        return _READERS[prefixed[1].lower()](prefixed[2])
    readers = (arxiv, doi, openalex, s2, pmid) if text[:3].upper() != "PMC" else (pmcid,)
    if "/pmc" in text.lower() or "pmc." in text.lower():
        readers = (pmcid, *readers)
    return next((found for read in readers if (found := read(text))), None)


def identifiers(*found: Identifier | None) -> tuple[Identifier, ...]:
    """`found` sorted, once each and without the Nones; the arXiv id that an arXiv DOI names is added."""
    return closed(name for name in found if name)


def closed(names: Iterable[Identifier]) -> tuple[Identifier, ...]:
    """`names` sorted by scheme, once each, with the arXiv id of every 10.48550 DOI."""
    known = set(names)
    known |= {
        name
        for item in known
        if item.scheme == "doi" and item.value.startswith("10.48550/") and (name := arxiv(item.value))
    }
    return tuple(sorted(known, key=lambda name: (SCHEMES.index(name.scheme), name.value)))


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
    r"|10\.7287/peerj\.preprints"
)
