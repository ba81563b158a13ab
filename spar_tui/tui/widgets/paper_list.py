"""The list of papers: two lines each, updated in place, the highlight on the person's paper whatever moves."""

from collections.abc import Hashable, Iterator, Sequence, Set
from contextlib import contextmanager
from typing import ClassVar

from textual.content import Content
from textual.strip import Strip
from textual.visual import Visual

from spar_tui.phrases import sentence
from spar_tui.tui.models.search_rows import PaperRow
from spar_tui.tui.widgets.row_list import Look, RowList
from spar_tui.tui.widgets.text import QUIET, plain

_BARS = " ▁▂▃▄▅▆▇█"
_INDENT = " " * 8


class PaperList(RowList[PaperRow]):
    """Papers to choose from. `touched` from the first move of the person's own on; then nothing is re-ordered."""

    LINES = 2
    COMPONENT_CLASSES: ClassVar[set[str]] = {"paper-list--row", "paper-list--cursor", "paper-list--cursor-blurred"}
    DEFAULT_CSS = """
    PaperList { text-wrap: nowrap; text-overflow: ellipsis; }
    .paper-list--cursor { background: $block-cursor-background; color: $block-cursor-foreground;
                          text-style: $block-cursor-text-style; }
    .paper-list--cursor-blurred { background: $block-cursor-blurred-background; color: $foreground;
                                  text-style: $block-cursor-blurred-text-style; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(lambda row: row.key, id)
        self.touched = False
        self._arranging = False
        self._saved: Set[int] = frozenset()

    @property
    def highlighted(self) -> int | None:
        """The place of the highlight; None in an empty list."""
        return self.place if self._rows else None

    def show(self, rows: Sequence[PaperRow], at: Hashable = None) -> None:
        """Show `rows`, with the highlight on the paper `at` if it is among them and the person took the list in hand;
        else it stays on the first."""
        found = self.place_of(at, rows) if self.touched and at is not None else None
        if found is None and [row.key for row in self._rows] == [row.key for row in rows[: len(self._rows)]]:
            found = self.place
        with self._own_doing():
            self.put(rows, found or 0)

    def show_saved(self, keys: Set[int]) -> None:
        """Show these as saved to the shelf, and no others."""
        changed, self._saved = self._saved ^ keys, frozenset(keys)
        self._drawn.clear()
        self.draw_anew(lambda row: row.key in changed)

    def highlight(self, key: int) -> None:
        """Put the highlight on the paper `key`, if it is shown."""
        place = self.place_of(key, self._rows)
        if place is not None:
            with self._own_doing():
                self.go_to(place)

    def go_to(self, place: int) -> None:
        """A highlight that the list did not move itself was moved by the person."""
        self.touched = self.touched or not self._arranging
        super().go_to(place)

    def action_select(self) -> None:
        """Choose the paper."""
        self.touched = True
        super().action_select()

    def on_mouse_scroll_down(self) -> None:
        self.touched = True

    @contextmanager
    def _own_doing(self) -> Iterator[None]:
        self._arranging = True
        try:
            yield
        finally:
            self._arranging = False

    def draw(self, row: PaperRow, marked: bool, look: Look, width: int) -> Sequence[Strip]:
        style = self.get_visual_style("paper-list--row", f"paper-list--{look}")
        text = row_text(row, marked, row.key in self._saved)
        strips = Visual.to_strips(self, text, width, self.LINES, style)
        return [strip.adjust_cell_length(width, style.rich_style) for strip in strips]


def row_text(row: PaperRow, marked: bool = False, saved: bool = False) -> Content:
    """A row: score, bar and title; below them who and when, and why, as soon as somebody said so."""
    strong = row.relevant or row.score is None
    title = plain(row.title, "bold" if row.relevant else "" if strong else QUIET)
    warning = Content.styled("RETRACTED ", "$error") if row.retracted else Content("")
    # A reason tells more than a venue, and there is seldom room for both.
    because = sentence(row.reason) or ("waiting for the judge" if row.waiting else row.venue)
    below = " · ".join(filter(None, [row.byline, because]))
    indent = _INDENT if row.scored else "  "
    star = Content.styled("★ ", "$accent") if saved else Content("")
    return Content.assemble(_score(row, marked), star, warning, title, "\n", indent, plain(below, QUIET))


def _score(row: PaperRow, marked: bool) -> Content:
    mark = ("◆", "$accent") if marked else " "
    if not row.scored:
        return Content.assemble(mark, " ")
    if row.score is None:
        return Content.assemble(mark, ("  ·    ", QUIET))
    bar = _BARS[min(int(row.score * 8 + 0.5), 8)]
    style = QUIET if row.waiting or not row.relevant else "$success"
    return Content.assemble(
        mark, (f"{row.score:.2f}", "" if row.relevant and not row.waiting else QUIET), " ", (bar, style), " "
    )
