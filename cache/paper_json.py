"""A `Paper` as JSON text and back, without loss.

Only what is known is written. A key that is not known here (a later version wrote it) is passed over.
"""

import json
from collections.abc import Sequence
from typing import Any

from cache.starter_notes import note_apart
from connectors.identifiers import Identifier
from connectors.paper import IMPRINT_PARTS, Author, Imprint, Indexed, KeywordOrigin, Paper, Provenance, Version

_PLAIN = {
    name: getattr(Paper(""), name)
    for name in ("abstract", "date", "venue", "type", "citation_count", "pdf", "url", "retracted", "language",
                 "styled_title", "et_al", "described", "retraction_notice")
}  # fmt: skip
"""Fields that stand in JSON as they are, with what each is where nothing is known."""
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def to_json(paper: Paper) -> str:
    """`paper` as one line of JSON."""
    return _ENCODER.encode(to_mapping(paper))


def from_json(text: str) -> Paper:
    """The paper that `to_json` wrote."""
    return from_mapping(json.loads(text))


def to_mapping(paper: Paper) -> dict[str, Any]:
    """`paper` as plain lists, strings and numbers; what has its default value is left out."""
    found: dict[str, Any] = {"title": paper.title}
    found |= {name: value for name, unknown in _PLAIN.items() if (value := getattr(paper, name)) != unknown}
    if paper.authors:
        found["authors"] = _people(paper.authors)
    if paper.identifiers:
        found["identifiers"] = [list(name) for name in paper.identifiers]
    if paper.references:
        found["references"] = [list(name) for name in paper.references]
    for field in ("preprint", "published"):
        if version := getattr(paper, field):
            found[field] = [version.venue, version.date, version.doi, version.url]
    if printed := {part: value for part in IMPRINT_PARTS if (value := getattr(paper.imprint, part))}:
        found["imprint"] = printed | ({"editors": _people(paper.imprint.editors)} if "editors" in printed else {})
    if paper.keywords:
        origins = (*paper.keyword_origins, *[()] * len(paper.keywords))
        found["keywords"] = [[word, *origin] for word, origin in zip(paper.keywords, origins, strict=False)]
    if paper.indexed:
        found["indexed"] = [list(entry) for entry in paper.indexed]
    if paper.provenance:
        found["provenance"] = [list(entry) for entry in paper.provenance]
    return found


def from_mapping(found: dict[str, Any]) -> Paper:
    """The paper that `to_mapping` took apart."""
    found = note_apart(found)
    return Paper(
        title=found["title"],
        **{name: found[name] for name in _PLAIN if name in found},
        authors=_authors(found.get("authors", ())),
        identifiers=_names(found.get("identifiers", ())),
        references=_names(found.get("references", ())),
        preprint=_version(found.get("preprint")),
        published=_version(found.get("published")),
        imprint=_imprint(found.get("imprint", {})),
        keywords=tuple(word for word, *_ in found.get("keywords", ())),
        keyword_origins=tuple(KeywordOrigin(*origin) for _, *origin in found.get("keywords", ()) if origin),
        indexed=tuple(Indexed(*entry) for entry in found.get("indexed", ())),
        provenance=tuple(Provenance(*entry) for entry in found.get("provenance", ())),
    )


def _names(found: Sequence[Any]) -> tuple[Identifier, ...]:
    return tuple(Identifier(*name) for name in found)


def _people(authors: Sequence[Author]) -> list[list[str | None]]:
    return [
        [person.family, person.given, person.orcid, *([person.suffix] if person.suffix else [])] for person in authors
    ]


def _authors(found: Sequence[Any]) -> tuple[Author, ...]:
    return tuple(Author(*person) for person in found)


def _imprint(found: dict[str, Any]) -> Imprint:
    parts = {part: found[part] for part in IMPRINT_PARTS if part in found}
    return Imprint(**parts | {"editors": _authors(parts.get("editors", ()))})


def _version(found: Sequence[Any] | None) -> Version | None:
    return Version(*found) if found else None
