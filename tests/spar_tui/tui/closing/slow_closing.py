"""Screens that are left slowly, so that a test can look at what goes on meanwhile."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from textual.message import Message
from textual.widget import Widget

from tests.spar_tui.running import PATIENCE


class SlowWidget(Widget):
    """Handles a message until the gate is open, and then calls what is in `then`. It can be removed only after that,
    when the widgets beside it are gone."""

    DEFAULT_CSS = "SlowWidget { display: none; }"

    class Begin(Message):
        """Sent by the widget to itself."""

    def __init__(self, gate: asyncio.Event) -> None:
        super().__init__()
        self._gate = gate
        self.then: list[Callable[[], object]] = []

    def on_mount(self) -> None:
        self.post_message(self.Begin())

    async def on_slow_widget_begin(self) -> None:
        await self._gate.wait()
        for call in self.then:
            call()


class HeldThreads(ThreadPoolExecutor):
    """Threads that begin nothing while the gate is closed."""

    def __init__(self) -> None:
        super().__init__(max_workers=64)
        self.gate = threading.Event()
        self.gate.set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        def held() -> Any:
            self.gate.wait(PATIENCE)
            return fn(*args, **kwargs)

        return super().submit(held)


async def until(what: Callable[[], bool]) -> None:
    """Wait until `what` is so; the app may be waiting for a screen that is being left."""
    async with asyncio.timeout(PATIENCE):
        while not what():
            await asyncio.sleep(0.01)
