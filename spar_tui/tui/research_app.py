"""What all screens of the app share: runs, the shelf and the sources. Screens are loaded by name."""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from textual import work
from textual.app import SuspendNotSupported
from textual.screen import Screen
from textual.signal import Signal

from agents.run.errors import RunError
from cache.errors import CacheError, NoSuchRun
from cache.store import Store
from connectors.entry_points import loaded
from spar_tui.errors import Failure, UserError
from spar_tui.open_selection import forget_selection, write_selection
from spar_tui.phrases import counted, sentence, with_article
from spar_tui.settings import Settings, load_settings
from spar_tui.shown_list import LISTS, note_list
from spar_tui.terminal import note
from spar_tui.tui.commands import PROMPTS
from spar_tui.tui.failures import RunFailure, named, together
from spar_tui.tui.library_app import LibraryApp
from spar_tui.tui.refresh.follower import LOOK_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agents.assistant.options import ConversationOptions
    from agents.lookup.links import Kind
    from agents.recommendation.options import RecommendOptions
    from agents.run.resources import Resources
    from agents.run.runner import AnyRun, ResourcesFor
    from agents.search.events import Decision
    from agents.search.options import Mode, SearchOptions
    from agents.summary.options import SummaryOptions
    from cache.reading_history import Feedback
    from cache.runs import Run
    from connectors.identifiers import Identifier
    from connectors.paper import Paper, WorkId
    from spar_tui.reports.summary_size import Size
    from spar_tui.tui.recommender import Recommender
    from spar_tui.tui.widgets.paper_page import InSearch


class SearchFeedback:
    """Sends feedback to searches; a finished search resumes for it, with the resources from `resources_for`."""

    def __init__(self, resources_for: "ResourcesFor") -> None:
        self._resources_for = resources_for
        self._last: dict[tuple[str, WorkId], bool | None] = {}

    def mark(self, live: "AnyRun", work: "WorkId") -> bool | None:
        """Whether the person marked `work` as relevant, counting a mark that the search has not handled yet."""
        feedback = live.state.called_relevant.get(work)
        return self._last.get((live.run, work), feedback) if live.under_way and live.control.requests.open else feedback

    def toggled(self, live: "AnyRun", work: "WorkId", rating: "Feedback") -> "Feedback":
        """Return the rating to set when the person presses the key for `rating`: 0 if it is set already."""
        return 0 if self.mark(live, work) is (rating > 0) else rating

    def say(self, live: "AnyRun", work: "WorkId", relevant: bool | None) -> None:
        """Mark `work` as relevant or not; None withdraws the mark."""
        live.request(self._resources_for, lambda control: control.feedback(work, relevant))
        self._last[live.run, work] = relevant

    def screen(self, live: "AnyRun", work: "WorkId", decision: "Decision | None", reason: str = "") -> None:
        """Store a decision and mark the work to match it; an interrupted search does the latter when it resumes."""
        from agents.search.events import PaperScreened  # imported late, so that the app opens sooner

        before = self.mark(live, work)
        live.keep(PaperScreened(work, decision, reason))
        now: bool | None = live.state.called_relevant.get(work)
        if now is not before and (live.under_way or live.state.finished):
            self.say(live, work, now)


BEGIN = "No recommendations yet. Save papers ({save}), like some ({more}) or import a bibliography ({import_key})."
"""The message to a person without a reading history."""


def deleted_text(kind: str) -> str:
    """Say that a run of `kind` was deleted, and what cannot be stored any more."""
    what = "messages" if kind == TALK else "judgements"
    return f"This {kind} was deleted elsewhere, so {what} cannot be stored. Start it again to continue."


@runtime_checkable
class ShowsRecommendation(Protocol):
    """A screen of what to read next that can move to a paper, by id, and reorder its list as another run has it."""

    def begin_with(self, paper: str | None) -> None: ...

    async def adopt(self, fresh: "AnyRun") -> None: ...


@runtime_checkable
class ShowsPapers(Protocol):
    """A screen of papers, each with a key: `marks` are marked, `keys_chosen` are those or the one under the cursor."""

    @property
    def marks(self) -> list[int]: ...

    @property
    def keys_chosen(self) -> list[int]: ...

    def papers_of(self, keys: "Iterable[int]") -> "list[Paper]": ...


@dataclass(frozen=True, slots=True)
class Anew:
    """Which `sources` to ask for lists again, without answers from before `since`."""

    sources: Sequence[str]
    since: datetime


class ResourcesOpener(Protocol):
    """Opens the resources of runs: those of the settings, or only what `anew` names."""

    def __call__(self, settings: Settings, anew: Anew | None = None, /) -> AbstractAsyncContextManager["Resources"]: ...


TALK = "conversation"
ASKING_WATCHES = "asking watches"
"""Group of the workers that ask watches for new papers."""
MOST_SELECTED = 200
"""Most papers of a selection that other programs can read."""
WATCH_SECONDS = 1.0
FIRST_LOOK_SECONDS = 0.5
"""Seconds before the app looks what to read next: it draws its first screen and handles the first keys first."""


class ResearchApp(LibraryApp):
    """Owns what outlives a screen: runs by id, and the resources, which `opener` opens for the first run."""

    DEFAULT_MODE = "search"

    def __init__(
        self, settings: Settings, store: Store, opener: ResourcesOpener, reload: Callable[[], Settings] = load_settings
    ) -> None:
        super().__init__(settings, store, reload)
        self.runs_shown: dict[str, AnyRun] = {}
        self._opener = opener
        self._open = AsyncExitStack()
        self._resources: Resources | None = None
        self._opening = asyncio.Lock()
        self._expecting = False
        self._watched: set[str] = set()
        self._end_untold: set[str] = set()
        """Runs whose end is not announced, because the code that began or resumed them shows it."""
        self._screen_names: dict[str, str] = {}
        self.last_change: Callable[[Any], object] | None = None
        """Repeats the last change to papers on a screen of papers."""
        self._selected: tuple[int, tuple[int, ...]] | None = None
        self.command_history: list[str] = []
        self.typed_title: tuple[Screen[Any], str] | None = None
        """The screen of a paper opened by its title, and what was typed."""
        self.running_commands: list[Callable[[], object]] = []
        """Functions that stop the running commands; that of the newest is last."""
        self.piped = ""
        """The shell command that papers were last piped to."""
        self.recommended: Signal[None] = Signal(self, "recommended")
        """Published when there is something else to read next, or when it is being made."""

    @abstractmethod
    def load_engine(self) -> None:
        """Load what a search needs."""

    @abstractmethod
    async def local_resources(self, sources: Sequence[str] | None) -> "Resources":
        """Return the resources of this machine, without sources and model: enough to recommend from."""

    def open_paper(
        self, paper: "Paper", kind: "Kind | None" = None, search: "InSearch | None" = None, run: str | None = None
    ) -> None:
        """Show a paper on a screen of its own, with its links of `kind`."""
        self.push_screen(loaded("spar_tui.tui.screens.paper:PaperScreen")(paper, kind, search, run))

    def export(self, chosen: "Sequence[Paper]", run: str | None = None) -> None:
        """Ask for the format and path of a file, and export `chosen`."""
        self.push_screen(loaded("spar_tui.tui.screens.dialogs.export:ExportScreen")(chosen, run))

    def exported(self, chosen: "Sequence[Paper]", format: str) -> str:
        """Return what an export of `chosen` in this format would write. It blocks. Raises `UserError`, `CacheError`."""
        write: Callable[..., str] = loaded("spar_tui.tui.screens.dialogs.export:exported")
        return write(self.store, chosen, format, self.settings.places.locks)

    def show_side_by_side(self, chosen: "Sequence[Paper]", run: str | None) -> None:
        """Show `chosen` in columns, with what the search `run` says about them."""
        self.push_screen(loaded("spar_tui.tui.screens.side_by_side:SideBySide")(chosen, run))

    async def plan_summary(
        self, topic: str, run: str | None = None, begun: Callable[[], object] = lambda: None
    ) -> None:
        """Ask for the size of a summary, then `summarize`; call `begun` if it has begun."""

        def begin(size: "Size | None") -> None:
            if size is not None and self.summarize(topic, run, size):
                begun()

        # Awaited, so that an Enter pressed at once goes to the form.
        await self.push_screen(loaded("spar_tui.tui.screens.dialogs.summary_form:SummaryForm")(topic), begin)

    @cached_property
    def search_feedback(self) -> "SearchFeedback":
        """The person's feedback on papers in searches."""

        return SearchFeedback(self.resources_for)

    @cached_property
    def recommender(self) -> "Recommender":
        """The recommender of what to read next."""
        from spar_tui.tui.recommender import Recommender

        return Recommender(self.store, self.local_resources, lambda: self.recommended.publish(None), note)

    def on_mount(self) -> None:
        self.set_interval(WATCH_SECONDS, self._tell_ended)
        self.set_interval(LOOK_SECONDS, self._tell_selection)
        self.set_timer(FIRST_LOOK_SECONDS, self._look_for_recommendation)

    def _tell_selection(self) -> None:
        """Tell other programs which papers are marked or under the cursor, if that has changed."""
        screen: object = self._on_top()
        if not isinstance(screen, ShowsPapers):
            return
        selected = id(screen), tuple(screen.keys_chosen)
        if selected == self._selected:
            return
        self._selected = selected
        self._write_selection(screen.papers_of(screen.keys_chosen[:MOST_SELECTED]), bool(screen.marks))

    @work(group="selection", exclusive=True, exit_on_error=False)
    async def _write_selection(self, chosen: "Sequence[Paper]", marked: bool) -> None:
        from cache import papers as library

        def write() -> None:
            numbers = [number for number in library.numbers_of(self.store, chosen) if number is not None]
            write_selection(self.store.path.parent, numbers, marked)

        with suppress(OSError, CacheError):  # other programs do without it
            await asyncio.to_thread(write)

    async def on_unmount(self) -> None:
        forget_selection(self.store.path.parent)
        await self._save_last()
        await self.recommender.cut_off()
        for live in self.runs_shown.values():
            await live.cut_off()
        await self._open.aclose()

    @property
    def under_way(self) -> int:
        runs = sum(live.under_way for live in self.runs_shown.values())
        return runs + self._asks_watches + len(self.running_commands)

    @property
    def _asks_watches(self) -> bool:
        """Whether watches are being asked for new papers, in several of the shown runs or none."""
        return any(worker.group == ASKING_WATCHES and not worker.is_finished for worker in self.workers)

    @property
    def told_under_way(self) -> str:
        from spar_tui.tui.models.run_status import SHOWN_KINDS

        if self.running_commands:
            return f"{counted(len(self.running_commands), 'command')} still running; quitting ends that."
        kept = "running. What was found is kept, and it resumes later."
        if self._asks_watches:
            return f"Asking watches is {kept}"
        kinds = [live.kind.name for live in self.runs_shown.values() if live.under_way]
        if len(kinds) == 1:
            return f"{with_article(kinds[0]).capitalize()} is {kept}"
        return f"{len(kinds)} {' and '.join(SHOWN_KINDS[kind].many for kind in sorted(set(kinds)))} are {kept}"

    def _tell_ended(self) -> None:
        """Announce runs that have ended, unless the person sees it."""
        from spar_tui.tui.models.run_status import ended_sentence

        for run, live in self.runs_shown.items():
            if live.under_way and run not in self._end_untold:
                self._watched.add(run)
            elif run in self._watched:
                self._watched.discard(run)
                seen = self._shows(run)
                self._note_end(live)
                if live.state.finished and not (seen and self.app_focus):
                    self.tell_done(ended_sentence(live))

    def _note_end(self, live: "AnyRun") -> None:
        """Do not announce the next end of a finished run: whatever resumes it shows the result."""
        if live.state.finished and live.kind.name != TALK:
            self._end_untold.add(live.run)

    def recent_failures(self) -> list[RunFailure]:
        """Return the messages of this session and the failures of its runs."""
        from cache import runs
        from spar_tui.tui.screens.dialogs.error_log import failures_of

        run_failures = list(self.messages)
        for run, live in list(self.runs_shown.items()):
            if not self.has_run(run):
                continue
            about = named(live.kind.name, live.question)
            run_failures += [RunFailure(*failed, "Resume it on its screen.", about) for failed in live.failures]
            run_failures += failures_of(runs.get(self.store, run), runs.events(self.store, run), live.state.findings)
        return together(run_failures)

    @property
    def troubles(self) -> int:
        """Number of failures and of runs of this session in which something failed."""
        troubled = [live for live in self.runs_shown.values() if live.failures or live.state.findings.troubled]
        return len(troubled) + super().troubles

    def settings_changed(self) -> None:
        """Open other resources for the next search; searches under way keep theirs."""
        self._resources = None

    @property
    def resources_sentence(self) -> str:
        """The sources and the model for questions, in one line."""
        preferences = self.settings.preferences
        names = self.settings.open_sources
        local = "library and starter shelf"
        if preferences.offline:
            text = f"Offline: {'corpus, ' if names else ''}{local}"
        elif names:
            text = f"Sources: {', '.join(names)}"
        else:
            text = f"No sources: {local}"
        model = self.settings.model
        unasked = model is None or (preferences.offline and not model.on_this_machine)
        return f"{text} · {'no model' if model is None or unasked else model.name or 'model'}"

    async def resources_for(self, sources: Sequence[str] | None) -> "Resources":
        """Return the resources, opened on first use, with the live `sources`, or all for None. Raises `RunError`."""
        async with self._opening:
            if self._resources is None:
                try:
                    self._resources = await self._open.enter_async_context(self._opener(self.settings))
                except UserError as error:
                    raise RunError(str(error)) from None
        if sources is None:
            return self._resources
        live = {name: source for name, source in self._resources.live.items() if name in sources}
        registries = {name: source for name, source in self._resources.registries.items() if name in sources}
        return replace(self._resources, live=live, registries=registries)

    def opened_anew(self, sources: Sequence[str], since: datetime) -> AbstractAsyncContextManager["Resources"]:
        """Open resources with these live sources, without their answers from before `since`."""
        return self._opener(self.settings, Anew(sources, since))

    def expect_question(self) -> None:
        """Load what a search needs, because somebody is typing."""
        if not self._expecting:
            self._expecting = True
            self.run_worker(self.load_engine, group="loading", thread=True, exit_on_error=False)

    def ask(self, question: str, options: "SearchOptions | None" = None) -> bool:
        """Begin a search, with the settings' options by default, and show it. Return False, with a notice, if it cannot
        be stored."""
        wanted = options or options_of(self.settings)
        return self._begin(lambda: self._begun("search", question, wanted))

    @work(group="named", exclusive=True)
    async def open_named(self, name: "Identifier", opened: Callable[[], object] = lambda: None) -> None:
        """Open the paper called `name`, from the library or the sources, after calling `opened`. Do nothing if the
        person has left the screen meanwhile."""
        from spar_tui.tui.named_paper import named_paper

        asking = self.screen
        self.say(f"Looking up {name}…")
        with self.reporting():
            paper = await named_paper(name, self.store, lambda: self.resources_for(None))
            if self.screen is asking:
                opened()
                self.open_paper(paper)
                self.clear_notifications()

    @work(group="named", exclusive=True)
    async def look_up_title(self, title: str, opened: Callable[[], object], otherwise: Callable[[], object]) -> None:
        """Open the paper with this title after calling `opened`; if a source finds none, call `otherwise`. Do nothing
        if the person has left the screen meanwhile."""
        from spar_tui.tui.named_paper import paper_found

        asking = self.screen
        self.say("Looking for a paper with this title…")
        paper = None
        with self.reporting():
            paper = await paper_found(title, self.store, await self.resources_for(None))
        if self.screen is asking:
            self.clear_notifications()
            if paper is None:
                otherwise()
            else:
                opened()
                self.open_titled(paper, title)

    def open_titled(self, paper: "Paper", typed: str) -> None:
        """Open the paper whose title is `typed`, and offer to search for these words instead."""
        self.open_paper(paper)
        self.typed_title = self.screen, typed
        self.say(
            f"This paper has the title you typed. {self.keys_shown('app.ask')[-1]} searches for these words instead."
        )

    def ask_among_searches(
        self, question: str, options: "SearchOptions", begun: Callable[[], object] = lambda: None
    ) -> None:
        """`ask` from any screen, and show the search among the searches; call `begun` if it has begun."""
        self.switch_mode(self.DEFAULT_MODE)
        if self.ask(question, options):
            begun()

    def ask_again(self, run: str) -> bool:
        """Ask the question of the search `run` again, with its options, and show it. Return False, with a notice, if
        that fails."""
        from agents.run.kinds import kind_named
        from agents.run.recorder import kept

        with self.reporting():
            run_state, options, _ = kept(kind_named("search"), self.store, run)
            self.switch_mode(self.DEFAULT_MODE)
            return self._begin(lambda: self._begun("search", run_state.question, options))
        return False

    def summarize(self, topic: str, run: str | None = None, size: "Size | None" = None) -> bool:
        """Begin a summary, of the papers of the search `run` if given. Return False if it cannot be stored."""
        options = summary_options_of(self.settings, run, size)
        return self._begin(lambda: self._begun("summary", topic, options))

    def answer(self, question: str, run: str) -> bool:
        """Begin an answer to `question` from the papers of the search `run`. Return False if it cannot be stored."""
        return self._begin(lambda: self._answer(question, run))

    def answer_beside(self, question: str, run: str) -> "AnyRun | None":
        """Begin an answer that the screen of the search shows. Return None, with a notice, if it cannot be stored."""
        with self.reporting():
            live = self._answer(question, run, unasked=True)
            self.begin_unseen(live, self.resources_for)
            return live
        return None

    def kept_answer(self, run: str) -> "AnyRun | None":
        """Return the last answer from the papers of the search `run`, if it has been answered."""
        from agents.run.runner import Runner
        from cache import runs

        with self.reporting():
            answers = runs.recent(self.store, None, "answer", unasked=True)
            of_run = (one.id for one in answers if one.parameters.get("corpus_name") == run and one.state == "finished")
            if (answer := next(of_run, None)) and answer not in self.runs_shown:
                self.begin_unseen(Runner.kept_as(self.store, answer, note), self.resources_for)
            return self.runs_shown.get(answer) if answer else None
        return None

    def _answer(self, question: str, run: str, unasked: bool = False) -> "AnyRun":
        from agents.run.kinds import kind_named

        options = replace(summary_options_of(self.settings, run), unasked=unasked)
        return self._begun("answer", question, kind_named("answer").settled(self.store, options))

    def _begun(self, kind: str, question: str, options: object) -> "AnyRun":
        """Return a new run of this kind. Raises `CacheError`, `RunError`."""
        from agents.run.kinds import kind_named  # imported late, so that the app opens sooner
        from agents.run.runner import Runner

        return Runner.begun(kind_named(kind), self.store, question, options, note)

    def _begin(self, begun: "Callable[[], AnyRun]", then: Callable[[], object] = lambda: None) -> bool:
        with self.reporting():
            live = begun()
            then()
            self._show(live)
            return True
        return False

    def talk(self, message: str, papers: Sequence[int] = (), begun: Callable[[], object] = lambda: None) -> bool:
        """Begin a conversation with `message`, about library `papers` if given, and show it over the current screen;
        call `begun` if it has begun. Return False, with a notice, if it cannot be stored."""
        options = conversation_options_of(self.settings, papers)
        return self._begin(lambda: self._begun(TALK, message, options), begun)

    def has_run(self, run: str) -> bool:
        """Whether the library still has the run, which another process may have deleted. Blocks on the disk; True if
        the library cannot be read."""
        from cache import runs

        try:
            runs.get(self.store, run)
        except NoSuchRun:
            return False
        except CacheError:
            pass  # the next reader reports the error
        return True

    def can_store(self, live: "AnyRun") -> bool:
        """Whether the run can store what the person says of it; if it was deleted, say so."""
        there = self.has_run(live.run)
        if not there:
            self.say(deleted_text(live.kind.name), "warning", 10)
        return there

    def runs_elsewhere(self, run: "Run") -> bool:
        """Whether another process carries on `run`, or a conversation that needs its answer."""
        from cache.run_lock import is_carried_on

        live = self.runs_shown.get(run.id)
        mine = live is not None and live.under_way
        return run.state == "running" and not mine and is_carried_on(self.store.path, run.id)

    def visit_run(self, run: str) -> None:
        """Show a run over the current screen; if its screen lies below, go back to that."""
        name = self._screen_name(run)
        if self.is_screen_installed(name) and self.get_screen(name) in self.screen_stack:
            while not self._shows(run):
                self.pop_screen()
        else:
            self.open_run(run)

    @work(group="recommending", exit_on_error=False)
    async def _look_for_recommendation(self) -> None:
        await self.recommender.look_first()

    @work(group=PROMPTS)
    async def read_next(self, paper: str | None = None) -> None:
        """Show what to read next; highlight the paper with the id `paper`, if given."""
        from cache.reading_history import tells_of_taste

        recommender = self.recommender
        live = recommender.newest or recommender.making
        with self.reporting():
            if live is None and not await asyncio.to_thread(lambda: tells_of_taste(self.store)):
                begin = BEGIN.format(
                    save=self.key_shown("paper.save"),
                    more=self.key_shown("paper.like"),
                    import_key=self.key_shown("app.import"),
                )
                self.say(begin, seconds=10)
                return
            if live is None:
                live = self.begun_recommendation()
            if live is not None:
                self._show_among_runs(live)
                screen = self.screen
                if paper is not None and isinstance(screen, ShowsRecommendation):
                    screen.begin_with(paper)

    def begun_recommendation(self) -> "AnyRun | None":
        """Begin a recommendation with the settings' sources. Return None, with a notice, if it cannot be stored."""
        with self.reporting():
            return self._begun("recommendation", "", recommend_options_of(self.settings))
        return None

    @work(group="ordering", exit_on_error=False)
    async def order_anew(self) -> None:
        """Recommend again after the person's feedback, and update the screen that shows the list."""
        fresh = await self.recommender.make()
        shown = [screen for stack in self._screen_stacks.values() for screen in stack]
        showing = next((screen for screen in shown if isinstance(screen, ShowsRecommendation)), None)
        if fresh is not None and showing is not None:
            await showing.adopt(fresh)

    def take_place(self, before: "AnyRun", after: "AnyRun") -> None:
        """Show `after` on the screen of `before` from now on."""
        self._screen_names[after.run] = self._screen_name(before.run)
        self.runs_shown.pop(before.run, None)
        self.runs_shown[after.run] = after
        self.on_shelf(lambda: self.recommender.forget_own(before.run), lambda result: None)

    def open_run(self, run: str) -> None:
        """Show a run: one of this session as it stands, a finished one as stored; resume an interrupted one."""
        if run in self.runs_shown:
            self._note_list(self.runs_shown[run])
            self.push_screen(self._screen_name(run))
            return
        from agents.run.runner import Runner, carried_on_elsewhere
        from cache import runs

        with self.reporting():
            stored = runs.get(self.store, run)
            if self.runs_elsewhere(stored):
                self.say(carried_on_elsewhere(stored.kind), "warning", 6)
                return
            self._show(Runner.kept_as(self.store, run, note))

    def _show(self, live: "AnyRun") -> None:
        self._note_list(live)
        self.push_screen(self._install(live, self.resources_for))

    def _note_list(self, live: "AnyRun") -> None:
        """Store the list of `live`, if it has one, as the list that `@1` counts in."""
        if live.kind.name in LISTS:
            self.on_shelf(lambda: note_list(self.store, live.run), lambda result: None)

    def begin_unseen(self, live: "AnyRun", resources_for: "ResourcesFor") -> None:
        """Start a run for another screen, with a screen of its own that can be opened. The caller announces its end."""
        self._end_untold.add(live.run)
        self._install(live, resources_for)

    def _install(self, live: "AnyRun", resources_for: "ResourcesFor") -> str:
        """Start a run with a screen that shows it; return the screen's name."""
        self.runs_shown[live.run] = live
        self._note_end(live)
        live.start(resources_for)
        # When a replaced run is opened again, its old name belongs to another screen.
        self._screen_names[live.run] = name = f"{live.run} {len(self._screen_names)}"
        from spar_tui.tui.models.run_status import SHOWN_KINDS

        self.install_screen(loaded(SHOWN_KINDS[live.kind.name].screen)(live), name)
        return name

    def _shows(self, run: str) -> bool:
        """Whether the screen of `run` is the current screen."""
        name = self._screen_name(run)
        return self.is_screen_installed(name) and self.get_screen(name) is self.screen

    def _screen_name(self, run: str) -> str:
        return self._screen_names.get(run, "")

    def show_run(self, run: str) -> None:
        """Show a run among the searches, from any screen."""
        if not self._found_among_runs(run):
            self.open_run(run)

    def _show_among_runs(self, live: "AnyRun") -> None:
        """`show_run` for a run that may not be among the shown runs yet."""
        if live.run in self.runs_shown:
            self.show_run(live.run)
        elif not self._found_among_runs(live.run):
            self._show(live)

    def _found_among_runs(self, run: str) -> bool:
        """Go back among the searches to the screen of `run`. Return whether it is there."""
        self.switch_mode(self.DEFAULT_MODE)
        while len(self.screen_stack) > 1:
            if self._shows(run):
                return True
            self.pop_screen()
        return False

    def drop_run(self, run: str) -> None:
        """Remove the screen of a deleted run."""
        if self.runs_shown.pop(run, None) is not None:
            name = self._screen_name(run)
            stack = self._screen_stacks[self.DEFAULT_MODE]
            gone = self.get_screen(name)
            stack[:] = [screen for screen in stack if screen is not gone]
            self.uninstall_screen(name)
            gone.remove()

    def browse(self, paper: "Paper", opened: Callable[[], object]) -> None:
        """Open the paper's page in the browser; call `opened` once it is open."""
        address = paper.page
        if address is None:
            self.say("This paper has no known web page.", "warning", 10)
        else:
            self.browse_address(address, opened)

    @work(group="browser")
    async def browse_address(self, address: str, opened: Callable[[], object]) -> None:
        """Open a web address in the browser; call `opened` once it is open."""
        from spar_tui.browser import open_url

        await self.open(address, opened, partial(open_url, offline=self.settings.preferences.offline))

    async def open(
        self, address: str, opened: Callable[[], object], by: Callable[[str, Callable[[str], object]], None]
    ) -> None:
        """Open a web address or a file with the function `by`; call `opened` once it is open."""

        def failed_late(why: str) -> None:
            with suppress(RuntimeError):  # the app has closed
                self.call_later(self.say, sentence(why), "warning", 10)

        try:
            await asyncio.to_thread(by, address, failed_late)
        except Failure as error:
            self.say(sentence(str(error)), "warning", 10)
            return
        self.say(f"Opened {address}", seconds=2)
        opened()

    @contextmanager
    def given_away(self) -> "Iterator[None]":
        """Lend the terminal to another program. Raises `Failure` if it cannot be lent."""
        try:
            with self.clock_stopped(), self.suspend():
                yield
        except SuspendNotSupported:
            raise Failure("This terminal cannot run another program; use a shell.") from None

    def action_read_next(self) -> None:
        self.read_next()

    def action_go(self, where: str) -> None:
        """Go to the searches, the shelf, the history or the watches, as the person left them; there, to the first
        screen."""
        is_there = where == self.current_mode
        self.switch_mode(where)
        while is_there and len(self.screen_stack) > 1:
            self.pop_screen()


def options_of(settings: Settings) -> "SearchOptions":
    """Return the options of a search."""
    preferences = settings.preferences
    from agents.search.options import SearchOptions

    mode: Mode = "deep" if preferences.mode == "deep" else "fast"
    return SearchOptions(
        limit=preferences.limit,
        source_seconds=preferences.source_seconds,
        mode=mode,
        strict_judge=preferences.judge_prompt == "complex",
    )


def summary_options_of(settings: Settings, run: str | None, size: "Size | None" = None) -> "SummaryOptions":
    """Return the options of a summary, of the papers of `run` if given."""
    from agents.summary.options import USUAL_COLUMNS, SummaryOptions

    options = SummaryOptions(table=USUAL_COLUMNS, source_seconds=settings.preferences.source_seconds)
    if size is not None:
        options = replace(options, depth=size.depth, branch=size.branch, words=size.words)
    return options if run is None else replace(options, corpus="run", corpus_name=run)


def recommend_options_of(settings: Settings) -> "RecommendOptions":
    """Return the options of a recommendation that the person asks for."""
    from agents.recommendation.options import RecommendOptions

    return RecommendOptions(source_seconds=settings.preferences.source_seconds)


def conversation_options_of(settings: Settings, papers: Sequence[int] = ()) -> "ConversationOptions":
    """Return the options of a conversation, which begins with library `papers`, if any."""
    from agents.assistant.options import ConversationOptions

    return ConversationOptions(papers=tuple(papers), source_seconds=settings.preferences.source_seconds)
