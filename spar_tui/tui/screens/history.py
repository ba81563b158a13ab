"""The history: all runs with a screen, to open or to resume."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from cache import runs
from cache.conditions.filters import chosen
from cache.conditions.names import folded
from cache.conditions.scopes import HISTORY
from cache.conditions.table import CheckedPaper
from cache.runs import Run
from spar_tui.tui.commands import PROMPTS, bindings
from spar_tui.tui.models.run_status import RunStatus, is_shown, kind_of, status_of, title_of
from spar_tui.tui.refresh.library_screen import LibraryScreen
from spar_tui.tui.screens.dialogs.name_prompts import watch_search
from spar_tui.tui.widgets.filter_line import FilteredScreen, FilterLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.table import Column, Table, TableCell, filled
from spar_tui.tui.widgets.text import QUIET, cut, plain

MOST = 10_000
"""Most runs to list; `spar history` finds older ones."""
LOOK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Past:
    """A run as a row of the table."""

    run: Run
    status: RunStatus

    @property
    def title(self) -> str:
        return title_of(self.run.kind, self.run.question)

    @property
    def subject(self) -> CheckedPaper:
        """What a filter checks: the shown text, and the date."""
        shown = f"{kind_of(self.run)} {self.title} {self.status.words} {_when(self.run)} {self.run.id}"
        return CheckedPaper(folded(shown), f"{self.run.started.astimezone():%Y-%m-%d}")


def _when(run: Run) -> str:
    return f"{run.started.astimezone():%Y-%m-%d %H:%M}"


def _short(run: Run) -> str:
    started = run.started.astimezone()
    return f"{started:%d %b %H:%M}" if started.year == date.today().year else f"{started:%d %b %Y}"


def _kind(run: Run) -> str:
    return "" if kind_of(run) == "search" or not run.question else kind_of(run)


_COLUMNS: tuple[Column[Past], ...] = (
    Column("", 1, lambda row: TableCell(row.status.glyph, row.status.tone)),
    Column("When", 12, lambda row: TableCell(_short(row.run)), 56),
    Column("Kind", 14, lambda row: TableCell(_kind(row.run), "accent"), fitted=True),
    Column("Question", 0, lambda row: TableCell(row.title, "plain")),
    Column("State", 24, lambda row: TableCell(row.status.words), 60, fitted=True),
    Column("Run", 18, lambda row: TableCell(row.run.id), 120),
)


class HistoryScreen(LibraryScreen, FilteredScreen):
    """All runs, newest first. Enter shows a run or resumes an interrupted row."""

    BINDINGS = bindings("history")
    AUTO_FOCUS = "#runs"

    def __init__(self) -> None:
        super().__init__()
        self._all: Sequence[Run] = ()
        self._read = False
        self._moving = False
        """Whether a listed run is in progress."""

    def compose(self) -> ComposeResult:
        with Vertical(id="middle"):
            yield Table(_COLUMNS, lambda past: past.run.id, id="runs")
            yield FilterLine(HISTORY)
        yield Footer()

    def on_mount(self) -> None:
        self.set_interval(LOOK_SECONDS, self._follow_runs)
        self.show_filtered()

    def _follow_runs(self) -> None:
        """Show the progress of runs in progress, and their results once they have ended."""
        if self.is_current and (self._moving or self.app.under_way) and not self.app.follower.refresh():
            self.show_filtered()

    async def library_changed(self) -> None:
        every = await asyncio.to_thread(runs.recent, self.app.store, MOST)
        self._all = [run for run in every if is_shown(run)]
        self._read = True
        self.show_filtered()

    @property
    def _table(self) -> Table[Past]:
        return self.query_one("#runs", Table)

    def show_filtered(self) -> None:
        wanted = self.query_one(FilterLine).wanted
        shown_runs, key = self.app.runs_shown, self.app.key_shown("list.select")
        every = [
            Past(run, status_of(run, shown_runs.get(run.id), self.app.runs_elsewhere(run), key)) for run in self._all
        ]
        self._moving = any(past.status.under_way for past in every)
        shown = chosen(every, wanted, lambda past: past.subject)
        nothing = f"No searches yet. Press {self.app.key_shown('app.home')} to ask."
        self._table.show_nothing(plain("" if every or not self._read else nothing, QUIET))
        self._table.set_columns(filled(_COLUMNS, every))
        self._table.show(shown)
        many = f"{len(shown):,} of {len(every):,}" if wanted.terms else f"{len(every):,}"
        below = "" if shown or not wanted.terms else "no match"
        self._table.entitle(plain(f"History {many}"), Content(below))
        self.refresh_bindings()

    @on(Table.Selected)
    def _selected(self, event: Table.Selected) -> None:
        self.app.show_run(event.row.run.id)

    def title_of(self, action: str, title: str) -> str:
        """Return the title of an action in the footer: a run is opened."""
        return "open" if action == "select" else title

    def to_list(self) -> None:
        self.set_focus(self._table)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        row = self._table.row if self.is_mounted else None
        if action == "forget":
            live = self.app.runs_shown.get(row.run.id) if row else None
            busy = row is not None and (self.app.runs_elsewhere(row.run) or bool(live and live.under_way))
            return row is not None and not busy
        if action in ("ask_again", "watch"):
            state = row.run.state if row and row.run.kind == "search" else "running"
            return state != "running" if action == "ask_again" else state == "finished"
        return True

    def action_ask_again(self) -> None:
        if row := self._table.row:
            self.app.ask_again(row.run.id)

    @work(group=PROMPTS)
    async def action_watch(self) -> None:
        if row := self._table.row:
            await watch_search(self.app, row.run.id, row.run.question)

    def action_forget(self) -> None:
        if row := self._table.row:
            run, store = row.run.id, self.app.store
            question = f"Delete “{cut(row.title, 60)}”? Its papers stay in the library."
            self.app.delete_if_agreed(question, lambda: runs.forget(store, run), lambda: self.app.drop_run(run))

    def action_back(self) -> None:
        """Leave the filter; without one, go to the searches."""
        if not self.out_of_filter():
            self.app.action_go("search")
