"""The app over scripted sources, with a hand on its keys."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from rich.cells import cell_len
from textual._context import visible_screen_stack
from textual.app import ScreenStackError
from textual.css.model import RuleSet
from textual.message import Message
from textual.notifications import Notify
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip

from agents.run.resources import Resources
from agents.search.kind import SearchRun
from cache.store import Store
from connectors.paper import Paper
from connectors.source import Answer, Query
from spar_tui.errors import Failure
from spar_tui.settings import Settings, load_settings
from spar_tui.tui.app import SparApp
from spar_tui.tui.research_app import Anew
from spar_tui.tui.screens.home import AskLine, HomeScreen
from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.widgets.paper_list import PaperList
from tests.agents.scripted import ScriptedSource, paper
from tests.library import copied
from tests.spar_tui.running import PATIENCE

# The same hash, which does not tell the audit hook of the library file a million times which rules are looked up.
RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]

QUESTION = "sparse retrieval of passages"
SPARSE = [
    paper(
        f"Sparse retrieval of passages, part {number}",
        f"10.1000/s{number}",
        abstract=f"We study sparse retrieval of passages with means {number}. It works well.",
        author=f"Ada Author{number}",
    )
    for number in range(6)
]
OTHERS = [
    paper(f"River ecology, survey {number}", f"10.1000/r{number}", abstract="Fish are counted in rivers.", date="2011")
    for number in range(6)
]
T = TypeVar("T")
THREAD_PATIENCE = 1.0
Scene = Callable[["Hand"], Awaitable[None]]
Desk = Callable[[Settings], AbstractAsyncContextManager[Resources]]


@dataclass
class GatedSource(ScriptedSource):
    """A source that answers when the test lets it."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def search(self, query: Query) -> Answer:
        self.asked.append(query)
        await self.gate.wait()
        return await self._say(self.papers)


class CountedThreads(ThreadPoolExecutor):
    """Threads of a running loop; `left` counts what they have not finished."""

    def __init__(self) -> None:
        super().__init__()
        self.left = 0

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        self.left += 1
        future = super().submit(fn, *args, **kwargs)
        # Counted down only after the loop has been told, whose own callback is added before this one.
        asyncio.get_running_loop().call_soon(future.add_done_callback, self._done)
        return future

    def _done(self, _: object) -> None:
        self.left -= 1


async def settled(app: SparApp) -> None:
    """Wait until nothing goes on in the loop or its threads, and draw the screen.

    Textual's pilot takes a process for idle that uses no processor; on a busy machine it may just not get any. A thread
    that waits for the test is waited for `THREAD_PATIENCE` seconds.
    """
    loop = asyncio.get_running_loop()
    threads = loop._default_executor  # type: ignore[attr-defined]
    end = loop.time() + THREAD_PATIENCE
    await idle(loop)
    while app.counted_keys.waiting:  # for a key that a number may stand before
        await asyncio.sleep(0.01)
    await idle(loop)
    while isinstance(threads, CountedThreads) and threads.left and loop.time() < end:
        await asyncio.sleep(0.001)
        await idle(loop)
    with suppress(ScreenStackError):  # the app is being closed
        app.screen._on_timer_update()


async def idle(loop: asyncio.AbstractEventLoop) -> None:
    """Wait until no callback is ready to run."""
    while loop._ready:  # type: ignore[attr-defined]
        await asyncio.sleep(0)


async def told_of_ended_processes() -> None:
    """Wait until the loop is told of processes that the app has ended: it closes their pipes then."""
    for thread in threading.enumerate():
        if thread.name.startswith("asyncio-waitpid-"):
            await asyncio.to_thread(thread.join, THREAD_PATIENCE)
            await asyncio.sleep(0.01)


@contextmanager
def undrawn(changed: asyncio.Event) -> Iterator[None]:
    """Leave out the drawing of each change, which an app without a terminal throws away, and set `changed` instead;
    `Hand.strips` draws."""
    drawn = Screen._compositor_refresh

    def forget(screen: Screen[object]) -> None:
        changed.set()
        if screen is not screen.app.screen:  # whose changes the screen above it shows
            drawn(screen)
            return
        screen._compositor._dirty_regions.clear()
        screen._dirty_widgets.clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Screen, "_compositor_refresh", forget)
        yield


class Hand:
    """Presses keys and looks."""

    def __init__(self, app: SparApp, pilot: Pilot[None], said: list[str], changed: asyncio.Event) -> None:
        self.app, self.pilot, self.said, self.changed = app, pilot, said, changed

    @classmethod
    @asynccontextmanager
    async def on(cls, app: SparApp, size: tuple[int, int] = (150, 36)) -> AsyncIterator["Hand"]:
        """Open the app in a terminal of `size`, and wait until it is drawn."""
        said: list[str] = []

        def keep_what_is_said(message: Message) -> None:
            if isinstance(message, Notify):
                said.append(message.notification.message)

        asyncio.get_running_loop().set_default_executor(CountedThreads())
        shown = app.run_test(size=size, notifications=True, message_hook=keep_what_is_said)
        changed = asyncio.Event()
        with undrawn(changed):
            async with shown as pilot:
                while isinstance(app.screen, HomeScreen) and not app.screen.query("#next"):
                    await asyncio.sleep(0.01)
                await settled(app)
                yield cls(app, pilot, said, changed)

    async def press(self, *keys: str) -> None:
        """Press the keys one after the other, each when the app has done what the one before asked for."""
        self.said.clear()
        for key in keys:
            await self.app._press_keys([key])
            await settled(self.app)

    async def ask(self, question: str = QUESTION) -> SearchRun:
        """Put a question into the ask line and press Enter."""
        line = self.app.screen.query_one(AskLine)
        line.value = question
        self.app.screen.set_focus(line)
        await self.press("enter")
        return self.live

    async def settled(self) -> None:
        """Wait until the app has done what was begun, and drawn the screen."""
        await settled(self.app)

    async def type(self, text: str) -> None:
        """Press the key of each letter."""
        await self.press(*("space" if letter == " " else letter for letter in text))

    @property
    def live(self) -> SearchRun:
        assert isinstance(self.app.screen, SearchScreen)
        return self.app.screen.live

    async def resize(self, columns: int, lines: int) -> None:
        """Make the terminal another size, and wait until the screen is drawn for it."""
        await self.pilot.resize_terminal(columns, lines)
        await self.until(lambda: all(cell_len(line) == columns for line in self.lines))

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait until `what` is so, as the screen shows it."""
        end, pause = time.monotonic() + PATIENCE, 0.02
        while time.monotonic() < end:
            await asyncio.sleep(pause)
            pause = min(1.5 * pause, 0.1)
            await idle(asyncio.get_running_loop())
            with suppress(ScreenStackError):
                self.app.screen._on_timer_update()
            if what():
                return
        raise AssertionError(f"never came about; the screen:\n{self.text}")

    async def until_shown(self, words: str) -> None:
        """Wait until the screen shows `words`. To look is to draw the whole screen, so only changes are looked at."""
        self.changed.set()

        def shown() -> bool:
            if not self.changed.is_set():
                return False
            self.changed.clear()
            return words in self.text

        await self.until(shown)

    @property
    def strips(self) -> list[Strip]:
        """The screen as a terminal would show it, with its colours."""
        visible_screen_stack.set(self.app._background_screens)
        return self.app.screen._compositor.render_strips()

    @property
    def lines(self) -> list[str]:
        """The screen as a terminal would show it."""
        return ["".join(segment.text for segment in strip) for strip in self.strips]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def told(self) -> str:
        """The notices since a key was pressed, also those that a busy machine has let go by unseen."""
        return " ".join(self.said)

    @property
    def papers(self) -> PaperList:
        return self.app.screen.query_one(PaperList)

    @property
    def highlighted(self) -> str:
        """The title under the highlight."""
        assert self.papers.highlighted is not None
        return self.titles[self.papers.highlighted]

    @property
    def titles(self) -> list[str]:
        """The titles in the list of papers, in order."""
        return [row.title for row in self.papers._rows]


def settings_at(home: Path) -> Settings:
    """What the app is set to in `home`; no source is given up while a busy machine draws the app."""
    found = load_settings({"SPAR_HOME": str(home), "SPAR_MANNERS": str(home / "manners")})
    return replace(found, preferences=replace(found.preferences, source_seconds=PATIENCE))


def resources(*sources: ScriptedSource) -> Resources:
    return Resources({one.name: one for one in sources})


def play(home: Path, scene: Scene, on: Resources | Failure | Desk, size: tuple[int, int] = (150, 36)) -> None:
    """Open the app in `home` on the resources `on`, a failure, or what opens them, play `scene`, and quit."""

    @asynccontextmanager
    async def opened(settings: Settings, anew: Anew | None = None) -> AsyncIterator[Resources]:
        if isinstance(on, Failure):
            raise on
        if isinstance(on, Resources):
            yield on
            return
        async with on(settings) as found:
            yield found

    async def run() -> None:
        settings = settings_at(home)
        with Store.open(copied(settings.places.database), wait=PATIENCE) as store:
            app = SparApp(settings, store, opened, lambda: settings_at(home))
            async with Hand.on(app, size) as hand:
                await scene(hand)
            await told_of_ended_processes()

    asyncio.run(run())


def titles(papers: list[Paper]) -> set[str]:
    return {one.title for one in papers}
