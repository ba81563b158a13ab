"""Work that comes back to a screen that was left ends quietly; on a screen that is shown, its errors are errors."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.app import ComposeResult
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import WorkerFailed

from tests.spar_tui.tui.closing.slow_closing import SlowWidget, until
from tests.spar_tui.tui.world import Hand, play, resources

Start = Callable[["TwoWidgets", Hand], object]
"""Starts something that asks for the widget `#beside` once the gate of the screen is open."""


class TwoWidgets(Screen[None]):
    """A screen that is left slowly: `#beside` is gone while the other widget is still there."""

    def __init__(self) -> None:
        super().__init__()
        self.gate, self.looked = asyncio.Event(), False

    def compose(self) -> ComposeResult:
        yield Static(id="beside")
        yield SlowWidget(self.gate)

    def look_if_open(self) -> None:
        if self.gate.is_set():
            self.look()

    def look(self) -> None:
        self.looked = True
        self.query_one("#beside")

    async def look_later(self) -> None:
        await self.gate.wait()
        self.look()


STARTS: dict[str, Start] = {
    "message-handler": lambda screen, hand: screen.query_one(SlowWidget).then.append(screen.look),
    "app-worker": lambda screen, hand: hand.app.run_worker(screen.look_later()),
    "app-timer": lambda screen, hand: hand.app.set_interval(0.01, screen.look_if_open),
}


@asynccontextmanager
async def shown(hand: Hand) -> AsyncIterator[TwoWidgets]:
    """Such a screen; the gate is open in the end."""
    screen = TwoWidgets()
    await hand.app.push_screen(screen)
    try:
        yield screen
    finally:
        screen.gate.set()


@pytest.mark.parametrize("name", STARTS)
def test_what_comes_back_to_a_screen_that_was_left_ends_quietly(name: str, tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        async with shown(hand) as screen:
            STARTS[name](screen, hand)
            hand.app.pop_screen()
            await until(lambda: not screen.query("#beside"))
        await until(lambda: screen.looked and not screen.is_attached)

    play(tmp_path, scene, resources())


def test_a_worker_does_not_go_on_while_its_screen_is_being_left(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        async with shown(hand) as screen:
            done: list[object] = []

            async def work() -> None:
                await screen.gate.wait()
                done.append(screen)

            screen.run_worker(work())
            screen.query_one(SlowWidget).run_worker(work())
            hand.app.pop_screen()
            await until(lambda: not screen.query("#beside"))
        await until(lambda: not screen.is_attached)
        assert not done

    play(tmp_path, scene, resources())


@pytest.mark.parametrize("name", STARTS)
def test_an_error_on_a_screen_that_is_shown_is_an_error(name: str, tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        async with shown(hand) as screen:
            await screen.query_one("#beside").remove()
            STARTS[name](screen, hand)
        await until(lambda: hand.app.crash is not None)

    with pytest.raises((NoMatches, WorkerFailed)):
        play(tmp_path, scene, resources())


def test_what_comes_back_to_an_app_that_was_closed_ends_quietly(tmp_path: Path) -> None:
    screen = TwoWidgets()

    async def scene(hand: Hand) -> None:
        await hand.app.push_screen(screen)
        screen.query_one(SlowWidget).then.append(screen.look)

        async def open_when_half_closed() -> None:
            await until(lambda: not screen.query("#beside"))
            screen.gate.set()

        opening.append(asyncio.create_task(open_when_half_closed()))

    opening: list[asyncio.Task[None]] = []
    play(tmp_path, scene, resources())
    assert screen.looked
