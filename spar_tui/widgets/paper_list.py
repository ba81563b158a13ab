"""The list of papers: two lines each, updated in place, the highlight on the person's paper whatever moves."""

from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from spar_tui.commands import bindings
from spar_tui.screens.search_view import PaperRow
from spar_tui.widgets.text import QUIET, plain

_BARS = " ▁▂▃▄▅▆▇█"
_INDENT = " " * 8


class PaperList(OptionList, inherit_bindings=False):
    """Papers to choose from. `touched` from the first move of the person's own on; then nothing is re-ordered."""

    BINDINGS = bindings("lists")
    DEFAULT_CSS = """
    PaperList { height: 1fr; min-width: 20; text-wrap: nowrap; text-overflow: ellipsis; padding: 0; }
    """

    def __init__(self, id: str) -> None:
        self.touched = False
        self._arranging = True
        super().__init__(id=id, markup=False)
        self._arranging = False
        self._rows: list[PaperRow] = []
        self._marked: Set[int] = frozenset()
        self._saved: Set[int] = frozenset()

    @property
    def rows(self) -> Sequence[PaperRow]:
        return self._rows

    def show(self, rows: Sequence[PaperRow], work: int | None) -> None:
        """Show `rows`, with the highlight on `work` if it is among them and the person took the list in hand.

        What stays in its place is only written anew where it differs; new rows come below.
        """
        with self._own_doing():
            self._show(rows, work)

    def _show(self, rows: Sequence[PaperRow], work: int | None) -> None:
        old, self._rows = self._rows, list(rows)
        if [one.work for one in old] != [one.work for one in rows[: len(old)]]:
            self._show_all(work)
            return
        for place, (before, now) in enumerate(zip(old, rows, strict=False)):
            if before != now:
                self._write(place)
        self.add_options(self._option(one) for one in rows[len(old) :])
        if self.highlighted is None and rows:
            self.highlighted = 0

    def show_marked(self, works: Set[int]) -> None:
        """Show these as marked, and no others."""
        changed, self._marked = self._marked ^ works, frozenset(works)
        self._write_anew(changed)

    def show_saved(self, works: Set[int]) -> None:
        """Show these as saved to the shelf, and no others."""
        changed, self._saved = self._saved ^ works, frozenset(works)
        self._write_anew(changed)

    def _write_anew(self, works: Set[int]) -> None:
        for place, row in enumerate(self._rows):
            if row.work in works:
                self._write(place)

    def _write(self, place: int) -> None:
        self.replace_option_prompt_at_index(place, self._text(self._rows[place]))

    def _option(self, row: PaperRow) -> Option:
        return Option(self._text(row), id=str(row.work))

    def _text(self, row: PaperRow) -> Content:
        return row_text(row, row.work in self._marked, row.work in self._saved)

    def highlight(self, work: int) -> None:
        """Put the highlight on `work`, if it is shown."""
        with self._own_doing():
            self._highlight(work)

    def _highlight(self, work: int) -> bool:
        place = next((place for place, one in enumerate(self._rows) if one.work == work), None)
        if place is not None:
            self.highlighted = place
        return place is not None

    def _show_all(self, work: int | None) -> None:
        offset = self.scroll_y
        self.set_options(self._option(one) for one in self._rows)
        if not (self.touched and work is not None and self._highlight(work)):
            self.highlighted = 0 if self._rows else None
        elif offset:
            self.scroll_to(y=offset, animate=False, force=True)
            self.call_after_refresh(self.scroll_to_highlight)

    def watch_highlighted(self, highlighted: int | None) -> None:
        """A highlight that the list did not move itself was moved by the person."""
        super().watch_highlighted(highlighted)
        self.touched = self.touched or (highlighted is not None and not self._arranging)

    def on_mouse_scroll_down(self) -> None:
        self.touched = True

    @contextmanager
    def _own_doing(self) -> Iterator[None]:
        self._arranging = True
        try:
            yield
        finally:
            self._arranging = False


def row_text(row: PaperRow, marked: bool = False, saved: bool = False) -> Content:
    """A row: score, bar and title; below them who and when, and why, as soon as somebody said so."""
    strong = row.relevant or row.score is None
    title = plain(row.title, "bold" if row.relevant else "" if strong else QUIET)
    warning = Content.styled("RETRACTED ", "$error") if row.retracted else Content("")
    # A reason tells more than a venue, and there is seldom room for both.
    told = row.reason or ("waiting for the judge" if row.waiting else row.venue)
    below = " · ".join(filter(None, [row.signed, told]))
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
