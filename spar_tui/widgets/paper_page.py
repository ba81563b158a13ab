"""One paper to read: who, where, why it is here, what it says, what it is called."""

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from agents.search.state import SearchState
from connectors.paper import Paper
from spar_tui.commands import bindings
from spar_tui.widgets.text import QUIET, plain
from spar_tui.wording import found_text

_AUTHORS = 12
_MINDS = {"model": "judged by the model", "built-in": "judged by built-in rules", "simulated": "simulated"}


class PaperPage(VerticalScroll, inherit_bindings=False):
    """The page of one paper; empty until one is chosen."""

    BINDINGS = bindings("page")
    DEFAULT_CSS = """
    PaperPage { height: 1fr; min-width: 20; padding: 0 1; }
    PaperPage > Static { height: auto; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id, can_focus=True)
        self._shown: tuple[int | None, Content] = (None, Content(""))

    def compose(self) -> ComposeResult:
        yield Static(Content(""))

    def show(self, state: SearchState, work: int | None) -> None:
        """Show `work`; a page that says the same is left alone, another paper begins at its top."""
        content = empty_page() if work is None or work not in state.found else page(state, work)
        before, self._shown = self._shown, (work, content)
        if content.is_same(before[1]) and before[0] == work:
            return
        self.query_one(Static).update(content)
        if before[0] != work:
            self.scroll_home(animate=False)


def empty_page() -> Content:
    """What stands there before there is a paper."""
    return plain("The paper under the highlight is shown here.", QUIET)


def page(state: SearchState, work: int) -> Content:
    """The page of `work`: paragraphs with a blank line between them."""
    return Content("\n\n").join(_paragraphs(state, work))


def _paragraphs(state: SearchState, work: int) -> Iterator[Content]:
    paper = state.found[work].paper
    warning = Content.styled("RETRACTED ", "bold $error") if paper.retracted else Content("")
    yield Content.assemble(warning, plain(paper.title, "bold"), *_who_and_where(paper))
    yield from _why(state, work)
    yield Content.assemble(_heading("Found by"), plain(_found(state, work)))
    abstract = plain(paper.abstract) if paper.abstract else plain("No source told the abstract.", QUIET)
    yield Content.assemble(_heading("Abstract"), abstract)
    yield Content.assemble(_heading("Identifiers"), Content("\n").join(_names(paper)))


def _who_and_where(paper: Paper) -> Iterator[Content]:
    names = [author.name for author in paper.authors[:_AUTHORS]]
    more = len(paper.authors) - len(names)
    if names:
        yield Content.assemble("\n", plain(", ".join(names) + (f" and {more} more" if more else "")))
    cited = f"cited {paper.citation_count:,}" if paper.citation_count is not None else ""
    facts = " · ".join(filter(None, [paper.venue, paper.date or "", cited]))
    if facts:
        yield Content.assemble("\n", plain(facts, QUIET))


def _why(state: SearchState, work: int) -> Iterator[Content]:
    judged, ranked = state.judged.get(work), state.ranked(work)
    if judged is None and work not in state.assessed:
        yield Content.assemble(_heading("Relevance"), plain("Not judged yet.", QUIET))
        return
    told = [Content.assemble(plain(f"{state.relevance(work):.2f}", "bold"), plain(f"  {_mind(state, work)}", QUIET))]
    if judged and judged.reason:
        told.append(plain(judged.reason))
    if judged and judged.quote:
        told.append(plain(f"“{judged.quote}”", "italic"))
    if judged and judged.unsupported:
        told.append(plain("Its quote does not stand in the paper, so the score was lowered.", "$warning"))
    if ranked and ranked.why:
        told.append(plain(ranked.why, QUIET))
    yield Content.assemble(_heading("Relevance"), Content("\n").join(told))


def _mind(state: SearchState, work: int) -> str:
    judged = state.judged.get(work)
    return _MINDS[judged.by] if judged else "estimated by built-in rules"


def _found(state: SearchState, work: int) -> str:
    ways = state.found[work].found_by
    seeds = {
        way.link_of: state.found[state.work(way.link_of)].paper
        for way in ways
        if way.link_of is not None and state.work(way.link_of) in state.found
    }
    return found_text(ways, seeds).removeprefix("found by ")


def _names(paper: Paper) -> Iterator[Content]:
    for name in paper.identifiers:
        yield Content.assemble((f"{name.scheme:<9}", QUIET), plain(name.value))
    for label, value in (("page", paper.url), ("PDF", paper.pdf)):
        if value:
            yield Content.assemble((f"{label:<9}", QUIET), plain(value))
    if not (paper.identifiers or paper.url or paper.pdf):
        yield plain("None known.", QUIET)


def _heading(word: str) -> Content:
    return Content.styled(f"{word}\n", "bold $primary")
