"""The terminal app: its searches and summaries, its screens, and the desk they share."""

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from textual import work
from textual.app import SuspendNotSupported
from textual.screen import Screen

from cache import runs
from cache.errors import CacheError
from cache.store import Store
from connectors.paper import Paper
from spar_tui.desk import open_desk, open_store
from spar_tui.errors import Failure, PersonError
from spar_tui.frame import Frame
from spar_tui.opening import hand_over, page_of
from spar_tui.screens.home import HomeScreen
from spar_tui.screens.paper_shelf import PersonalShelf
from spar_tui.screens.search_runs import SHOWN_KINDS
from spar_tui.settings import Settings, load_settings
from spar_tui.troubles import Trouble, together

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from agents.links import Kind
    from agents.search.desk import Desk
    from agents.search.wishes import Mode, Wishes
    from agents.summary.wishes import SummaryWishes
    from spar_tui.screens.live_run import AnyRun
    from spar_tui.screens.live_search import LiveSearch
    from spar_tui.screens.live_summary import LiveSummary
    from spar_tui.summary_size import Size
    from spar_tui.widgets.paper_page import InSearch

RECENT = 50
WATCH_SECONDS = 1.0
LOCK_SECONDS, THREAD_LOCK_SECONDS = 0.5, 3.0
"""How long a library is waited for that another process holds: by the app, which stands still meanwhile, and by a
search's threads, which keep nobody but one who quits."""
DeskOpener = Callable[[Settings], AbstractAsyncContextManager["Desk"]]


def run_app() -> int:
    """Open the app, and end the process with its exit code when the person quits. Raises `PersonError`."""
    settings = load_settings()
    with open_store(settings, LOCK_SECONDS) as store:
        app = SparApp(settings, store)
        gc.freeze()  # what is loaded stays: to look through it for rubbish again and again holds keys up for 60 ms
        try:
            app.run()
        except Exception as error:  # noqa: BLE001  # the last border: the terminal is the person's again, tell them
            app.crash = app.crash or error
        code = _tell_crash(app, app.crash) if app.crash is not None else app.return_code or 0
    with suppress(OSError):  # the terminal may have gone
        sys.stdout.flush()
        sys.stderr.flush()
    # Everything of ours is closed. To take the libraries apart as well would keep the person for another second.
    os._exit(code)


def _tell_crash(app: "SparApp", error: Exception) -> int:
    """Write the report, say where it is and how to go on; the exit code."""
    from spar_tui import crash
    from spar_tui.terminal import note

    written = crash.write_report(app.settings.places.database.parent, error, datetime.now())
    unfinished = {run: live.kind for run, live in app.searches.items() if not live.state.finished}
    with suppress(OSError):  # the terminal may have gone, too
        note(f"spar: {crash.sentence(error, written, unfinished)}")
    return 1


@asynccontextmanager
async def whole_desk(settings: Settings) -> "AsyncIterator[Desk]":
    """The desk with every source and the model that the person set."""
    preferences = settings.preferences
    await asyncio.to_thread(load_engine)
    gc.freeze()
    async with open_desk(settings, preferences.sources, preferences.offline, True, THREAD_LOCK_SECONDS) as opened:
        yield opened.desk


class SparApp(Frame):
    """Owns what outlives a screen: searches and summaries by their run, and the desk, opened for the first of them."""

    MODES = {  # noqa: RUF012  # Textual declares it so
        "search": HomeScreen,
        "library": lambda: _library(),
        "history": lambda: _history(),
    }
    DEFAULT_MODE = "search"

    def __init__(
        self,
        settings: Settings,
        store: Store,
        opener: DeskOpener = whole_desk,
        reload: Callable[[], Settings] = load_settings,
    ) -> None:
        super().__init__(settings, reload)
        self.store = store
        self.searches: dict[str, AnyRun] = {}
        self.shelf = PersonalShelf(store)
        self._shelf_lock = asyncio.Lock()
        self._opener = opener
        self._open = AsyncExitStack()
        self._desk: Desk | None = None
        self._opening = asyncio.Lock()
        self._expecting = False
        self._watched: set[str] = set()

    def on_mount(self) -> None:
        self.set_interval(WATCH_SECONDS, self._tell_ended)

    async def on_unmount(self) -> None:
        for live in self.searches.values():
            await live.cut_off()
        await self._open.aclose()

    @property
    def under_way(self) -> int:
        return sum(live.under_way for live in self.searches.values())

    @property
    def told_under_way(self) -> str:
        kinds = [live.kind for live in self.searches.values() if live.under_way]
        if len(kinds) == 1:
            return f"A {kinds[0]} is"
        some = {"search": "searches", "summary": "summaries"}
        return f"{len(kinds)} {' and '.join(some[kind] for kind in sorted(set(kinds)))} are"

    def _tell_ended(self) -> None:
        """Say which runs have ended, if the person does not see it."""
        for run, live in self.searches.items():
            if live.under_way:
                self._watched.add(run)
            elif run in self._watched:
                self._watched.discard(run)
                seen = self._shows(run)
                if live.state.finished and not (seen and self.app_focus):
                    self.tell_done(live.told_end)

    def troubles(self) -> list[Trouble]:
        """All that failed in this sitting and in the runs that it shows."""
        from spar_tui.run_troubles import troubles_of

        found = list(self.failures)
        for run, live in list(self.searches.items()):
            found += live.failures
            found += troubles_of(runs.get(self.store, run), runs.events(self.store, run))
        return together(found)

    def settings_changed(self) -> None:
        """The next search gets a desk with what is set now; those under way keep theirs."""
        self._desk = None

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
        """The last searches and summaries; none if the store cannot be read, which is said."""
        try:
            return [one for one in runs.recent(self.store, RECENT) if one.kind in SHOWN_KINDS]
        except CacheError as error:
            self.say(str(error), "error", 10)
            return []

    def ask(self, question: str) -> bool:
        """Begin a search and show it; False, with a notice, if it cannot be kept."""
        from spar_tui.screens.live_search import LiveSearch

        return self._begin(lambda: LiveSearch.begun(self.store, question, wishes_of(self.settings)))

    async def plan_summary(
        self, topic: str, run: str | None = None, begun: Callable[[], object] = lambda: None
    ) -> None:
        """Ask how large a summary is to be, then `summarize`; `begun` is called if it has begun."""
        from spar_tui.screens.summary_form import SummaryForm

        def begin(size: "Size | None") -> None:
            if size is not None and self.summarize(topic, run, size):
                begun()

        # Waited for, so that an Enter pressed at once is the form's.
        await self.push_screen(SummaryForm(topic), begin)

    def summarize(self, topic: str, run: str | None = None, size: "Size | None" = None) -> bool:
        """Begin a summary, from the papers of the search `run` if there is one; False if it cannot be kept."""
        from spar_tui.screens.live_summary import LiveSummary

        return self._begin(lambda: LiveSummary.begun(self.store, topic, summary_wishes_of(self.settings, run, size)))

    def _begin(self, begun: "Callable[[], LiveSearch | LiveSummary]") -> bool:
        try:
            live = begun()
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
            self._show(_kept_as(self.store, run))
        except (CacheError, PersonError) as error:
            self.say(str(error), "error", 10)

    def _show(self, live: "LiveSearch | LiveSummary") -> None:
        self.searches[live.run] = live
        live.start(self.desk_for)
        self.install_screen(_screen_of(live), _screen_name(live.run))
        self.push_screen(_screen_name(live.run))

    def _shows(self, run: str) -> bool:
        """Whether the screen of `run` is the one that is seen."""
        return self.is_screen_installed(_screen_name(run)) and self.get_screen(_screen_name(run)) is self.screen

    def show_run(self, run: str) -> None:
        """Show a run among the searches, from wherever the person is."""
        self.switch_mode(self.DEFAULT_MODE)
        while len(self.screen_stack) > 1:
            if self._shows(run):
                return
            self.pop_screen()
        self.open_run(run)

    def drop_run(self, run: str) -> None:
        """A run was forgotten: its screen goes too."""
        if self.searches.pop(run, None) is not None:
            name = _screen_name(run)
            stack = self._screen_stacks[self.DEFAULT_MODE]
            gone = self.get_screen(name)
            stack[:] = [screen for screen in stack if screen is not gone]
            self.uninstall_screen(name)
            gone.remove()

    def go_home(self) -> None:
        """Leave a search's screen."""
        self.pop_screen()

    def browse(self, paper: Paper) -> bool:
        """Open the paper's page in the browser; whether that could be done."""
        address = page_of(paper)
        if address is None:
            self.say("No web page of this paper is known.", "warning", 10)
        return address is not None and self.browse_address(address)

    def browse_address(self, address: str) -> bool:
        """Open a web address in the browser; whether that could be done."""
        if not address.startswith(("http://", "https://")):
            self.say(f"This is no web address, so it was not opened: {address}", "warning", 10)
            return False
        try:
            hand_over(address)
        except Failure:
            self.say(f"No browser could be opened. The page is {address}", "warning", 10)
            return False
        self.say(f"Opened {address}", seconds=2)
        return True

    @work(group="shelf")
    async def on_shelf(self, deed: Callable[[], str | None], then: Callable[[str | None], None]) -> None:
        """Do `deed` on the disk, in a thread and after those that were asked for before; `then` gets what it says."""
        async with self._shelf_lock:
            try:
                said = await asyncio.to_thread(deed)
            except (CacheError, PersonError) as error:
                self.say(str(error), "error", 10)
                return
        then(said)

    @contextmanager
    def given_away(self) -> "Iterator[None]":
        """Give the terminal to another program for a while. Raises `Failure` where it cannot be given."""
        try:
            with self.suspend():
                yield
        except SuspendNotSupported:
            raise Failure("This terminal cannot be given to an editor; `spar note` writes notes as well.") from None

    def open_paper(
        self, paper: Paper, kind: "Kind | None" = None, search: "InSearch | None" = None, run: str | None = None
    ) -> None:
        """Show a paper on a screen of its own, with what is linked to it in the way of `kind`."""
        from spar_tui.screens.paper import PaperScreen

        self.push_screen(PaperScreen(paper, kind, search, run))

    def export(self, chosen: Sequence[Paper], run: str | None = None) -> None:
        """Ask how and where to write `chosen` into a file."""
        from spar_tui.screens.export import ExportScreen

        self.push_screen(ExportScreen(chosen, run))

    def action_go(self, where: str) -> None:
        """Go to the searches, the library or the history, as each was left."""
        self.switch_mode(where)


def wishes_of(settings: Settings) -> "Wishes":
    """What a question asked in the app wishes for."""
    preferences = settings.preferences
    from agents.search.wishes import Wishes

    mode: Mode = "deep" if preferences.mode == "deep" else "fast"
    return Wishes(
        limit=preferences.limit,
        source_seconds=preferences.source_seconds,
        mode=mode,
        strict_judge=preferences.judge_prompt == "complex",
    )


def summary_wishes_of(settings: Settings, run: str | None, size: "Size | None" = None) -> "SummaryWishes":
    """What a topic given in the app wishes for; the papers of `run` if it is named."""
    from agents.summary.wishes import SummaryWishes

    wishes = SummaryWishes(source_seconds=settings.preferences.source_seconds)
    if size is not None:
        wishes = replace(wishes, depth=size.depth, branch=size.branch, words=size.words)
    return wishes if run is None else replace(wishes, corpus="run", corpus_name=run)


def _kept_as(store: Store, run: str) -> "LiveSearch | LiveSummary":
    """What the store keeps as `run`, as the kind of run that it is. Raises `CacheError`, `PersonError`."""
    from spar_tui.screens.live_search import LiveSearch
    from spar_tui.screens.live_summary import LiveSummary

    if runs.get(store, run).kind == "summary":
        return LiveSummary.kept_as(store, run)
    return LiveSearch.kept_as(store, run)


def _screen_of(live: "LiveSearch | LiveSummary") -> "Screen[None]":
    from spar_tui.screens.live_summary import LiveSummary
    from spar_tui.screens.search import SearchScreen
    from spar_tui.screens.summary import SummaryScreen

    return SummaryScreen(live) if isinstance(live, LiveSummary) else SearchScreen(live)


def _library() -> "Screen[None]":
    from spar_tui.screens.library import LibraryScreen

    return LibraryScreen()


def _history() -> "Screen[None]":
    from spar_tui.screens.history import HistoryScreen

    return HistoryScreen()


def _screen_name(run: str) -> str:
    return f"search {run}"


def load_engine() -> None:
    """Load what a search needs, the better part of a second; in a thread, so that typing goes on meanwhile."""
    import connectors.arxiv
    import connectors.google
    import connectors.openalex
    import connectors.pubmed
    import connectors.semantic_scholar  # noqa: F401
    import spar_tui.screens.search
    import spar_tui.screens.summary  # noqa: F401
