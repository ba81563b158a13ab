"""Merge two records of a work.

`merge` chooses each field by a total order over the value, its source and its version, and unites identifiers, keywords
and the like. So it is commutative, associative and idempotent: the order in which sources answer changes nothing. A
preprint and its published version are joined, and both are kept.
"""

from collections.abc import Callable, Iterator, Sized
from dataclasses import astuple, replace
from itertools import chain, count
from typing import Any

from connectors.identifiers import Identifier, closed, is_preprint_doi
from connectors.paper import IMPRINT_PARTS, Imprint, Indexed, KeywordOrigin, Paper, Provenance, Version
from connectors.records.build import distinct
from connectors.records.corrections import PERSON
from connectors.registry import SOURCES

_SHELF, _SHELF_TRUST = "starter", 2
"""The shelf shipped with spar is no live source; its facts outrank only those of Google."""


def merge(first: Paper, second: Paper) -> Paper:
    """One record of a work from two: the better value of each field, all identifiers, both versions."""
    if first == second:  # true of most entries of a file that is imported again
        return first
    best = {name: max((first, second), key=lambda paper, n=name: _order(paper, n)) for name in _ORDERS}  # type: ignore[misc]
    provenance = [entry for name, paper in best.items() if (entry := _origin(paper, name))]
    provenance += [_DOI_SAID] * bool(_saying_doi(first, second))
    values = {name: _value(paper, name) for name, paper in best.items()}
    values |= {companion: getattr(best[name], companion) for name, companion in _COMPANIONS.items()}
    return replace(
        first,
        imprint=Imprint(**{part: values.pop(part) for part in IMPRINT_PARTS}),
        **values,
        identifiers=_names(first, second),
        retracted=first.retracted or second.retracted,
        retraction_notice=first.retraction_notice or second.retraction_notice,
        concern=first.concern or second.concern,
        preprint=_better_version(first.preprint, second.preprint),
        published=_better_version(first.published, second.published),
        provenance=tuple(sorted(provenance)),
        indexed=_earliest((*first.indexed, *second.indexed)),
        **_keywords(first, second),
    )


_DOI_SAID = Provenance("doi", PERSON)


def _saying_doi(*papers: Paper) -> list[Paper]:
    """Return the papers whose DOI the person set by hand."""
    return [paper for paper in papers if _DOI_SAID in paper.provenance]


def _names(first: Paper, second: Paper) -> tuple[Identifier, ...]:
    """Return the identifiers of both; if the person set a DOI, drop the other DOIs, except those of preprints."""
    names = closed((*first.identifiers, *second.identifiers))
    if not (papers := _saying_doi(first, second)):
        return names
    dois = max([name for name in paper.identifiers if _is_doi(name)] for paper in papers)
    return tuple(name for name in names if not _is_doi(name) or name in dois)


def _is_doi(name: Identifier) -> bool:
    return name.scheme == "doi" and not is_preprint_doi(name.value)


def _value(paper: Paper, field: str) -> Any:
    """Return the value of a field, or of a part of the imprint."""
    return getattr(paper.imprint if field in IMPRINT_PARTS else paper, field)


def _origin(paper: Paper, field: str) -> Provenance | None:
    return next((entry for entry in paper.provenance if entry.field == field), None)


def _order(paper: Paper, field: str) -> tuple[object, ...]:
    """Return a sort key; equal keys mean the same value, source and version."""
    origin = _origin(paper, field) or Provenance(field, "", preprint=True)
    value = _value(paper, field)
    has_value = value not in (None, "", ())
    return (
        origin.source == PERSON,  # also where the person removed the value
        has_value,
        *_ORDERS[field](value, origin),
        _trust(origin.source),
        origin.source,
        not origin.preprint,
        repr(value),
        repr(getattr(paper, _COMPANIONS.get(field, field), None)),
    )


def _trust(source: str) -> int:
    """Return the rank of a source when bibliographic facts differ; abstracts are ranked by length instead."""
    if source == _SHELF:
        return _SHELF_TRUST
    return SOURCES[source].trust if source in SOURCES else 0


def _published_first(_: object, origin: Provenance) -> tuple[object, ...]:
    return (not origin.preprint,)


def _fullest_names(value: tuple[object, ...], origin: Provenance) -> tuple[object, ...]:
    """Rank more authors first (some sources cut lists at 100), then more given names written out."""
    written_out = sum(len(getattr(person, "given", "").replace(".", "").split(" ")[0]) > 1 for person in value)
    return (len(value), written_out, not origin.preprint)


def _most_precise(value: str | None, origin: Provenance) -> tuple[object, ...]:
    return (not origin.preprint, len(value or ""))


def _longest_honest(value: str, origin: Provenance) -> tuple[object, ...]:
    """Rank complete abstracts before cut ones, then longer ones first."""
    is_cut = value.endswith(("…", "..."))
    page_not_abstract = len(value) > 6_000
    return (not is_cut, not page_not_abstract, len(value))


def _largest(value: object, origin: Provenance) -> tuple[object, ...]:
    return (value if isinstance(value, int) else -1,)


def _longest(value: Sized, origin: Provenance) -> tuple[object, ...]:
    return (len(value),)


_ORDERS: dict[str, Callable[..., tuple[object, ...]]] = {
    "title": _published_first,
    "abstract": _longest_honest,
    "authors": _fullest_names,
    "date": _most_precise,
    "venue": _published_first,
    "type": _published_first,
    "citation_count": _largest,
    "references": _longest,
    "pdf": _published_first,
    "url": _published_first,
    "language": _published_first,
    "described": _longest,
    # As for the venue: published records come first, and others only fill in missing values.
    **dict.fromkeys(IMPRINT_PARTS, _published_first),
    "editors": _fullest_names,
}


def _keywords(first: Paper, second: Paper) -> dict[str, Any]:
    """Return the keywords of both with their origins, sorted by trust in the source, then by position there.

    All keywords are sorted together before the cut, so the result does not depend on which record came first.
    """
    keywords = sorted(
        {*_keywords_with_origins(first), *_keywords_with_origins(second)},
        key=lambda pair: (-_trust(pair[1].source), pair[1], pair[0]),
    )
    words, origins = distinct(word for word, _ in keywords), dict(reversed(keywords))
    return {"keywords": words, "keyword_origins": tuple(origins[word] for word in words)}


def _keywords_with_origins(paper: Paper) -> Iterator[tuple[str, KeywordOrigin]]:
    """Yield each keyword with its origin; an unknown origin has an empty source."""
    unknown_origins = (KeywordOrigin("", index) for index in count(len(paper.keyword_origins)))
    return zip(paper.keywords, chain(paper.keyword_origins, unknown_origins), strict=False)


def _earliest(days: tuple[Indexed, ...]) -> tuple[Indexed, ...]:
    """Return the earliest day of each source, sorted by the names of the sources."""
    return tuple(Indexed(*entry) for entry in sorted(dict(sorted(days, reverse=True)).items()))


_COMPANIONS = {"title": "styled_title", "authors": "et_al"}
"""Fields that describe another field and are copied with it."""


def _better_version(first: Version | None, second: Version | None) -> Version | None:
    if first is None or second is None:
        return first or second
    return max(first, second, key=lambda version: (_known_parts(version), _comparable(version)))


def _known_parts(version: Version) -> int:
    return sum(part not in (None, "") for part in astuple(version))


def _comparable(version: Version) -> tuple[str, ...]:
    return tuple(part or "" for part in astuple(version))
