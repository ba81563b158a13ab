"""Limit how often a moving screen is drawn by its cost."""

import time
from collections.abc import Callable

SHARE = 0.2
"""Share of a core that the process may use between two redraws."""
LONGEST = 1.0
"""Seconds after which a screen is drawn at any cost."""
Clock = Callable[[], float]


class RedrawPace:
    """Decides at each tick whether to draw: not while the process has used more than its share meanwhile."""

    def __init__(self, now: Clock = time.monotonic, used: Clock = time.process_time) -> None:
        self._now, self._used = now, used
        self._last = (now() - LONGEST, used())

    def due(self) -> bool:
        """Return whether to draw now; if so, begin the next interval."""
        passed, used = self._now() - self._last[0], self._used() - self._last[1]
        if passed < LONGEST and used > SHARE * passed:
            return False
        self._last = (self._now(), self._used())
        return True
