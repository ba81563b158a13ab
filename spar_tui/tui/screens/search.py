"""A search to follow and to read: the cursor of its screen, and the person's actions."""

from collections.abc import Iterator, Sequence

from textual import on, work
from textual.content import Content
from textual.widgets import Tree

from agents.search.state import SearchState
from cache.conditions.orders import NamedOrder
from cache.reading_history import Feedback
from connectors.paper import Paper, WorkId
from spar_tui.phrases import evolved_aim, read_back
from spar_tui.tui.commands import PROMPTS, bindings
from spar_tui.tui.models.search_rows import ORDERS, ordered
from spar_tui.tui.models.search_trail import Branch
from spar_tui.tui.screens.dialogs.paper_prompt import QuestionPrompt
from spar_tui.tui.screens.dialogs.scroll_modal import ScrollModal
from spar_tui.tui.screens.search_base import SearchBase
from spar_tui.tui.widgets.filter_line import SortedScreen
from spar_tui.tui.widgets.paper_list import PaperList
from spar_tui.tui.widgets.paper_page import InSearch, PaperPage, heading
from spar_tui.tui.widgets.text import QUIET, plain
from spar_tui.tui.widgets.trail_tree import TrailTree


class QuestionScreen(ScrollModal):
    """Shows how the question of a search was read. `edits` is True if the person wants to edit it."""

    BINDINGS = bindings("question", "help", "dialog")
    heading = "The question"

    def __init__(self, question: str, state: SearchState) -> None:
        super().__init__()
        self.question, self.state = question, state
        self.edits = False

    def parts(self) -> Iterator[Content]:
        """Yield the question and, in paragraphs, its reading."""
        yield Content("\n\n").join([plain(self.question, "bold"), *_paragraphs(self.state)])

    def action_edit(self) -> None:
        self.edits = True
        self.action_close()


def _paragraphs(state: SearchState) -> Iterator[Content]:
    if state.understood is None:
        yield plain("Not read yet.", QUIET)
        return
    read = read_back(state.understood)
    yield Content.assemble(heading("Read as"), Content("\n").join(map(plain, (read.reading, *read.meaning))))
    if read.sources:
        yield Content.assemble(heading("Sources"), Content("\n").join(map(plain, read.sources)))
    yield Content.assemble(heading("Queries"), Content("\n").join(_query_lines(*query) for query in read.queries))
    for evolved in state.evolved:
        chosen = [(query.query, evolved_aim(query, state)) for query in evolved.queries if query.chosen]
        if chosen:
            content = heading(f"Queries of round {evolved.round + 1}")
            yield Content.assemble(content, Content("\n").join(_query_lines(*pair) for pair in chosen))


def _query_lines(query: str, aim: str) -> Content:
    return Content.assemble(plain(query), "\n  ", plain(aim, QUIET))


class SearchScreen(SearchBase, SortedScreen):
    """The screen of a search, which goes on when the person leaves the screen."""

    BINDINGS = bindings("search", "papers")
    orders = ORDERS

    # Current paper

    @property
    def key(self) -> int | None:
        """The work under the cursor."""
        return self._at_hand

    @property
    def _at_hand(self) -> WorkId | None:
        # Read from the list and the tree, because their events about a move arrive after the next key if keys come
        # fast.
        work = self._work
        if self.pane == "papers" and self.is_mounted:
            papers = self.query_one(PaperList)
            work = WorkId(papers.row.key) if papers.row else None  # actions skip what a filter hides
        elif self.pane == "trail" and self.is_mounted:
            node = self.query_one(TrailTree).cursor_node
            if node and node.data and node.data.work is not None:
                work = self.live.state.work(node.data.work)
        return work if work in self.live.state.found else None

    def paper_of(self, key: int) -> Paper | None:
        candidate = self.drawn_state.found.get(self.live.state.work(WorkId(key)))
        return candidate.paper if candidate else None

    def keys_shown(self) -> Sequence[int]:
        return [row.key for row in self.query_one(PaperList).rows]

    def show_marks(self) -> None:
        state = self.drawn_state
        self.marked = dict.fromkeys(state.work(WorkId(key)) for key in self.marked)
        self.query_one(PaperList).mark(set(self.marked))
        self._entitle(state)
        self.refresh_bindings()

    def next_paper(self) -> None:
        if self.pane != "paper":
            self.action_step(1)

    def action_step(self, steps: int) -> None:
        if self.pane == "trail":
            tree = self.query_one(TrailTree)
            tree.action_cursor_down() if steps > 0 else tree.action_cursor_up()
        elif (papers := self.query_one(PaperList)).row is not None:
            super().action_step(steps)
            self._work = WorkId(papers.row.key)  # the list's event about the move arrives later

    @on(TrailTree.Marked)
    def _branch_marked(self) -> None:
        self.action_mark()

    # Cursor

    def set_pane(self, pane: str) -> None:
        """Make `pane` the current pane; after leaving the list, its current paper is shown beside it."""
        if self.pane == "papers" != pane and self.is_mounted:
            # The list's event about its last move is late; an empty list had none.
            self._work = self._work if self._at_hand is None else self._at_hand
            self._show_paper(self.drawn_state)
        super().set_pane(pane)

    def go_to(self, pane: str) -> None:
        """Move the focus to `pane`; a paper that gets it counts as looked at."""
        super().go_to(pane)
        if pane == "paper" and self._work is not None:
            self.looking_at(self._work)

    @on(PaperList.Highlighted, "#papers")
    def _paper_highlighted(self, event: PaperList.Highlighted) -> None:
        if self.pane != "trail":
            self._work = WorkId(event.row.key)
            self.query_one(PaperPage).at_rest(lambda: self._show_paper(self.drawn_state))

    @on(PaperList.Selected, "#papers")
    def _paper_selected(self, event: PaperList.Selected) -> None:
        self._work = WorkId(event.row.key)
        self._show_paper(self.drawn_state)
        self.go_to("paper")

    @on(Tree.NodeHighlighted, "#trail")
    def _branch_highlighted(self, event: Tree.NodeHighlighted[Branch]) -> None:
        branch = event.node.data
        self._show_branch()
        if branch and branch.work is not None and self.pane == "trail":
            self._work = self.live.state.work(branch.work)
            self.query_one(PaperList).highlight(self._work)
            self._show_paper(self.drawn_state)

    @on(Tree.NodeSelected, "#trail")
    def _branch_selected(self, event: Tree.NodeSelected[Branch]) -> None:
        if event.node.data and event.node.data.work is not None:
            self.go_to("paper")

    def show_filtered(self) -> None:
        papers = self.query_one(PaperList)
        if papers.row is not None:
            self._work = WorkId(papers.row.key)
        papers.touched = True
        self._order = ordered(self.drawn_state, self.order)
        self._show_papers(self.drawn_state)

    def to_list(self) -> None:
        self.go_to("papers")

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        status = self.live.status
        match action:
            case "sort":
                return self._moves > 0
            case "order":
                return not self._moves
            case "summarize" | "answer":
                return status == "finished" and bool(self.live.state.found) and not self.gone
            case "triage":
                return bool(self._filtered)
            case "ask_again" | "edit_question":
                return not self.live.under_way
            case "watch":
                return status == "finished" and not self.gone
        return super().check_action(action, parameters)

    def action_sort(self) -> None:
        """Sort the papers now; the highlight stays on its paper."""
        self._order = ordered(self.drawn_state, self.order)
        self._show_papers(self.drawn_state)
        self.refresh_bindings()

    def order_by(self, order: NamedOrder) -> None:
        self.order = order
        papers = self.query_one(PaperList)
        papers.touched = True
        if papers.row is not None:
            self._work = WorkId(papers.row.key)
        self.action_sort()

    def action_filter(self) -> None:
        self.set_pane("papers")
        super().action_filter()

    async def action_summarize(self) -> None:
        await self.app.plan_summary(self.live.question, self.live.run)

    def action_answer(self) -> None:
        if self.answering is None:
            self.app.answer(self.live.question, self.live.run)
        else:
            run = self.answering.run
            self.app.on_shelf(lambda: self.app.recommender.seen(run), lambda result: None)
            self.app.open_run(run)

    def action_question(self) -> None:
        shown = QuestionScreen(self.live.question, self.live.state)
        self.app.push_screen(shown, lambda _: self.action_edit_question() if shown.edits else None)

    def action_edit_question(self) -> None:
        options = self.live.options

        def ask(written: str | None) -> None:
            if question := " ".join((written or "").split()):
                self.app.ask(question, options)

        self.app.push_screen(QuestionPrompt("Run as a new search", self.live.question), ask)

    def action_trail(self) -> None:
        """Open the trail, or close it."""
        self.set_class(self.pane != "trail", "traced")
        self._show_trail(self.drawn_state)
        tree = self.query_one(TrailTree)
        tree.cursor_line = max(tree.cursor_line, 0)
        self.go_to("papers" if self.pane == "trail" else "trail")
        self._show_branch()

    def action_ask_again(self) -> None:
        self.app.ask_again(self.live.run)

    @work(group=PROMPTS)
    async def action_watch(self) -> None:
        from spar_tui.tui.screens.dialogs.watch_name import watch_search

        await watch_search(self.app, self.live.run, self.live.question)

    def action_map(self) -> None:
        from spar_tui.tui.screens.pictures.citation_map import CitationMapScreen

        self.app.push_screen(CitationMapScreen(self.live))

    def action_triage(self) -> None:
        from spar_tui.tui.screens.screening.triage import TriageScreen

        works = self._filtered
        if works:
            at = next((work for work in works if work == self._at_hand), works[0])
            self.app.push_screen(TriageScreen(self.live, works, at))

    def action_back(self) -> None:
        """Close the trail or go back to the papers; then remove the marks; then leave the filter; then go home."""
        if self.pane == "trail":
            self.action_trail()
        elif self.pane != "papers":
            self.go_to("papers")
        elif not (self.drop_marks() or self.out_of_filter()):
            self.app.action_back_out()

    @property
    def in_search(self) -> InSearch | None:
        work = self._at_hand
        return None if work is None else InSearch(self.drawn_state, work)

    def rate(self, rating: Feedback) -> None:
        work, paper = self._at_hand, self.paper
        if work is None or paper is None:
            return
        self.rate_in_search(self.live, work, paper, rating)
        self._flush()
