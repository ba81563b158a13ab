"""Convert a `Paper` to JSON text and back without loss, and to a row of the library, whose columns have some of it.
Only known values are written. Unknown keys, written by a later version, are ignored."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cache.starter_notes import note_apart
from connectors.identifiers import Identifier
from connectors.paper import IMPRINT_PARTS, Author, Imprint, Indexed, KeywordOrigin, Paper, Provenance, Version

_PLAIN = {
    name: getattr(Paper(""), name)
    for name in ("abstract", "date", "venue", "type", "citation_count", "pdf", "url", "retracted", "language",
                 "styled_title", "et_al", "described", "retraction_notice", "concern")
}  # fmt: skip
"""Fields that are stored unchanged in JSON, with their default values."""
STORED = "p.title, p.abstract, p.record"
"""The columns of a row of `papers p` that `from_columns` reads."""
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def to_json(paper: Paper) -> str:
    """Return `paper` as one line of JSON."""
    return _ENCODER.encode(to_mapping(paper))


def from_json(text: str) -> Paper:
    """Return the paper that `to_json` wrote."""
    return from_mapping(json.loads(text))


def to_record(paper: Paper) -> str:
    """Return the column `record` of a paper: JSON without its title and abstract, which other columns hold, and with
    the fields that came from one source together."""
    stored = note_apart(to_mapping(paper))
    del stored["title"]
    if "described" not in stored:  # otherwise the column may have the note instead
        stored.pop("abstract", None)
    origins = stored.get("provenance", [])
    if origins and sorted(origins) == origins:
        groups: dict[tuple[str, bool], list[str]] = {}
        for name, source, preprint in origins:
            groups.setdefault((source, preprint), []).append(name)
        stored["provenance"] = [[source, preprint, *names] for (source, preprint), names in groups.items()]
    return _ENCODER.encode(stored)


def from_columns(title: str, abstract: str, record: str) -> Paper:
    """Return the paper whose row has these columns, in the order of `STORED`."""
    return from_mapping(whole({"title": title, "abstract": abstract, "record": record}))


def whole(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `to_mapping` form of the paper in a row. Records of earlier versions are complete by themselves."""
    stored: dict[str, Any] = json.loads(row["record"])
    paper = {"title": row["title"]} | stored
    if row["abstract"] and "described" not in paper:
        paper.setdefault("abstract", row["abstract"])
    origins = paper.get("provenance", ())
    if origins and isinstance(origins[0][1], bool):
        paper["provenance"] = sorted([name, source, preprint] for source, preprint, *names in origins for name in names)
    return paper


def to_mapping(paper: Paper) -> dict[str, Any]:
    """Return `paper` as plain lists, strings and numbers, without default values."""
    mapping: dict[str, Any] = {"title": paper.title}
    mapping |= {name: value for name, unknown in _PLAIN.items() if (value := getattr(paper, name)) != unknown}
    if paper.authors:
        mapping["authors"] = _people(paper.authors)
    if paper.identifiers:
        mapping["identifiers"] = [list(name) for name in paper.identifiers]
    if paper.references:
        mapping["references"] = [list(name) for name in paper.references]
    for field in ("preprint", "published"):
        if version := getattr(paper, field):
            mapping[field] = [version.venue, version.date, version.doi, version.url]
    if printed := {part: value for part in IMPRINT_PARTS if (value := getattr(paper.imprint, part))}:
        mapping["imprint"] = printed | ({"editors": _people(paper.imprint.editors)} if "editors" in printed else {})
    if paper.keywords:
        origins = (*paper.keyword_origins, *[()] * len(paper.keywords))
        mapping["keywords"] = [[word, *origin] for word, origin in zip(paper.keywords, origins, strict=False)]
    if paper.indexed:
        mapping["indexed"] = [list(entry) for entry in paper.indexed]
    if paper.provenance:
        mapping["provenance"] = [list(entry) for entry in paper.provenance]
    return mapping


def from_mapping(mapping: dict[str, Any]) -> Paper:
    """Return the paper of a `to_mapping` mapping."""
    mapping = note_apart(mapping)
    return Paper(
        title=mapping["title"],
        **{name: mapping[name] for name in _PLAIN if name in mapping},
        authors=_authors(mapping.get("authors", ())),
        identifiers=_names(mapping.get("identifiers", ())),
        references=_names(mapping.get("references", ())),
        preprint=_version(mapping.get("preprint")),
        published=_version(mapping.get("published")),
        imprint=_imprint(mapping.get("imprint", {})),
        keywords=tuple(word for word, *_ in mapping.get("keywords", ())),
        keyword_origins=tuple(KeywordOrigin(*origin) for _, *origin in mapping.get("keywords", ()) if origin),
        indexed=tuple(Indexed(*entry) for entry in mapping.get("indexed", ())),
        provenance=tuple(Provenance(*entry) for entry in mapping.get("provenance", ())),
    )


def _names(rows: Sequence[Any]) -> tuple[Identifier, ...]:
    return tuple(Identifier(*name) for name in rows)


def _people(authors: Sequence[Author]) -> list[list[str | None]]:
    return [
        [person.family, person.given, person.orcid, *([person.suffix] if person.suffix else [])] for person in authors
    ]


def _authors(rows: Sequence[Any]) -> tuple[Author, ...]:
    return tuple(Author(*person) for person in rows)


def _imprint(mapping: dict[str, Any]) -> Imprint:
    parts = {part: mapping[part] for part in IMPRINT_PARTS if part in mapping}
    return Imprint(**parts | {"editors": _authors(parts.get("editors", ()))})


def _version(row: Sequence[Any] | None) -> Version | None:
    return Version(*row) if row else None
