"""Find the work that a web address names, for addresses that a person pasted or that a file gives.

An address is split into scheme, host, path and query, each decoded once. One table lists the hosts whose paths name a
work in a scheme of their own; on all other hosts, a DOI in the path names that DOI, as on the pages of publishers,
their mirrors and library proxies. No requests are sent.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

_SCHEME = re.compile(r"https?:/{1,2}|//", re.IGNORECASE)
_ONE_SLASH = re.compile(r"^(https?:)/(?!/)", re.IGNORECASE)
_HOLDS_WORK = re.compile(r"10\.|=(?:https?(?::|%3a)|//|%2f)", re.IGNORECASE)
"""Signs of a DOI, or of another address in the query."""
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?::[0-9]+)?/", re.IGNORECASE)
"""The beginning of an address without its scheme."""


class AddressIdentifier(NamedTuple):
    """The scheme of an identifier and its value as the address writes it."""

    scheme: str
    value: str


def is_address(text: str) -> bool:
    """Whether `text` begins like a web address, with or without `https://`."""
    return "/" in text and bool(_SCHEME.match(text) or _HOST.match(text))


@lru_cache(maxsize=1_000)  # each identifier parser checks the same address
def named_by(text: str, *, by_host: bool = False) -> AddressIdentifier | None:
    """Return the identifier that the address `text` names; None if it names no recognizable work.

    Set `by_host` for untrusted addresses: any page can have another work's DOI in its path, so then only hosts in the
    table count.
    """
    address = "".join(text.split())
    if not _HOLDS_WORK.search(address) and not any(map(address.lower().replace("-", ".").__contains__, _HOSTS)):
        return None  # most addresses; parsing them takes ten times as long
    if not _SCHEME.match(address):
        address = f"//{address}"
    try:
        parts = urlsplit(_ONE_SLASH.sub(r"\1//", address))
        host = (parts.hostname or "").lower().removeprefix("www.")
    except ValueError:
        return None
    if host in _RESOLVERS:
        return _resolved(parts, address)
    path = unquote(parts.path)
    queried = f"{path}?{unquote(parts.query)}" if parts.query else path
    proxied = f".{host.partition('.')[0].replace('-', '.')}."  # a proxy writes `www-nature-com.proxy.example.edu`
    for hosts, pattern, build in _TABLE:
        if any(
            f".{host}".endswith(f".{own}") or (not by_host and f".{own}." in f".{host}{proxied}") for own in hosts
        ) and (match := pattern.fullmatch(path.rstrip("/")) or pattern.fullmatch(queried)):
            return build(match)
    if by_host:
        return None
    return _doi_in(path) or next(filter(None, (_in_query(*pair) for pair in parse_qsl(parts.query))), None)


_RESOLVERS = frozenset(("doi.org", "dx.doi.org", "doi.pangaea.de", "doi.acm.org", "doi.ieeecomputersociety.org"))
"""Hosts whose whole path is a DOI."""


def _resolved(parts: SplitResult, address: str) -> AddressIdentifier | None:
    # The check character of a serial article's name (SICI) can be a number sign.
    sign = "#" if address.endswith("2-#") else ""
    path = unquote(parts.path).strip("/")
    return AddressIdentifier("doi", (match[1] if (match := _DOI.search(path)) else path) + sign)


def _as(scheme: str, form: str = "{}") -> Callable[[re.Match[str]], AddressIdentifier]:
    return lambda match: AddressIdentifier(scheme, form.format(*match.groups()))


_ARXIV = r"(?:arxiv:)?((?:[a-z-]+(?:\.[a-z]{2})?/)?[0-9]{4}\.?[0-9]{3,5}(?:v[0-9]+)?)(?:\.pdf)?"
_ACL = r"[0-9]{4}\.(?:acl|emnlp|naacl|eacl|aacl|conll|findings)-[a-z0-9]+\.[0-9]+|[PDNEK]1[6-9]-[0-9]{4}"
_SEARCHED = r"(?:.*&)?(?:term|list_uids)=([0-9]+)(?:\[(?:uid|pmid)\])?(?:&.*)?"
"""A search of PubMed for one number, which can only be an id."""
_TABLE: tuple[tuple[list[str], re.Pattern[str], Callable[[re.Match[str]], AddressIdentifier]], ...] = tuple(
    (hosts.split(), re.compile(pattern, re.IGNORECASE), build)
    for hosts, pattern, build in (
        ("arxiv.org lanl.gov alphaxiv.org ar5iv.org",
         rf"/(?:abs|pdf|html|format|ps|e-print|src|overview|ftp/arxiv/papers/[0-9]+)/{_ARXIV}", _as("arxiv")),
        ("huggingface.co arxiv-vanity.com scirate.com semanticscholar.org",
         rf"(?:/papers|/arxiv|/graph/v1/paper)?/{_ARXIV}", _as("arxiv")),
        ("pubmed.ncbi.nlm.nih.gov", r"/([0-9]+)(?:/.*)?", _as("pmid")),
        ("ncbi.nlm.nih.gov", r"/(?:m/)?(?:pubmed|pmc/articles/pmid)/([0-9]+)(?:/.*)?", _as("pmid")),
        ("pubmed.ncbi.nlm.nih.gov", rf"/?\?{_SEARCHED}", _as("pmid")),
        ("ncbi.nlm.nih.gov", rf"/(?:(?:m/)?pubmed/?|entrez/query\.fcgi(?=\?.*db=pubmed))\?{_SEARCHED}", _as("pmid")),
        ("europepmc.org", r"/(?:article|abstract|articles)/MED/([0-9]+)(?:/.*)?", _as("pmid")),
        ("europepmc.org", r"/(?:(?:article|abstract)/PMC|articles)/(PMC[0-9]+)(?:/.*)?", _as("pmcid")),
        ("ncbi.nlm.nih.gov", r"(?:/labs)?(?:/pmc)?/articles/(PMC[0-9]+)(?:/.*)?", _as("pmcid")),
        ("semanticscholar.org", r"/(?:paper|reader)/(?:[^/]+/)?([0-9a-f]{40})", _as("s2")),
        ("semanticscholar.org", r"/(?:graph/v1/paper/)?(CorpusID:[0-9]+|[0-9a-f]{40})", _as("s2")),
        ("openalex.org", r"(?:/works)?/(W[0-9]+)", _as("openalex")),
        ("openreview.net", r"/(?:forum|pdf|attachment|revisions)/?\?(?:[^&]*&)*id=([A-Za-z0-9_-]+)(?:&.*)?",
         _as("openreview")),
        ("biorxiv.org medrxiv.org",
         r"/content/(?:(?:bio|med)rxiv/)?early/[0-9]{4}/[0-9]{2}/[0-9]{2}/([0-9.]*[0-9])(?:v[0-9]+)?(?:\..*)?",
         _as("doi", "10.1101/{}")),
        ("ssrn.com", r"/(?:[^?]*\?(?:[^&]*&)*)?abstract(?:_?id)?=([0-9]+)(?:&.*)?", _as("doi", "10.2139/ssrn.{}")),
        ("nature.com", r"/articles/([a-z]+[0-9][a-z0-9-]*)(?:\.pdf)?", _as("doi", "10.1038/{}")),
        ("nature.com", r"/[a-z]+/journal/v[0-9]+/n[0-9]+/[a-z]+/([a-z0-9.-]*[a-z0-9])\.(?:html|pdf)",
         _as("doi", "10.1038/{}")),
        ("dl.acm.org", r"/citation\.cfm\?(?:.*&)?(?:id|doid)=([0-9]+\.[0-9]+)(?:&.*)?", _as("doi", "10.1145/{}")),
        ("academic.oup.com", r".*/(10\.[0-9]{4,9}/[^/]+/[^/]+)/[0-9]+", _as("doi")),  # its own number is behind
        ("zenodo.org", r"/records?/([0-9]+)(?:/.*)?", _as("doi", "10.5281/zenodo.{}")),
        ("aclanthology.org aclweb.org",
         rf"(?:/anthology)?/({_ACL})(?:\.[a-z]+|v[0-9]+)?",
         _as("doi", "10.18653/v1/{}")),
    )
)  # fmt: skip
"""Hosts (including their subdomains), path patterns that name a work, and the identifier of a match."""
_HOSTS = sorted({host.replace("-", ".") for host in (*_RESOLVERS, *(host for hosts, _, _ in _TABLE for host in hosts))})

_DOI = re.compile(r"(?:^|[/=:])(10\.[0-9]{4,9}(?:\.[0-9]+)*/.+)")
_PAGES = re.compile(
    r"(?:/(?:full|abstract|summary|pdf|pdfdirect|epdf|epub|html|meta|fulltext|references|figures|tables|metrics|"
    r"citedby|download|export|tab-[a-z]+)"
    r"|/(?:suppl_file|transform)(?:/.*)?"
    r"|(?:\.full(?:-text)?|\.abstract|\.short|\.long|\.pdf\+html|\.pdf|\.html?))$",
    re.IGNORECASE,
)
"""Path suffixes that publishers add to a DOI for the versions of a page."""
_VERSION = re.compile(r"(10\.(?:1101|64898)/[0-9.]+)v[0-9]+(?:\..+)?")
"""A version of a preprint of bioRxiv or medRxiv, or a page of it, such as `.supplementary-material`."""


def _doi_in(path: str) -> AddressIdentifier | None:
    match = _DOI.search(path.rstrip("/"))
    if not match:
        return None
    value = match[1]
    while (bare := _PAGES.sub("", value)) != value and bare.count("/"):
        value = bare
    return AddressIdentifier("doi", version[1] if (version := _VERSION.fullmatch(value)) else value)


_OF_WORKS = re.compile(r"(?:.*doi|(?:.*[._-])?id|identifier)", re.IGNORECASE)
"""Parameters whose value may be a DOI; a search term does not identify a page."""


def _in_query(name: str, value: str) -> AddressIdentifier | None:
    """Return the identifier in a query parameter: a DOI, or an address, as library proxies pass it on."""
    value = value.strip()
    if _SCHEME.match(value):
        return named_by(value)
    match = re.fullmatch(r"(?:doi:|info:doi/)?(10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+)", value, re.IGNORECASE)
    return AddressIdentifier("doi", match[1]) if match and _OF_WORKS.fullmatch(name) else None
