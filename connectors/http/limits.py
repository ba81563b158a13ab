"""How politely each service is asked: measured starting values (see the services' own terms)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The manners towards one service, held by all `spar` processes on a machine together."""

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


RATE_LIMITS: dict[str, RateLimit] = {
    "arxiv": RateLimit(gap=3.05, tries=1, keep_alive=False, failures=1, rest=600.0, rate_limited_rest=600.0),
    "openalex": RateLimit(gap=0.11, in_flight=4),
    "semanticscholar": RateLimit(gap=3.0, tries=3, failures=3, rest=120.0),
    "semanticscholar with key": RateLimit(gap=1.05, tries=3),
    "pubmed": RateLimit(gap=0.45, in_flight=3),
    "pubmed with key": RateLimit(gap=0.13, in_flight=3),
    "google": RateLimit(gap=0.21, in_flight=2, tries=1),
}


def rate_limit_for(source: str, with_key: bool) -> RateLimit:
    """The manners towards `source`, which may allow more to those who bring a key."""
    return RATE_LIMITS.get(f"{source} with key" if with_key else source) or RATE_LIMITS[source]
