"""What came of asking a source: the one place that tells a source that found nothing from one that failed and from one
that was never asked. Reports, JSON and screens all ask here, and none looks at the events themselves."""

from typing import Literal

from agents.run.events import SourceAnswered
from agents.run.findings import SourceTally, tallied

Outcome = Literal["answered", "empty", "partial", "failed", "not asked", "waiting"]
"""It answered with records, or with none; in part; it failed; it was never asked; or its answer is still to come."""


def outcome_of(tally: SourceTally | None) -> Outcome:
    """What came of a source in a run; None is one that was to be asked and of which nothing has come yet."""
    if tally is None:
        return "waiting"
    if not tally.asked:
        return "not asked"
    if tally.state == "failed":
        return "failed"
    if tally.state == "partial":
        return "partial"
    return "answered" if tally.found else "empty"  # "skipped", but asked: it answered that it does not know the paper


def tally_of(answer: SourceAnswered | None) -> SourceTally | None:
    """What a source did with a single query."""
    return None if answer is None else tallied(None, answer)
