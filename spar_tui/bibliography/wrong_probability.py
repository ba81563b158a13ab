"""Estimate the probability that a reference does not exist or is described wrongly.

Each kind of evidence multiplies the odds by a fitted factor. The share of wrong references in a document is estimated
from the document itself (Saerens, Latinne, Decaestecker 2002), so that one odd entry of a good
bibliography is not judged like one of a bibliography of which half is invented.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from spar_tui.bibliography.comparing.differences import FieldDifference

Evidence = Literal[
    "as described", "notes only", "no record", "record of a similar title", "other fields", "known nowhere",
]  # fmt: skip
ODDS: Mapping[Evidence, float] = {
    "as described": 0.0091, "notes only": 1.04, "no record": 6.0, "record of a similar title": 7.1,
    "other fields": 145.0, "known nowhere": 145.0,
}  # fmt: skip
"""Factors of the odds, ascending: the share of wrong references with this evidence, divided by that of right ones.
Fitted on HALLMARK's dev split with all records and with a tenth and a third of them missing:
`python -m tests.benchmarks.references --half both --missing 0 0.1 0.333`."""
_WRONG, _OF = 1.0, 10.0
"""Prior: one of ten references is wrong."""
_ROUNDS = 50


def evidence_of(outcome: str, differences: Sequence[FieldDifference], answered: bool) -> Evidence | None:
    """Return the kind of evidence, None if no source `answered`."""
    if not answered:
        return None
    if outcome == "not found":
        return "known nowhere"
    errors = any(one.grave == "error" for one in differences)
    if outcome == "cannot tell":
        return "record of a similar title" if errors else "no record"
    return "other fields" if errors else "notes only" if differences else "as described"


def wrong_probabilities(document: Sequence[Evidence]) -> dict[Evidence, float]:
    """Return the probability of being wrong for each kind of evidence, in a document whose references have the evidence
    `document`."""
    counts, share = Counter(document), _WRONG / _OF
    for _ in range(_ROUNDS):
        wrong = sum(count * _probability(evidence, share) for evidence, count in counts.items())
        share = (wrong + _WRONG) / (counts.total() + _OF)
    return {evidence: _probability(evidence, share) for evidence in ODDS}


def _probability(evidence: Evidence, share: float) -> float:
    odds = ODDS[evidence] * share / (1 - share)
    return odds / (1 + odds)
