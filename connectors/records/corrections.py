"""What a person corrects of a paper by hand: above every source, and kept when records are merged."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from connectors.identifiers import closed, is_preprint_doi
from connectors.identifiers import doi as doi_named
from connectors.paper import Paper, Provenance

PERSON = "you"
"""What the person is called in the provenance of what they corrected."""
CORRECTABLE = ("title", "authors", "date", "venue", "type", "doi", "abstract")
_COMPANIONS: dict[str, dict[str, Any]] = {"title": {"styled_title": ""}, "authors": {"et_al": False}}
"""What a source said of a field, which is not true of another value."""


def corrected(paper: Paper, values: Mapping[str, Any]) -> Paper:
    """`paper` with `values` of fields in `CORRECTABLE`; a DOI is text, "" for none, all others are as in `Paper`."""
    plain = {name: value for name, value in values.items() if name != "doi"}
    for name in values:
        plain |= _COMPANIONS.get(name, {})
    if "doi" in values:
        names = [
            identifier
            for identifier in paper.identifiers
            if identifier.scheme != "doi" or is_preprint_doi(identifier.value)
        ]
        plain["identifiers"] = closed([*names, *filter(None, [doi_named(values["doi"])])])
    if paper.published:
        changes: dict[str, Any] = {name: values[name] or None for name in ("date", "doi") if name in values}
        changes |= {"venue": values["venue"]} if "venue" in values else {}
        plain["published"] = replace(paper.published, **changes)
    origins = {origin for origin in paper.provenance if origin.field not in values}
    return replace(paper, **plain, provenance=tuple(sorted({*origins, *(Provenance(name, PERSON) for name in values)})))


def corrected_fields(paper: Paper) -> tuple[str, ...]:
    """The fields that the person corrected, in the order of `CORRECTABLE`."""
    fields = {origin.field for origin in paper.provenance if origin.source == PERSON}
    return tuple(name for name in CORRECTABLE if name in fields)


def uncorrected(paper: Paper, before: Paper) -> Paper:
    """`paper` with what it was `before` in all that was corrected; whatever else was learned since stays."""
    fields = corrected_fields(paper)
    values: dict[str, Any] = {name: getattr(before, name) for name in fields if name != "doi"}
    for name in fields:
        values |= {companion: getattr(before, companion) for companion in _COMPANIONS.get(name, {})}
    if "doi" in fields:
        others = [
            identifier
            for identifier in paper.identifiers
            if identifier.scheme != "doi" or is_preprint_doi(identifier.value)
        ]
        values["identifiers"] = closed([*others, *before.identifiers])
    origins = [origin for origin in paper.provenance if origin.source != PERSON]
    origins += [origin for origin in before.provenance if origin.field in fields]
    return replace(paper, **values, published=before.published, provenance=tuple(sorted(set(origins))))
