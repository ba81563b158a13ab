"""The text of a paper's PDF, page by page, to read and to search."""

import re
from collections.abc import Callable, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Spacing
from textual.screen import Screen
from textual.widgets import Static

from connectors.paper import Paper
from connectors.records.visible import visible
from spar_tui.math_text import title_text
from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.filter_line import FilteredScreen, WordsLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.paper_page import EVIDENCE, PaperPage
from spar_tui.tui.widgets.text import plain

if TYPE_CHECKING:
    from spar_tui.tui.research_app import ResearchApp

WIDTH = 100
"""Most columns of a line: longer lines are hard to read."""


class PageText(VerticalScroll, inherit_bindings=False):
    """One page."""

    BINDINGS = bindings("a paper")


class PagesScreen(FilteredScreen):
    """Shows `texts`, the page texts of `paper` by page number, in the paper pane of the screen below or, if none is
    visible, over the whole screen. The PDF has `many` pages; `open_pdf` opens the file."""

    DEFAULT_CSS = """
    PagesScreen { background: transparent; }
    PagesScreen #pane { position: absolute; background: $background; }
    PagesScreen #text { height: 1fr; border: round $border; padding: 0 1;
                        background: $background; border-title-color: $foreground; scrollbar-size-vertical: 1;
                        border-subtitle-color: $foreground 70%; }
    PagesScreen #text > Static { height: auto; text-wrap: nowrap; }
    """
    BINDINGS = bindings("text of a PDF")
    AUTO_FOCUS = "#text"
    app: "ResearchApp"

    def __init__(self, paper: Paper, texts: Mapping[int, str], many: int, open_pdf: Callable[[], object]) -> None:
        super().__init__()
        self.paper, self.many, self.open_pdf = paper, many, open_pdf
        self._texts = sorted(texts.items())
        self._index = 0
        self._match = -1
        """Where the shown match begins in the page; -1 without a match."""
        self._is_missing = False
        """Whether no page has the words."""

    def compose(self) -> ComposeResult:
        with Vertical(id="pane"):
            with PageText(id="text") as text:
                text.border_title = plain(title_text(self.paper))
                yield Static()
            yield WordsLine("words to look for")
        yield Footer()

    def on_mount(self) -> None:
        below = self.app.screen_stack[-2]
        below.screen_layout_refresh_signal.subscribe(self, self._place)
        self._place(below)

    def _place(self, below: Screen[Any]) -> None:
        """Lie on the pane of the screen below, or on its whole area above the footer."""
        whole = below.size.region.shrink(Spacing(bottom=1))
        pages = sorted(below.query(PaperPage), key=lambda page: not page.has_focus)
        place = next((page.region for page in pages if page.region), whole)
        pane = self.query_one("#pane")
        pane.styles.offset, pane.styles.width, pane.styles.height = place.offset, place.width, place.height
        self.call_after_refresh(self._show)

    def on_resize(self) -> None:
        self._match = -1  # the lines have changed

    def _lines_of(self, index: int) -> str:
        """Return the page at `index`, with its lines as displayed."""
        width = min(WIDTH, max(self.query_one("#text").scrollable_content_region.width, 20))
        lines = map(visible, self._texts[index][1].splitlines())
        return "\n".join(part for line in lines for part in wrap(line, _letters(line, width)) or [""])

    @property
    def _pattern(self) -> re.Pattern[str] | None:
        words = self.query_one(WordsLine).value.split()
        return re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE) if words else None

    def _show(self) -> None:
        number, shown = self._texts[self._index][0], self._lines_of(self._index)
        content = Content(shown)
        for match in self._pattern.finditer(shown) if self._pattern else ():
            style = f"{EVIDENCE} reverse" if match.start() == self._match else EVIDENCE
            content = content.stylize(style, match.start(), match.end())
        self.query_one("#text Static", Static).update(content)
        nothing = "no match · " if self._is_missing else ""
        self.query_one("#text").border_subtitle = Content(f"{nothing}page {number} of {self.many}")
        self.refresh_bindings()

    def _go_to(self, index: int, match: int = -1) -> None:
        """Show the page at `index`, scrolled to the match that begins at `match`."""
        self._index, self._match = index, match
        self._show()
        line = self._lines_of(index).count("\n", 0, max(match, 0))
        text = self.query_one("#text")
        text.scroll_to(y=max(line - text.size.height // 3, 0), animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "turn":
            return len(self._texts) > 1
        if action == "match":
            return self.is_mounted and self._pattern is not None
        return True

    def action_turn(self, pages: int) -> None:
        self._go_to(min(max(self._index + pages, 0), len(self._texts) - 1))

    def show_filtered(self) -> None:
        self._match = -1
        self._is_missing = self._pattern is not None and not self._find(1)
        self._show()

    def to_list(self) -> None:
        self.set_focus(self.query_one("#text"))

    def action_match(self, steps: int) -> None:
        self._find(steps)

    def _find(self, steps: int) -> bool:
        """Go to the next match, or the previous one if `steps` is negative, on any page; False if there is none."""
        many = len(self._texts)
        for turned in range(many + 1):
            index = (self._index + steps * turned) % many
            starts = [match.start() for match in self._pattern.finditer(self._lines_of(index))] if self._pattern else []
            if turned == 0:
                starts = [start for start in starts if (start > self._match if steps > 0 else start < self._match)]
            if starts:
                self._go_to(index, starts[0] if steps > 0 else starts[-1])
                return True
        return False

    def action_pdf(self) -> None:
        self.open_pdf()

    def action_back(self) -> None:
        """Leave the search; without one, go back."""
        if not self.out_of_filter():
            self.dismiss()


def _letters(line: str, columns: int) -> int:
    """Return how many letters of `line` fit into `columns`; some scripts take two columns for each."""
    return max(columns * len(line) // max(cell_len(line), 1), 1)
