"""A person's corrections of a paper: they outrank every source, and merging keeps them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from connectors.identifiers import closed, is_preprint_doi
from connectors.identifiers import doi as doi_named
from connectors.paper import Paper, Provenance

PERSON = "you"
"""The person's name in the provenance of corrected fields."""
CORRECTABLE = ("title", "authors", "date", "venue", "type", "doi", "abstract")
_COMPANIONS: dict[str, dict[str, Any]] = {"title": {"styled_title": ""}, "authors": {"et_al": False}}
"""Values that a source gave with a field; they are reset when the field is corrected."""


def corrected(paper: Paper, values: Mapping[str, Any]) -> Paper:
    """Return `paper` with new `values` of `CORRECTABLE` fields, as in `Paper`; a DOI is a string, "" for none."""
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
    """Return the fields that the person corrected, in the order of `CORRECTABLE`."""
    fields = {origin.field for origin in paper.provenance if origin.source == PERSON}
    return tuple(name for name in CORRECTABLE if name in fields)


def uncorrected(paper: Paper, before: Paper) -> Paper:
    """Return `paper` with every corrected field as it was `before`; all other fields keep their new values."""
    fields = corrected_fields(paper)
    values: dict[str, Any] = {name: getattr(before, name) for name in fields if name != "doi"}
    for name in fields:
        values |= {companion: getattr(before, companion) for companion in _COMPANIONS.get(name, {})}
    if "doi" in fields:
        further_names = [
            identifier
            for identifier in paper.identifiers
            if identifier.scheme != "doi" or is_preprint_doi(identifier.value)
        ]
        values["identifiers"] = closed([*further_names, *before.identifiers])
    origins = [origin for origin in paper.provenance if origin.source != PERSON]
    origins += [origin for origin in before.provenance if origin.field in fields]
    return replace(paper, **values, published=before.published, provenance=tuple(sorted(set(origins))))
