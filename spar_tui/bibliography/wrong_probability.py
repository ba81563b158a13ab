"""Estimate the probability that a reference does not exist or is described wrongly.

The evidence on a reference multiplies the odds by a fitted factor. The share of wrong references in a document is
estimated from the document itself (Saerens, Latinne, Decaestecker 2002), so that one odd entry of a good bibliography
is not judged like one of a bibliography of which half is invented.
"""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Literal

from agents.lookup.records import RecordLookup
from spar_tui.bibliography.comparing.differences import FieldDifference

Evidence = Literal[
    "as described", "small note", "venue note", "title note", "similar title", "title", "author", "number",
    "several fields", "identifier", "venue", "no record",
]  # fmt: skip
FACTORS: Mapping[Evidence, float] = {
    "as described": 0.0061, "small note": 0.28, "venue note": 1.05, "title note": 5.9, "similar title": 10.5,
    "title": 25.0, "author": 57.0, "number": 64.0, "several fields": 75.0, "identifier": 102.0, "venue": 179.0,
    "no record": 7.2,
}  # fmt: skip
"""Factors of the odds: the share of wrong references with this evidence, divided by that of right ones. The factor for
"no record" holds if the sources miss a tenth of all works; it is squared if they miss a hundredth. Fitted on HALLMARK's
dev split with all records and with a tenth and a third of them missing: `python -m tests.benchmarks.references --half
both --missing 0 0.1 0.333`."""
_KINDS: Mapping[str, Evidence] = {
    "title": "title", "author": "author", "venue": "venue", "year": "number", "volume": "number", "pages": "number",
}  # fmt: skip
"""Evidence by wrong field; any other field is an identifier."""
_LEAST_MISSED = 0.001
"""Minimum share of works that sources miss: a work that one source lacks, others often lack too."""
_WRONG, _OF = 1.0, 10.0
"""Prior: one of ten references is wrong."""
_ROUNDS = 50


def evidence_of(differences: Sequence[FieldDifference], lookup: RecordLookup) -> Evidence:
    """Return the kind of evidence on a reference about which sources answered."""
    errors: set[Evidence] = {
        _KINDS.get(difference.field, "identifier") for difference in differences if difference.grave == "error"
    }
    if not lookup.records and not errors:
        return "no record"
    if "title" in errors and not lookup.by_name:
        return "similar title"
    if errors:
        return "several fields" if len(errors) > 1 else errors.pop()
    notes = {difference.field for difference in differences}
    if "title" in notes:
        return "title note"
    return "venue note" if "venue" in notes else "small note" if notes else "as described"


def strength_of(missed: float) -> float:
    """Return the exponent for the factor of "no record" if the sources miss the share `missed` of all works."""
    return -log10(max(missed, _LEAST_MISSED))


def wrong_probabilities(factors: Sequence[float]) -> list[float]:
    """Return the probability of being wrong for each reference of a document, by the factors of their evidence."""
    share, probabilities = _WRONG / _OF, list[float]()
    for _ in range(_ROUNDS):
        probabilities = [factor * share / (factor * share + 1 - share) for factor in factors]
        share = (sum(probabilities) + _WRONG) / (len(probabilities) + _OF)
    return probabilities
