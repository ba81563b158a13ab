"""The watches: what each follows, when it was last asked, and its new papers."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.worker import Worker

from agents.lookup import following
from agents.lookup.following import WatchSubject, kind_of
from agents.run.errors import RunError
from agents.run.kinds import kind_named
from agents.run.resources import Resources
from agents.run.runner import AnyRun, Runner
from agents.tools.shelf_actions import kept_among
from cache.conditions import orders
from cache.conditions.filters import ShelvedPaper, chosen, subject_of
from cache.conditions.orders import NamedOrder, named, sortable
from cache.conditions.scopes import SEARCH
from cache.conditions.table import CheckedPaper
from cache.errors import CacheError
from cache.timestamps import utc_now
from cache.watches import Watch, drop_watch, watches
from connectors.paper import Paper
from spar_tui.errors import UserError
from spar_tui.phrases import counted, papers_text, sentence
from spar_tui.source_phrases import failed_sources_text
from spar_tui.terminal import note
from spar_tui.tui.commands import bindings
from spar_tui.tui.failures import RunFailure
from spar_tui.tui.models.library_records import records_of_person, with_records
from spar_tui.tui.models.search_rows import PaperRow, row, row_of, states_in
from spar_tui.tui.research_app import ASKING_WATCHES, ResearchApp
from spar_tui.tui.screens.paper_actions import PaperActions
from spar_tui.tui.widgets.filter_line import FilterLine, SortedScreen
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.paper_list import PaperList
from spar_tui.tui.widgets.paper_page import InSearch
from spar_tui.tui.widgets.status_lines import trouble_lines
from spar_tui.tui.widgets.table import Column, Table, TableCell
from spar_tui.tui.widgets.text import QUIET, Line, cut, plain
from spar_tui.watching.news import NOT_OFFLINE, ORDER_TITLES, News, moment, nothing_text, shown_text

STOPPED = "The search was stopped early, so its papers stay new."


@dataclass(frozen=True, slots=True)
class Unasked:
    """A watch without a complete answer from its sources, and the reason as a sentence."""

    watch: Watch
    why: str


Outcome = News | Unasked


class WatchDesk:
    """Asks watches in the order of the requests; calls `changed` whenever there is something to show."""

    def __init__(self, app: ResearchApp, changed: Callable[[], None]) -> None:
        self.outcomes: dict[str, Outcome] = {}
        """The results by name of the watch."""
        self.asking: Watch | None = None
        self.running: AnyRun | None = None
        """The search in progress for the watch, if it watches a question."""
        self.waiting: list[Watch] = []
        self._app, self._changed = app, changed

    def is_pending(self, name: str) -> bool:
        """Whether the watch is being asked or is waiting."""
        return name in (watch.name for watch in (*self.waiting, *filter(None, [self.asking])))

    def forget(self, name: str) -> None:
        """Drop the result of a deleted watch."""
        self.outcomes.pop(name, None)

    def want(self, watches: Sequence[Watch]) -> None:
        """Add watches to the queue."""
        self.waiting += [watch for watch in watches if not self.is_pending(watch.name)]

    async def carry_on(self) -> list[Outcome]:
        """Ask the waiting watches until none is left; return the results.

        No request is sent twice meanwhile, and no earlier answer is used. If cancelled, earlier results stay.
        """
        since, came_to = utc_now(), list[Outcome]()
        try:
            while self.waiting:
                self.asking = self.waiting.pop(0)
                self._changed()
                came_to.append(await self._outcome(self.asking, since))
                self.outcomes[self.asking.name] = came_to[-1]
            return came_to
        finally:
            self.waiting, self.asking, self.running = [], None, None
            self._changed()

    async def _outcome(self, watch: Watch, since: datetime) -> Outcome:
        try:
            news = await self._ask(watch, since)
        except (CacheError, RunError, UserError) as error:
            news = Unasked(watch, str(error))
            self._note_failure(watch, str(error))
        return news

    async def _ask(self, watch: Watch, since: datetime) -> Outcome:
        # In a thread, since importing what a search needs takes most of a second.
        await asyncio.to_thread(self._app.load_engine)
        from spar_tui.watching.asking import sources_of

        subject = following.subject_of(watch.parameters)
        if subject and self._app.settings.preferences.offline:
            return Unasked(watch, f"Not asked: {NOT_OFFLINE}")
        async with self._app.opened_anew(sources_of(watch, self._app.settings), since) as resources:
            if subject:
                return await self._followed(watch, subject, resources, since)
            return await self._searched(watch, resources, since)

    async def _followed(self, watch: Watch, subject: WatchSubject, resources: Resources, begun: datetime) -> News:
        from agents.lookup.following import followed
        from spar_tui.watching.asking import new_of_subject

        answer = await followed(subject, resources.live)
        news = await asyncio.to_thread(new_of_subject, self._app.store, watch, subject, answer, begun)
        for source, why in news.failed.items():
            self._note_failure(watch, f"{source} {why}")
        return news

    async def _searched(self, watch: Watch, resources: Resources, begun: datetime) -> Outcome:
        from spar_tui.watching.asking import new_in_search, options_of, sources_of

        async def these(names: Sequence[str] | None) -> Resources:
            return resources

        options = options_of(watch, sources_of(watch, self._app.settings))
        live = await asyncio.to_thread(
            lambda: Runner.begun(kind_named("search"), self._app.store, watch.question, options, note)
        )
        self._app.begin_unseen(live, these)
        self.running = live
        try:
            await live.ended()
        except asyncio.CancelledError:
            await live.cut_off()
            raise
        finally:
            self.running = None
        if live.problem:
            return Unasked(watch, live.problem)
        if live.state.finished is None:
            return Unasked(watch, STOPPED)
        return await asyncio.to_thread(new_in_search, self._app.store, watch, live.run, live.state, begun, note)

    def _note_failure(self, watch: Watch, why: str) -> None:
        self._app.messages.append(RunFailure(utc_now(), why, "Ask the watch again.", f"watch “{watch.name}”"))


_KINDS = {"author": "person", "cites": "paper"}


@dataclass(frozen=True, slots=True)
class WatchRow:
    """A watch in the table, with its status."""

    watch: Watch
    glyph: TableCell
    status: TableCell


COLUMNS: tuple[Column[WatchRow], ...] = (
    Column("", 1, lambda row: row.glyph),
    Column("Watch", 16, lambda row: TableCell(row.watch.name, "strong")),
    Column("Kind", 8, lambda row: TableCell(_kind(row.watch)), 96),
    Column("Follows", 0, lambda row: TableCell(row.watch.question, "plain"), 56),
    Column("Last asked", 12, lambda row: TableCell(moment(row.watch.last_asked) if row.watch.last_asked else "never")),
    Column("New", 20, lambda row: row.status),
)


def _kind(watch: Watch) -> str:
    kind = kind_of(watch.parameters)
    return _KINDS.get(kind, kind)


def watch_rows(watches: Sequence[Watch], desk: WatchDesk, so_far: int) -> list[WatchRow]:
    """Return a row for each watch; `so_far` is the number of papers found for the watch being asked."""
    return [_row(watch, desk, so_far) for watch in watches]


def _row(watch: Watch, desk: WatchDesk, so_far: int) -> WatchRow:
    if desk.asking and desk.asking.name == watch.name:
        state_text = f"asking, {papers_text(so_far)}" if so_far else "asking…"
        return WatchRow(watch, TableCell("●", "accent"), TableCell(state_text, "accent"))
    if desk.is_pending(watch.name):
        return WatchRow(watch, TableCell("◌"), TableCell("waiting"))
    match desk.outcomes.get(watch.name):
        case News() as news:
            return _answered(watch, news)
        case Unasked():
            return WatchRow(watch, TableCell("▲", "warned"), TableCell("not asked, see below", "warned"))
    return WatchRow(watch, TableCell(" "), TableCell(f"{watch.shown:,} shown" if watch.last_asked else ""))


def _answered(watch: Watch, news: News) -> WatchRow:
    if news.failed:
        outcome = f"{len(news.papers):,} new, incomplete" if news.papers else "incomplete"
        return WatchRow(watch, TableCell("▲", "warned"), TableCell(outcome, "warned"))
    outcome = f"{len(news.papers):,} new" if news.papers else "nothing new"
    if not news.answered:
        return WatchRow(watch, TableCell("▲", "warned"), TableCell("not asked", "warned"))
    return WatchRow(watch, TableCell("✔", "good"), TableCell(outcome, "strong" if news.papers else "quiet"))


def failed_text(outcome: Outcome | None) -> str:
    """Return which sources failed and why, or why the watch was not asked; "" if nothing failed."""
    if isinstance(outcome, News):
        return failed_sources_text(outcome.failed) if outcome.failed else ""
    return outcome.why if outcome else ""


def asked_text(outcomes: Sequence[Outcome]) -> str:
    """Return the result of asking some watches; it says that nothing is new only if all sources answered."""
    new = sum(len(outcome.papers) for outcome in outcomes if isinstance(outcome, News))
    whole = all(isinstance(outcome, News) and outcome.answered and not outcome.failed for outcome in outcomes)
    parts = [f"{papers_text(new)} new"] if new else ["nothing new"] if whole else []
    parts += [] if whole else ["incomplete"]
    return f"{counted(len(outcomes), 'watch', 'watches')} asked: {', '.join(parts)}."


def title_text(watch: Watch, outcome: Outcome | None) -> str:
    """Return the title above the papers of a watch."""
    if isinstance(outcome, News):
        return sentence(shown_text(outcome))
    return f"What is new in “{watch.name}”"


def nothing_page(outcome: Outcome | None, pending: bool, ask: str) -> str:
    """Return the text for an empty list of papers; `ask` is the key that asks the watch."""
    if pending:
        return "Asking…"
    if isinstance(outcome, News):
        text = f"{sentence(nothing_text(outcome))}."
        return f"{text} All sources answered." if outcome.answered and not outcome.failed else text
    if outcome:
        return f"{outcome.why} {ask} asks again."
    return f"Not asked yet; {ask} looks for new papers."


def paper_rows(news: News, records: Mapping[int, Paper]) -> list[PaperRow]:
    """Return rows of the new papers, by index, with scores if a search found them; `records` replace some papers."""
    search = news.search
    if search is None:
        return [row_of(index, records.get(index, paper)) for index, paper in enumerate(news.papers)]
    state = with_records(search.state, {search.ranked[index].work: paper for index, paper in records.items()})
    return [replace(row(state, ranked.work), key=index) for index, ranked in enumerate(search.ranked)]


def ordered(papers: Sequence[Paper], order: NamedOrder) -> list[int]:
    """Return the indexes of `papers` sorted by `order`; equal papers and papers without a value keep their order."""
    indexes, name = list(range(len(papers))), order.order.name
    if name == "found":
        return indexes[::-1] if order.reverse else indexes
    return orders.ordered(indexes, name, lambda index: sortable(papers[index]), order.reverse)


def order_text(news: News, order: NamedOrder) -> str:
    """Return the name of the order."""
    if order.order.name != "found":
        return order.words
    text = f"by {ORDER_TITLES[news.search.by]}" if news.search else "the newest first"
    return f"{text}, reversed" if order.reverse else text


_NONE = (
    "No watches yet. Press {key} on a finished search, or type:",
    '  :search "your question" --watch NAME',
    "  :watch --author ID        follows a person",
    "  :watch --cites PAPER      follows what cites a paper",
)


class WatchTable(Table[WatchRow]):
    """The table of watches."""

    BINDINGS = bindings("one watch", "lists")

    def __init__(self) -> None:
        super().__init__(COLUMNS, lambda watch_row: watch_row.watch.name, id="watches")


class WatchesScreen(PaperActions, SortedScreen):
    """The watches, and below them the new papers of the watch under the cursor.

    A paper counts as shown, here and for `spar watch`, once its row was on the screen.
    """

    DEFAULT_CSS = """
    WatchesScreen #watches { height: 35%; min-height: 5; }
    WatchesScreen #below { height: 1fr; }
    WatchesScreen #trouble { display: none; height: auto; }
    WatchesScreen.troubled #trouble { display: block; }
    WatchesScreen.empty #watches { height: 1fr; }
    WatchesScreen.empty #below { display: none; }
    """
    BINDINGS = bindings("the watches", "any paper")
    orders = ("found", "year", "citations")
    AUTO_FOCUS = "#watches"

    def __init__(self) -> None:
        super().__init__()
        self._desk = WatchDesk(self.app, self._outcome_changed)
        self._all: Sequence[Watch] = ()
        self._read = False
        self.order = named("found")
        self._on_shelf: dict[int, ShelvedPaper] = {}
        self._records: dict[int, Paper] = {}
        """The library's records of papers that the person has edited or merged."""
        self._shown: Outcome | None = None
        """The result whose papers are shown."""
        self._seen_keys: dict[str, tuple[News, set[int]]] = {}
        """The keys of the papers that count as shown, with the news of each watch."""
        self._worker: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        yield WatchTable()
        yield Line("trouble")
        with Vertical(id="below"):
            yield PaperList("news")
            yield FilterLine(SEARCH)
        yield Footer()

    def on_mount(self) -> None:
        self.set_interval(self.app.flush_seconds, self._show_progress)
        self.watch(self._papers, "scroll_y", self._stand_on_screen)
        self._show()

    def on_screen_resume(self) -> None:
        self._show()  # show results that arrived meanwhile

    @property
    def _table(self) -> WatchTable:
        return self.query_one(WatchTable)

    @property
    def _papers(self) -> PaperList:
        return self.query_one(PaperList)

    @property
    def _watch(self) -> Watch | None:
        """The watch under the cursor."""
        row = self._table.row if self.is_mounted else None
        return row.watch if row else None

    @property
    def _news(self) -> News | None:
        return self._shown if isinstance(self._shown, News) else None

    async def library_changed(self) -> None:
        every = await asyncio.to_thread(watches, self.app.store)
        self._all, self._read = every, True
        self._show()
        await self._read_saved()

    def _outcome_changed(self) -> None:
        """Show a result, or that a watch is being asked."""
        self._show()
        self.app.follower.refresh()

    def _show_progress(self) -> None:
        if self._desk.running and self.is_current:
            self._show_watches()

    def _show(self) -> None:
        self._show_watches()
        self._show_news()
        self.refresh_bindings()

    def _show_watches(self) -> None:
        running = self._desk.running
        so_far = len(running.state.findings.found) if running else 0
        none = Content("\n").join(plain(line.format(key=self.app.key_shown("search.watch")), QUIET) for line in _NONE)
        self.set_class(self._read and not self._all, "empty")
        self._table.show_nothing(Content("") if self._all or not self._read else none)
        self._table.show(watch_rows(self._all, self._desk, so_far))
        many = f"Watches {len(self._all):,}" if self._read else "Watches: reading…"
        self._table.entitle(plain(many), plain(""))

    def _show_news(self) -> None:
        """Show the new papers of the watch under the cursor."""
        watch = self._watch
        if watch is None:
            return
        outcome = self._desk.outcomes.get(watch.name)
        if outcome is not self._shown:
            self._shown, self._on_shelf, self._records, self.marked = outcome, {}, {}, {}
            self._papers.touched = False
            self._papers.mark({})
            self._papers.find(())
            self._papers.show_saved(frozenset())
            self._look_up_saved()
        self._show_papers(watch)
        trouble = failed_text(outcome)
        todo = f"{self.app.key_shown('app.errors')} shows all"
        self.query_one("#trouble", Line).show(lambda width: trouble_lines(trouble, width, [todo], 2))
        self.set_class(bool(trouble), "troubled")

    def _show_papers(self, watch: Watch) -> None:
        news, keys = self._news, self.keys_shown()
        every = paper_rows(news, self._records) if news else []
        self._papers.show([every[key] for key in keys], self.key)
        pending, ask = self._desk.is_pending(watch.name), self.app.key_shown("watch.ask")
        nothing = "" if every else nothing_page(self._shown, pending, ask)
        self._papers.show_nothing(plain(nothing, QUIET))
        below = order_text(news, self.order) if news and every else ""
        below = "no match" if every and not keys else below
        self._papers.entitle(plain(f"{title_text(watch, self._shown)}{self.marks_told}"), plain(below))
        if keys:
            self.call_after_refresh(self._stand_on_screen)

    def _stand_on_screen(self) -> None:
        """Record the visible papers as shown; those further down follow when the person scrolls."""
        news = self._news
        if news is None or not (self.is_current and self._papers.region):
            return
        seen, rows = self._seen_of(news), self._papers.rows
        fresh = [key for index, _ in self._papers.rows_seen() if (key := rows[index].key) not in seen]
        if not fresh:
            return
        from spar_tui.watching.asking import note_told

        seen.update(fresh)
        papers, left = [news.papers[key] for key in fresh], len(news.papers) - len(seen)
        self.app.on_shelf(lambda: note_told(self.app.store, news, papers, left), lambda _: None)

    def _seen_of(self, news: News) -> set[int]:
        before = self._seen_keys.get(news.watch.name)
        if before is None or before[0] is not news:
            before = self._seen_keys[news.watch.name] = news, set()
        return before[1]

    async def _read_saved(self) -> None:
        """Show which of the new papers are saved or edited."""
        news = self._news
        if news is None:
            return
        kept = await asyncio.to_thread(kept_among, self.app.store, news.papers)
        records = await asyncio.to_thread(records_of_person, self.app.store, dict(enumerate(news.papers)))
        if news is self._shown:
            edited = records != self._records
            self._on_shelf, self._records = kept, records
            self._papers.show_saved(kept.keys())
            if self._watch and (edited or self.query_one(FilterLine).wanted.terms):
                self._show_papers(self._watch)

    @property
    def _at_papers(self) -> bool:
        return self.focused is not None and self.focused.id == "news"

    @property
    def key(self) -> int | None:
        """The index of the current paper among the new ones, if these have the focus."""
        row = self._papers.row if self.is_mounted and self._at_papers else None
        return row.key if row else None

    def paper_of(self, key: int) -> Paper | None:
        found = self._news.papers[key] if self._news and key < len(self._news.papers) else None
        return self._records.get(key, found)

    def keys_shown(self) -> Sequence[int]:
        news = self._news
        if news is None:
            return ()
        wanted = self.query_one(FilterLine).wanted
        return chosen(ordered(news.papers, self.order), wanted, lambda key: self._subject(news, key))

    def _subject(self, news: News, key: int) -> CheckedPaper:
        search = news.search
        states = states_in(search.state, search.ranked[key].work) if search else frozenset()
        return subject_of(news.papers[key], self._on_shelf.get(key), states)

    @property
    def in_search(self) -> InSearch | None:
        search, key = self._news.search if self._news else None, self.key
        return None if search is None or key is None else InSearch(search.state, search.ranked[key].work)

    @property
    def from_run(self) -> str | None:
        return self._news.search.run if self._news and self._news.search else None

    def show_marks(self) -> None:
        self._papers.mark(self.marked)
        if self._watch:
            self._show_papers(self._watch)

    @on(Table.Highlighted, "#watches")
    def _watch_highlighted(self) -> None:
        self._show()

    @on(Table.Selected, "#watches")
    def _watch_selected(self, event: Table.Selected) -> None:
        self._ask([event.row.watch])

    @on(PaperList.Selected, "#news")
    def _paper_selected(self) -> None:
        self.open_at_hand()

    def action_ask_all(self) -> None:
        self._ask(self._all)

    def _ask(self, wanted: Sequence[Watch]) -> None:
        self._desk.want(wanted)
        if not self._asks and self._desk.waiting:
            self._worker = self._carry_on()
        self._show()

    @property
    def _asks(self) -> bool:
        """Whether watches are being asked."""
        return self._worker is not None and not self._worker.is_finished

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.worker is self._worker and self.is_attached:
            self._outcome_changed()

    @work(group=ASKING_WATCHES)
    async def _carry_on(self) -> None:
        came_to = await self._desk.carry_on()
        if not (self.is_current and self.app.app_focus):
            self.app.tell_done(asked_text(came_to))

    def action_stop(self) -> None:
        """Stop asking. Papers that were not shown count as new the next time."""
        self._desk.waiting.clear()
        if self._worker:
            self._worker.cancel()
        self.app.say("Stopped. Papers not shown yet stay new.", seconds=5)

    def action_forget(self) -> None:
        if watch := self._watch:
            name, store = watch.name, self.app.store
            question = f"Delete the watch “{cut(name, 60)}”? Its papers stay in the library."
            self.app.delete_if_agreed(question, lambda: drop_watch(store, name), lambda: self._desk.forget(name))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        watch = self._watch
        if action in ("stop", "back"):
            return (action == "stop") is self._asks
        if action == "ask_all":
            return bool(self._all)
        if action == "forget":
            return watch is not None and not self._desk.is_pending(watch.name)
        if action in ("filter", "order", "reverse", "pane"):
            return bool(self._news and self._news.papers)
        return super().check_action(action, parameters)

    def action_pane(self) -> None:
        self.set_focus(self._table if self._at_papers else self._papers)

    def order_by(self, order: NamedOrder) -> None:
        self.order = order
        self.show_filtered()

    def show_filtered(self) -> None:
        if self._watch:
            self._show_papers(self._watch)

    def to_list(self) -> None:
        self.set_focus(self._papers)

    def action_back(self) -> None:
        """Remove the marks; then leave the filter; then go to the watches; then go to the searches."""
        if self.drop_marks() or self.out_of_filter():
            return
        if self._at_papers:
            self.set_focus(self._table)
        else:
            self.app.action_go("search")
