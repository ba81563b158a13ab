"""Convert lines of a dump to Arrow tables, in several processes."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict, cast

import msgspec
import pyarrow as pa

from cache.corpus.place import WORKS
from cache.corpus.rows import Abstract, BibtexReader, CitationRow, CorpusRow, WorkFilter, row_of
from cache.corpus.table import A_NAME, ABSTRACTS, CITED, CITES, LINKS, list_of, schemas
from connectors.arxiv.feed import FIELDS as ARXIV_FIELDS
from connectors.crossref.work import FIELDS as CROSSREF_FIELDS
from connectors.openalex.source import FIELDS as OPENALEX_FIELDS
from connectors.records.retraction_watch import FIELDS as RETRACTION_FIELDS
from connectors.semantic_scholar.paper import FIELDS as S2_FIELDS

_READ = {"display_name", *OPENALEX_FIELDS, "corpusId", "citingcorpusid", "citedcorpusid", *S2_FIELDS}
_NAMES = sorted(
    _READ | {name.lower() for name in S2_FIELDS} | {"corpusid", *ARXIV_FIELDS, *CROSSREF_FIELDS, *RETRACTION_FIELDS}
)


class NoJson(ValueError):
    """The line is not JSON."""


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
    except msgspec.ValidationError:  # JSON in another form than the services serve, which its reader handles
        return _whole(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise NoJson from None


def _whole(line: bytes) -> object:
    try:
        return cast(object, msgspec.json.decode(line))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise NoJson from None


NO_JSON = "no JSON"


class Batch(NamedTuple):
    """The rows of some lines; `citations` counts citations on lines of their own, `left_out` counts omitted lines by
    reason, and `first_no_json` is the index of the first line without JSON."""

    works: Any
    links: Any
    abstracts: Any
    lines: int
    citations: int
    left_out: Counter[str]
    first_no_json: int | None


def batch_of(lines: Sequence[bytes], work_filter: WorkFilter, bibtex: BibtexReader | None = None) -> Batch:
    """Convert `lines` to the rows to store; if a work occurs twice, the last record wins."""
    rows: dict[int, CorpusRow] = {}
    abstracts: dict[int, str] = {}
    citations: list[CitationRow] = []
    left_out: Counter[str] = Counter()
    first_no_json = None
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            row = row_of(record_in(line), work_filter, bibtex)
        except NoJson:
            left_out[NO_JSON] += 1
            first_no_json = index if first_no_json is None else first_no_json
            continue
        if isinstance(row, CorpusRow):
            rows[row.key] = row
        elif isinstance(row, Abstract):
            abstracts[row.key] = row.text
        elif isinstance(row, CitationRow):
            citations.append(row)
        else:
            left_out[row] += 1
    works, links = _tables(list(rows.values()), citations)
    apart = pa.table([list(abstracts), list(abstracts.values())], schema=schemas()[ABSTRACTS])
    return Batch(works, links, apart, len(lines), len(citations), left_out, first_no_json)


def _tables(rows: Sequence[CorpusRow], citations: Sequence[CitationRow]) -> tuple[Any, Any]:
    schema = schemas()
    records = [msgspec.json.encode(row.record) for row in rows]
    plain = [
        [getattr(row, name) for row in rows]
        for name in ("key", "source", "text", "opens", "closes", "year", "cited", "venue", "free")
    ]
    works = pa.table([*plain, pa.array(records).cast(pa.string())], schema=schema[WORKS])
    names, work, weight = list[int](), list[int](), list[int]()
    for row in rows:
        names += row.names
        weight += [A_NAME] * len(row.names)
        names += row.references
        weight += [row.cited] * len(row.references)
        work += [row.key] * (len(row.names) + len(row.references))
    names += [number for citation in citations for number in (citation.cited, list_of(citation.citing))]
    work += [number for citation in citations for number in (citation.citing, citation.cited)]
    weight += [CITES, CITED] * len(citations)
    return works, pa.table([names, work, weight], schema=schema[LINKS])
