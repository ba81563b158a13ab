"""The terminal app: its searches, its screens, and the desk they share."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import App
from textual.events import Print
from textual.notifications import SeverityLevel

from agents.search.wishes import Mode, Wishes
from cache import runs
from cache.errors import CacheError
from cache.store import Store
from connectors.clean import visible
from connectors.paper import Paper
from spar_tui.commands import bindings
from spar_tui.desk import open_desk, open_store
from spar_tui.errors import Failure, PersonError
from spar_tui.opening import hand_over, page_of
from spar_tui.screens.help import HelpScreen
from spar_tui.screens.home import HomeScreen
from spar_tui.screens.live_search import LiveSearch
from spar_tui.screens.search import SearchScreen
from spar_tui.settings import Settings, load_settings
from spar_tui.theme import NIGHT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from agents.search.desk import Desk

RECENT = 50
DeskOpener = Callable[[Settings], AbstractAsyncContextManager["Desk"]]


def run_app() -> int:
    """Open the app and stay until the person quits; the exit code. Raises `PersonError`."""
    settings = load_settings()
    with open_store(settings) as store:
        app = SparApp(settings, store)
        app.run()
        return app.return_code or 0


@asynccontextmanager
async def whole_desk(settings: Settings) -> "AsyncIterator[Desk]":
    """The desk with every source and the model that the person set."""
    preferences = settings.preferences
    await asyncio.to_thread(load_engine)
    async with open_desk(settings, preferences.sources, preferences.offline, model=True) as opened:
        yield opened.desk


class SparApp(App[None], inherit_bindings=False):
    """Owns what outlives a screen: the searches by their run, and the desk, which is opened for the first of them."""

    TITLE = "spar"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = bindings("anywhere")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (140, "-wide")]  # noqa: RUF012  # Textual declares it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]  # noqa: RUF012
    CSS = "Screen { background: $background; }"

    def __init__(self, settings: Settings, store: Store, opener: DeskOpener = whole_desk) -> None:
        super().__init__()
        self.settings, self.store = settings, store
        self.searches: dict[str, LiveSearch] = {}
        self._opener = opener
        self._open = AsyncExitStack()
        self._desk: Desk | None = None
        self._opening = asyncio.Lock()
        self._expecting = False

    def get_default_screen(self) -> HomeScreen:
        return HomeScreen()

    def on_mount(self) -> None:
        self.register_theme(NIGHT)
        self.theme = NIGHT.name
        for name in ("SIGTERM", "SIGHUP"):
            self._leave_on(name)
        self.begin_capture_print(self, stdout=False, stderr=True)
        for warning in self.settings.warnings:
            self.say(warning, "warning", 10)

    def _leave_on(self, name: str) -> None:
        """Quit as by the key, so that the terminal is given back as it was and the searches are kept."""
        with suppress(AttributeError, NotImplementedError, RuntimeError):  # not on every system, nor in a thread
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self.exit)

    async def on_unmount(self) -> None:
        for live in self.searches.values():
            await live.cut_off()
        await self._open.aclose()

    def on_print(self, event: Print) -> None:
        """What the parts of the command line say on standard error is a notice here."""
        if said := visible(event.text).strip():
            self.say(said.removeprefix("spar: "), "warning", 10)

    def say(self, sentence: str, severity: SeverityLevel = "information", seconds: float = 4) -> None:
        """Show a notice; whatever stands in it is shown as it is."""
        self.notify(visible(sentence), severity=severity, timeout=seconds, markup=False)

    @property
    def desk_told(self) -> str:
        """Who would be asked, in a line."""
        preferences = self.settings.preferences
        asked = "offline: library and starter shelf" if preferences.offline else ", ".join(preferences.sources)
        model = self.settings.model
        mind = "built-in reasoning" if model is None or preferences.offline else model.name or "the model"
        return f"asks {asked} · {mind}"

    async def desk_for(self, sources: Sequence[str] | None) -> "Desk":
        """The desk, opened if it is not yet, with the live sources among `sources`; with all of them for None."""
        async with self._opening:
            if self._desk is None:
                self._desk = await self._open.enter_async_context(self._opener(self.settings))
        if sources is None:
            return self._desk
        return replace(self._desk, live={name: one for name, one in self._desk.live.items() if name in sources})

    def expect_question(self) -> None:
        """Somebody types: load what the search will need."""
        if not self._expecting:
            self._expecting = True
            self.run_worker(asyncio.to_thread(load_engine), group="loading", exit_on_error=False)

    def recent_runs(self) -> list[runs.Run]:
        """The last searches; none if the store cannot be read, which is said."""
        try:
            return runs.recent(self.store, RECENT, "search")
        except CacheError as error:
            self.say(str(error), "error", 10)
            return []

    def ask(self, question: str) -> bool:
        """Begin a search and show it; False, with a notice, if it cannot be kept."""
        try:
            live = LiveSearch.begun(self.store, question, wishes_of(self.settings))
        except CacheError as error:
            self.say(str(error), "error", 10)
            return False
        self._show(live)
        return True

    def open_run(self, run: str) -> None:
        """Show a run: one of this sitting as it is, a finished one as it was; one that was cut off goes on."""
        if run in self.searches:
            self.push_screen(_screen_name(run))
            return
        try:
            self._show(LiveSearch.kept_as(self.store, run))
        except PersonError as error:
            self.say(str(error), "error", 10)

    def _show(self, live: LiveSearch) -> None:
        self.searches[live.run] = live
        live.start(self.desk_for)
        self.install_screen(SearchScreen(live), _screen_name(live.run))
        self.push_screen(_screen_name(live.run))

    def go_home(self) -> None:
        """Leave a search's screen."""
        self.pop_screen()

    def browse(self, paper: Paper) -> None:
        """Open the paper's page in the browser."""
        address = page_of(paper)
        if address is None:
            self.say("No web page of this paper is known.", "warning", 10)
            return
        try:
            hand_over(address)
            self.say(f"Opened {address}", seconds=2)
        except Failure:
            self.say(f"No browser could be opened. The page is {address}", "warning", 10)

    def action_help(self) -> None:
        """Show what the keys do."""
        self.push_screen(HelpScreen())

    def action_tell_quit(self) -> None:
        """What Ctrl-C says, which many press to leave and many to copy."""
        self.say("ctrl+q quits; what was found is kept, and searches can go on later.", seconds=4)


def wishes_of(settings: Settings) -> Wishes:
    """What a question asked in the app wishes for."""
    preferences = settings.preferences
    mode: Mode = "deep" if preferences.mode == "deep" else "fast"
    return Wishes(
        limit=preferences.limit,
        source_seconds=preferences.source_seconds,
        mode=mode,
        strict_judge=preferences.judge_prompt == "complex",
    )


def _screen_name(run: str) -> str:
    return f"search {run}"


def load_engine() -> None:
    """Load what a search needs, the better part of a second; in a thread, so that typing goes on meanwhile."""
    import connectors.arxiv
    import connectors.google
    import connectors.openalex
    import connectors.pubmed
    import connectors.semantic_scholar  # noqa: F401
