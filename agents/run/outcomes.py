"""What came of asking a source: the one place that tells a source that found nothing from one that failed and from one
that was never asked. Reports, JSON and screens all ask here, and none looks at the events themselves."""

from collections.abc import Mapping
from typing import Literal

from agents.run.events import SourceAnswered
from agents.run.findings import SourceTally, tallied

Outcome = Literal["answered", "empty", "partial", "failed", "stopped", "not asked", "waiting"]
"""It answered with records, or with none; in part; it failed; it was stopped before it answered; it was never asked; or
its answer is still to come."""
HERE = ("library", "starter")
"""What is on this machine anyway: it always answers, and cannot know what sources know today."""


def outcome_of(tally: SourceTally | None) -> Outcome:
    """What came of a source in a run; None is one that was to be asked and of which nothing has come yet."""
    if tally is None:
        return "waiting"
    if not tally.asked:
        return "not asked"
    if tally.state in ("failed", "partial", "stopped"):
        return tally.state
    return "answered" if tally.found else "empty"  # "skipped", but asked: it answered that it does not know the paper


def services_of(tallies: Mapping[str, SourceTally]) -> dict[str, SourceTally]:
    """Return the tallies of the sources that the run meant to ask, without what is on this machine anyway."""
    return {name: tally for name, tally in tallies.items() if name not in HERE and tally.state != "skipped"}


def any_answered(tallies: Mapping[str, SourceTally]) -> bool:
    """Return whether any of these sources answered, at least in part."""
    return any(tally.found or (tally.state in ("ok", "partial") and tally.asked) for tally in tallies.values())


def none_answered(tallies: Mapping[str, SourceTally]) -> bool:
    """Return whether the run meant to ask sources and none of them answered."""
    services = services_of(tallies)
    return bool(services) and not any_answered(services)


def tally_of(answer: SourceAnswered | None) -> SourceTally | None:
    """What a source did with a single query."""
    return None if answer is None else tallied(None, answer)
