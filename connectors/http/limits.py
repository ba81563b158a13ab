"""How politely a service is asked; each source's entry has its figures, measured or from the service's own terms."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from connectors.errors import SourceError

WHOLE = ""
"""The part of a service that stands for all of it."""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """What is kept towards one service by all `spar` processes of one person on a machine together."""

    gap: float
    """Least seconds between the starts of two requests; with one in flight, from the end of one to the next."""
    gaps: Mapping[str, float] = field(default_factory=dict)
    """The gap after a request to a part of the service, where it is another one."""
    in_flight: int = 1
    """Most requests under way at once."""
    window: float = 0.0
    """Seconds after its end for which a request still counts as under way. The service then sees at most `in_flight`
    requests in any span of this length, however long each of them was on its way."""
    deadline: float = 10.0
    """Seconds for one request: waiting for its turn, all tries, and the whole body."""
    tries: int = 2
    keep_alive: bool = True
    """Whether a connection may stay open between requests."""
    failures: int = 5
    """Failures in a row after which the service is left alone for `rest` seconds."""
    rest: float = 60.0
    rate_limited_rest: float = 0.0
    """Seconds to leave a service alone after a refusal for speed that names no time; 0: only back off and retry."""
    body_cap: int = 20_000_000
    """Most bytes of a reply, unpacked."""

    @property
    def afterwards(self) -> float:
        """Seconds after the end of a request before another may take its place."""
        return max(self.window, self.gap if self.in_flight == 1 else 0.0)


class Limiter(Protocol):
    """What sees to it that a rate limit is kept, and that a service is left alone when it wants to be."""

    def acquire(self, moment: float, part: str = WHOLE) -> AbstractAsyncContextManager[None]:
        """Wait, until `moment` on the loop's clock at most, for the right to send `part` of the service one request,
        and hold it. Raises a `SourceError` where that would be in vain."""

    def succeeded(self) -> None:
        """A good reply: the service works again."""

    def slowed(self, gap: float, part: str) -> None:
        """A reply said how many seconds it wants between two requests to `part`; kept where it exceeds the rule."""

    def scarce(self, until: datetime) -> None:
        """A reply said that little of the budget is left `until` then."""

    def failed(self, error: SourceError, resumption: datetime | None = None, part: str = WHOLE) -> None:
        """A bad reply or none: count it, and leave the service alone when it asks for it or keeps failing.

        What `error` itself says is of the whole service; what else was `resumption` in the reply, of the `part` asked.
        """
