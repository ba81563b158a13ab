"""A search to follow and to read: trail, papers, paper and progress, and the person's actions."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from agents.evidence.stances import is_question
from agents.run.findings import Findings, outcome_of
from agents.run.runner import AnyRun
from agents.search.events import Finished
from agents.search.kind import SearchRun
from agents.search.state import SearchState
from agents.summary.state import SummaryState
from agents.tools.shelf_actions import kept_among
from cache.conditions.filters import ShelvedPaper
from cache.conditions.orders import NamedOrder
from cache.conditions.scopes import SEARCH
from cache.reading_history import Feedback
from cache.shelf import kept
from cache.store import PaperId
from connectors.paper import Paper, WorkId
from spar_tui.citation_map.phrases import who_and_when
from spar_tui.phrases import evolved_aim, left_out_text, read_back, sentence, small_words_text
from spar_tui.reports.answer import short_answer
from spar_tui.source_phrases import nothing_found, source_text, troubles
from spar_tui.tui.commands import PROMPTS, bindings
from spar_tui.tui.models.search_rows import (
    BY_SCORE,
    ORDERS,
    Rows,
    Sieve,
    carried_on,
    misplaced,
    order_title,
    ordered,
    ruled,
    waiting_works,
)
from spar_tui.tui.models.search_trail import Branch, branch_told, trail
from spar_tui.tui.screens.dialogs.dialog import ScrollModal
from spar_tui.tui.screens.dialogs.name_prompts import watch_search
from spar_tui.tui.screens.dialogs.paper_prompt import QuestionPrompt
from spar_tui.tui.screens.run_actions import RunActions
from spar_tui.tui.widgets.filter_line import FilterLine, SortedScreen
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.panes import Panes
from spar_tui.tui.widgets.paper_list import PaperList
from spar_tui.tui.widgets.paper_page import InSearch, PaperPage, empty_page, heading, page
from spar_tui.tui.widgets.status_lines import answer_told, stage_line, trail_line, trouble_lines
from spar_tui.tui.widgets.text import QUIET, Line, cut, plain
from spar_tui.tui.widgets.trail_tree import TrailTree


def reading_line(state: SearchState, width: int, key: str) -> Content:
    """Return how the question was read and what it means, and how many papers its dates exclude; `key` edits it."""
    if state.understood is None:
        return plain("" if state.finished else "Reading the question…", QUIET)
    read = read_back(state.understood)
    left_out = left_out_text(state, counted_only=True)  # the bounds are in the reading
    not_read = small_words_text(state)
    sentences = [f"{sentence} ({key} edits the question)" for sentence in (left_out, not_read) if sentence]
    return plain(cut(" · ".join([*sentences, read.reading, *read.meaning]), width), QUIET)


KeyShown = Callable[[str], str]
"""Returns the key of a command by its id."""


def nothing_page(state: SearchState, offline: bool, key: KeyShown) -> Content:
    """Return a page on what each source did in a search without papers, and the next keys."""
    sources = [_source(name, state) for name in state.sources]
    keys = [Content.assemble((f"{shown:<5}", "$key"), plain(hint)) for shown, hint in _next(state, offline, key)]
    parts = [
        plain(f"{sentence(nothing_found(state.sources))}.", "bold"),
        *([Content("\n").join(sources)] if sources else []),
        Content.assemble(heading("What you can do"), Content("\n").join(keys)),
    ]
    return Content("\n\n").join(parts)


def _source(name: str, state: SearchState) -> Content:
    tally = state.sources[name]
    style = {"failed": "$error", "partial": "$warning", "not asked": QUIET}.get(outcome_of(tally), "")
    return plain(f"{name} {source_text(tally)}", style)


def _next(state: SearchState, offline: bool, key: KeyShown) -> Iterator[tuple[str, str]]:
    if state.troubled:
        yield key("search.again"), "runs it again"
        yield key("app.errors"), "shows the errors"
    yield key("search.edit"), "edits the question"
    dates = [("since", state.started.since), ("until", state.started.until)] if state.started else []
    begun = [f"{word} {date}" for word, date in dates if date]
    read = [limit for limit in (state.understood.limits if state.understood else ()) if limit not in begun]
    if read:
        yield key("search.edit"), f"runs it without “{', '.join(read)}”"
    if begun:
        yield key("search.back"), f"goes back, to ask without “{', '.join(begun)}”"
    offline_told = "spar is offline now" if offline else "sources and keys"
    yield key("app.settings"), f"opens the settings: {offline_told}"


class QuestionScreen(ScrollModal):
    """Shows how the question of a search was read. `edits` is True if the person wants to edit it."""

    BINDINGS = bindings("how the question was read", "the help", "dialogs")
    heading = "The question"

    def __init__(self, question: str, state: SearchState) -> None:
        super().__init__()
        self.question, self.state = question, state
        self.edits = False

    def texts(self) -> Iterator[Content]:
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


SHARE_OF_ANSWER = 5
"""The answer above the list takes at most one line of this many of the screen."""
WITH_TRAIL = 180
"""Columns from which the trail is open at first: the titles are whole beside it."""
SORT_SECONDS = 1.0
"""Seconds between two sorts of a list that the person has not touched, so that a reader finds their line again."""


class SearchScreen(RunActions, SortedScreen):
    """Shows a `SearchRun`, which goes on when the person leaves the screen; the paper of `_work` is beside its list."""

    DEFAULT_CSS = """
    #trail { width: 24%; display: none; }
    SearchScreen.traced #trail { display: block; }
    #middle { width: 1fr; min-width: 20; }
    #paper { width: 33%; }
    SearchScreen.-short #question { display: none; }
    SearchScreen.-short #reading, SearchScreen.-narrow #reading { display: none; }
    SearchScreen #branch { display: none; height: auto; max-height: 8; padding: 0 1; }
    SearchScreen.at-trail #branch { display: block; }
    SearchScreen.-short #branch { max-height: 3; }
    SearchScreen #answer { display: none; height: auto; }
    SearchScreen.answered #answer { display: block; }
    SearchScreen #trouble { display: none; height: auto; }
    SearchScreen.troubled #trouble { display: block; }
    SearchScreen.-medium #trail { width: 32%; }
    SearchScreen.-medium #paper { width: 42%; }
    SearchScreen.-medium.traced #paper, SearchScreen.-medium.at-paper #trail { display: none; }
    SearchScreen.-medium.at-paper #paper { display: block; }
    SearchScreen.-narrow #trail, SearchScreen.-narrow #paper { display: none; width: 1fr; }
    SearchScreen.-narrow.at-trail #trail, SearchScreen.-narrow.at-paper #paper { display: block; }
    SearchScreen.-narrow.at-trail #middle, SearchScreen.-narrow.at-paper #middle { display: none; }
    """
    live: SearchRun
    PANES = ("trail", "papers", "paper")
    BINDINGS = bindings("a search", "any paper")
    orders = ORDERS
    AUTO_FOCUS = "#papers"

    def __init__(self, live: SearchRun) -> None:
        super().__init__(name=f"search {live.run}")
        self.live = live
        self.pane = "papers"
        self._work: WorkId | None = None
        self._order: list[WorkId] = []
        self.order = BY_SCORE
        self._rows, self._sieve = Rows(), Sieve()
        self._looked_up: dict[WorkId, Paper] = {}
        self._looking_up = asyncio.Lock()
        self._on_shelf: dict[WorkId, ShelvedPaper] = {}
        self._entries: Mapping[PaperId, ShelvedPaper] | None = None
        """The whole shelf when the saved papers were last read."""
        self._sorted = -SORT_SECONDS
        self._unsorted = False
        self._moves = 0
        self._ended: Finished | None = None
        """The end of the search after which the list was last sorted."""
        self._filtered: Sequence[WorkId] = ()
        self._branch = Content("")
        self._under_way: bool | None = None
        """Whether the search of a question was seen before its end; None until it is drawn."""
        self.answering: AnyRun | None = None
        self._trail_chosen = False
        """Whether the person has opened or closed the trail."""

    def compose(self) -> ComposeResult:
        yield Line("question", plain(self.live.question, "bold"))
        yield Line("reading")
        yield Line("stage")
        yield Line("trouble")
        yield Line("answer")
        with Panes(id="panes"):
            yield TrailTree("trail")
            with Vertical(id="middle"):
                yield PaperList("papers")
                yield FilterLine(SEARCH)
            yield PaperPage("paper")
        yield Static(id="branch")
        yield Line("sources")
        yield Footer()

    def on_mount(self) -> None:
        for pane in self.PANES:
            self.query_one(f"#{pane}").border_title = Content(pane.capitalize())
        self._watch()

    def on_resize(self) -> None:
        if not self._trail_chosen:
            self.set_class(self.size.width >= WITH_TRAIL, "traced")
            self._show_trail(self.drawn_state)

    def _show_run(self) -> None:
        state = self.drawn_state
        self._sort_or_append(state)
        self._show_papers(state)
        if any(key in state.joined for key in self.marked):
            self.show_marks()
        self._show_trail(state)
        self._show_paper(state)
        if not self._looking_up.locked() and set(state.found) != self._looked_up.keys():
            self._look_up_saved()

    async def library_changed(self) -> None:
        await self.catch_up()
        entries = await asyncio.to_thread(kept, self.app.store)
        if entries != self._entries:
            await self._read_saved(anew=True)
            self._entries = entries
        else:
            self._show_paper(self.drawn_state)

    async def _read_saved(self, anew: bool = False) -> None:
        """Read which papers are saved: for papers not looked up yet, or `anew` for all."""
        async with self._looking_up:
            seen, papers = {} if anew else self._looked_up, dict(self.live.state.papers)
            work_ids = [work for work, paper in papers.items() if seen.get(work) is not paper]
            there = await asyncio.to_thread(kept_among, self.app.store, [papers[work] for work in work_ids])
            self._looked_up = papers
        self._on_shelf = {work: entry for work, entry in self._on_shelf.items() if work not in work_ids}
        self._on_shelf |= {work_ids[index]: entry for index, entry in there.items()}
        self.query_one(PaperList).show_saved(self._on_shelf.keys())
        if self.query_one(FilterLine).wanted.terms:
            self._show_papers(self.drawn_state)
        self._show_paper(self.drawn_state)

    def _show_lines(self) -> None:
        state, live, key = self.drawn_state, self.live, self.app.key_shown
        self.query_one("#reading", Line).show(lambda width: reading_line(state, width, key("search.edit")))
        self.query_one("#stage", Line).show(partial(stage_line, state, live.status, live.seconds))
        self.show_sources(state)
        again = [] if live.under_way else [f"{key('search.again')} asks again"]
        todo = [*again, f"{key('app.errors')} shows all"]
        most = 2 if state.finished and not self.has_class("-short") else 1  # nothing moves while papers arrive
        trouble = self.query_one("#trouble", Line)
        text = " ".join(troubles(state))
        trouble.show(lambda width: trouble_lines(text, width, todo, most, state.troubled))
        self.set_class(bool(trouble.content.cell_length), "troubled")
        self._show_answer(state)
        if self._unsorted and self._may_sort:
            self._seen = None  # place the papers since the last sort, even if no more arrive

    def sources_told(self, findings: Findings, width: int) -> Content:
        """Return what each source did, or the trail in one line if the search has ended and its trail is hidden."""
        state = self.drawn_state
        if state.finished and not self.has_class("traced"):
            return trail_line(state, width, self.app.key_shown("search.trail"))
        return super().sources_told(findings, width)

    def _show_answer(self, state: SearchState) -> None:
        """Answer a question above the papers, as soon as its search has ended; show a kept answer again."""
        if state.finished and self._under_way is None:
            self.answering = self.app.kept_answer(self.live.run)
        elif self._under_way and state.finished and state.finished.ending == "complete" and state.included:
            self.answering = self.app.answer_beside(self.live.question, self.live.run)
        self._under_way = not state.finished and is_question(self.live.question)
        answer = self.answering.state if self.answering else None
        if isinstance(answer, SummaryState) and answer.answered:
            papers = [state.found[ranked.work].paper for ranked in state.shown]
            lines = short_answer(answer, {paper.id: who_and_when(paper) for paper in papers})
            key = f"{self.app.key_shown('search.answer')} shows the evidence"
            self.set_class(bool(lines), "answered")
            self.query_one("#answer", Line).show(
                lambda width: answer_told(lines, key, width, self.size.height // SHARE_OF_ANSWER)
            )

    @property
    def _may_sort(self) -> bool:
        return self.live.state.finished is not None or time.monotonic() - self._sorted >= SORT_SECONDS

    def _sort_or_append(self, state: SearchState) -> None:
        """Sort the list until the person touches it, at most once a second; after that only append, and sort once more
        when the search ends."""
        ended = state.finished is not None and state.finished is not self._ended
        self._unsorted = ended or not self.query_one(PaperList).touched
        if self._unsorted and self._may_sort:
            self._ended = state.finished
            self._order = ordered(state, self.order)
            self._sorted, self._unsorted = time.monotonic(), False
        else:
            self._order = carried_on(self._order, state)

    def _show_papers(self, state: SearchState) -> None:
        papers, wanted = self.query_one(PaperList), self.query_one(FilterLine).wanted
        waiting = waiting_works(state)
        work_ids = self._sieve(state, self._order, self._on_shelf, wanted)
        rows = self._rows(state, work_ids, waiting)
        shown = ruled(rows, state.finished is not None) if self.order == BY_SCORE else rows
        if self._work is not None:
            self._work = state.work(self._work)
        papers.show(shown, self._work)
        self._moves = misplaced(self._order, state, self.order) if papers.touched else 0
        self._filtered = work_ids
        self._entitle(state)

    def _entitle(self, state: SearchState) -> None:
        """Show above the list how many papers there are, and how many are marked."""
        wanted = self.query_one(FilterLine).wanted
        every = len(state.found)
        many = f" {len(self._filtered)} of {every}" if wanted.terms else f" {every}" if every else ""
        nothing = bool(wanted.terms) and not self._filtered
        content = self._below_list(state, len(waiting_works(state)), nothing)
        self.query_one(PaperList).entitle(Content(f"Papers{many}{self.marks_told}"), content)

    def _below_list(self, state: SearchState, waiting: int, nothing: bool) -> Content:
        """Return the line below the list: its order, what is not judged yet, and what sorting would move."""
        parts = ["no match" if nothing else order_title(self.order)]
        parts += [f"{waiting} not judged yet"] if waiting else []
        if self._moves:
            parts.append(f"{self._moves} new · {self.app.key_shown('search.sort')} sorts")
        if not state.found:
            parts = ["no papers"] if state.finished else ["nothing yet"]
        if not state.found and state.finished:
            offline = self.app.settings.preferences.offline
            self.query_one(PaperList).show_nothing(nothing_page(state, offline, self.app.key_shown))
        return plain(" · ".join(parts))

    def _show_trail(self, state: SearchState) -> None:
        """Bring the trail up to date, if the person has opened it."""
        if self.has_class("traced"):
            self.query_one(TrailTree).grow(trail(state))
            self._show_branch()

    def _show_branch(self) -> None:
        """Show the current branch of the trail in full."""
        branch = self.query_one(TrailTree).branch
        if self.pane == "trail" and branch:
            first, *more = branch_told(self.drawn_state, branch)
            content = Content.assemble(plain(first, "bold"), "\n" if more else "", plain(" · ".join(more), QUIET))
            if not content.is_same(self._branch):
                self._branch = content
                self.query_one("#branch", Static).update(content)

    def _show_paper(self, state: SearchState) -> None:
        work = self._work
        if work is None or work not in state.found:
            self.query_one(PaperPage).show(None, empty_page())
        else:
            paper = state.found[work].paper
            self.query_one(PaperPage).show(work, page(paper, InSearch(state, work), self.shelf_entry(work, paper)))
            if self.pane == "paper" or (self.query_one(PaperList).touched and self.query_one(PaperPage).region):
                self.looking_at(work)

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
            branch = self.query_one(TrailTree).branch
            if branch and branch.work is not None:
                work = self.live.state.work(branch.work)
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

    @on(TrailTree.Highlighted, "#trail")
    def _branch_highlighted(self, event: TrailTree.Highlighted) -> None:
        branch: Branch = event.row.branch
        self._show_branch()
        if branch.work is not None and self.pane == "trail":
            self._work = self.live.state.work(branch.work)
            self.query_one(PaperList).highlight(self._work)
            self._show_paper(self.drawn_state)

    @on(TrailTree.Selected, "#trail")
    def _branch_selected(self, event: TrailTree.Selected) -> None:
        if event.row.branch.work is not None:
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
        self._trail_chosen = True
        self.set_class(self.pane != "trail", "traced")
        self._show_trail(self.drawn_state)
        self.go_to("papers" if self.pane == "trail" else "trail")
        self._show_branch()

    def action_ask_again(self) -> None:
        self.app.ask_again(self.live.run)

    @work(group=PROMPTS)
    async def action_watch(self) -> None:
        await watch_search(self.app, self.live.run, self.live.question)

    def action_map(self) -> None:
        from spar_tui.tui.screens.citation_map import CitationMapScreen

        self.app.push_screen(CitationMapScreen(self.live))

    def action_triage(self) -> None:
        from spar_tui.tui.screens.triage import TriageScreen

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
