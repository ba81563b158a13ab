"""What is below the ask line on the home screen: chips, papers of that title, recent searches, what to read next.

The ask line is drawn and takes keys before this is loaded.
"""

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from cache.errors import CacheError
from cache.reading_history import tells_of_taste
from cache.runs import Run
from cache.runs import recent as recent_runs
from cache.store import Store
from cache.timestamps import utc_now
from cache.watches import Watch, watches
from connectors.identifiers import sole_identifier
from connectors.paper import Paper
from spar_tui.math_text import title_text
from spar_tui.settings import Settings
from spar_tui.tui.commands import bindings, command_named, context_of
from spar_tui.tui.keymap import typed_character
from spar_tui.tui.models.run_status import RunStatus, Tone, is_shown, kind_of, status_of, title_of
from spar_tui.tui.named_paper import titled
from spar_tui.tui.widgets.entry.ask_box import AskBox
from spar_tui.tui.widgets.entry.ask_chips import AskChips, Chip, told_sources
from spar_tui.tui.widgets.row_list import TextList
from spar_tui.tui.widgets.text import QUIET, cut, plain
from spar_tui.watching.news import watches_text

if TYPE_CHECKING:
    from agents.search.options import SearchOptions
    from spar_tui.tui.base_app import BaseApp
    from spar_tui.tui.models.recommendation_rows import Recommended
    from spar_tui.tui.recommender import Recommender
    from spar_tui.tui.research_app import ResearchApp

_STYLES: dict[Tone, str] = {"accent": "$accent", "good": "$success", "warned": "$warning"}
_RECENT = 50
_CAME_TO = 23
"""Most columns for the result of a run."""
_NARROWEST, _WIDE = 70, 92
"""Columns from which a line has room for a result, and for a result beside a long question."""
_IN_LIBRARY = "paper "
"""Stands before the title of an offered paper, as the kind of a run stands before its question."""
_FEW = 3
"""Most papers to read next that are shown."""
_AROUND_RUNS = 20
"""Lines of the screen that recent runs cannot use."""
_WITH_KEYS, _WITH_NEXT = 24, 30
"""Smallest heights, in lines, that have room for the first keys: without and with what to read next."""
_EXAMPLES = (
    "which papers on speculative decoding report wall-clock gains?",
    "does vitamin D lower the risk of respiratory infection, since 2018",
    "agents that follow references to find papers",
)


class HomeRow(NamedTuple):
    """A row of a list below the ask line."""

    id: str
    text: Content


class HomeList(TextList[HomeRow]):
    """A list below the ask line. The arrow keys also move from list to list."""

    ONE_CLICK = True
    DEFAULT_CSS = """
    HomeList, HomeList:focus { border: none; }
    HomeList > .row-list--cursor-blurred { background: $background; color: $foreground; text-style: none; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(lambda row: row.id, id)

    def wrapped(self, row: HomeRow, width: int) -> Content:
        return Content("\n").join(Content.assemble("  ", line) for line in row.text.split())

    def action_cursor_up(self) -> None:
        """From the first row, go up to the widget above."""
        if not self.place:
            self.screen.focus_previous()
        else:
            super().action_cursor_up()

    def action_cursor_down(self) -> None:
        """From the last row, go down to the list below, if it has rows."""
        lists = [shown for shown in self.screen.query(HomeList) if shown.display and shown.rows]
        if self.place == len(self.rows) - 1 and lists[-1] is not self:
            self.screen.focus_next()
        else:
            super().action_cursor_down()


class PapersOffered(HomeList, inherit_bindings=False):
    """Library papers whose titles have the typed words; the ids are their numbers."""

    BINDINGS = bindings("suggested papers", "lists")


class RecentRuns(HomeList, inherit_bindings=False):
    """Past searches, newest first."""

    BINDINGS = bindings("recent searches", "lists")


class Examples(HomeList, inherit_bindings=False):
    """Example questions, shown before the first search."""

    BINDINGS = bindings("example questions", "lists")

    def on_mount(self) -> None:
        self.show([HomeRow(example, plain(example)) for example in _EXAMPLES])


class FirstKeys(Static):
    """The most important keys, as the person has set them, shown before the first search."""

    DEFAULT_CSS = "FirstKeys { height: auto; margin: 1 0 0 0; text-wrap: nowrap; text-overflow: ellipsis; }"
    COMMANDS = ("ask.submit", "paper.save", "paper.cite", "app.palette", "app.help")
    app: "BaseApp"

    def render(self) -> Content:
        lines = [plain("Five keys to start with:", QUIET)]
        for command in map(command_named, self.COMMANDS):
            keys = " ".join(
                self.app.get_key_display(Binding(key, ""))
                for key in self.app.command_keys.keys[command.id]
                if context_of(command) == "any paper" or not typed_character(key)  # others would be typed into the line
            )
            lines.append(Content.assemble((f"  {keys:<8}", "$key"), " ", plain(command.help, QUIET)))
        return Content("\n").join(lines)


class ReadNext(HomeList, inherit_bindings=False):
    """The first few papers to read next, by id: a title and a reason for each."""

    BINDINGS = bindings("read next, on the home screen", "lists")


class HomeLists(NamedTuple):
    """The library's data for the screen."""

    recent: Sequence[Run] = ()
    watches: Sequence[Watch] = ()
    tells_of_taste: bool = False


class BelowAsk(Vertical):
    """The part of the home screen below the ask line, which reads the library."""

    DEFAULT_CSS = """
    BelowAsk { height: 1fr; }
    #offered { display: none; margin-bottom: 1; }
    #told { height: auto; padding: 0 2 1 2; }
    #watched { height: 2; padding: 0 2 1 2; text-wrap: nowrap; text-overflow: ellipsis;
               display: none; }
    BelowAsk.watches #watched { display: block; }
    #recent { height: 1fr; }
    #empty { height: auto; display: none; }
    #empty Static { padding: 0 2; }
    BelowAsk.-crowded #first-keys { display: none; }
    #examples { height: 3; }
    #next-told { height: 2; padding: 1 2 0 2; text-wrap: nowrap; text-overflow: ellipsis; }
    #next { height: 6; display: none; }
    BelowAsk.reads #next { display: block; }
    BelowAsk.-crowded.offers #next { display: none; }
    """
    app: "ResearchApp"
    _lists = HomeLists()
    _note = ""
    """A remark about the typed question."""
    _offered: Mapping[str, Paper] = MappingProxyType({})
    """The offered papers, by the ids of their rows."""
    _moving = False
    """Whether a shown run is in progress."""

    def compose(self) -> ComposeResult:
        yield AskChips()
        yield Static(id="told")
        yield PapersOffered("offered")
        yield Static(id="watched")
        with Vertical(id="empty"):
            yield Static(plain("Nothing asked yet. Try:", QUIET))
            yield Examples("examples")
            yield FirstKeys(id="first-keys")
        yield RecentRuns("recent")
        yield Static(id="next-told")
        yield ReadNext("next")

    def on_mount(self) -> None:
        self.set_interval(1.0, self._follow_runs)
        self.app.recommended.subscribe(self, lambda _: self.show_next())
        self.resume()

    def resume(self) -> None:
        """Show the present data of the library and the present settings."""
        self.query_one(AskChips).follow_settings()
        self._show_who_is_asked()
        with self.app.reporting():
            self._lists = _home_lists(self.app.store)  # at once, since the next key may be for a row of it
        self._show_lists()

    async def library_changed(self) -> None:
        lists = await asyncio.to_thread(_home_lists, self.app.store)
        await self.app.recommender.look_again()
        self._lists = lists
        self._show_lists()

    def _show_lists(self) -> None:
        self._show_watches()
        self._leave_room_for_next()
        self.show_runs()
        self.show_next()

    def on_resize(self) -> None:
        self._leave_room_for_next()
        self.show_runs()
        self.show_next()

    def _show_watches(self) -> None:
        """Show how many watches there are and when they were last asked; hide the line without watches."""
        stored = self._lists.watches
        self.set_class(bool(stored), "watches")
        content = plain(f"{watches_text(stored, utc_now())} · ", QUIET)
        key = self.app.keys_shown("app.watches")[-1]
        self.query_one("#watched", Static).update(
            Content.assemble(content, (key, "$key"), (" shows new papers", QUIET))
        )

    def _leave_room_for_next(self) -> None:
        """Leave room for what to read next if there can be any, so that nothing moves when it arrives."""
        self.set_class(self._lists.tells_of_taste, "reads")
        self.set_class(self.screen.size.height < (_WITH_NEXT if self.has_class("reads") else _WITH_KEYS), "-crowded")

    def show_next(self) -> None:
        """Show what to read next, or why there is nothing; do not change the list while it has the focus."""
        if not self.screen.is_current or self.screen.focused is self.query_one(ReadNext):
            return
        recommender = self.app.recommender
        shown: Sequence[Recommended] = ()
        if recommender.newest:
            from spar_tui.tui.models.recommendation_rows import listed

            shown = listed(recommender.newest.state)
        key = self.app.keys_shown("app.recommendation")[-1]  # it works in the ask line
        line = _next_line(recommender, bool(shown), key) if self.has_class("reads") else self._how_to_begin
        self.query_one("#next-told", Static).update(line)
        width = self.size.width - 5
        self.query_one(ReadNext).show(
            [HomeRow(recommendation.paper.id, _next_text(recommendation, width)) for recommendation in shown[:_FEW]]
        )

    def show_runs(self) -> None:
        """Show the recent runs and their present states; the highlight stays on its run."""
        runs = sorted(self._lists.recent, key=self._waits)
        width, shown, key = self.size.width - 4, self.app.runs_shown, self.app.key_shown("home.open")
        statuses = [status_of(run, shown.get(run.id), self.app.runs_elsewhere(run), key) for run in runs]
        self._moving = any(status.under_way for status in statuses)
        recent = self.query_one(RecentRuns)
        cells = max((len(status.words) for status in statuses), default=0)
        recent.show(
            [HomeRow(run.id, run_line(run, status, width, cells)) for run, status in zip(runs, statuses, strict=True)]
        )
        recent.styles.max_height = max(len(runs), 1)  # what to read next is right below them
        recent.display, self.query_one("#empty").display = bool(runs), not runs
        lines = _AROUND_RUNS + len(runs) if runs else _WITH_NEXT if self.has_class("reads") else _WITH_KEYS
        self.screen.query_one("#desk").styles.margin = max(self.screen.size.height - lines, 0) // 2, 0, 0, 0
        self.query_one(FirstKeys).refresh()  # the keys may have changed
        self.screen.refresh_bindings()

    @property
    def _who_is_asked(self) -> Content:
        """The sources that a question goes to, and the key that changes them."""
        key = self.app.keys_shown("app.ask")[-1]
        note = Content.assemble(plain(self._note, "$warning"), "\n") if self._note else ""
        chosen = self.query_one(AskChips).sources
        sentence = self.app.resources_sentence if chosen is None else told_sources(self.app.settings, chosen)
        content = plain(f"{sentence} · ", QUIET)
        return Content.assemble(note, content, (key, "$key"), (" change", QUIET))

    @on(Chip.Changed)
    def _show_who_is_asked(self) -> None:
        self.query_one("#told", Static).update(self._who_is_asked)
        self.set_class(bool(self._note), "noted")

    @property
    def _how_to_begin(self) -> Content:
        """The text shown until there is data on what the person likes."""
        save, more = self.app.key_shown("paper.save"), self.app.key_shown("paper.like")
        return plain(f"Read next appears here once you save papers ({save}) or like some ({more}).", QUIET)

    def _waits(self, run: Run) -> bool:
        """The sort key of a run: runs in progress come first."""
        live = self.app.runs_shown.get(run.id)
        return live is None or not live.under_way

    def _follow_runs(self) -> None:
        """Show what runs have stored, also after they have ended, and the progress of those under way."""
        if self.screen.is_current and not self.app.follower.refresh() and (self._moving or self.app.under_way):
            self.show_runs()

    @property
    def options(self) -> "SearchOptions":
        """The options for a question asked now."""
        return self.query_one(AskChips).options

    @property
    def next_list(self) -> str:
        """The id of the list below the ask line."""
        if self._offered:
            return "offered"
        return "recent" if self.query_one(RecentRuns).rows else "examples"

    @work(group="typed", exclusive=True)
    async def look_up(self, typed: str) -> None:
        """Offer library papers with the typed title, and warn if the language of the question matters."""
        try:
            offered = await asyncio.to_thread(titled, self.app.store, typed, _FEW)
        except CacheError:
            offered = []  # other readers of the library report the error
        self._show_offered(offered)
        self._note = await asyncio.to_thread(_language_note, typed, self.app.settings)
        self._show_who_is_asked()

    def _show_offered(self, offered: Sequence[tuple[int, Paper]]) -> None:
        papers = self.query_one(PapersOffered)
        width = self.size.width - 6
        papers.show([HomeRow(str(number), _title_line(paper, width)) for number, paper in offered])
        papers.styles.height = len(offered)
        if not offered and papers.has_focus:
            self.screen.query_one(AskBox).focus()
        papers.display = bool(offered)
        self.set_class(bool(offered), "offers")
        self._offered = {str(number): paper for number, paper in offered}
        self.screen.refresh_bindings()

    @on(HomeList.Selected, "#offered")
    def _offered_selected(self, event: HomeList.Selected) -> None:
        if paper := self._offered.get(event.row.id):
            self.app.open_paper(paper)

    @on(HomeList.Selected, "#recent")
    def _run_selected(self, event: HomeList.Selected) -> None:
        self.app.open_run(event.row.id)

    @on(HomeList.Selected, "#next")
    def _next_selected(self, event: HomeList.Selected) -> None:
        self.app.read_next(event.row.id)

    @on(HomeList.Selected, "#examples")
    def _example_selected(self, event: HomeList.Selected) -> None:
        """Copy the question to the ask line."""
        line = self.screen.query_one(AskBox)
        line.value = event.row.id
        line.focus()


def _home_lists(store: Store) -> HomeLists:
    recent = [run for run in recent_runs(store, _RECENT) if is_shown(run)]
    return HomeLists(recent, watches(store), tells_of_taste(store))


def _language_note(question: str, settings: Settings) -> str:
    from agents.search.understanding import language_note
    from spar_tui.tui.screens.dialogs.ask_form import asked_model

    return "" if sole_identifier(question) or asked_model(settings) else language_note(question)


def _title_line(paper: Paper, width: int) -> Content:
    year = f"  {paper.year}" if paper.year else ""
    title = plain(cut(title_text(paper), max(width - len(year) - len(_IN_LIBRARY), 8)))
    return Content.assemble((_IN_LIBRARY, "$accent"), title, plain(year, QUIET))


def run_line(run: Run, status: RunStatus, width: int, cells: int = _CAME_TO) -> Content:
    """Return a run on one line: its question, result in `cells` columns, and date, cut to fit; runs other than searches
    show their kind. A narrow line shows a whole question rather than the result of a finished run."""
    when = f"{run.started.astimezone():%d %b %H:%M}"
    cells = min(cells, _CAME_TO)
    came_to = f"{cut(status.words, cells):<{cells}}  "
    kind = "" if kind_of(run) == "search" or not run.question else f"{kind_of(run)} "
    question = title_of(run.kind, run.question)
    room = width - len(when) - len(kind) - 7
    is_long = plain(question).cell_length > room - len(came_to)
    if width < _NARROWEST or (width < _WIDE and is_long and run.state == "finished" and not status.under_way):
        came_to = ""
    room = max(room - len(came_to), 8)
    return Content.assemble(
        (status.glyph, _STYLES[status.tone]), "  ", (kind, "$accent"),
        plain(cut(question, room)), _gap(question, room), "  ", (came_to, QUIET), (when, QUIET),
    )  # fmt: skip


def _gap(question: str, room: int) -> str:
    return " " * max(room - plain(cut(question, room)).cell_length, 0)


def _next_line(recommender: "Recommender", some: bool, key: str) -> Content:
    """Return the line above what to read next."""
    heading = Content.styled("Read next", "bold $primary")
    if recommender.making is not None and not some:
        return Content.assemble(heading, plain("  choosing papers from your reading history…", QUIET))
    if some:
        return Content.assemble(heading, plain(f"  {key} all, with reasons", QUIET))
    if not recommender.looked:
        return heading
    # Changes since the last recommendation are unknown here: only its absence or lack of papers can be shown.
    nothing = "nothing recommended last time" if recommender.newest else f"{key} recommends papers"
    why = recommender.problem or nothing
    return Content.assemble(heading, plain(f"  {why}", QUIET))


def _next_text(recommendation: "Recommended", width: int) -> Content:
    from spar_tui.recommendation_phrases import reasons

    reason = next(iter(reasons(recommendation.state, recommendation.placed, 1)), "")
    title = plain(cut(title_text(recommendation.paper), width))
    return Content.assemble(title, "\n  ", plain(cut(reason, max(width - 2, 1)), QUIET))
