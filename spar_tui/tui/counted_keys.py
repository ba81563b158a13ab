"""Numbers before keys: `5j` goes five rows down, as in vim. Before any other key the digits act as keys themselves."""

from textual.app import App
from textual.events import Key
from textual.timer import Timer

from spar_tui.tui.commands import command_of

COUNT_SECONDS = 0.3
"""Seconds that a number waits for the key that it repeats."""
MOST_TIMES = 999


class CountedKeys:
    """Holds typed digits until the next key or a pause decides what they mean."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._digits = ""
        self._timer: Timer | None = None
        self._passed: list[Key] = []
        """Keys posted again that are not part of a number."""

    @property
    def waiting(self) -> bool:
        """Whether a number is waiting for its key."""
        return bool(self._digits)

    def holds(self, event: Key) -> bool:
        """Whether the key is held back: it belongs to a number, or is posted again after the digits before it."""
        if event in self._passed:
            self._passed.remove(event)
            return False
        if event.key in set("0123456789"[not self._digits :]) and self._can_count():
            self._digits += event.key
            self._wait()
            return True
        if not self._digits:
            return False
        if event.key == "escape":
            self._digits = ""
            return True
        if not self._is_counted(event.key):
            self._pass_on(event)
            return True
        times, self._digits = min(int(self._digits), MOST_TIMES), ""
        for _ in range(times - 1):
            self._app.post_message(Key(event.key, event.character))
        return False

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._app.set_timer(COUNT_SECONDS, self._pass_on)

    def _pass_on(self, *after: Key) -> None:
        """Post the digits as ordinary keys, then the key `after` them."""
        keys = [*(Key(digit, digit) for digit in self._digits), *(Key(event.key, event.character) for event in after)]
        self._digits = ""
        self._passed += keys
        for key in keys:
            self._app.post_message(key)

    def _can_count(self) -> bool:
        return any(map(self._is_counted, self._app.screen.active_bindings))

    def _is_counted(self, key: str) -> bool:
        active = self._app.screen.active_bindings.get(key)
        command = command_of(active.binding) if active is not None and active.enabled else None
        return command is not None and command.counted
