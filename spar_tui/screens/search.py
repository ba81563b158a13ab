"""A search to watch and to read: trail, papers, paper, and where it stands."""

from typing import TYPE_CHECKING, Literal

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import DescendantFocus
from textual.screen import Screen
from textual.widgets import Input, OptionList, Tree

from agents.search.state import SearchState
from connectors.paper import Paper
from spar_tui.commands import bindings
from spar_tui.screens.live_search import LiveSearch
from spar_tui.screens.search_view import by_relevance, carried_on, misplaced, rows, waiting_works
from spar_tui.screens.trail_view import Branch, trail
from spar_tui.widgets.key_line import KeyLine
from spar_tui.widgets.line import Line
from spar_tui.widgets.paper_list import PaperList
from spar_tui.widgets.paper_page import PaperPage
from spar_tui.widgets.status_lines import sources_line, stage_line
from spar_tui.widgets.text import plain
from spar_tui.widgets.trail_tree import TrailTree

if TYPE_CHECKING:
    from spar_tui.app import SparApp

Pane = Literal["trail", "papers", "paper"]
_PANES: tuple[Pane, ...] = ("trail", "papers", "paper")
FLUSH_SECONDS = 0.2
"""The screen is brought up to date no oftener: redrawing at each event would cost several times the processor."""
_FLUSHES_A_SORT = 5


class SearchScreen(Screen[None]):
    """Looks at a `LiveSearch`; leaving the screen leaves the search alone."""

    DEFAULT_CSS = """
    #panes { height: 1fr; }
    #trail, #papers, #paper { border: round $border-blurred; background: $background; border-title-color: $foreground;
                              border-subtitle-color: $foreground 60%; scrollbar-size-vertical: 1; }
    #trail:focus, #papers:focus, #paper:focus { border: round $border; background-tint: transparent; }
    #trail { width: 27%; }
    #middle { width: 1fr; min-width: 20; }
    #paper { width: 33%; }
    #filter { border: none; height: 1; padding: 0 1; background: $panel; display: none; }
    #filter.asked { display: block; }
    SearchScreen.-short #question { display: none; }
    SearchScreen.-medium #trail { width: 32%; }
    SearchScreen.-medium #paper { width: 45%; display: none; }
    SearchScreen.-medium.at-paper #paper { display: block; }
    SearchScreen.-medium.at-paper #trail { display: none; }
    SearchScreen.-narrow #trail, SearchScreen.-narrow #paper { display: none; width: 1fr; }
    SearchScreen.-narrow.at-trail #trail, SearchScreen.-narrow.at-paper #paper { display: block; }
    SearchScreen.-narrow.at-trail #middle, SearchScreen.-narrow.at-paper #middle { display: none; }
    """
    BINDINGS = bindings("search")
    AUTO_FOCUS = "#papers"
    app: "SparApp"

    def __init__(self, live: LiveSearch) -> None:
        super().__init__()
        self.live = live
        self.pane: Pane = "papers"
        self._work: int | None = None
        self._order: list[int] = []
        self._seen: tuple[SearchState, str] | None = None
        self._flushes = 0
        self._moves = 0

    def compose(self) -> ComposeResult:
        yield Line("question", plain(self.live.question, "bold"))
        yield Line("stage")
        with Horizontal(id="panes"):
            yield TrailTree("trail")
            with Vertical(id="middle"):
                yield PaperList("papers")
                yield Input(placeholder="words that a paper must have", id="filter")
            yield PaperPage("paper")
        yield Line("sources")
        yield KeyLine()

    def on_mount(self) -> None:
        for pane in _PANES:
            self.query_one(f"#{pane}").border_title = Content(pane.capitalize())
        self.query_one("#filter", Input).cursor_blink = False
        self.set_interval(FLUSH_SECONDS, self._flush)

    def on_screen_resume(self) -> None:
        self._flush()

    # What is shown

    def _flush(self) -> None:
        """Bring the screen up to date with the search."""
        if not self.is_current:
            return
        state, standing = self.live.state, self.live.standing
        self._show_lines()
        if self._seen is not None and self._seen[0] is state and self._seen[1] == standing:
            return
        self._seen = (state, standing)
        self._place(state)
        self._show_papers(state)
        self.query_one(TrailTree).show(trail(state))
        self._show_paper(state)
        self.refresh_bindings()

    def _show_lines(self) -> None:
        state, live, width = self.live.state, self.live, self.size.width - 2
        self.query_one("#stage", Line).show(stage_line(state, live.standing, live.seconds, width))
        line = plain(live.problem, "$error") if live.problem else sources_line(state, width)
        self.query_one("#sources", Line).show(line)

    def _place(self, state: SearchState) -> None:
        """Order by relevance until the person takes the list in hand, at most once a second; then only append."""
        self._flushes += 1
        papers = self.query_one(PaperList)
        settled = state.finished is not None or self._flushes % _FLUSHES_A_SORT == 1
        if not papers.touched and settled:
            self._order = by_relevance(state)
        else:
            self._order = carried_on(self._order, state)

    def _show_papers(self, state: SearchState) -> None:
        papers, words = self.query_one(PaperList), self.query_one("#filter", Input).value
        shown = rows(state, self._order, words)
        if self._work is not None:
            self._work = state.work(self._work)
        papers.show(shown, self._work)
        papers.border_title = Content(f"Papers {len(shown)} of {len(state.found)}" if words else
                                      f"Papers {len(state.found) or ''}")  # fmt: skip
        self._moves = misplaced(self._order, state) if papers.touched else 0
        papers.border_subtitle = self._told(state)

    def _told(self, state: SearchState) -> Content:
        """Below the list: what waits, and what a sort would move."""
        waiting = len(waiting_works(state))
        told = [f"{waiting} waiting for the judge"] if waiting else []
        if self._moves:
            told.append(f"{self._moves} ↑ R re-sorts")
        if not state.found:
            told = ["no papers"] if state.finished else ["nothing yet"]
        return plain(" · ".join(told))

    def _show_paper(self, state: SearchState) -> None:
        self.query_one(PaperPage).show(state, self._work)

    @property
    def paper(self) -> Paper | None:
        """The paper under the highlight."""
        found = self.live.state.found.get(self._work) if self._work is not None else None
        return found.paper if found else None

    # Where the person is

    def _set_pane(self, pane: Pane) -> None:
        if pane != self.pane:
            self.set_class(False, f"at-{self.pane}", update=False)  # all rules of the screen are gone through but once
            self.pane = pane
            self.set_class(True, f"at-{pane}")

    def _go_to(self, pane: Pane) -> None:
        self._set_pane(pane)
        self.set_focus(self.query_one(f"#{pane}"))  # at once: the next key may be waiting already

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        for pane in _PANES:
            if event.widget.id == pane:
                self._set_pane(pane)
        self.refresh_bindings()

    @on(OptionList.OptionHighlighted, "#papers")
    def _paper_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id and self.pane != "trail":
            self._work = int(event.option_id)
            self._show_paper(self.live.state)

    @on(OptionList.OptionSelected, "#papers")
    def _paper_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id:
            self.query_one(PaperList).touched = True
            self._work = int(event.option_id)
            self._show_paper(self.live.state)
            self._go_to("paper")

    @on(Tree.NodeHighlighted, "#trail")
    def _branch_highlighted(self, event: Tree.NodeHighlighted[Branch]) -> None:
        branch = event.node.data
        if branch and branch.work is not None and self.pane == "trail":
            self._work = self.live.state.work(branch.work)
            self.query_one(PaperList).highlight(self._work)
            self._show_paper(self.live.state)

    @on(Tree.NodeSelected, "#trail")
    def _branch_selected(self, event: Tree.NodeSelected[Branch]) -> None:
        if event.node.data and event.node.data.work is not None:
            self._go_to("paper")

    @on(Input.Changed, "#filter")
    def _filter_changed(self) -> None:
        self.query_one(PaperList).touched = True
        self._show_papers(self.live.state)

    @on(Input.Submitted, "#filter")
    def _filter_entered(self, event: Input.Submitted) -> None:
        event.input.set_class(bool(event.value), "asked")
        self._go_to("papers")

    # What the person does

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which commands make sense as the search stands."""
        standing = self.live.standing
        match action:
            case "pause" | "stop" | "cut":
                return standing == "running" or (standing == "paused" and action != "pause") or (
                    standing == "stopping" and action == "cut"
                )  # fmt: skip
            case "resume":
                return standing in ("paused", "cut off", "failed")
            case "sort":
                return self._moves > 0
            case "browse" | "copy":
                return self.paper is not None
        return True

    def action_pause(self) -> None:
        """Ask nobody anything; what was asked already still comes in."""
        self.live.control.pause()
        self._flush()

    def action_resume(self) -> None:
        """Let a paused or cut-off search go on."""
        self.live.control.go_on()
        self.live.start(self.app.desk_for)
        self._flush()

    def action_stop(self) -> None:
        """Finish with what is here."""
        self.live.control.stop()
        self._flush()

    async def action_cut(self) -> None:
        """Stop at once."""
        await self.live.cut_off()
        self._flush()

    def action_sort(self) -> None:
        """Order the papers by relevance now; the highlight stays on its paper."""
        self._order = by_relevance(self.live.state)
        self._show_papers(self.live.state)
        self.refresh_bindings()

    def action_filter(self) -> None:
        """Open the filter."""
        self._set_pane("papers")
        line = self.query_one("#filter", Input)
        line.add_class("asked")
        self.set_focus(line)

    def action_trail(self) -> None:
        """Go to the trail, or back from it."""
        tree = self.query_one(TrailTree)
        tree.cursor_line = max(tree.cursor_line, 0)
        self._go_to("papers" if self.pane == "trail" else "trail")

    def action_back(self) -> None:
        """Out of the filter, back to the papers, then home."""
        line = self.query_one("#filter", Input)
        if line.has_class("asked"):
            line.clear()
            line.remove_class("asked")
            self._go_to("papers")
        elif self.pane != "papers":
            self._go_to("papers")
        else:
            self.app.go_home()

    def action_browse(self) -> None:
        """Open the paper's page."""
        if self.paper:
            self.app.browse(self.paper)

    def action_copy(self) -> None:
        """Copy the paper's identifier."""
        if self.paper:
            self.app.copy_to_clipboard(self.paper.id)
            self.app.say(f"Copied {self.paper.id}", seconds=2)
