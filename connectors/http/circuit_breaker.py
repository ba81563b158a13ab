"""A circuit breaker: a service that keeps failing, or asks for it, is left alone until a moment.

Pure: a frozen value whose transitions give the next one. Who holds it keeps it where it has to be known, in a process
or in a file that all share, and brings the clock.
"""

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

Reason = TypeVar("Reason")


@dataclass(frozen=True, slots=True)
class Circuit(Generic[Reason]):
    """The failures in a row so far, until when nobody asks, and the failure that this is for."""

    failures: int = 0
    open_until: float = 0.0
    reason: Reason | None = None

    def is_open(self, now: float) -> bool:
        """Whether the service is to be left alone still."""
        return now < self.open_until

    def opened(self, reason: Reason, until: float) -> "Circuit[Reason]":
        """Left alone until `until`; what was to last longer stays as it is."""
        return replace(self, open_until=until, reason=reason) if until > self.open_until else self

    def failed(
        self, reason: Reason, now: float, *, limit: int, rest: float, until: float | None = None
    ) -> "Circuit[Reason]":
        """After one more failure: left alone until a service's own `until`, else for `rest` seconds from the
        `limit`th in a row on, after which they are counted anew."""
        counted = replace(self, failures=self.failures + 1)
        if until is not None:
            return counted.opened(reason, until)
        if counted.failures < limit:
            return counted
        return replace(self, failures=0).opened(reason, now + rest)

    def succeeded(self) -> "Circuit[Reason]":
        """After a good answer: the service works again."""
        return replace(self, failures=0)
