"""The probability that a reference does not exist or is described wrongly, from what the sources showed of it.

A kind of evidence changes the odds by a factor that was fitted once. How many references of a document are wrong at
all is estimated from the document itself (Saerens, Latinne, Decaestecker 2002), so that one odd entry of a good
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
"""How often wrong references have such evidence, by how often right ones have it; the least telling comes first. Fitted
on HALLMARK's dev split with all records and with a tenth and a third of them missing:
`python -m tests.benchmarks.references --half both --missing 0 0.1 0.333`."""
_WRONG, _OF = 1.0, 10.0
"""What is assumed before any reference was seen: one of ten is wrong."""
_ROUNDS = 50


def evidence_of(outcome: str, differences: Sequence[FieldDifference], answered: bool) -> Evidence | None:
    """What the sources showed; None if none `answered` about a work that it could have."""
    if not answered:
        return None
    if outcome == "not found":
        return "known nowhere"
    errors = any(one.grave == "error" for one in differences)
    if outcome == "cannot tell":
        return "record of a similar title" if errors else "no record"
    return "other fields" if errors else "notes only" if differences else "as described"


def wrong_probabilities(document: Sequence[Evidence]) -> dict[Evidence, float]:
    """The probability that a reference of a document is wrong, by its evidence; `document` has that of all of them."""
    counts, share = Counter(document), _WRONG / _OF
    for _ in range(_ROUNDS):
        wrong = sum(count * _probability(evidence, share) for evidence, count in counts.items())
        share = (wrong + _WRONG) / (counts.total() + _OF)
    return {evidence: _probability(evidence, share) for evidence in ODDS}


def _probability(evidence: Evidence, share: float) -> float:
    odds = ODDS[evidence] * share / (1 - share)
    return odds / (1 + odds)
