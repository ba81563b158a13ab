"""The profile: what the program thinks the person likes, dislikes and expects, to correct line by line."""

import asyncio
from collections.abc import Callable
from functools import partial

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from agents.taste.whole_profile import NamedLine, Profile, read_profile
from agents.tools import profile_actions
from agents.tools.profile_actions import Action, ProfileChange
from cache import papers, profile
from cache.errors import CacheError
from cache.profile import Facet
from cache.timestamps import utc_now
from spar_tui.math_text import title_text
from spar_tui.phrases import counted, papers_text
from spar_tui.phrases import sentence as begun_with_capital
from spar_tui.profile_phrases import HEADINGS, basis_text, done_texts, forgotten_text, trouble_texts
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.personal_shelf import Beside
from spar_tui.tui.refresh.library_screen import LibraryScreen
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.table import Column, Table, TableCell
from spar_tui.tui.widgets.text import QUIET, cut, plain

_NAMED = 4
"""Most papers to name as the basis of a line."""
_ASKED: dict[Facet, str] = {
    "like": "What you like, in a few words",
    "dislike": "What you do not like, in a few words",
    "expect": "What you look for, such as: since 2020, or: cited at least 10 times",
}
_EMPTY = "No profile yet. + adds a line; saving and rating papers fills the rest."


def _basis(line: NamedLine) -> str:
    whose = "your own" if line.own else f"{line.share:.0%} of your history" if line.share else "understood"
    return whose if not line.papers else f"{whose}, {papers_text(len(line.papers))}"


_COLUMNS: tuple[Column[NamedLine], ...] = (
    Column("", 16, lambda row: TableCell(HEADINGS[row.facet], "good" if row.facet == "like" else "quiet")),
    Column("Line", 0, lambda row: TableCell(row.text, "strong" if row.own else "plain" if row.counts else "quiet")),
    Column("From", 30, lambda row: TableCell(_basis(row)), 84),
)


_DONE: dict[Action, str] = {"add": "added", "edit": "changed", "forget": "deleted"}


def _name_of(change: ProfileChange) -> str:
    lines = change.after or change.before
    what = f"“{lines[0].text}”" if len(lines) == 1 else counted(len(lines), "line")
    return f"{_DONE[change.action]} {what} in your profile"


class ProfileLines(Table[NamedLine]):
    """The lines of the profile, the person's own first."""

    BINDINGS = bindings("a line of your profile", "lists")


class ProfileScreen(LibraryScreen):
    """The profile; each change is saved at once, and changes what is recommended."""

    DEFAULT_CSS = """
    ProfileScreen #basis { height: 5; padding: 0 2; }
    ProfileScreen.-short #basis { height: 2; }
    """
    BINDINGS = bindings("your profile")
    AUTO_FOCUS = "#lines"

    def __init__(self) -> None:
        super().__init__(name="profile")
        self._profile: Profile | None = None
        self._at: str | None = None
        """The line that the person has changed, which gets the cursor once it is listed."""

    def compose(self) -> ComposeResult:
        with Vertical(id="middle"):
            yield ProfileLines(_COLUMNS, lambda line: line.name, id="lines")
            yield Static(id="basis")
        yield Footer()

    def on_mount(self) -> None:
        self._table.entitle(Content("Your profile"), Content("reading…"))

    @property
    def _table(self) -> Table[NamedLine]:
        return self.query_one("#lines", Table)

    @property
    def _line(self) -> NamedLine | None:
        return self._table.row if self.is_mounted else None

    async def library_changed(self) -> None:
        self._profile = await asyncio.to_thread(read_profile, self.app.store, utc_now())
        lines = self._profile.lines
        self._table.show_nothing(plain("" if lines else _EMPTY, QUIET))
        self._table.show(lines)
        self._go_to_changed()
        trouble = trouble_texts(self._profile)
        self._table.entitle(plain(f"Your profile {len(lines) or ''}".rstrip()), plain(trouble[0] if trouble else ""))
        self._show_basis()
        self.refresh_bindings()

    def _go_to_changed(self) -> None:
        table = self._table
        index = table.place_of(self._at, table.rows)
        if index is not None:
            table.go_to(index)
            self._at = None

    @on(Table.Highlighted)
    def _highlighted(self) -> None:
        self._show_basis()

    @work(group="basis", exclusive=True)
    async def _show_basis(self) -> None:
        line = self._line
        text = ""
        if line is not None:
            try:
                named = await asyncio.to_thread(papers.by_ids, self.app.store, line.papers[:_NAMED])
            except CacheError:
                named = []  # the lines could be read; a lasting error is reported with the next change
            text = begun_with_capital(basis_text(line, [f"“{cut(title_text(paper), 70)}”" for paper in named]))
        self.query_one("#basis", Static).update(plain(text, QUIET))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "forget_line":
            return self._line is not None
        if action == "forget_all":
            return self._profile is not None and bool(self._profile.lines)
        return True

    def action_add_line(self, facet: Facet) -> None:
        """Add a line that the person types."""
        self._ask(_ASKED[facet], "", lambda text: profile_actions.add(self.app.store, facet, text))

    @on(Table.Selected)
    def _edit(self) -> None:
        if line := self._line:
            prompt = f"{HEADINGS[line.facet]}{'' if line.own else ' (the line becomes your own)'}"
            self._ask(prompt, line.text, lambda text: profile_actions.edit(self.app.store, line.name, text))

    def _ask(self, prompt: str, text: str, change: Callable[[str], ProfileChange]) -> None:
        def answered(answer: str | None) -> None:
            if answer is not None and answer.strip() and answer != text:
                self._change(lambda: change(answer))

        self.app.push_screen(TextPrompt(prompt, text), answered)

    def action_forget_line(self) -> None:
        if line := self._line:
            self._confirm((line,), len(line.papers), lambda: profile_actions.forget(self.app.store, [line.name]))

    def action_forget_all(self) -> None:
        """Delete every line, after a question."""
        if whole := self._profile:
            self._confirm(whole.lines, len(whole.papers), lambda: profile_actions.forget_all(self.app.store))

    def _confirm(self, lines: tuple[NamedLine, ...], papers: int, change: Callable[[], ProfileChange]) -> None:
        self.app.confirm(f"Delete {forgotten_text(lines, papers)}?", "delete", lambda: self._change(change))

    def _change(self, change: Callable[[], ProfileChange]) -> None:
        done: list[ProfileChange] = []

        app, store = self.app, self.app.store

        def changed() -> str:
            before = profile.snapshot(store)
            try:
                done.append(change())
            except ValueError as error:  # from a line without words, which is no failure of the app
                return f"Not saved: {error}."
            after = profile.snapshot(store)
            take_back = partial(app.on_shelf, lambda: profile.put_back(store, before), lambda _: app.order_anew())
            beside = Beside(take_back, lambda: profile.snapshot(store) == after)
            app.shelf.note_decision(_name_of(done[0]), beside)
            return f"{' '.join(done_texts(done[0]))} {app.undo_key()} undoes this."

        self.app.on_shelf(changed, lambda result: self._changed(result, done))

    def _changed(self, sentence: str | None, done: list[ProfileChange]) -> None:
        self.app.say(sentence or "", seconds=8)
        if not done:
            return
        self._at = done[0].after[0].name if done[0].after else None
        if self.is_attached:
            self._go_to_changed()
        self.app.order_anew()
