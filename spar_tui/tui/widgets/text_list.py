"""A list of texts that wrap; only visible rows are drawn."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence

from textual.content import Content
from textual.strip import Strip

from spar_tui.tui.widgets.row_list import Look, RowList, T


class TextList(RowList[T]):
    """Rows as high as their text, which keys scroll if it is higher than the list."""

    VARIED = True
    DEFAULT_CSS = "TextList { scrollbar-gutter: stable; }"

    def __init__(self, key: Callable[[T], Hashable], id: str) -> None:
        super().__init__(key, id)
        self._wrapped: dict[Hashable, tuple[T, Content]] = {}
        self._width = 0

    @abstractmethod
    def wrapped(self, row: T, width: int) -> Content:
        """Return the text of a row, in lines of at most `width` cells."""

    def text_of(self, row: T) -> Content:
        """Return the text of a row at the present width."""
        wrapped = self._wrapped.get(key := self._key(row))
        if wrapped is None or wrapped[0] != row:
            wrapped = self._wrapped[key] = row, self.wrapped(row, max(self._width, 8))
        return wrapped[1]

    def height_of(self, row: T) -> int:
        return self.text_of(row).plain.count("\n") + 1

    def wrap_anew(self) -> None:
        """Wrap all texts again, since they or the width have changed."""
        self._wrapped.clear()
        self._drawn.clear()
        self.put(self._rows, self.place)
        self.refresh()

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._width:
            self._width = self.scrollable_content_region.width
            self.wrap_anew()
        super().on_resize()

    def action_cursor_down(self) -> None:
        """Scroll down in a row that is higher than the list, else go to the next row."""
        if self.top_of(self.place + 1) > self.scroll_offset.y + self._room:
            self.scroll_lines(1)
        else:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """Scroll up in a row that is higher than the list, else go to the previous row."""
        if self.top_of(self.place) < self.scroll_offset.y:
            self.scroll_lines(-1)
        else:
            super().action_cursor_up()

    def action_page_down(self) -> None:
        self._turn_page(self._room - 1)

    def action_page_up(self) -> None:
        self._turn_page(1 - self._room)

    def _turn_page(self, lines: int) -> None:
        target = self.place_at(max(self.top_of(self.place) + lines, 0))
        if target == self.place and 0 < self.top_of(target) < self.top_of(len(self._rows) - 1):
            self.scroll_lines(lines)
        else:
            self.go_to(target)

    def scroll_lines(self, lines: int) -> None:
        """Scroll by `lines`."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True, immediate=True)

    def draw(self, row: T, marked: bool, look: Look, width: int) -> Sequence[Strip]:
        return self.lines_of(self.text_of(row), look, width)


def indented(text: Content, indent: str, width: int) -> Content:
    """Return `text` wrapped to `width` cells, each line after `indent`."""
    lines = [line for part in text.split(allow_blank=True) for line in part.wrap(max(width - len(indent), 1)) or [part]]
    return Content("\n").join(Content.assemble(indent, line) for line in lines)
