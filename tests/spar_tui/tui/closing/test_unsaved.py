"""Quitting waits for changes that are not saved yet, and says which could not be saved."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from cache import shelf
from cache.store import Store
from spar_tui.tui.app import SparApp
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen
from spar_tui.tui.screens.paper import PaperScreen
from tests.spar_tui.running import PATIENCE
from tests.spar_tui.tui.closing.slow_closing import HeldThreads
from tests.spar_tui.tui.scenes import scripted_desk
from tests.spar_tui.tui.world import SPARSE, Hand, settings_at

TITLE = SPARSE[0].title


@dataclass
class Lock:
    """What keeps the changes of an app from being saved: its threads do not begin, and the library is locked."""

    threads: HeldThreads
    other: sqlite3.Connection

    def release(self) -> None:
        self.threads.gate.set()
        self.other.rollback()


def saved_in(home: Path, wait: float, scene: Callable[[Hand, Lock], Awaitable[None]]) -> list[tuple[str, bool]]:
    """Save a paper and mark it as read while another connection has locked the library, and play `scene`; the titles on
    the shelf after that, and whether they are read. The app waits for the library for so many seconds."""

    async def run() -> None:
        settings = settings_at(home)
        with (
            Store.open(settings.places.database, wait=wait) as store,
            closing(sqlite3.connect(store.path, isolation_level=None)) as other,
        ):
            app = SparApp(settings, store, scripted_desk, lambda: settings)
            async with Hand.on(app) as hand:
                app.open_paper(SPARSE[0])
                await hand.until_shown("means 0")
                lock = Lock(HeldThreads(), other)
                asyncio.get_running_loop().set_default_executor(lock.threads)
                lock.threads.gate.clear()
                other.execute("BEGIN IMMEDIATE")
                await hand.press("s", "u")
                await scene(hand, lock)

    asyncio.run(run())
    with Store.open(settings_at(home).places.database) as store:
        return [(row.title, row.read is not None) for row in shelf.rows(store)]


async def asked(hand: Hand) -> None:
    """Press ctrl+q, and wait until it is asked whether to lose what is not saved."""
    await hand.press("ctrl+q")
    await hand.until_shown("changes… spar quits")
    assert isinstance(hand.app.screen, ConfirmScreen)
    await hand.until_shown("y quit")


async def has_quit(hand: Hand) -> None:
    await hand.until(lambda: hand.app.return_code is not None)


def test_quitting_waits_until_all_is_saved(tmp_path: Path) -> None:
    async def scene(hand: Hand, lock: Lock) -> None:
        await asked(hand)
        await hand.press("ctrl+q")
        assert hand.app.return_code is None
        lock.release()
        await has_quit(hand)

    assert saved_in(tmp_path, PATIENCE, scene) == [(TITLE, True)]


def test_whoever_does_not_want_to_wait_stays(tmp_path: Path) -> None:
    async def scene(hand: Hand, lock: Lock) -> None:
        await asked(hand)
        await hand.press("escape")
        lock.release()
        await hand.until(lambda: "is read" in hand.told)
        assert isinstance(hand.app.screen, PaperScreen)
        assert hand.app.return_code is None

    assert saved_in(tmp_path, PATIENCE, scene) == [(TITLE, True)]


def test_a_change_that_cannot_be_saved_is_said_and_keeps_the_app_open(tmp_path: Path) -> None:
    async def scene(hand: Hand, lock: Lock) -> None:
        await asked(hand)
        lock.threads.gate.set()
        await hand.until(lambda: "was locked by another process" in hand.told)
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        assert hand.app.return_code is None
        await hand.press("ctrl+q")
        await has_quit(hand)

    assert saved_in(tmp_path, 0, scene) == []


def test_quitting_at_once_says_what_was_not_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def scene(hand: Hand, lock: Lock) -> None:
        await asked(hand)
        await hand.press("tab", "enter")
        lock.threads.gate.set()
        await has_quit(hand)

    assert saved_in(tmp_path, 0, scene) == []
    assert "was locked by another process" in capsys.readouterr().err


def test_an_app_that_a_signal_closes_saves_what_was_asked_for(tmp_path: Path) -> None:
    async def scene(hand: Hand, lock: Lock) -> None:
        hand.app.exit()
        asyncio.get_running_loop().call_later(0.5, lock.release)

    assert saved_in(tmp_path, PATIENCE, scene) == [(TITLE, True)]
