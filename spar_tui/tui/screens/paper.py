"""A paper: its page, and lists of the papers that it cites or that cite it."""

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content

from agents.run.errors import RunError
from agents.search.state import SearchState
from agents.tools.shelf_actions import feedback_on_number, saved_among
from cache import papers, shelf
from cache import papers as library
from cache.errors import CacheError
from cache.reading_history import Feedback
from cache.shelf import Shelved
from cache.store import PaperId, Store
from cache.timestamps import utc_now
from connectors.identifiers import Identifier
from connectors.paper import Paper, WorkId
from connectors.records.merging import merge
from spar_tui.errors import UserError
from spar_tui.math_text import title_text
from spar_tui.phrases import counted
from spar_tui.source_phrases import abstract_sentence, source_count, source_text
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.library_records import is_of_person, records_of_person
from spar_tui.tui.models.search_rows import PaperRow, row, row_of
from spar_tui.tui.screens.paper_actions import PaperActions
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.panes import Panes
from spar_tui.tui.widgets.paper_list import PaperList
from spar_tui.tui.widgets.paper_page import InSearch, PaperPage, page
from spar_tui.tui.widgets.row_list import followed
from spar_tui.tui.widgets.text import QUIET, Line, cut, plain

if TYPE_CHECKING:
    from agents.lookup.links import Kind, Linked
    from agents.run.runner import AnyRun


LinkText = Literal["cited by this paper", "it cites this paper"]


@dataclass(frozen=True, slots=True)
class KnownHere:
    """The library's record of the paper with `number`, if it has one; the papers in the library that it cites or that
    cite it; the person's last feedback; and the shelf's data."""

    paper: Paper
    number: PaperId | None = None
    references: tuple[Paper, ...] = ()
    citing: tuple[Paper, ...] = ()
    feedback: Feedback = 0
    shelved: Shelved | None = None

    @property
    def linked(self) -> tuple[Paper, ...]:
        return (*self.references, *self.citing)

    @property
    def keys(self) -> list[tuple[LinkText, str]]:
        """How each linked paper is linked, and its id; a paper linked both ways is there twice."""
        cited: list[tuple[LinkText, str]] = [("cited by this paper", paper.id) for paper in self.references]
        return [*cited, *(("it cites this paper", paper.id) for paper in self.citing)]

    @property
    def counts(self) -> str:
        """The number of links, such as `3 references, 1 citing paper`."""
        parts = [counted(len(self.references), "reference")] if self.references else []
        parts += [counted(len(self.citing), "citing paper")] if self.citing else []
        return ", ".join(parts)


def best_first(papers_found: Sequence[Paper], state: SearchState | None) -> tuple[Paper, ...]:
    """Return the papers in the order of the search's scores, then those without a score, newest first."""
    scores = [paper_row.score or 0.0 for paper_row in scored_rows(papers_found, state)]
    ranks = sorted(range(len(scores)), key=lambda at: (-scores[at], -(papers_found[at].year or 0)))
    return tuple(papers_found[at] for at in ranks)


def known_here(store: Store, before: KnownHere, state: SearchState | None, most: int) -> KnownHere:
    """Return what the library knows now about the paper of `before`: the first `most` links of each kind, by score if
    there is a search. A paper that was merged into another becomes that one. Blocks; raises `CacheError`."""
    paper, number = before.paper, before.number
    if number is None or not papers.by_ids(store, [number]):
        number = papers.number_of(store, paper)
    if number is None:
        return KnownHere(paper)
    stored = papers.by_id(store, number)
    follows = before.number is not None or is_of_person(store, number, stored, paper)
    paper = stored if follows else merge(stored, paper)
    references, citing = (best_first(get(store, number), state)[:most] for get in (papers.references_of, papers.citing))
    feedback, shelved = feedback_on_number(store, number), shelf.shelved(store, number)
    return KnownHere(paper, number if paper == stored else None, references, citing, feedback, shelved)


def first_seen_since(store: Store, papers_found: Sequence[Paper], moment: datetime) -> int:
    """Return how many of `papers_found` were not in the library at `moment`. Blocks; raises `CacheError`."""
    fresh = papers.first_seen_after(store, moment)
    return sum(number is None or number in fresh for number in papers.numbers_of(store, papers_found))


def linked_rows(here: KnownHere, state: SearchState | None) -> list[PaperRow]:
    """Return a row for each linked paper, with its score if the search found it; a rule separates the references from
    the citing papers."""
    rows, first = scored_rows(here.linked, state), len(here.references)
    if here.references and here.citing:
        rows[first] = replace(rows[first], rule="Cited by")
    return rows


def scored_rows(papers_found: Sequence[Paper], state: SearchState | None) -> list[PaperRow]:
    """Return a row for each paper, with its score if the search found it."""
    if state is None:
        return [row_of(index, paper) for index, paper in enumerate(papers_found)]
    works: dict[Identifier, WorkId] = {
        name: work for work, candidate in state.found.items() for name in candidate.paper.identifiers
    }
    rows = []
    for index, paper in enumerate(papers_found):
        work = next((works[name] for name in paper.identifiers if name in works), None)
        paper_row = replace(row_of(index, paper), scored=True) if work is None else row(state, work)
        rows.append(replace(paper_row, key=index, reason=""))
    return rows


_THE_PAGE = -1
"""The key of the paper that the page shows."""
_MOST: "dict[Kind, int]" = {"references": 300, "citations": 100, "similar": 20}
MOST_KNOWN = 300
"""Most papers of each kind to list from the library's links."""
_TITLES: "dict[Kind, str]" = {"references": "References", "citations": "Cited by", "similar": "Similar"}
_FETCHING: "dict[Kind, str]" = {
    "references": "Following its references…",
    "citations": "Looking for papers citing it…",
    "similar": "Looking for papers like it…",
}
_NOUNS: "dict[Kind, str]" = {"references": "reference", "citations": "citing paper", "similar": "similar paper"}


class PaperScreen(PaperActions):
    """The page of a paper beside its references or citing papers; one at a time on a small terminal."""

    DEFAULT_CSS = """
    PaperScreen #page { width: 1fr; }
    PaperScreen #links { width: 54%; }
    PaperScreen #told { height: auto; }
    PaperScreen.-short #way, PaperScreen #way.empty { display: none; }
    PaperScreen.-narrow #links { display: none; width: 1fr; }
    PaperScreen.-narrow.at-links #links { display: block; }
    PaperScreen.-narrow.at-links #page { display: none; }
    """
    BINDINGS = bindings("references and citations", "any paper")
    PANES = ("page", "links")
    AUTO_FOCUS = "#page"

    _papers_before: "Sequence[str]" = ()

    def __init__(
        self, paper: Paper, kind: "Kind | None" = None, search: InSearch | None = None, run: str | None = None
    ) -> None:
        """`search` is the paper's entry in a search, `run` the search's id."""
        super().__init__()
        self._run = run
        self.search = search
        self.kind: Kind | None = None
        self._wanted = kind
        self._linked: dict[Kind, Linked] = {}
        self._new: dict[Kind, int] = {}
        """Number of linked papers that were new to the library, by kind."""
        self._problem: dict[Kind, str] = {}
        self._asking: Kind | None = None
        self._here = KnownHere(paper)
        self._asking_abstract = False
        self._state_shown: object = None

    def compose(self) -> ComposeResult:
        yield Line("way")
        with Panes(id="panes"):
            yield PaperPage("page")
            yield PaperList("links")
        yield Line("told")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#page").border_title = Content("Paper")
        self._papers_before = [
            title_text(screen.about) for screen in self.app.screen_stack if isinstance(screen, PaperScreen)
        ][:-1]
        self.set_interval(self.app.flush_seconds, self._follow_search)
        self.query_one(PaperList).touched = True
        self._show_links()
        self._show_page()
        self.looking_at(_THE_PAGE)
        if self._wanted:
            self.open_links(self._wanted)

    @property
    def about(self) -> Paper:
        """The paper of the page."""
        return self._here.paper

    async def library_changed(self) -> None:
        store, before, listed, keys = self.app.store, self._here, dict(enumerate(self._listed)), self._link_keys
        here = await asyncio.to_thread(known_here, store, before, self._search_state, MOST_KNOWN)
        # An abstract may have arrived meanwhile.
        self._here = here if self._here is before else replace(here, paper=self._here.paper)
        self._show_page()
        self._show_path()
        if self.kind not in self._linked:
            if here.linked != before.linked:
                self._follow_links(keys)
        elif records := await asyncio.to_thread(records_of_person, store, listed):
            self._correct_links(self.kind, records)
        self._show_saved(self.kind)

    def _correct_links(self, kind: "Kind", records: Mapping[int, Paper]) -> None:
        """Show `records` in place of the fetched links with these indexes."""
        link = self._linked[kind]
        papers = tuple(records.get(index, paper) for index, paper in enumerate(link.papers))
        if papers != tuple(link.papers):
            self._linked[kind] = replace(link, papers=papers)
            self._show_links()

    def _follow_links(self, before: "Sequence[Hashable]") -> None:
        """Show the links known now; the cursor and the marks stay on their papers, which had the keys `before`."""
        links, now = self.query_one(PaperList), self._link_keys
        places = {key: index for index, key in enumerate(now)}
        moved = {_THE_PAGE: _THE_PAGE, **{at: places[key] for at, key in enumerate(before) if key in places}}
        self.marked = {moved[key]: None for key in self.marked if key in moved}
        links.put(self._link_rows, followed(before, links.place, now))
        self.show_marks()

    @property
    def _in_search(self) -> InSearch | None:
        """The paper's entry in its search, which feedback on this screen may have changed."""
        live = self.app.runs_shown.get(self._run or "")
        if self.search is None or live is None or not isinstance(live.state, SearchState):
            return self.search
        work = live.state.work(self.search.work)
        return InSearch(live.state, work) if work in live.state.found else self.search

    def _follow_search(self) -> None:
        """Update the page if the search has changed."""
        now = self._in_search
        if now is not None and now.state is not self._state_shown and self.is_current:
            self._show_page()
            self._show_links()

    @property
    def _live(self) -> "AnyRun | None":
        """The search whose result has the paper, if it is open in this session."""
        live = self.app.runs_shown.get(self._run or "")
        return live if live is not None and live.kind.name == "search" else None

    def _show_page(self) -> None:
        search = self._in_search
        self._state_shown = self._search_state
        self.query_one(PaperPage).show(0, page(self.about, search, self._here.shelved, self._here.feedback))
        self.refresh_bindings()

    def _show_links(self) -> None:
        links, kind = self.query_one(PaperList), self.kind
        papers = self._listed
        links.show(self._link_rows, None)
        heading = f"Known here: {self._here.counts}" if papers else "References and citations"
        title = f"{_TITLES[kind]} {len(papers) or ''}".rstrip() if kind else heading
        links.border_title = Content(title + self.marks_told)
        self._show_path()
        told = self._sources_line()
        beside = kind is None and not papers and bool(links.display)
        links.show_nothing(told if beside else Content(""))
        below = Content("") if beside else told
        self.query_one("#told", Line).show(lambda width: Content("\n").join(below.wrap(max(width, 1))[:2]))
        self.refresh_bindings()

    @property
    def _search_state(self) -> SearchState | None:
        search = self._in_search
        return search.state if search else None

    @property
    def _link_rows(self) -> "list[PaperRow]":
        state = self._search_state
        return scored_rows(self._listed, state) if self.kind else linked_rows(self._here, state)

    def _show_path(self) -> None:
        """Show the papers that led here; on a small terminal also this one if its page is hidden."""
        seen = not (self.has_class("-narrow") and self.has_class("at-links"))
        line = self.query_one("#way", Line)
        line.show(_path(self._papers_before, "" if seen else title_text(self.about)))
        line.set_class(not line.content, "empty")

    @property
    def _listed(self) -> "Sequence[Paper]":
        if self.kind in self._linked:
            return self._linked[self.kind].papers
        known = {None: self._here.linked, "references": self._here.references, "citations": self._here.citing}
        return known.get(self.kind, ())

    @property
    def _link_keys(self) -> "Sequence[Hashable]":
        return self._here.keys if self.kind is None else [paper.id for paper in self._listed]

    def _sources_line(self) -> Content:
        """Return what the sources answered, or how to ask them."""
        kind = self.kind
        if kind is None:
            references, citations = self.app.key_shown("paper.references"), self.app.key_shown("paper.citations")
            origin = "From your library. " if self._listed else ""
            return Content.assemble(
                (origin, QUIET), (references, "$key"), (" fetch references · ", QUIET), (citations, "$key"),
                (" fetch citing papers", QUIET),
            )  # fmt: skip
        if kind in self._problem:
            return plain(self._problem[kind], "$error")
        if kind not in self._linked or self._asking == kind:
            return plain(_FETCHING[kind], "$accent")
        sources, failed = self._linked[kind].sources, self._failed(kind)
        contents = [plain(f"✘ {name} {source_text(sources[name])}", "$error") for name in failed]
        answered = [name for name, tally in sources.items() if tally.state != "skipped" and name not in failed]
        contents = [plain(self._came_to(kind)), *contents] if answered else contents
        contents += [plain(f"{name} {source_count(sources[name])}", QUIET) for name in answered]
        was_asked = any(tally.asked for tally in sources.values())
        nobody = "No source knows this paper." if was_asked else "No source was asked."
        return Content("   ").join(contents or [plain(nobody, QUIET)])

    def _came_to(self, kind: "Kind") -> str:
        """Return how many papers were fetched, of how many there are, and how many of them are new."""
        listed, paper = len(self._listed), self.about
        every = {"references": len(paper.references), "citations": paper.citation_count or 0}.get(kind, 0)
        many = f"{listed:,} of {counted(every, _NOUNS[kind])}" if every > listed else counted(listed, _NOUNS[kind])
        return f"{many}, {self._new[kind]:,} new" if listed else many

    def _failed(self, kind: "Kind") -> dict[str, str]:
        """Return the sources that failed, with the reasons."""
        from agents.run.findings import failures

        return failures(self._linked[kind].sources)

    def open_links(self, kind: "Kind") -> None:
        """Show the list of this kind; ask the sources if they were not asked yet or if one failed.

        If the person has moved in a list, open the paper under the cursor with this list instead.
        """
        links = self.query_one(PaperList)
        if self._at_links and links.touched and self.key is not None:
            self.app.open_paper(self._listed[self.key], kind)
            return
        if kind != self.kind:
            self.marked = {key: None for key in self.marked if key == _THE_PAGE}
        self.kind, links.touched = kind, False
        if kind not in self._linked or self._failed(kind):
            self._problem.pop(kind, None)
            self._asking = kind
            self._fetch(kind)
        self.show_marks()
        self._show_saved(kind)
        self.go_to("links")

    @work(group="links", exclusive=True)
    async def _fetch(self, kind: "Kind") -> None:
        begun = utc_now()
        try:
            resources = await self.app.resources_for(None)
            from agents.lookup.links import linked

            link = await linked(self.about, kind, resources, _MOST[kind])
            self._new[kind] = await asyncio.to_thread(first_seen_since, self.app.store, link.papers, begun)
        except (UserError, RunError, CacheError) as error:
            self._problem[kind] = str(error)
        else:
            if kind != "similar":  # similar papers keep their order
                link = replace(link, papers=best_first(link.papers, self._search_state))
            before, self._linked[kind] = self._link_keys, link
            if kind == self.kind:
                self._follow_links(before)
            if kind == self._wanted:
                self._let_search_follow(kind)
        self._asking = None
        if kind == self.kind:
            self._show_links()
            self._show_saved(kind)

    def _let_search_follow(self, kind: "Kind") -> None:
        """Let the search judge the new links of its paper, which it now reads from the library."""
        live, search = self._live, self._in_search
        if live is not None and search is not None and kind != "similar" and self.app.has_run(live.run):
            live.request(self.app.resources_for, lambda control: control.follow(search.work, kind))

    @work(group="saved", exclusive=True)
    async def _show_saved(self, kind: "Kind | None") -> None:
        papers = self._listed
        try:
            saved = await asyncio.to_thread(saved_among, self.app.store, papers)
        except CacheError:
            return  # reading the page's shelf entry has reported the same error
        if kind == self.kind:
            self.query_one(PaperList).show_saved(saved)

    def open_at_hand(self, kind: "Kind | None" = None) -> None:
        if kind is None:
            super().open_at_hand()
        else:
            self.open_links(kind)

    def action_get_abstract(self) -> None:
        """Ask the sources that may have the abstract."""
        self._asking_abstract = True
        self.query_one("#told", Line).show(plain("Abstract: asking…", "$accent"))
        self.refresh_bindings()
        self._get_abstract()

    @work(group="abstract", exclusive=True)
    async def _get_abstract(self) -> None:
        try:
            resources = await self.app.resources_for(None)
            from agents.lookup.abstracts import abstract_of

            outcome = await abstract_of(self.about, resources)
            if outcome.by:
                await asyncio.to_thread(library.remember, self.app.store, [outcome.paper])
        except (UserError, RunError, CacheError) as error:
            self.app.say(str(error), "error", 10)
        else:
            self._here = replace(self._here, paper=outcome.paper)
            self.app.say(abstract_sentence(outcome), "information" if outcome.by else "warning", 8)
        self._asking_abstract = False
        self._show_page()
        self._show_links()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "step" and not self._at_links:
            return self._came_from is not None and self._came_from.check_action(action, parameters)
        if action == "get_abstract":
            return not (self.about.abstract or self._asking_abstract or self._at_links)
        return super().check_action(action, parameters)

    @property
    def _at_links(self) -> bool:
        return self.focused is not None and self.focused.id == "links"

    @property
    def key(self) -> int | None:
        """The index in the list, or `_THE_PAGE`."""
        if not self._at_links:
            return _THE_PAGE
        at = self.query_one(PaperList).highlighted
        return at if at is not None and at < len(self._listed) else None

    def paper_of(self, key: int) -> Paper | None:
        if key == _THE_PAGE:
            return self.about
        return self._listed[key] if key < len(self._listed) else None

    def keys_shown(self) -> Sequence[int]:
        return range(len(self._listed))

    @property
    def keys_in_question(self) -> Sequence[int]:
        return super().keys_in_question if self.marks or self._at_links else [_THE_PAGE]

    @property
    def from_run(self) -> str | None:
        return self._run if self.key == _THE_PAGE else None

    def is_shown(self) -> Callable[[int], bool]:
        return range(_THE_PAGE, len(self._listed)).__contains__

    @property
    def saved_keys(self) -> Set[int]:
        return super().saved_keys | ({_THE_PAGE} if self._here.shelved else set())

    def show_marks(self) -> None:
        self.query_one(PaperList).mark({key for key in self.marked if key != _THE_PAGE})
        self._show_links()
        self.query_one("#page").border_title = Content("Paper ◆" if _THE_PAGE in self.marked else "Paper")

    def rate(self, rating: Feedback) -> None:
        live = self._live
        if self.search is None or live is None or self.key != _THE_PAGE:
            super().rate(rating)
        else:
            self.rate_in_search(live, live.state.work(self.search.work), self.about, rating)
            self._follow_search()

    def next_paper(self) -> None:
        if self._at_links:
            self.action_step(1)

    @property
    def _came_from(self) -> PaperActions | None:
        """The screen with the list from which this paper was opened."""
        stack = self.app.screen_stack
        below = stack[stack.index(self) - 1] if self in stack[1:] else None
        return below if isinstance(below, PaperActions) else None

    def action_step(self, steps: int) -> None:
        """Go to the next paper: in the list of links, or from the page in the list from which it was opened."""
        if self._at_links:
            super().action_step(steps)
        elif (below := self._came_from) is not None:
            before = below.key
            below.action_step(steps)
            if below.key not in (before, None):
                self.app.pop_screen()
                below.open_at_hand()

    def set_pane(self, pane: str) -> None:
        """Make `pane` the current pane; without the page, its title stands above the list."""
        super().set_pane(pane)
        self._show_path()

    @on(PaperList.Selected, "#links")
    def _selected(self) -> None:
        self.open_at_hand()

    def on_resize(self) -> None:
        self._show_links()

    def action_whole(self) -> None:
        """Go to the list beside the page; fetch it only if no link is known."""
        if self.kind is None and self._listed:
            self.query_one(PaperList).touched = True
            self.go_to("links")
        else:
            self.open_links(self.kind or "references")

    def action_back(self) -> None:
        """Remove the marks; then go from the list to the page; then go back."""
        if self.drop_marks():
            return
        if self._at_links and self._wanted is None:
            self.go_to("page")
        else:
            self.app.pop_screen()


def _path(before: "Sequence[str]", last: str) -> Content:
    """Return the titles of the papers `before`, shortened, and the `last` one in full ("" if it is visible anyway)."""
    earlier = [plain(cut(title, 30), QUIET) for title in before[-2:]]
    here = plain(last, "bold") if last else Content("")
    content = Content(" › ").join([*([plain("…", QUIET)] if len(before) > 2 else []), *earlier, here])
    return content if before or last else Content("")
