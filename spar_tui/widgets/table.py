"""A table of many rows of which only those that are seen are ever drawn: 100,000 cost no more than 30."""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from spar_tui.commands import bindings
from spar_tui.widgets.text import cut

Tone = Literal["plain", "strong", "quiet", "accent", "good", "trouble"]
_TONES: tuple[Tone, ...] = ("plain", "strong", "quiet", "accent", "good", "trouble")
_GAP = 1
_MARK = "◆"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a row under a column; any text, which is cleaned and cut when it is drawn."""

    text: str
    tone: Tone = "quiet"


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """A column of `width` cells, or of all that is left for 0; left out where the table is narrower than `least`."""

    title: str
    width: int
    cell: Callable[[T], Cell]
    least: int = 0


class Table(ScrollView, Generic[T], can_focus=True, inherit_bindings=False):
    """Rows of `T` under `columns`, one of them under the cursor, some of them marked; a row is known by its `key`."""

    BINDINGS = bindings("lists")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "table--header", "table--cursor", "table--cursor-blurred", *(f"table--{tone}" for tone in _TONES),
    }  # fmt: skip
    DEFAULT_CSS = """
    Table { height: 1fr; min-width: 20; background: $background; color: $foreground; scrollbar-size-vertical: 1;
            overflow-x: hidden; overflow-y: auto; }
    Table:focus { background-tint: transparent; }
    .table--header { color: $primary; text-style: bold; }
    .table--cursor { background: $block-cursor-background; color: $block-cursor-foreground; }
    .table--cursor-blurred { background: $block-cursor-blurred-background; color: $block-cursor-blurred-foreground; }
    .table--plain { color: $foreground; }
    .table--strong { color: $foreground; text-style: bold; }
    .table--quiet { color: $foreground 60%; }
    .table--accent { color: $accent; }
    .table--good { color: $success; }
    .table--trouble { color: $error; }
    """

    class Highlighted(Message):
        """The cursor is on another row."""

        def __init__(self, table: "Table[Any]", row: Any) -> None:
            super().__init__()
            self.table, self.row = table, row

        @property
        def control(self) -> "Table[Any]":
            return self.table

    class Selected(Highlighted):
        """A row was chosen with Enter or a click."""

    def __init__(self, columns: Sequence[Column[T]], key: Callable[[T], Hashable], id: str) -> None:
        self._styles_drawn: dict[str, Style] = {}
        super().__init__(id=id)
        self._columns, self._key = columns, key
        self._rows: Sequence[T] = ()
        self._marked: Collection[Hashable] = ()
        self._told: Hashable = None
        self.place = 0
        """The row under the cursor, from 0."""

    @property
    def rows(self) -> Sequence[T]:
        return self._rows

    @property
    def row(self) -> T | None:
        """The row under the cursor."""
        return self._rows[self.place] if self.place < len(self._rows) else None

    def show(self, rows: Sequence[T], at: Hashable = None) -> None:
        """Show `rows`; the cursor goes to the row whose key is `at`, else stays on its row if that is still there."""
        wanted = at if at is not None else self._key(self.row) if self.row is not None else None
        self._rows = rows
        found = next((place for place, row in enumerate(rows) if self._key(row) == wanted), None)
        self.virtual_size = Size(0, len(rows) + 1)
        self.place = found if found is not None else min(self.place, max(len(rows) - 1, 0)) if at is None else 0
        self._moved()
        self.refresh()

    def mark(self, keys: Collection[Hashable]) -> None:
        """Show the rows of these keys as marked."""
        self._marked = keys
        self.refresh()

    def go_to(self, place: int) -> None:
        """Put the cursor on row `place`, or on the nearest there is."""
        before, self.place = self.place, max(0, min(place, len(self._rows) - 1))
        self._moved()
        self.refresh(self.row_region(before), self.row_region(self.place))

    def _moved(self) -> None:
        """Bring the cursor's row into sight, and tell of it if it is another paper's."""
        top, seen = self.scroll_offset.y, self._seen
        if self.place < top:
            self.scroll_to(y=self.place, animate=False, force=True)
        elif self.place >= top + seen:
            self.scroll_to(y=self.place - seen + 1, animate=False, force=True)
        now = self._key(self.row) if self.row is not None else None
        if self.row is not None and now != self._told:
            self.post_message(self.Highlighted(self, self.row))
        self._told = now

    @property
    def _seen(self) -> int:
        """How many rows are seen at once."""
        return max(self.scrollable_content_region.height - 1, 1)

    def on_resize(self) -> None:
        self._moved()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: Click) -> None:
        place = self.scroll_offset.y + event.get_content_offset_capture(self).y - 1
        if 0 <= place < len(self._rows) and event.get_content_offset_capture(self).y > 0:
            again = place == self.place
            self.go_to(place)
            if again:
                self.action_select()

    def action_cursor_down(self) -> None:
        """The next row."""
        self.go_to(self.place + 1)

    def action_cursor_up(self) -> None:
        """The row before."""
        self.go_to(self.place - 1)

    def action_first(self) -> None:
        """The first row."""
        self.go_to(0)

    def action_last(self) -> None:
        """The last row."""
        self.go_to(len(self._rows) - 1)

    def action_page_down(self) -> None:
        """As many rows down as are seen."""
        self.go_to(self.place + self._seen - 1)

    def action_page_up(self) -> None:
        """As many rows up as are seen."""
        self.go_to(self.place - self._seen + 1)

    def action_select(self) -> None:
        """Choose the row under the cursor."""
        if self.row is not None:
            self.post_message(self.Selected(self, self.row))

    # Drawing

    def render_line(self, y: int) -> Strip:
        """A line of what is seen; the first is the header, and stays."""
        width = self.scrollable_content_region.width
        if y == 0:
            return self._header(width)
        place = self.scroll_offset.y + y - 1
        if place >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        return self._line(place, width)

    def _header(self, width: int) -> Strip:
        style = self.rich_style + self._style("header")
        shown = [(Cell(column.title), cells) for column, cells in self._widths(width)]
        return self._strip("  ", style, [(text, style) for text in _aligned(shown)], width)

    def _line(self, place: int, width: int) -> Strip:
        row = self._rows[place]
        base = self.rich_style
        cursor = self._style("cursor" if self.has_focus else "cursor-blurred") if place == self.place else Style()
        shown = [(column.cell(row), cells) for column, cells in self._widths(width)]
        styles = [base + self._style(cell.tone) + cursor for cell, _ in shown]
        mark = f"{_MARK} " if self._key(row) in self._marked else "  "
        pieces = list(zip(_aligned(shown), styles, strict=True))
        return self._strip(mark, base + self._style("accent") + cursor, pieces, width, base + cursor)

    def _strip(
        self, mark: str, mark_style: Style, pieces: Sequence[tuple[str, Style]], width: int, rest: Style | None = None
    ) -> Strip:
        segments = [Segment(mark, mark_style), *(Segment(text, style) for text, style in pieces)]
        return Strip(segments).adjust_cell_length(width, rest or mark_style)

    def _style(self, name: str) -> Style:
        if name not in self._styles_drawn:
            self._styles_drawn[name] = self.get_component_rich_style(f"table--{name}", partial=True)
        return self._styles_drawn[name]

    def notify_style_update(self) -> None:
        self._styles_drawn.clear()
        super().notify_style_update()

    def _widths(self, width: int) -> list[tuple[Column[T], int]]:
        """The columns that are shown in a table of `width` cells, and the cells of each."""
        shown = [column for column in self._columns if column.least <= width]
        taken = len(_MARK) + 1 + sum(column.width for column in shown) + _GAP * len(shown)
        return [(column, column.width or max(width - taken, 8)) for column in shown]

    def row_region(self, place: int) -> Region:
        """Where row `place` is drawn within the table."""
        y = place - self.scroll_offset.y + 1
        return Region(0, y, self.scrollable_content_region.width, 1) if y > 0 else Region()


def _aligned(shown: Sequence[tuple[Cell, int]]) -> list[str]:
    """Each text in exactly its cells, wide characters counted as two, with the gap behind it."""
    texts = [cut(cell.text, cells) for cell, cells in shown]
    return [text + " " * (cells - cell_len(text) + _GAP) for text, (_, cells) in zip(texts, shown, strict=True)]
