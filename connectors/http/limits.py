"""How politely a service is asked; each source's entry has its figures, measured or from the service's own terms."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateLimit:
    """What is kept towards one service by all `spar` processes on a machine together."""

    gap: float
    """Least seconds between the starts of two requests; with one in flight, from the end of one to the next."""
    in_flight: int = 1
    """Most requests under way at once."""
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
