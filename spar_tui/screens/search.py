"""A search to watch and to read: trail, papers, paper, and where it stands."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Literal

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.events import DescendantFocus
from textual.widgets import Input, Tree

from agents.search.control import Control
from agents.search.state import SearchState
from cache.errors import CacheError
from cache.shelf import Rating, Shelved
from connectors.paper import Paper
from spar_tui.commands import bindings
from spar_tui.screens.live_search import LiveSearch
from spar_tui.screens.run_keys import RunKeys
from spar_tui.screens.search_view import Rows, by_relevance, carried_on, misplaced, waiting_works
from spar_tui.screens.trail_view import Branch, trail
from spar_tui.widgets.key_line import KeyLine
from spar_tui.widgets.line import Line
from spar_tui.widgets.panes import Panes
from spar_tui.widgets.paper_list import PaperList
from spar_tui.widgets.paper_page import InSearch, PaperPage, empty_page, page
from spar_tui.widgets.status_lines import sources_line, stage_line
from spar_tui.widgets.text import plain
from spar_tui.widgets.trail_tree import TrailTree

if TYPE_CHECKING:
    from agents.links import Kind

Pane = Literal["trail", "papers", "paper"]
_PANES: tuple[Pane, ...] = ("trail", "papers", "paper")
_FLUSHES_A_SORT = 5


_OPINIONS: dict[Rating, Callable[[Control, int], None]] = {
    1: Control.like, -1: Control.dislike, 0: Control.no_opinion,
}  # fmt: skip


class SearchScreen(RunKeys):
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
    live: LiveSearch
    BINDINGS = bindings("search", "papers")
    AUTO_FOCUS = "#papers"

    def __init__(self, live: LiveSearch) -> None:
        super().__init__(name=f"search {live.run}")
        self.live = live
        self.pane: Pane = "papers"
        self._work: int | None = None
        self._order: list[int] = []
        self._rows = Rows()
        self._seen: tuple[SearchState, str] | None = None
        self._known: dict[int, Paper] = {}
        self._reading_shelf = False
        self._saved: frozenset[int] = frozenset()
        self._flushes = 0
        self._moves = 0

    def compose(self) -> ComposeResult:
        yield Line("question", plain(self.live.question, "bold"))
        yield Line("stage")
        with Panes(id="panes"):
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
        self.set_interval(self.app.flush_seconds, self._tick)

    def on_screen_resume(self) -> None:
        self._flush()
        self.shelf_changed()

    # What is shown

    def _tick(self) -> None:
        """Bring the screen up to date unless that has just been costly."""
        if self.app.pace.due():
            self._flush()

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
        if any(key in state.joined for key in self.marked):
            self.show_marks()
        self.query_one(TrailTree).show(trail(state))
        self._show_paper(state)
        if not self._reading_shelf and state.found.keys() != self._known.keys():
            self._read_shelf()
        self.refresh_bindings()

    def shelf_changed(self) -> None:
        """Show which papers are on the shelf."""
        self._known = {}
        self._read_shelf()

    @work(group="saved", exclusive=True)
    async def _read_shelf(self) -> None:
        """Find out which papers are saved, of which it is not known yet."""
        self._reading_shelf = True
        known, self._known = self._known, self.live.state.papers
        asked = [work for work, paper in self._known.items() if known.get(work) is not paper]
        try:
            places = await asyncio.to_thread(self.app.shelf.saved_among, [self._known[work] for work in asked])
        except CacheError:
            return  # who could not be asked which papers are saved says so when one is to be saved
        finally:
            self._reading_shelf = False
        self._saved = self._saved.difference(asked) | {asked[place] for place in places}
        self.query_one(PaperList).show_saved(self._saved)
        self._show_paper(self.live.state)

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
        waiting = waiting_works(state)
        shown = self._rows(state, self._order, waiting, words)
        if self._work is not None:
            self._work = state.work(self._work)
        papers.show(shown, self._work)
        papers.border_title = Content(f"Papers {len(shown)} of {len(state.found)}" if words else
                                      f"Papers {len(state.found) or ''}")  # fmt: skip
        self._moves = misplaced(self._order, state) if papers.touched else 0
        papers.border_subtitle = self._told(state, len(waiting))

    def _told(self, state: SearchState, waiting: int) -> Content:
        """Below the list: what waits, and what a sort would move."""
        told = [f"{waiting} waiting for the judge"] if waiting else []
        if self._moves:
            told.append(f"{self._moves} ↑ R re-sorts")
        if not state.found:
            told = ["no papers"] if state.finished else ["nothing yet"]
        return plain(" · ".join(told))

    def _show_paper(self, state: SearchState) -> None:
        work = self._work
        if work is None or work not in state.found:
            self.query_one(PaperPage).show(None, empty_page())
        else:
            paper = state.found[work].paper
            self.query_one(PaperPage).show(work, page(paper, InSearch(state, work), self._standing(work, paper)))
            if self.pane == "paper" or (self.query_one(PaperList).touched and self.query_one(PaperPage).region):
                self.looking_at(work)

    def _standing(self, work: int, paper: Paper) -> Shelved | None:
        """What the shelf says of the paper, if it is known to be there."""
        if work not in self._saved:
            return None
        try:
            return self.app.shelf.standing(paper)
        except CacheError:
            return None  # whoever changes the shelf is told; the page shows what it can

    # What is at hand

    @property
    def key(self) -> Hashable:
        """The work under the highlight."""
        return self._at_hand

    @property
    def _at_hand(self) -> int | None:
        # The list and the tree are asked themselves: what they tell of a move comes only after the next key, if keys
        # come fast.
        work = self._work
        if self.pane == "papers" and self.is_mounted:
            papers = self.query_one(PaperList)
            work = papers.row.work if papers.row else work
        elif self.pane == "trail" and self.is_mounted:
            node = self.query_one(TrailTree).cursor_node
            if node and node.data and node.data.work is not None:
                work = self.live.state.work(node.data.work)
        return work if work in self.live.state.found else None

    def paper_of(self, key: Hashable) -> Paper | None:
        found = self.live.state.found.get(self.live.state.work(int(str(key))))
        return found.paper if found else None

    def keys_shown(self) -> Sequence[Hashable]:
        return [row.work for row in self.query_one(PaperList).rows]

    @property
    def from_run(self) -> str | None:
        return self.live.run

    def show_marks(self) -> None:
        state = self.live.state
        self.marked = dict.fromkeys(state.work(int(str(key))) for key in self.marked)
        self.query_one(PaperList).mark({int(str(key)) for key in self.marked})
        self.refresh_bindings()

    def next_paper(self) -> None:
        if self.pane != "paper":
            down = self.query_one(TrailTree) if self.pane == "trail" else self.query_one(PaperList)
            down.action_cursor_down()

    @on(TrailTree.Marked)
    def _branch_marked(self) -> None:
        self.action_mark()

    # Where the person is

    def _set_pane(self, pane: Pane) -> None:
        if pane != self.pane:
            self.set_class(False, f"at-{self.pane}", update=False)  # all rules of the screen are gone through but once
            self.pane = pane
            self.set_class(True, f"at-{pane}")

    def _go_to(self, pane: Pane) -> None:
        self._set_pane(pane)
        self.set_focus(self.query_one(f"#{pane}"))  # at once: the next key may be waiting already
        if pane == "paper" and self._work is not None:
            self.looking_at(self._work)

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        for pane in _PANES:
            if event.widget.id == pane:
                self._set_pane(pane)
        self.refresh_bindings()

    @on(PaperList.Highlighted, "#papers")
    def _paper_highlighted(self, event: PaperList.Highlighted) -> None:
        if self.pane != "trail":
            self._work = event.row.work
            self._show_paper(self.live.state)

    @on(PaperList.Selected, "#papers")
    def _paper_selected(self, event: PaperList.Selected) -> None:
        self._work = event.row.work
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
            case "sort":
                return self._moves > 0
            case "summarize":
                return standing == "finished" and bool(self.live.state.found)
        return super().check_action(action, parameters)

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

    def action_summarize(self) -> None:
        """Write a summary from what was found."""
        self.app.summarize(self.live.question, self.live.run)

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

    def action_whole(self) -> None:
        """The paper on a screen of its own."""
        work = self._at_hand
        if work is not None:
            state = self.live.state
            self.app.open_paper(state.found[work].paper, search=InSearch(state, work), run=self.live.run)

    def open_links(self, kind: "Kind") -> None:
        """Let the search take the paper's links in: what they bring is judged like all else."""
        work, link = self._at_hand, kind
        if work is not None and link != "similar":
            self.live.asked_for(self.app.desk_for, lambda control: control.follow(work, link))
            self.app.say("Its references are followed." if kind == "references" else "Papers citing it are followed.")
            self._flush()

    def rate(self, rating: Rating) -> None:
        """More like this, or not relevant: the judge learns from it; saying it again takes it back."""
        work, paper = self._at_hand, self.paper
        if work is None or paper is None:
            return
        before = self.live.state.opinions.get(work)
        now: Rating = 0 if before is (rating > 0) else rating
        self.live.asked_for(self.app.desk_for, lambda control: _OPINIONS[now](control, work))
        shelf, run = self.app.shelf, self.live.run
        self.keep(lambda: shelf.rate(paper, now, run))
        self._flush()
