"""How often a moving screen may be drawn: as often as it is cheap."""

import time
from collections.abc import Callable

SHARE = 0.2
"""Of a core: what drawing may take while nobody waits for it."""
LONGEST = 1.0
"""Seconds after which a screen is drawn whatever it costs."""
Clock = Callable[[], float]


class RedrawPace:
    """Says at each tick whether to draw: not while the process has used more than its share since the last time."""

    def __init__(self, now: Clock = time.monotonic, used: Clock = time.process_time) -> None:
        self._now, self._used = now, used
        self._last = (now() - LONGEST, used())

    def due(self) -> bool:
        """Whether to draw now; if so, the next share begins."""
        passed, used = self._now() - self._last[0], self._used() - self._last[1]
        if passed < LONGEST and used > SHARE * passed:
            return False
        self._last = (self._now(), self._used())
        return True
