"""A table of many rows of which only those that are seen are ever drawn: 100,000 cost no more than 30."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from spar_tui.widgets.row_list import RowList, T
from spar_tui.widgets.text import cut

Tone = Literal["plain", "strong", "quiet", "accent", "good", "trouble"]
_TONES: tuple[Tone, ...] = ("plain", "strong", "quiet", "accent", "good", "trouble")
_GAP = 1
_MARK = "◆"


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


class Table(RowList[T]):
    """Rows of `T` under `columns`, one of them under the cursor, some of them marked; a row is known by its `key`."""

    HEAD = 1
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "table--header", "table--cursor", "table--cursor-blurred", *(f"table--{tone}" for tone in _TONES),
    }  # fmt: skip
    DEFAULT_CSS = """
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

    def __init__(self, columns: Sequence[Column[T]], key: Callable[[T], Hashable], id: str) -> None:
        self._styles_drawn: dict[str, Style] = {}
        super().__init__(key, id)
        self._columns = columns

    def draw_head(self, line: int, width: int) -> Strip:
        style = self.rich_style + self._style("header")
        shown = [(Cell(column.title), cells) for column, cells in self._widths(width)]
        return self._strip("  ", style, [(text, style) for text in _aligned(shown)], width)

    def draw(self, place: int, line: int, width: int) -> Strip:
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


def _aligned(shown: Sequence[tuple[Cell, int]]) -> list[str]:
    """Each text in exactly its cells, wide characters counted as two, with the gap behind it."""
    texts = [cut(cell.text, cells) for cell, cells in shown]
    return [text + " " * (cells - cell_len(text) + _GAP) for text, (_, cells) in zip(texts, shown, strict=True)]
