"""How many existing works a source misses, judged by the references of the document itself.

A reference that no source knows is invented only if the sources know nearly all that exists. How much each of them
misses is seen in the references that another source has.
"""

from collections.abc import Iterable, Sequence
from math import prod

from agents.lookup.records import RecordLookup
from connectors.paper import Paper
from connectors.registry import SOURCES

TOO_MANY_MISSED = 0.03
"""Share of existing works that all sources together may miss before a reference that they do not know means nothing."""
_MISSED, _OF = 0.5, 10.0
"""What is assumed before any reference was seen: one half of ten is missed."""


def missed_shares(lookups: Sequence[RecordLookup]) -> dict[str, float]:
    """The share of known works that each source of all fields does not know."""
    return {name: _missed_share(name, lookups) for name, spec in SOURCES.items() if spec.covers_all_fields}


def _missed_share(source: str, lookups: Iterable[RecordLookup]) -> float:
    known = [lookup for lookup in lookups if lookup.records]
    missed = sum(source in lookup.unknown for lookup in known)
    has = sum(source in lookup.by_name or source in lookup.by_title for lookup in known)
    return (missed + _MISSED) / (missed + has + _OF)


def missed_by_all(deniers: Iterable[str], shares: dict[str, float]) -> float:
    """The share of existing works that none of the `deniers` knows, if they miss works independently."""
    return prod(shares.get(name, _MISSED / _OF) for name in deniers)


def asked_for_all_fields(lookup: RecordLookup) -> set[str]:
    """The sources of all fields that answered about the paper."""
    answered = {*lookup.by_name, *lookup.by_title, *lookup.unknown}
    return {name for name in answered & set(SOURCES) if SOURCES[name].covers_all_fields}


def deniers(paper: Paper, lookup: RecordLookup, telling_words: int) -> set[str]:
    """The sources whose not knowing the paper means something: one of a few fields can deny only its own papers, and
    none can by a DOI, for there are several registries of those.

    Nobody can deny what is told by a few words only.
    """
    if not paper.identifiers and not paper.authors and len(paper.title.split()) < telling_words:
        return set()
    return {
        name
        for name in lookup.unknown & set(SOURCES)
        if SOURCES[name].covers_all_fields or any(paper.identifier(own) for own in SOURCES[name].own_schemes)
    }
