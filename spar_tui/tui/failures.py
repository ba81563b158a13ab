"""Messages and failures of the app, with their time."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RunFailure:
    """A failure, or another message if not `failed`: `why` says what failed and why, `todo` what to do if `why` does
    not. It happened `times` times, last at `when`. `about` describes the run that it happened in; "" for the app
    itself."""

    when: datetime
    why: str
    todo: str = ""
    about: str = ""
    times: int = 1
    failed: bool = True


def together(failures: Iterable[RunFailure]) -> list[RunFailure]:
    """Return the failures newest first, each repeated one once."""
    last: dict[tuple[str, str], RunFailure] = {}
    for run_failure in sorted(failures, key=lambda run_failure: run_failure.when):
        before = last.pop((run_failure.about, run_failure.why), None)
        last[run_failure.about, run_failure.why] = (
            replace(run_failure, times=before.times + run_failure.times) if before else run_failure
        )
    return list(reversed(last.values()))


def named(kind: str, question: str) -> str:
    """Return a run's name within a sentence, such as `search “question”`; only its kind if it has no question."""
    return f"{kind} “{question}”" if question else kind
