"""What was said and what failed, and when."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RunFailure:
    """A failure: `why` says what failed and why, `todo` what can be done if `why` does not; `times` how often, `when`
    for the last time. `about` is the run it happened in, in words; "" for the app itself. Another message of the app if
    it is not `failed`."""

    when: datetime
    why: str
    todo: str = ""
    about: str = ""
    times: int = 1
    failed: bool = True


def together(failures: Iterable[RunFailure]) -> list[RunFailure]:
    """The latest first; what was said or failed in the same way more than once is told once."""
    last: dict[tuple[str, str], RunFailure] = {}
    for run_failure in sorted(failures, key=lambda run_failure: run_failure.when):
        before = last.pop((run_failure.about, run_failure.why), None)
        last[run_failure.about, run_failure.why] = (
            replace(run_failure, times=before.times + run_failure.times) if before else run_failure
        )
    return list(reversed(last.values()))


def named(kind: str, question: str) -> str:
    """`search “question”`: a run within a sentence; its kind alone if it has no question."""
    return f"{kind} “{question}”" if question else kind
