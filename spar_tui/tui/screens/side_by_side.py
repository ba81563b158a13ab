"""Two to four papers side by side: authors, venue, relevance and its reason, abstract, and links between them."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from agents.search.state import SearchState
from cache import papers as library
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Paper, WorkId
from spar_tui.citation_map.known_links import cited_names, links_by_name
from spar_tui.citation_map.phrases import who_and_when
from spar_tui.math_text import title_text
from spar_tui.phrases import counted, judgement_reason, sentence
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.library_records import records_of_person
from spar_tui.tui.screens.paper_actions import PaperActions
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.paper_page import InSearch, PaperPage, abstract, heading, title
from spar_tui.tui.widgets.text import QUIET, Line, plain


@dataclass(frozen=True, slots=True)
class SharedReference:
    """A reference that the papers at `places` (from 1) share: its title, or its identifier if nothing else is known."""

    title: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PaperRelations:
    """Papers and their relations, by place from 1: `links` are (citing, cited), `with_references` the papers with known
    references. Works that more of the papers share come first."""

    papers: tuple[Paper, ...]
    links: tuple[tuple[int, int], ...] = ()
    shared: tuple[SharedReference, ...] = ()
    with_references: tuple[int, ...] = ()

    @property
    def sentences(self) -> list[str]:
        """Sentences on which papers cite each other and which works they share."""
        texts = [f"{citing} cites {cited}." for citing, cited in self.links]
        texts = texts or ["No known citations between these papers."]
        if not self.with_references:
            texts.append("References unknown.")
        elif len(self.with_references) < len(self.papers):
            texts.append(f"References known only for {' and '.join(map(str, self.with_references))}.")
        if self.shared:
            texts.append(f"{counted(len(self.shared), 'work')} cited by two or more of them:")
        else:
            texts.append("No shared references known.")
        return texts


def compared(store: Store, papers: Sequence[Paper]) -> PaperRelations:
    """Return what the library knows about the relations of `papers`. Blocks; raises `CacheError`."""
    by_place = {WorkId(number): paper for number, paper in enumerate(papers, start=1)}
    names = cited_names(store, list(by_place.items()))
    citing: dict[Identifier, tuple[int, ...]] = {}
    for work_id, cited in names.items():
        for name in cited:
            citing[name] = (*citing.get(name, ()), work_id)
    # Sources use different identifiers for one work; only the library can tell that two of them are the same.
    shared: dict[str, tuple[str, set[int]]] = {}
    for name in sorted(citing):
        paper = library.find(store, [name])
        title = f"{who_and_when(paper)}: {title_text(paper)}" if paper else str(name)
        shared.setdefault(paper.id if paper else str(name), (title, set()))[1].update(citing[name])
    works = [SharedReference(title, tuple(sorted(places))) for title, places in shared.values() if len(places) > 1]
    works.sort(key=lambda work: (-len(work.places), work.places, work.title))
    links = sorted((int(link.citing), int(link.cited)) for link in links_by_name(names, by_place))
    known = tuple(int(place) for place in by_place if names[place])
    return PaperRelations(tuple(papers), tuple(links), tuple(works), known)


class SideBySide(PaperActions):
    """`papers` in columns; papers of the search `run` have their score and its reason."""

    DEFAULT_CSS = """
    SideBySide #sides { height: 1fr; }
    SideBySide PaperPage { width: 1fr; min-width: 12; }
    SideBySide #between { height: auto; max-height: 25%; padding: 0 1; scrollbar-size-vertical: 1; }
    SideBySide #between > Static { height: auto; }
    """
    BINDINGS = bindings("papers side by side", "any paper")
    AUTO_FOCUS = "#side-0"

    def __init__(self, papers: Sequence[Paper], run: str | None) -> None:
        super().__init__()
        self._opened = self.papers = tuple(papers)
        self._run = run
        self._compared: PaperRelations | None = None

    def compose(self) -> ComposeResult:
        yield Line("way", plain(f"{len(self.papers)} papers side by side", "bold"))
        with Horizontal(id="sides"):
            for index in range(len(self.papers)):
                yield PaperPage(f"side-{index}")
        with VerticalScroll(id="between", can_focus=False):
            yield Static(plain("Reading the library…", QUIET))
        yield Footer()

    def on_mount(self) -> None:
        for index in range(len(self.papers)):
            self.query_one(f"#side-{index}", PaperPage).border_title = plain(str(index + 1))
        self._show_columns()

    def _show_columns(self) -> None:
        for index, paper in enumerate(self.papers):
            side = self.query_one(f"#side-{index}", PaperPage)
            side.show(index, Content("\n\n").join(_column(paper, self._in_search(paper))))

    async def library_changed(self) -> None:
        records = await asyncio.to_thread(records_of_person, self.app.store, dict(enumerate(self._opened)))
        self.papers = tuple(records.get(index, paper) for index, paper in enumerate(self._opened))
        self._show_columns()
        compared_now = await asyncio.to_thread(compared, self.app.store, self.papers)
        if compared_now != self._compared:
            self._compared = compared_now
            self.query_one("#between > Static", Static).update(_between(compared_now))

    def _in_search(self, paper: Paper) -> InSearch | None:
        live = self.app.runs_shown.get(self._run or "")
        if live is None or not isinstance(live.state, SearchState):
            return None
        found, names = live.state.found, set(paper.identifiers)
        same = (work for work in found if found[work].paper == paper or names & set(found[work].paper.identifiers))
        work = next(same, None)
        return None if work is None else InSearch(live.state, WorkId(work))

    @property
    def key(self) -> int | None:
        """The index of the paper whose column has the focus."""
        focused = self.focused.id if self.focused else None
        return int(focused.removeprefix("side-")) if focused and focused.startswith("side-") else None

    def paper_of(self, key: int) -> Paper | None:
        return self.papers[key] if key < len(self.papers) else None

    def keys_shown(self) -> Sequence[int]:
        return range(len(self.papers))

    @property
    def in_search(self) -> InSearch | None:
        return self._in_search(self.paper) if self.paper else None

    @property
    def from_run(self) -> str | None:
        return self._run

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("mark", "mark_all", "compare", "like", "dislike"):
            return False
        return super().check_action(action, parameters)

    def action_to_paper(self, steps: int) -> None:
        index = max(0, min((self.key or 0) + steps, len(self.papers) - 1))
        self.set_focus(self.query_one(f"#side-{index}"))
        self.refresh_bindings()


def _column(paper: Paper, search: InSearch | None) -> Iterator[Content]:
    yield title(paper)
    judged = search.state.judgement(search.work) if search else None
    if search and (judged or search.work in search.state.assessed):
        contents = [plain(f"{search.state.relevance(search.work):.2f}", "bold")]
        contents += [plain(sentence(judgement_reason(judged)))] if judged and judged.reason else []
        yield Content.assemble(heading("Relevance"), Content("\n").join(contents))
    yield abstract(paper, judged.quote if judged else "")


def _between(comparison: PaperRelations) -> Content:
    """Return how the papers are linked, and what they share."""
    shared = [
        Content.assemble(plain(f"{', '.join(map(str, work.places))}  ", "$accent"), plain(work.title))
        for work in comparison.shared
    ]
    return Content("\n").join([plain(" ".join(comparison.sentences), QUIET), *shared])
