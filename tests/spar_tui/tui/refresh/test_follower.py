"""The shown screen is refreshed after each write of others, and nothing is done while nobody writes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen

from cache import shelf
from cache.errors import CacheError, Locked, NotAFile
from cache.store import Store
from spar_tui.tui.refresh.follower import REST, RETRY_SECONDS, LibraryFollower
from tests.agents.scripted import paper
from tests.library import copied


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "spar.db")) as opened:
        yield opened


class CountingScreen(Screen[None]):
    """Counts its refreshes; each does what `then` says, and lasts as long as `gate` is closed."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self.refreshes, self.then, self.gate, self.unread = 0, then, asyncio.Event(), ""
        self.gate.set()

    async def library_changed(self) -> None:
        self.refreshes += 1
        self.then()
        await self.gate.wait()

    async def library_unread(self, why: str) -> None:
        self.unread = why


class Stage:
    """An app that shows `screen`; its follower looks when the test lets it, by the clock `now`."""

    def __init__(self, store: Store, screen: CountingScreen, pilot: Pilot[None], app: App[None]) -> None:
        self.store, self.screen, self._pilot, self.app = store, screen, pilot, app
        self.said: list[str] = []
        self.now = 0.0
        self.follower = LibraryFollower(store, lambda: app.screen, self.said.append, lambda: self.now)

    @classmethod
    @asynccontextmanager
    async def on(cls, store: Store, screen: CountingScreen) -> AsyncIterator["Stage"]:
        app = App[None]()
        async with app.run_test() as pilot:
            await app.push_screen(screen)
            stage = cls(store, screen, pilot, app)
            stage.follower.refresh()
            await stage.settle()
            screen.refreshes = 0
            yield stage

    async def settle(self) -> None:
        """Let what was begun come to its end, or to a closed gate."""
        for _ in range(3):
            await self._pilot.pause()

    async def look(self) -> None:
        self.follower.look()
        await self.settle()

    async def write_elsewhere(self, *titles: str) -> None:
        """Save papers over another connection, each in a transaction of its own."""
        for title in titles:
            await asyncio.to_thread(shelf.save, self.store, [paper(title)])

    async def write_here(self, title: str) -> None:
        """Save a paper over the connection of the app's own thread."""
        shelf.save(self.store, [paper(title)])


Scene = Callable[[Stage], Awaitable[None]]


def play(store: Store, scene: Scene, then: Callable[[], object] = lambda: None) -> None:
    async def run() -> None:
        async with Stage.on(store, CountingScreen(then)) as stage:
            await scene(stage)

    asyncio.run(run())


def test_while_nobody_writes_a_look_is_one_statement(store: Store) -> None:
    async def scene(stage: Stage) -> None:
        statements: list[str] = []
        with store.reading() as db:
            db.set_trace_callback(statements.append)
        for _ in range(20):
            await stage.look()
        assert statements == ["PRAGMA data_version"] * 20
        assert stage.screen.refreshes == 0

    play(store, scene)


def test_what_others_write_refreshes_the_shown_screen_once(store: Store) -> None:
    async def scene(stage: Stage) -> None:
        await stage.write_elsewhere("One", "Two", "Three")
        for _ in range(5):
            await stage.look()
        assert stage.screen.refreshes == 1

    play(store, scene)


def test_what_the_app_writes_itself_is_shown_when_it_says_so_and_not_again(store: Store) -> None:
    async def scene(stage: Stage) -> None:
        for write in (stage.write_here, stage.write_elsewhere):
            before = stage.screen.refreshes
            await write("One")
            stage.follower.refresh()
            await stage.settle()
            await stage.look()
            stage.follower.refresh()
            await stage.settle()
            assert stage.screen.refreshes == before + 1

    play(store, scene)


def test_a_look_leaves_what_the_apps_own_thread_writes_to_the_app(store: Store) -> None:
    """A search writes all the time, and its screen shows it from memory."""

    async def scene(stage: Stage) -> None:
        await stage.write_here("One")
        await stage.look()
        assert stage.screen.refreshes == 0

    play(store, scene)


def test_writes_during_a_refresh_are_shown_together_by_the_next(store: Store) -> None:
    async def scene(stage: Stage) -> None:
        stage.screen.gate.clear()
        await stage.write_elsewhere("One")
        await stage.look()
        for title in ("Two", "Three", "Four"):
            await stage.write_elsewhere(title)
            await stage.look()
        assert stage.screen.refreshes == 1
        stage.screen.gate.set()
        await stage.settle()
        await stage.look()
        assert stage.screen.refreshes == 2

    play(store, scene)


def test_what_the_app_writes_during_a_refresh_is_shown_right_after_it(store: Store) -> None:
    async def scene(stage: Stage) -> None:
        stage.screen.gate.clear()
        await stage.write_elsewhere("One")
        await stage.look()
        await stage.write_elsewhere("Two")
        stage.follower.refresh()
        stage.screen.gate.set()
        await stage.settle()
        assert stage.screen.refreshes == 2

    play(store, scene)


def test_after_a_long_refresh_the_next_waits(store: Store) -> None:
    async def scene(stage: Stage) -> None:
        stage.screen.then = lambda: setattr(stage, "now", stage.now + 3)
        await stage.write_elsewhere("One")
        await stage.look()
        await stage.write_elsewhere("Two")
        stage.now += 3 * REST - 0.1
        await stage.look()
        assert stage.screen.refreshes == 1
        stage.now += 0.2
        await stage.look()
        assert stage.screen.refreshes == 2

    play(store, scene)


def test_a_hidden_screen_is_refreshed_when_it_is_shown_again_if_anybody_wrote(store: Store) -> None:
    async def scene(stage: Stage) -> None:
        for written in ((), ("One",), ()):
            before = stage.screen.refreshes
            await stage.app.push_screen(ModalScreen[None]())
            await stage.write_elsewhere(*written)
            await stage.look()
            assert stage.screen.refreshes == before
            await stage.app.pop_screen()
            stage.follower.refresh()
            await stage.settle()
            assert stage.screen.refreshes == before + len(written)

    play(store, scene)


def test_a_locked_library_is_tried_again_at_the_next_look_without_a_word(store: Store) -> None:
    failures: list[CacheError] = [Locked(store.path, 10), Locked(store.path, 10)]

    async def scene(stage: Stage) -> None:
        stage.screen.then = lambda: raise_next(failures)
        await stage.write_elsewhere("One")
        for refreshes in (1, 2, 3, 3):
            await stage.look()
            assert stage.screen.refreshes == refreshes
            assert bool(stage.screen.unread) is (refreshes < 3)
        assert stage.said == []

    play(store, scene)


def test_any_other_failure_is_told_once_and_tried_again_after_a_pause_or_when_the_screen_is_shown(store: Store) -> None:
    failures: list[CacheError] = [NotAFile(store.path)] * 3

    async def scene(stage: Stage) -> None:
        stage.screen.then = lambda: raise_next(failures)
        await stage.write_elsewhere("One")
        for _ in range(3):
            await stage.look()
        assert stage.screen.refreshes == 1
        assert stage.said == [stage.screen.unread] == [str(NotAFile(store.path))]
        stage.follower.refresh()
        await stage.settle()
        assert stage.screen.refreshes == 2
        for refreshes in (3, 4, 4):
            stage.now += RETRY_SECONDS
            await stage.look()
            assert stage.screen.refreshes == refreshes
        assert stage.screen.unread == ""
        assert len(stage.said) == 1

    play(store, scene)


def test_a_screen_that_is_left_during_its_refresh_is_done_with(store: Store) -> None:
    async def scene(stage: Stage) -> None:
        stage.screen.gate.clear()
        await stage.write_elsewhere("One")
        await stage.look()
        await stage.app.pop_screen()
        stage.screen.gate.set()
        await stage.look()
        assert stage.said == []

    play(store, scene)


def raise_next(failures: list[CacheError]) -> None:
    if failures:
        raise failures.pop(0)
