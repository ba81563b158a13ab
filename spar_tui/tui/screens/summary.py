"""A summary to follow and to read: its tree, its text, and its progress."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static, Tree

from agents.summary.events import ROOT
from agents.summary.kind import SummaryRun
from agents.summary.state import SummaryState
from connectors.paper import Paper, WorkId
from spar_tui.math_text import title_text
from spar_tui.reports.summary_markdown import markdown
from spar_tui.reports.text_file import suggested_name, write_document
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.search_trail import Branch
from spar_tui.tui.models.summary_rows import Cited, Row, facet_tree, node_of, rows
from spar_tui.tui.screens.dialogs.text_file import write_file
from spar_tui.tui.screens.pane_focus import PaneFocus
from spar_tui.tui.screens.run_actions import RunActions
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.panes import Panes
from spar_tui.tui.widgets.summary_lines import summary_line
from spar_tui.tui.widgets.summary_page import SummaryPage, cited_text
from spar_tui.tui.widgets.text import Line, plain
from spar_tui.tui.widgets.trail_tree import TrailTree


class SummaryScreen(RunActions, PaneFocus):
    """Shows a `SummaryRun`, which goes on when the person leaves the screen. `NAME` is the title of the whole text."""

    DEFAULT_CSS = """
    SummaryScreen #facets { width: 36%; }
    SummaryScreen #reading { width: 1fr; min-width: 20; }
    SummaryScreen #cited { height: auto; max-height: 6; padding: 0 2; display: none; }
    SummaryScreen #cited.there { display: block; }
    SummaryScreen.-short #question { display: none; }
    SummaryScreen.-short #cited { max-height: 2; }
    SummaryScreen.-narrow #facets { width: 1fr; }
    SummaryScreen.-narrow.at-facets #reading, SummaryScreen.-narrow.at-text #facets { display: none; }
    """
    live: SummaryRun
    NAME = "Summary"
    STAGE = staticmethod(summary_line)
    """Returns the progress of the run, in one line."""
    PANES: ClassVar[tuple[str, ...]] = ("facets", "text")
    BINDINGS = bindings("summary", "papers")
    AUTO_FOCUS = None

    def __init__(self, live: SummaryRun) -> None:
        super().__init__(name=f"{live.kind.name} {live.run}")
        self.live = live
        self.pane = "text" if live.state.finished else "facets"
        self.add_class(f"at-{self.pane}")
        self._node = ROOT
        self._at: tuple[str, WorkId] | None = None
        """The row in which the person last moved between citations, and the cited work where they stopped."""

    def compose(self) -> ComposeResult:
        yield Line("question", plain(self.live.question, "bold"))
        yield Line("stage")
        with Panes(id="panes"):
            yield TrailTree("facets")
            with Vertical(id="reading"):
                yield SummaryPage("text")
                yield Static(Content(""), id="cited")
        yield Line("sources")
        yield Footer()

    def on_mount(self) -> None:
        tree = self._tree
        tree.auto_expand = False
        tree.border_title, self._page.border_title = Content("Facets"), Content(self.NAME)
        self.go_to(self.pane)
        self._watch()

    def on_screen_resume(self) -> None:
        self._flush()

    @property
    def _tree(self) -> TrailTree:
        return self.query_one(TrailTree)

    @property
    def _page(self) -> SummaryPage:
        return self.query_one(SummaryPage)

    # Display

    def _show_run(self) -> None:
        state = self.live.state
        tree = self._tree
        tree.show(facet_tree(state))
        if tree.cursor_line < 0:
            tree.cursor_line = 0
        gone = len(state.dropped) + len(state.merged)
        tree.border_subtitle = Content(f"{gone} left out" if gone else "")
        self._show_text()

    def _show_lines(self) -> None:
        live = self.live
        self.query_one("#stage", Line).show(partial(self.STAGE, live.state, live.status, live.seconds))
        self.show_sources(live.state.findings)

    def _show_text(self) -> None:
        state, page = self.live.state, self._page
        page.show(self._node, self._rows(state))
        about = state.title(self._node) if self._node in state.facets else self.NAME
        page.border_title = plain(about)
        self._show_cited()

    def _rows(self, state: SummaryState) -> list[Row]:
        """Return the rows of the current facet's text."""
        return rows(state, self._node)

    def _show_cited(self) -> None:
        """Show below the text what the current citation says."""
        row, cited, box = self._page.row, self._cited, self.query_one("#cited", Static)
        if row is None or cited is None or row.kind != "text":
            box.remove_class("there")
            return
        paper = self.live.state.findings.found[cited.work].paper
        box.update(cited_text(row, self._cited_place, title_text(paper)))
        box.add_class("there")

    # Current citation

    @property
    def _cited_place(self) -> int:
        row = self._page.row
        works = [citation.work for citation in row.cited] if row and self._at and self._at[0] == row.key else []
        return works.index(self._at[1]) if self._at and self._at[1] in works else 0

    @property
    def _cited(self) -> Cited | None:
        """The current citation, or the paper under the cursor."""
        row = self._page.row
        return row.cited[self._cited_place] if row and row.cited else None

    @property
    def key(self) -> int | None:
        if self.pane != "text" or not self.is_mounted:
            return None
        cited = self._cited
        return cited.work if cited else None

    def paper_of(self, key: int) -> Paper | None:
        findings = self.live.state.findings
        candidate = findings.found.get(findings.work(WorkId(key)))
        return candidate.paper if candidate else None

    def keys_shown(self) -> Sequence[int]:
        return [citation.work for row in self._page.rows if row.kind == "paper" for citation in row.cited]

    @property
    def from_run(self) -> str | None:
        return self.live.run

    def show_marks(self) -> None:
        self._page.show_marked(set(self.marked))
        self.refresh_bindings()

    def next_paper(self) -> None:
        self._page.action_cursor_down()

    @property
    def _to_export(self) -> list[Paper]:
        """The marked papers, else the papers that the text cites, else those of the tree."""
        state = self.live.state
        keys: Sequence[int] = self.marks or state.cited or state.works_below(ROOT)
        return [paper for key in keys if (paper := self.paper_of(key))]

    # Cursor

    @on(Tree.NodeHighlighted, "#facets")
    def _facet_highlighted(self, event: Tree.NodeHighlighted[Branch]) -> None:
        if event.node.data and node_of(event.node.data) != self._node:
            self._node = node_of(event.node.data)
            self._show_text()

    @on(Tree.NodeSelected, "#facets")
    def _facet_selected(self) -> None:
        self.go_to("text")

    @on(OptionList.OptionHighlighted, "#text")
    def _row_highlighted(self) -> None:
        self._show_cited()
        self.refresh_bindings()

    @on(OptionList.OptionSelected, "#text")
    def _row_selected(self) -> None:
        if paper := self.paper:
            self.app.open_paper(paper, run=self.live.run)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether the state of the summary allows an action."""
        match action:
            case "next_citation":
                row = self._page.row if self.is_mounted and self.pane == "text" else None
                return row is not None and len(row.cited) > 1
            case "write_file":
                return bool(self.live.state.retrieved)
            case "export_cited":
                return bool(self.live.state.retrieved) and bool(self._to_export)
        return super().check_action(action, parameters)

    def action_tree_or_text(self) -> None:
        """Go from the facets to the text or back."""
        self.go_to("text" if self.pane == "facets" else "facets")

    def action_next_citation(self, steps: int) -> None:
        """Go to another citation of the same sentence."""
        row = self._page.row
        if row and row.cited:
            self._at = (row.key, row.cited[(self._cited_place + steps) % len(row.cited)].work)
            self._show_cited()
            self.refresh_bindings()

    def action_export_cited(self) -> None:
        """Export the papers to a file."""
        self.app.export(self._to_export, self.live.run)

    def action_write_file(self) -> None:
        """Save the text as a file."""
        self._write_file(self.live.state)

    @work(group="file", exclusive=True)
    async def _write_file(self, state: SummaryState) -> None:
        prompt = f"Save the {'text' if ROOT in state.written else 'outline so far'} as Markdown in"
        text = "\n".join([*markdown(state), ""])
        await write_file(self.app, prompt, suggested_name(state.topic), partial(write_document, text, "markdown"))

    def action_back(self) -> None:
        """Go from the text to the facets if only one of them is visible; else remove the marks; then go home."""
        if self.pane == "text" and self.has_class("-narrow"):
            self.go_to("facets")
        elif not self.drop_marks():
            self.app.go_home()
