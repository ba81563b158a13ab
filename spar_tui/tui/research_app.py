"""What every screen of the app shares: searches and summaries, the shelf, the sources; which screen shows what is
said in `app.py`."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import work
from textual.app import SuspendNotSupported
from textual.screen import Screen

from agents.run.errors import RunError
from agents.run.kinds import kind_named
from agents.run.runner import AnyRun, Runner
from cache import runs
from cache.errors import CacheError
from cache.store import Store
from connectors.paper import Paper
from connectors.registry import SOURCES
from spar_tui.browser import open_url, page_of
from spar_tui.errors import Failure, UserError
from spar_tui.phrases import sentence
from spar_tui.settings import Settings, load_settings
from spar_tui.terminal import note
from spar_tui.tui.base_app import BaseApp
from spar_tui.tui.failures import RunFailure, together
from spar_tui.tui.models.personal_shelf import PersonalShelf
from spar_tui.tui.models.run_status import SHOWN_KINDS, ended_sentence
from spar_tui.tui.run_options import options_of, summary_options_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents.lookup.links import Kind
    from agents.run.resources import Resources
    from spar_tui.reports.summary_size import Size
    from spar_tui.tui.widgets.paper_page import InSearch

ResourcesOpener = Callable[[Settings], AbstractAsyncContextManager["Resources"]]
RECENT = 50
WATCH_SECONDS = 1.0


class ResearchApp(BaseApp):
    """Owns what outlives a screen: runs by their ids, and the resources, opened for the first of them by `opener`."""

    DEFAULT_MODE = "search"

    def __init__(
        self,
        settings: Settings,
        store: Store,
        opener: ResourcesOpener,
        reload: Callable[[], Settings] = load_settings,
    ) -> None:
        super().__init__(settings, reload)
        self.store = store
        self.runs_shown: dict[str, AnyRun] = {}
        self.shelf = PersonalShelf(store)
        self._shelf_lock = asyncio.Lock()
        self._opener = opener
        self._open = AsyncExitStack()
        self._resources: Resources | None = None
        self._opening = asyncio.Lock()
        self._expecting = False
        self._watched: set[str] = set()

    # Which screens there are

    @abstractmethod
    def load_engine(self) -> None:
        """Load what a search needs."""

    @abstractmethod
    def run_screen(self, live: AnyRun) -> "Screen[None]":
        """The screen that shows a run."""

    @abstractmethod
    def paper_screen(
        self, paper: Paper, kind: "Kind | None", search: "InSearch | None", run: str | None
    ) -> "Screen[None]":
        """The screen that shows a paper."""

    @abstractmethod
    def export_screen(self, chosen: Sequence[Paper], run: str | None) -> "Screen[None]":
        """The screen that asks how and where to write papers."""

    @abstractmethod
    def summary_form(self, topic: str) -> "Screen[Size | None]":
        """The screen that asks how large a summary is to be."""

    # What outlives them

    def on_mount(self) -> None:
        self.set_interval(WATCH_SECONDS, self._tell_ended)

    async def on_unmount(self) -> None:
        for live in self.runs_shown.values():
            await live.cut_off()
        await self._open.aclose()

    @property
    def under_way(self) -> int:
        return sum(live.under_way for live in self.runs_shown.values())

    @property
    def told_under_way(self) -> str:
        kinds = [live.kind.name for live in self.runs_shown.values() if live.under_way]
        if len(kinds) == 1:
            return f"A {kinds[0]} is"
        some = {"search": "searches", "summary": "summaries"}
        return f"{len(kinds)} {' and '.join(some[kind] for kind in sorted(set(kinds)))} are"

    def _tell_ended(self) -> None:
        """Say which runs have ended, if the person does not see it."""
        for run, live in self.runs_shown.items():
            if live.under_way:
                self._watched.add(run)
            elif run in self._watched:
                self._watched.discard(run)
                seen = self._shows(run)
                if live.state.finished and not (seen and self.app_focus):
                    self.tell_done(ended_sentence(live))

    def recent_failures(self) -> list[RunFailure]:
        """All that failed in this session and in the runs that it shows."""
        from spar_tui.tui.models.run_failures import failures_of

        found = list(self.failures)
        for run, live in list(self.runs_shown.items()):
            about = f"{live.kind.name} “{live.question}”"
            found += [RunFailure(*failed, "p on its screen lets it go on.", about) for failed in live.failures]
            found += failures_of(runs.get(self.store, run), runs.events(self.store, run))
        return together(found)

    def settings_changed(self) -> None:
        """The next search gets resources by what is set now; those under way keep theirs."""
        self._resources = None

    @property
    def resources_sentence(self) -> str:
        """Who would be asked, in a line."""
        preferences = self.settings.preferences
        open_to_us = [name for name in preferences.sources if SOURCES[name].is_open(self.settings.access)]
        local = "library and starter shelf"
        asked = f"offline: {local}" if preferences.offline else ", ".join(open_to_us) or f"no source: {local}"
        model = self.settings.model
        judge = "built-in reasoning" if model is None or preferences.offline else model.name or "the model"
        return f"asks {asked} · {judge}"

    async def resources_for(self, sources: Sequence[str] | None) -> "Resources":
        """The resources, opened if they are not yet, with the live `sources`, or all for None."""
        async with self._opening:
            if self._resources is None:
                try:
                    self._resources = await self._open.enter_async_context(self._opener(self.settings))
                except UserError as error:
                    raise RunError(str(error)) from None
        if sources is None:
            return self._resources
        live = {name: source for name, source in self._resources.live.items() if name in sources}
        return replace(self._resources, live=live)

    def expect_question(self) -> None:
        """Somebody types: load what the search will need."""
        if not self._expecting:
            self._expecting = True
            self.run_worker(asyncio.to_thread(self.load_engine), group="loading", exit_on_error=False)

    def recent_runs(self) -> list[runs.Run]:
        """The last searches and summaries; none if the store cannot be read, which is said."""
        try:
            return [run for run in runs.recent(self.store, RECENT) if run.kind in SHOWN_KINDS]
        except CacheError as error:
            self.say(str(error), "error", 10)
            return []

    def ask(self, question: str) -> bool:
        """Begin a search and show it; False, with a notice, if it cannot be kept."""
        options = options_of(self.settings)
        return self._begin(lambda: Runner.begun(kind_named("search"), self.store, question, options, note))

    async def plan_summary(
        self, topic: str, run: str | None = None, begun: Callable[[], object] = lambda: None
    ) -> None:
        """Ask how large a summary is to be, then `summarize`; `begun` is called if it has begun."""

        def begin(size: "Size | None") -> None:
            if size is not None and self.summarize(topic, run, size):
                begun()

        # Waited for, so that an Enter pressed at once is the form's.
        await self.push_screen(self.summary_form(topic), begin)

    def summarize(self, topic: str, run: str | None = None, size: "Size | None" = None) -> bool:
        """Begin a summary, from the papers of the search `run` if there is one; False if it cannot be kept."""
        options = summary_options_of(self.settings, run, size)
        return self._begin(lambda: Runner.begun(kind_named("summary"), self.store, topic, options, note))

    def _begin(self, begun: Callable[[], AnyRun]) -> bool:
        try:
            live = begun()
        except CacheError as error:
            self.say(str(error), "error", 10)
            return False
        self._show(live)
        return True

    def open_run(self, run: str) -> None:
        """Show a run: one of this session as it is, a finished one as it was; one that was cut off goes on."""
        if run in self.runs_shown:
            self.push_screen(_screen_name(run))
            return
        try:
            self._show(Runner.kept_as(self.store, run, note))
        except (CacheError, RunError) as error:
            self.say(str(error), "error", 10)

    def _show(self, live: AnyRun) -> None:
        self.runs_shown[live.run] = live
        live.start(self.resources_for)
        self.install_screen(self.run_screen(live), _screen_name(live.run))
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
        if self.runs_shown.pop(run, None) is not None:
            name = _screen_name(run)
            stack = self._screen_stacks[self.DEFAULT_MODE]
            gone = self.get_screen(name)
            stack[:] = [screen for screen in stack if screen is not gone]
            self.uninstall_screen(name)
            gone.remove()

    def go_home(self) -> None:
        """Leave a search's screen."""
        self.pop_screen()

    def browse(self, paper: Paper, opened: Callable[[], object]) -> None:
        """Open the paper's page in the browser; `opened` is called once it is open."""
        address = page_of(paper)
        if address is None:
            self.say("No web page of this paper is known.", "warning", 10)
        else:
            self.browse_address(address, opened)

    @work(group="browser")
    async def browse_address(self, address: str, opened: Callable[[], object]) -> None:
        """Open a web address in the browser; `opened` is called once it is open."""
        if not address.startswith(("http://", "https://")):
            self.say(f"This is no web address, so it was not opened: {address}", "warning", 10)
            return
        await self.open(address, opened)

    async def open(self, address: str, opened: Callable[[], object]) -> None:
        """Open a web address or a file that is there; `opened` is called once it is open."""
        try:
            await asyncio.to_thread(open_url, address)
        except Failure as error:
            self.say(sentence(str(error)), "warning", 10)
            return
        self.say(f"Opened {address}", seconds=2)
        opened()

    @work(group="shelf")
    async def on_shelf(self, action: Callable[[], str | None], then: Callable[[str | None], None]) -> None:
        """Do `action` on the disk, in a thread, after those asked for before; `then` gets its sentence."""
        async with self._shelf_lock:
            try:
                sentence = await asyncio.to_thread(action)
            except (CacheError, UserError) as error:
                self.say(str(error), "error", 10)
                return
        then(sentence)

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
        self.push_screen(self.paper_screen(paper, kind, search, run))

    def export(self, chosen: Sequence[Paper], run: str | None = None) -> None:
        """Ask how and where to write `chosen` into a file."""
        self.push_screen(self.export_screen(chosen, run))

    def action_go(self, where: str) -> None:
        """Go to the searches, the shelf or the history, as each was left."""
        self.switch_mode(where)


def _screen_name(run: str) -> str:
    return f"search {run}"
