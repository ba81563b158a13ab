"""A table of many rows of which only those that are seen are ever drawn: 100,000 cost no more than 30."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import ClassVar, Generic, Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from spar_tui.tui.widgets.row_list import Look, RowList, T
from spar_tui.tui.widgets.text import cut

Tone = Literal["plain", "strong", "quiet", "accent", "good", "warned", "trouble"]
_TONES: tuple[Tone, ...] = ("plain", "strong", "quiet", "accent", "good", "warned", "trouble")
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
    .table--cursor { background: $block-cursor-background; color: $block-cursor-foreground;
                     text-style: $block-cursor-text-style; }
    .table--cursor-blurred { background: $block-cursor-blurred-background; color: $block-cursor-blurred-foreground;
                             text-style: $block-cursor-blurred-text-style; }
    .table--plain { color: $foreground; }
    .table--strong { color: $foreground; text-style: bold; }
    .table--quiet { color: $foreground 60%; }
    .table--accent { color: $accent; }
    .table--good { color: $success; }
    .table--warned { color: $warning; }
    .table--trouble { color: $error; }
    """

    def __init__(self, columns: Sequence[Column[T]], key: Callable[[T], Hashable], id: str) -> None:
        self._styles_drawn: dict[tuple[str, Look], Style] = {}
        super().__init__(key, id)
        self._columns = columns

    def draw_head(self, line: int, width: int) -> Strip:
        style = self._style("header")
        shown = [(Cell(column.title), cells) for column, cells in self._widths(width)]
        return _strip([("  ", style), *((text, style) for text in _aligned(shown))], width, style)

    def draw(self, row: T, marked: bool, look: Look, width: int) -> Sequence[Strip]:
        shown = [(column.cell(row), cells) for column, cells in self._widths(width)]
        mark = (f"{_MARK} " if marked else "  ", self._style("accent", look))
        texts = [(text, self._style(cell.tone, look)) for text, (cell, _) in zip(_aligned(shown), shown, strict=True)]
        return [_strip([mark, *texts], width, self._style("row", look))]

    def _style(self, name: str, look: Look = "row") -> Style:
        """The list's own style, with that of `name` on it, and on that the one of `look`."""
        if (name, look) not in self._styles_drawn:
            on_it = [f"table--{one}" for one in (name, look) if one != "row"]
            parts = [self.get_component_rich_style(one, partial=True) for one in on_it]
            self._styles_drawn[name, look] = sum(parts, self.rich_style)
        return self._styles_drawn[name, look]

    def notify_style_update(self) -> None:
        self._styles_drawn.clear()
        super().notify_style_update()

    def _widths(self, width: int) -> list[tuple[Column[T], int]]:
        """The columns that are shown in a table of `width` cells, and the cells of each."""
        shown = [column for column in self._columns if column.least <= width]
        taken = len(_MARK) + 1 + sum(column.width for column in shown) + _GAP * len(shown)
        return [(column, column.width or max(width - taken, 8)) for column in shown]


def _strip(pieces: Sequence[tuple[str, Style]], width: int, rest: Style) -> Strip:
    """`pieces` side by side, those of one style as one, in exactly `width` cells."""
    joined = [("".join(text for text, _ in same), style) for style, same in groupby(pieces, key=itemgetter(1))]
    return Strip([Segment(text, style) for text, style in joined]).adjust_cell_length(width, rest)


def _aligned(shown: Sequence[tuple[Cell, int]]) -> list[str]:
    """Each text in exactly its cells, wide characters counted as two, with the gap behind it."""
    texts = [cut(cell.text, cells) for cell, cells in shown]
    return [text + " " * (cells - cell_len(text) + _GAP) for text, (_, cells) in zip(texts, shown, strict=True)]
