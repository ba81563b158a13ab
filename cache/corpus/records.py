"""A line of a dump, read as far as a row is made of it: the rest, which is most of a record, is passed over."""

from typing import Any, TypedDict, cast

import msgspec

from connectors.arxiv.dump import FIELDS as ARXIV_FIELDS
from connectors.crossref.work import FIELDS as CROSSREF_FIELDS
from connectors.openalex.source import FIELDS as OPENALEX_FIELDS
from connectors.records.retraction_watch import FIELDS as RETRACTION_FIELDS
from connectors.semantic_scholar.paper import FIELDS as S2_FIELDS

_READ = {"display_name", *OPENALEX_FIELDS, "corpusId", "citingcorpusid", "citedcorpusid", *S2_FIELDS}
_NAMES = sorted(
    _READ | {name.lower() for name in S2_FIELDS} | {"corpusid", *ARXIV_FIELDS, *CROSSREF_FIELDS, *RETRACTION_FIELDS}
)


class NoJson(ValueError):
    """The line holds no JSON."""


class _Person(TypedDict, total=False):
    display_name: Any
    orcid: Any


class _Authorship(TypedDict, total=False):
    author: _Person
    raw_author_name: Any


_usual = msgspec.json.Decoder(
    cast(Any, TypedDict)("_Record", {**dict.fromkeys(_NAMES, Any), "authorships": list[_Authorship]}, total=False)
)


def record_in(line: bytes) -> object:
    """Parse the fields of `line` that rows need; XML and BibTeX entries stay unparsed. Raises `NoJson`."""
    if line.startswith(b"<"):
        return {"anthology" if line.startswith(b"<collection ") else "dblp": line}
    if line.startswith(b"@"):
        return {"bibtex": line.decode("utf-8", "replace")}
    try:
        return cast(object, _usual.decode(line))
    except msgspec.ValidationError:  # JSON, but of another shape than what services serve: its reader sees to that
        return _whole(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise NoJson from None


def _whole(line: bytes) -> object:
    try:
        return cast(object, msgspec.json.decode(line))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise NoJson from None
