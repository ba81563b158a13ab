"""A summary or an answer to follow and to read: its tree, its text, and its progress."""

from collections.abc import Iterator, Sequence, Set
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from agents.evidence.designs import design_of
from agents.run.runner import Status
from agents.summary.events import ROOT
from agents.summary.kind import SummaryRun
from agents.summary.state import SummaryState
from agents.summary.tree import level
from connectors.paper import Paper, WorkId
from spar_tui.math_text import title_text
from spar_tui.phrases import counted, papers_text, quotation
from spar_tui.reports.answer import paragraphs_of, sides_of, whole_abstract
from spar_tui.reports.summary_markdown import markdown
from spar_tui.reports.summary_text import CLOSING, CitationMark, TextRow
from spar_tui.reports.text_file import suggested_name, write_document
from spar_tui.tui.commands import PROMPTS, bindings
from spar_tui.tui.models.summary_rows import STEPS, byline, facet_tree, node_of, rows, step_of
from spar_tui.tui.screens.dialogs.name_prompts import write_file
from spar_tui.tui.screens.run_actions import RunActions
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.panes import Panes
from spar_tui.tui.widgets.row_list import TextList, indented
from spar_tui.tui.widgets.status_lines import Steps, status_line
from spar_tui.tui.widgets.text import QUIET, Line, plain
from spar_tui.tui.widgets.trail_tree import TrailTree


class SummaryPage(TextList[TextRow], inherit_bindings=False):
    """Shows the text of a node of the summary (`about`); another one is shown from its top."""

    BINDINGS = bindings("lists")

    def __init__(self, id: str) -> None:
        super().__init__(lambda row: row.key, id)
        self._about: str | None = None
        self._first = ""
        self._works: Set[int] = frozenset()

    def show_text(self, about: str, rows: Sequence[TextRow]) -> None:
        """Show `rows`; the cursor stays on its row, or at the top if the person has not moved it from there."""
        self._first = rows[0].key if rows else ""
        if about == self._about and self.place:
            self.show(rows)
        else:
            self._about = about
            self.put(rows, 0)

    def show_marked(self, works: Set[int]) -> None:
        """Mark the papers `works`, and no others."""
        self._works = frozenset(works)
        self.measure_anew()

    def wrapped(self, row: TextRow, width: int) -> Content:
        marked = any(citation.work in self._works for citation in row.cited)
        indent = " " if row.kind == "heading" else "  " * row.depth + " "  # `depth` of a heading is its level
        return indented(row_text(row, marked, row.key == self._first), indent, width - 1)


def row_text(row: TextRow, marked: bool = False, first: bool = False) -> Content:
    """Return a row: a heading, text with citations, or a paper with its authors below. All headings except the first
    have a blank line above."""
    if row.kind == "heading":
        return Content.assemble("" if first else "\n", plain(_words(row), "bold $primary"))
    if row.kind in ("about", "remark", "gone"):
        return plain(f"{'✗ ' * (row.kind == 'gone')}{_words(row)}", QUIET)
    parts = row.parts
    if row.kind == "cells":
        cells = zip(row.columns, row.words, strict=True)
        parts = (row.cited[0], " · ".join(f"{column}: {words}" for column, words in cells if words))
    ends = ("", *parts, ".")
    contents = [_mark(part, ends[at], ends[at + 2]) if isinstance(part, CitationMark) else plain(part)
                for at, part in enumerate(parts)]  # fmt: skip
    if row.kind != "paper":
        return Content.assemble(*contents)
    mark = Content.styled("◆ ", "$accent") if marked else Content("")
    return Content.assemble(mark, *contents, "\n", plain(row.note, QUIET))


def cited_text(row: TextRow, index: int, title: str) -> Content:
    """Return the citation at `index` of a row: the paper's `title`, and its words that support the row."""
    citation = row.cited[index]
    several = plain(f"{index + 1} of {len(row.cited)} ← →  ", QUIET) if len(row.cited) > 1 else Content("")
    support = [Content.assemble("\n", plain(words, "italic")) for words in citation.support]
    return Content.assemble(several, _mark(citation, behind=title), plain(title, "bold"), *support)


def _words(row: TextRow) -> str:
    return "".join(row.words)


def _mark(citation: CitationMark, before: str | CitationMark = "", behind: str | CitationMark = ".") -> Content:
    """The number of a citation, apart from the words `before` and `behind` it; nothing if it has none."""
    lead = " " * (isinstance(before, CitationMark) or bool(before))
    tail = " " * (isinstance(behind, str) and bool(behind) and not behind.startswith(CLOSING))
    return Content.styled(f"{lead}[{citation.number}]{tail}", "$accent") if citation.number else Content("")


_ANSWER_STEPS = ("evidence", "answer")


def summary_line(state: SummaryState, status: Status, seconds: float, width: int) -> Content:
    """Return the progress of a summary, its result so far, its duration and its cost."""
    step, done, whole = step_of(state)
    deepest = max(map(level, state.facets), default=0)
    after = [plain(f"level {deepest}", QUIET)] if deepest > 1 and step != "write" else []
    steps = Steps(STEPS, STEPS.index(step), f" {done}/{whole}" if whole > 1 else "", after)
    return status_line(status, steps, _came_to(state), state.findings, seconds, width)


def answer_line(state: SummaryState, status: Status, seconds: float, width: int) -> Content:
    """Return the progress of an answer, the number of cited papers, its duration and its cost."""
    steps = Steps(_ANSWER_STEPS, int(state.evidence is not None), "", [])
    read = state.evidence.read if state.evidence else 0
    counts = [plain(f"{papers_text(len(state.cited))} cited", "bold"), plain(f"{read:,} read", QUIET)]
    return status_line(status, steps, counts, state.findings, seconds, width)


def _came_to(state: SummaryState) -> list[Content]:
    planned, made = len(state.facets), len(state.nodes) - 1
    cited = len(state.cited)
    counts = [plain(f"{counted(made, 'facet')} of {planned:,} planned", "bold")] if planned else []
    if cited:
        counts.append(plain(f"{papers_text(cited)} cited", "bold"))
    counts.append(plain(f"{len(state.findings.found):,} found", QUIET))
    return counts


class SummaryScreen(RunActions):
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
    BINDINGS = bindings("a summary", "any paper")
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
        tree.border_title, self._page.border_title = Content("Facets · papers"), Content(self.NAME)
        self.go_to(self.pane)
        self._watch()

    @property
    def _tree(self) -> TrailTree:
        return self.query_one(TrailTree)

    @property
    def _page(self) -> SummaryPage:
        return self.query_one(SummaryPage)

    def _show_run(self) -> None:
        state = self.drawn_state
        tree = self._tree
        tree.grow(facet_tree(state))
        gone = len(state.left_out)
        tree.border_subtitle = Content(f"{gone} left out" if gone else "")
        self._show_text()

    def _show_lines(self) -> None:
        live = self.live
        self.query_one("#stage", Line).show(partial(self.STAGE, live.state, live.status, live.seconds))
        self.show_sources(live.state.findings)

    def _show_text(self) -> None:
        state, page = self.drawn_state, self._page
        page.show_text(self._node, self._rows(state))
        about = state.title(self._node) if self._node in state.facets else self.NAME
        page.border_title = plain(about)
        self._show_cited()

    def _rows(self, state: SummaryState) -> list[TextRow]:
        """Return the rows of the current facet's text."""
        return rows(state, self._node)

    def _show_cited(self) -> None:
        """Show below the text what the current citation says."""
        row, cited, box = self._page.row, self._cited, self.query_one("#cited", Static)
        if row is None or cited is None or row.kind == "paper":
            box.remove_class("there")
            return
        paper = self.drawn_state.findings.found[cited.work].paper
        box.update(cited_text(row, self._cited_place, title_text(paper)))
        box.add_class("there")

    @property
    def _cited_place(self) -> int:
        row = self._page.row
        works = [citation.work for citation in row.cited] if row and self._at and self._at[0] == row.key else []
        return works.index(self._at[1]) if self._at and self._at[1] in works else 0

    @property
    def _cited(self) -> CitationMark | None:
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
        findings = self.drawn_state.findings
        candidate = findings.found.get(findings.work(WorkId(key)))
        return candidate.paper if candidate else None

    def keys_shown(self) -> Sequence[int]:
        return [citation.work for row in self._page.rows if row.kind == "paper" for citation in row.cited]

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

    @on(TrailTree.Highlighted, "#facets")
    def _facet_highlighted(self, event: TrailTree.Highlighted) -> None:
        if node_of(event.row.branch) != self._node:
            self._node = node_of(event.row.branch)
            self._show_text()

    @on(TrailTree.Selected, "#facets")
    def _facet_selected(self) -> None:
        self.go_to("text")

    @on(SummaryPage.Highlighted, "#text")
    def _row_highlighted(self) -> None:
        self._show_cited()
        self.refresh_bindings()

    @on(SummaryPage.Selected, "#text")
    def _row_selected(self) -> None:
        self.open_at_hand()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
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
        self.app.export(self._to_export, self.live.run)

    def action_write_file(self) -> None:
        self._write_file(self.drawn_state)

    @work(group=PROMPTS)
    async def _write_file(self, state: SummaryState) -> None:
        prompt = f"Save the {'text' if ROOT in state.written else 'outline so far'} as Markdown in"
        text = "\n".join([*markdown(state), ""])
        await write_file(self.app, prompt, suggested_name(state.topic), partial(write_document, text, "markdown"))

    def action_back(self) -> None:
        """Go from the text to the facets if only one of them is visible; else remove the marks; then go home."""
        if self.pane == "text" and "facets" in self.PANES and self.has_class("-narrow"):
            self.go_to("facets")
        else:
            super().action_back()


def answer_rows(state: SummaryState) -> list[TextRow]:
    """Return the rows of an answer as far as it is written."""
    if state.answered is None and state.finished is None:
        return [TextRow("wait", "remark", ("No answer yet.",))] if state.started else []
    whole = whole_abstract(state)
    rows = [TextRow("abstract", "text", (whole,))] if whole else []
    return [*_answer(state), *_evidence(state), *rows]


def _answer(state: SummaryState) -> Iterator[TextRow]:
    written = state.written.get(ROOT)
    first, *paragraphs = paragraphs_of(state)
    yield TextRow("verdict", "text" if len(first) > 1 else "heading", first)
    for index, parts in enumerate(paragraphs):
        yield TextRow(f"s:{index}", "text", parts)
    if written and written.gap:
        yield TextRow("gap", "remark", (written.gap,))


def _evidence(state: SummaryState) -> Iterator[TextRow]:
    """Yield each cited or quoted paper with its quotes."""
    for index, (side, papers) in enumerate(sides_of(state)):
        yield TextRow(f"h:evidence{index or ''}", "heading", (side or "Evidence",))
        for number, cited, quoted in papers:
            paper = state.findings.found[cited].paper
            about = " · ".join(filter(None, (byline(paper), design_of(paper))))
            yield TextRow(f"p:{cited}", "paper", (CitationMark(number, cited), title_text(paper)), about)
            for at, citation in enumerate(quoted):
                yield TextRow(f"q:{cited}:{at}", "text", (quotation(citation.quote, citation.page),), depth=1)


class AnswerScreen(SummaryScreen):
    """Shows the run of an answer, which goes on when the person leaves the screen."""

    DEFAULT_CSS = "AnswerScreen #facets { display: none; }"
    NAME = "Answer"
    STAGE = staticmethod(answer_line)
    PANES = ("text",)

    def __init__(self, live: SummaryRun) -> None:
        super().__init__(live)
        self.set_pane("text")

    def _rows(self, state: SummaryState) -> list[TextRow]:
        return answer_rows(state)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the facets and the file, which only a summary has."""
        if action in ("tree_or_text", "write_file"):
            return False
        return super().check_action(action, parameters)
