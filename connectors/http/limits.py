"""Rate limits of services; each source's entry has its figures, measured or from the service's own terms."""

from collections.abc import Mapping
from dataclasses import dataclass, field

WHOLE = ""
"""The part of a service that means the whole service."""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The rate limit of one service, shared by all `spar` processes of one person on a machine."""

    gap: float
    """Minimum seconds between the starts of two requests; with one in flight, from the end of one to the next."""
    gaps: Mapping[str, float] = field(default_factory=dict)
    """Gaps after requests to parts of the service, if different."""
    in_flight: int = 1
    """Maximum number of parallel requests."""
    window: float = 0.0
    """Seconds for which a request still counts as in flight after its end. The service then sees at most `in_flight`
    requests in any span of this length, whatever their latency."""
    deadline: float = 10.0
    """Seconds for one request: waiting for its turn, all retries, and the whole body."""
    tries: int = 2
    keep_alive: bool = True
    """Whether connections may stay open between requests."""
    failures: int = 5
    """Number of failures in a row after which the service is not asked for `rest` seconds."""
    rest: float = 60.0
    rate_limited_rest: float = 0.0
    """Seconds without requests after a rate-limit error that names no time; 0: only back off and retry."""
    body_cap: int = 20_000_000
    """Maximum size of a reply, decompressed, in bytes."""

    @property
    def afterwards(self) -> float:
        """Seconds after the end of a request until another may use its slot."""
        return max(self.window, self.gap if self.in_flight == 1 else 0.0)
