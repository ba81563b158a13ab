"""The services' rules as small counters: requests per window, gaps, and credits that run out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

TOLERANCE = 0.02
"""Seconds by which an arrival may be early: clocks and loopback are not exact."""


@dataclass(slots=True)
class Window:
    """At most `limit` requests in any `seconds`, less the tolerance; refused requests do not count."""

    limit: int
    seconds: float
    _admitted: deque[float] = field(default_factory=deque)

    def admit(self, now: float) -> bool:
        while self._admitted and now - self._admitted[0] >= self.seconds - min(TOLERANCE, self.seconds / 5):
            self._admitted.popleft()
        if len(self._admitted) >= self.limit:
            return False
        self._admitted.append(now)
        return True

    @property
    def remaining(self) -> int:
        return self.limit - len(self._admitted)


@dataclass(slots=True)
class Ledger:
    """Credits of one key, or of one address without a key."""

    limit: int
    used: int = 0

    @property
    def remaining(self) -> int:
        return self.limit - self.used

    def pay(self, price: int) -> bool:
        """Take the price; False, and nothing taken, when there is not enough."""
        if price > self.remaining:
            return False
        self.used += price
        return True
