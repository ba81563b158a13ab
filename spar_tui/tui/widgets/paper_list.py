"""The list of papers, each with its title and a line of facts, updated in place; the highlight stays on its paper."""

from collections.abc import Hashable, Iterator, Sequence, Set
from contextlib import contextmanager
from functools import lru_cache

from rich.cells import cell_len
from textual.content import Content
from textual.strip import Strip

from connectors.records.visible import visible
from spar_tui.math_text import unmarked
from spar_tui.phrases import NOT_READ, sentence
from spar_tui.screening import MARKS
from spar_tui.tui.models.search_rows import PaperRow
from spar_tui.tui.widgets.row_list import Look, RowList
from spar_tui.tui.widgets.text import QUIET, cut, plain

_BARS = " ▁▂▃▄▅▆▇█"
_INDENT = 8
_DOT = " · "
_DIGITS = 6
"""Columns for a number of citations, so that the text before it is aligned too."""
_OPEN = "○"
FACTS_HEAD = f"open{'cited':>{_DIGITS + 3}}"
"""The head of the numbers; the sign of open access is below the end of its word."""
_CUT = frozenset({"authors", "venue"})
MOST_LINES = 3
"""Most lines of a title; few titles need more where the list is as wide as beside other panes."""
_LEAST = 6
"""Columns that a name needs to be worth showing when cut, and a title to be continued on a second line."""


class PaperList(RowList[PaperRow]):
    """Papers to choose from. `touched` is True from the person's first move on, after which rows are not reordered."""

    LINES, HEAD, VARIED = 2, 1, True
    DEFAULT_CSS = "PaperList { scrollbar-gutter: stable; }"

    def __init__(self, id: str) -> None:
        super().__init__(lambda row: row.key, id)
        self.touched = False
        self._arranging = False
        self._most = MOST_LINES
        self.saved: Set[int] = frozenset()
        """The keys of the papers saved to the shelf."""

    @property
    def highlighted(self) -> int | None:
        """The index of the highlight; None in an empty list."""
        return self.place if self._rows else None

    def show(self, rows: Sequence[PaperRow], at: Hashable = None) -> None:
        """Show `rows`, with the highlight on the paper with the key `at` if the person has touched the list; else on
        the first."""
        index = self.place_of(at, rows) if self.touched and at is not None else None
        if index is None and [row.key for row in self._rows] == [row.key for row in rows[: len(self._rows)]]:
            index = self.place
        with self._own_doing():
            self.put(rows, index or 0)

    def show_saved(self, keys: Set[int]) -> None:
        """Show these papers as saved to the shelf, and no others."""
        changed, self.saved = self.saved ^ keys, frozenset(keys)
        if changed:
            self.measure_anew()
            self.screen.refresh_bindings()  # the footer shows what saving does

    def draw_head(self, line: int, width: int) -> Strip:
        """Return the names of the columns; an empty line if there are no rows."""
        score = " score" if any(row.scored for row in self._rows[:1]) else ""
        facts = FACTS_HEAD if any(not row.reason for row in self._rows[:1]) else ""
        return self.lines_of(plain(f"{score}{facts:>{max(width - len(score) - 1, 0)}}", QUIET), "row", width)[0]

    def height_of(self, row: PaperRow) -> int:
        return self.lines_above(row) + 1 + len(title_lines(row, self._width, row.key in self.saved, "", self._most))

    def lines_above(self, row: PaperRow) -> int:
        return int(bool(row.rule))

    def measure(self, rows: Sequence[PaperRow]) -> None:
        self._most = 1 if self.screen.has_class("-short") else MOST_LINES
        super().measure(rows)

    def highlight(self, key: int) -> None:
        """Move the highlight to the paper `key`, if it is shown."""
        index = self.place_of(key, self._rows)
        if index is not None:
            with self._own_doing():
                self.go_to(index)

    def go_to(self, index: int) -> None:
        """Move the highlight; a move that does not come from the list itself counts as the person's."""
        self.touched = self.touched or not self._arranging
        super().go_to(index)

    def action_select(self) -> None:
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
        rule_text = f"── {row.rule} "
        rule = plain(f"{cut(rule_text, width)}{'─' * max(width - cell_len(rule_text), 0)}", QUIET)
        above = self.lines_of(rule, "row", width) if row.rule else ()
        text = row_text(row, self._width, marked, row.key in self.saved, most=self._most)
        return [*above, *self.lines_of(text, look, width)]


def row_text(
    row: PaperRow, width: int, marked: bool = False, saved: bool = False, number: str = "", most: int = MOST_LINES
) -> Content:
    """Return a row in `width` columns: score, bar, `number` and title, on at most `most` lines; below them the facts,
    or a reason if the row has one."""
    strong = row.relevant or row.score is None
    style = "bold" if row.relevant else "" if strong else QUIET
    first, *more = title_lines(row, width, saved, number, most)
    indent = " " * _indent(row, number)
    room = max(width - len(indent) - 1, 0)  # numbers stay clear of the frame
    return Content.assemble(
        _score(row, marked), (number, QUIET), *_signs(row, saved), plain(first, style), "\n",
        *(part for line in more for part in (indent, plain(line, style), "\n")),
        indent, plain(facts_text(row, room), QUIET),
    )  # fmt: skip


def title_lines(row: PaperRow, width: int, saved: bool, number: str, most: int) -> Sequence[str]:
    """Return the title of a row in lines, at most `most`; only the last may be cut."""
    title, indent = visible(unmarked(row.title, row.retracted)), _indent(row, number)
    room = max(width - indent - sum(cell_len(text) for text, _ in _signs(row, saved)), 0)
    return _wrapped(title, room, width - indent, most) if room >= _LEAST else [cut(title, room)]


@lru_cache(maxsize=4_096)  # the rows of a running search are measured several times a second
def _wrapped(title: str, room: int, further: int, most: int) -> Sequence[str]:
    """Return `title` in at most `most` lines: the first of `room` cells, the `further` ones of as many."""
    lines: list[str] = []
    while len(lines) < most - 1 and cell_len(title) > room:
        lines.append(plain(title).wrap(room)[0].plain.rstrip())
        title, room = title.removeprefix(lines[-1]).lstrip(), further
    return [*lines, cut(title, room)]


def _indent(row: PaperRow, number: str) -> int:
    return (_INDENT if row.scored else 2) + len(number)


def _signs(row: PaperRow, saved: bool) -> list[tuple[str, str]]:
    """Return the signs before a title, each with its style."""
    rated = [("▲ ", "$success") if row.rated else ("▼ ", "$error")] if row.rated is not None else []
    return [
        *([(f"{MARKS[row.decided]} ", "bold")] if row.decided else []), *rated,
        *([("★ ", "$accent")] if saved else []), *([("RETRACTED ", "$error")] if row.retracted else []),
    ]  # fmt: skip


def facts_text(row: PaperRow, width: int) -> str:
    """Return authors, year and venue on the left; on the right, as in `FACTS_HEAD`, open access and the citation count.
    A reason, if any, replaces the venue and the numbers.

    If there is little room, cut and then drop the venue; then drop the sign of access, the authors, the citations, and
    last the year. A number is shown whole or not at all.
    """
    if row.reason:
        return cut(f"{row.byline} · {sentence(row.reason)}", width)
    shown: dict[str, str] = {}
    room = width
    for name, text in _by_importance(row):
        gap = len(_DOT) if shown else 0
        fits = cut(text, room - gap) if name in _CUT and room - gap >= _LEAST else text
        if text and cell_len(fits) + gap <= room:
            shown[name] = fits
            room -= cell_len(fits) + gap
    left = _DOT.join(shown[name] for name in ("authors", "year", "venue") if name in shown)
    right = (" " * len(_DOT)).join(shown[name] for name in ("access", "cited") if name in shown)
    return f"{left}{' ' * (width - cell_len(left) - cell_len(right))}{right}" if right else left


def _by_importance(row: PaperRow) -> Iterator[tuple[str, str]]:
    yield "year", visible(row.year)
    number = f"{row.cited:>{_DIGITS},}" if row.cited is not None else ""
    yield "cited", number or (" " * _DIGITS if row.open_access else "")
    yield "authors", visible(row.authors)
    yield "access", _OPEN if row.open_access else ""
    venue = visible(row.venue)
    unread = _DOT.join(filter(None, [NOT_READ, venue])) if row.unread else venue
    yield "venue", "not judged yet" if row.waiting else unread


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
