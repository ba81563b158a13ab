"""What to read next: the list, the reasons for each paper, and feedback that changes the list at once."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content

from agents.recommendation.events import Alignment
from agents.recommendation.kind import RecommendationRun
from agents.tools.shelf_actions import feedback_on, saved_among
from cache.reading_history import Feedback
from cache.shelf import Shelved
from connectors.paper import Paper
from spar_tui.phrases import counted, papers_text
from spar_tui.phrases import sentence as begun_with_capital
from spar_tui.recommendation_phrases import history_name, reasons
from spar_tui.recommendation_trace import ways_text
from spar_tui.reports.board_log import BY
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.library_records import records_of_person, with_records
from spar_tui.tui.models.personal_shelf import Beside
from spar_tui.tui.models.recommendation_rows import (
    STEPS,
    Recommended,
    listed,
    made_from,
    recommended_row,
    reordered,
    step_of,
)
from spar_tui.tui.screens.run_actions import RunActions
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.panes import Panes
from spar_tui.tui.widgets.paper_list import PaperList
from spar_tui.tui.widgets.paper_page import PaperPage, abstract, empty_page, heading, on_shelf, title
from spar_tui.tui.widgets.status_lines import Steps, status_line
from spar_tui.tui.widgets.text import QUIET, Line, plain


def _paragraphs(recommendation: Recommended, shelved: Shelved | None) -> Iterator[Content]:
    """Yield the paragraphs on a recommended paper."""
    paper = recommendation.paper
    yield title(paper)
    if shelved:
        yield from on_shelf(shelved)
    if lines := reasons(recommendation.state, recommendation.placed, 3):
        yield Content.assemble(heading("Why"), Content("\n").join(plain(reason) for reason in lines))
    yield Content.assemble(heading("Based on"), Content("\n").join(_basis(recommendation)))
    if recommendation.themes:
        themes = Content("\n").join(
            Content.assemble(
                ("● " if recommendation.placed.work in theme.works else "  ", "$accent"),
                plain(theme.name),
                plain(f"  {counted(len(theme.works), 'paper')}, {theme.salience:.0%}", QUIET),
            )
            for theme in recommendation.themes
        )
        yield Content.assemble(heading("Themes of the list"), themes)
    yield abstract(paper)


_ALIGNED: Mapping[Alignment, str] = {
    "supports": "like your history", "neutral": "little like your history", "contradicts": "like what you do not want",
}  # fmt: skip


def _basis(recommendation: Recommended) -> Iterator[Content]:
    """Yield the score in the list, the place among the candidates, and how well the paper fits the history, by which of
    its papers."""
    state, placed = recommendation.state, recommendation.placed
    if ranked := state.ranked:
        rank = next(rank for rank, other in enumerate(ranked.ranking, 1) if other.work == placed.work)
        score = "" if recommendation.score is None else f"{recommendation.score:.2f}, "
        yield plain(f"{score}place {rank} of {papers_text(len(ranked.ranking))}, by {BY[ranked.by]}", "bold")
    if aligned := state.aligned.get(placed.work):
        yield plain(f"{aligned.score:.2f} {_ALIGNED[aligned.alignment]}, by {BY[aligned.by]}")
        for ground in aligned.grounds:
            if ground.number in state.history:
                yield plain(f"{ground.support:4.0%}  {history_name(state.history[ground.number])}")
    if ways := ways_text(placed.work, state):
        yield plain(f"found: {ways}")


REST_SECONDS = 0.4
"""Seconds without a move of the cursor before the list is reordered."""


class _Gone(NamedTuple):
    """A paper that the person removed from the list, and its former index."""

    position: int
    recommended: Recommended


class RecommendationScreen(RunActions):
    """Shows a `RecommendationRun`; after feedback, another run replaces it.

    The papers have keys of the screen's own, which stay the same from run to run.
    """

    DEFAULT_CSS = """
    RecommendationScreen #papers { width: 1fr; min-width: 20; }
    RecommendationScreen #why { width: 48%; }
    RecommendationScreen.-short #made { display: none; }
    RecommendationScreen.-narrow #why { display: none; width: 1fr; }
    RecommendationScreen.-narrow.at-why #why { display: block; }
    RecommendationScreen.-narrow.at-why #papers { display: none; }
    """
    live: RecommendationRun
    PANES = ("papers", "why")
    BINDINGS = bindings("what to read next", "any paper")
    AUTO_FOCUS = "#papers"

    def __init__(self, live: RecommendationRun) -> None:
        super().__init__(name=f"recommendation {live.run}")
        self.live = live
        self.pane = "papers"
        self.first: str | None = None
        """The id of the paper to move to first."""
        self._taken: RecommendationRun | None = None
        """The run whose papers are listed."""
        self._shown: list[Recommended] = []
        self._keys: dict[str, int] = {}
        self._gone: list[_Gone] = []
        self._rated: dict[int, Feedback] = {}
        self._edited: dict[int, Paper] = {}
        self._at: int | None = None
        self._moved_at = 0.0

    def compose(self) -> ComposeResult:
        yield Line("made")
        yield Line("stage")
        with Panes(id="panes"):
            yield PaperList("papers")
            yield PaperPage("why")
        yield Line("sources")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#why").border_title = Content("Why")
        self._watch()

    @property
    def _list(self) -> PaperList:
        return self.query_one(PaperList)

    def _show_lines(self) -> None:
        state, live = self.live.state, self.live
        step, done, whole = step_of(state)
        steps = Steps(STEPS, step, f" {done}/{whole}" if whole else "")
        came_to = [plain(f"{papers_text(len(state.shown))} to read next", "bold")]
        stage = partial(status_line, live.status, steps, came_to, state.findings, live.seconds)
        self.query_one("#stage", Line).show(stage)
        heading = begun_with_capital(made_from(state, live.options)) or "What to read next"
        self.query_one("#made", Line).show(plain(heading, QUIET))
        self.show_sources(state.findings)

    def _show_run(self) -> None:
        if self.live.state.finished and self._taken is not self.live:
            gone = {refused.recommended.paper.id for refused in self._gone}
            if not self.live.so_far:
                self.app.recommender.newest = self.live
            self._take(
                [recommendation for recommendation in listed(self.live.state) if recommendation.paper.id not in gone]
            )
        self._show_list()

    def _take(self, shown: list[Recommended]) -> None:
        """List `shown` as the papers of the current run; papers listed before keep their keys."""
        self._taken, self._shown = self.live, shown
        for recommendation in shown:
            self._keys.setdefault(recommendation.paper.id, len(self._keys))
        if self.first is not None and (key := self._keys.get(self.first)) is not None:
            self._list.touched, self._at, self.first = True, key, None
        self._mark_seen(self.live.run)
        self._look_up_saved()

    def _show_list(self) -> None:
        papers = self._list
        rows = [
            recommended_row(key, self._as_drawn(recommendation), self._rated.get(key) == 1)
            for recommendation in self._shown
            for key in [self._keys[recommendation.paper.id]]
        ]
        papers.show(rows, self._at)
        self._at = papers.row.key if papers.row else None
        self._entitle()
        self._show_why()
        self.refresh_bindings()

    def _entitle(self) -> None:
        """Show above the list how many papers there are, and how many are marked."""
        many = len(self._list.rows)
        title = "" if many else "nothing to recommend" if self._taken else "nothing yet"
        self._list.entitle(Content(f"Read next {many or ''}".rstrip() + self.marks_told), Content(title))

    def _show_why(self) -> None:
        found = self._listed_paper(self._at)
        recommendation = found and self._as_drawn(found)
        if recommendation is None or self._at is None:
            self.query_one(PaperPage).show(None, empty_page())
            return
        paragraphs = _paragraphs(recommendation, self.shelf_entry(self._at, recommendation.paper))
        self.query_one(PaperPage).show(self._at, Content("\n\n").join(paragraphs))
        if self._list.touched and self.query_one(PaperPage).region:
            self.looking_at(self._at)

    async def _read_saved(self) -> None:
        """Show which papers the person has saved, rated and edited."""
        papers = [recommendation.paper for recommendation in self._shown]
        keys = [self._keys[paper.id] for paper in papers]
        store = self.app.store
        saved = await asyncio.to_thread(saved_among, store, papers)
        rated = await asyncio.to_thread(lambda: [feedback_on(store, paper) for paper in papers])
        by_key = dict(zip(keys, papers, strict=True))
        self._edited = await asyncio.to_thread(records_of_person, store, by_key)
        self._rated = dict(zip(keys, rated, strict=True))
        self._list.show_saved({keys[index] for index in saved})
        self._show_list()

    @work(group="seen")
    async def _mark_seen(self, run: str) -> None:
        with self.app.reporting():
            await asyncio.to_thread(self.app.recommender.seen, run)

    def _as_drawn(self, recommendation: Recommended) -> Recommended:
        """Return the recommendation with the person's edits and merges of its paper."""
        record = self._edited.get(self._keys[recommendation.paper.id])
        state, placed = recommendation.state, recommendation.placed
        return recommendation if record is None else Recommended(with_records(state, {placed.work: record}), placed)

    def _listed_paper(self, key: int | None) -> Recommended | None:
        return next(
            (recommendation for recommendation in self._shown if self._keys[recommendation.paper.id] == key), None
        )

    @property
    def key(self) -> int | None:
        # Read from the list, because its event about a move arrives after the next key if keys come fast.
        if not self.is_mounted:
            return None
        return self._list.row.key if self._list.row else None

    def paper_of(self, key: int) -> Paper | None:
        recommendation = self._listed_paper(key)
        return self._as_drawn(recommendation).paper if recommendation else None

    def keys_shown(self) -> Sequence[int]:
        return [row.key for row in self._list.rows]

    def show_marks(self) -> None:
        self._list.mark(set(self.marked))
        self._entitle()

    def next_paper(self) -> None:
        if self.pane == "papers":
            self.action_step(1)

    @on(PaperList.Highlighted, "#papers")
    def _highlighted(self, event: PaperList.Highlighted) -> None:
        self._at = event.row.key
        self._moved_at = time.monotonic()
        self.query_one(PaperPage).at_rest(self._show_why)

    @on(PaperList.Selected, "#papers")
    def _selected(self, event: PaperList.Selected) -> None:
        self._at = event.row.key
        self._show_why()
        self.go_to("why")

    def begin_with(self, paper: str | None) -> None:
        """Highlight the paper with this id, once it is listed."""
        self.first = paper
        if self.is_mounted and paper in self._keys:
            self._list.touched = True
            self._at, self.first = self._keys[paper], None
            self._show_list()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "like" | "dislike":
                return False  # on this screen they are `more` and `not_for_me`
            case "more" | "not_for_me":
                return self.key is not None
            case "choose_anew":
                return not self.live.under_way
        return super().check_action(action, parameters)

    def action_more(self) -> None:
        if paper := self.paper:
            shelf, run = self.app.shelf, self.from_run
            anew = Beside(self.app.order_anew)
            self.app.on_shelf(lambda: shelf.toggle_rating(shelf.numbers([paper])[0], 1, run, anew), self._stored)

    def action_not_for_me(self) -> None:
        key = self.key
        recommendation = self._listed_paper(key)
        if key is None or recommendation is None:
            return
        index = self._shown.index(recommendation)
        gone = _Gone(index, recommendation)
        self._gone.append(gone)
        self.marked.pop(key, None)
        self._put([*self._shown[:index], *self._shown[index + 1 :]], index)
        shelf, run, paper = self.app.shelf, self.from_run, recommendation.paper
        back = Beside(partial(self._bring_back, gone))
        self.app.on_shelf(lambda: shelf.dismiss(shelf.numbers([paper])[0], run, back), self._stored)

    def _bring_back(self, gone: _Gone) -> None:
        """List a removed paper again."""
        self._gone.remove(gone)
        if self.is_attached:
            index, recommendation = gone
            self._put([*self._shown[:index], recommendation, *self._shown[index:]], index)
        self.app.order_anew()

    def _put(self, shown: list[Recommended], index: int) -> None:
        """List `shown`, with the highlight on the paper at `index`, or the last."""
        self._shown = shown
        self._list.touched = True
        self._at = self._keys[shown[min(index, len(shown) - 1)].paper.id] if shown else None
        self._moved_at = time.monotonic()
        self._show_list()

    def _stored(self, sentence: str | None) -> None:
        """Report that the feedback is stored, and recommend again."""
        self._kept(sentence)
        self.app.order_anew()

    async def adopt(self, fresh: RecommendationRun) -> None:
        """Reorder the list below the highlight as in `fresh`, once the cursor has rested."""
        while (left := self._moved_at + REST_SECONDS - time.monotonic()) > 0:
            await asyncio.sleep(left)
        # A newer one may have arrived, or the person may have asked for one with other sources.
        before, overtaken = self.live, fresh is not self.app.recommender.newest
        if overtaken or before is fresh or before.under_way or not self.is_attached:
            return
        gone = {refused.recommended.paper.id for refused in self._gone}
        at = self._list.place if self._shown else -1
        shown = reordered(self._shown, at, listed(fresh.state), gone)
        self.app.take_place(before, fresh)
        self.live = fresh
        self._list.touched = True
        self._take(shown)
        self._seen = None
        self._flush()

    def action_choose_anew(self) -> None:
        """Recommend again with the settings' sources; show the old list until the new one is ready."""
        if (fresh := self.app.begun_recommendation()) is not None:
            self.app.take_place(self.live, fresh)
            self.live = fresh
            fresh.start(self.app.resources_for)
            self._flush()

    def action_back(self) -> None:
        """Go back to the list; then remove the marks; then go home."""
        if self.pane == "why":
            self.go_to("papers")
        else:
            super().action_back()
