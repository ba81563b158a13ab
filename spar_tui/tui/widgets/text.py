"""Texts for the screen: external text without markup, cut by the cells that it takes."""

from collections.abc import Callable

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from connectors.records.visible import visible


class Line(Widget):
    """One line as wide as its container, or several if the style allows. Its height is computed from its content at
    that width, since Textual does not lay out a screen behind a dialog again."""

    DEFAULT_CSS = "Line { height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }"

    def __init__(self, id: str, content: Content | None = None) -> None:
        super().__init__(id=id)
        self.content = content or Content("")
        self._fit: Callable[[int], Content] = lambda width: self.content

    def show(self, content: Content | Callable[[int], Content]) -> None:
        """Show `content`, which may depend on the number of columns."""
        self._fit = (lambda width: content) if isinstance(content, Content) else content
        before, self.content = self.content, self._fit(self.size.width)
        if not self.content.is_same(before):
            self.refresh(layout=before.plain.count("\n") != self.content.plain.count("\n"))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._fit(width).plain.count("\n") + 1

    def render(self) -> Content:
        self.content = self._fit(self.size.width)
        return self.content


QUIET = "$foreground 70%"
"""The style of secondary text; `$text-muted` would be white inside a `Content`."""


def plain(text: str, style: str = "") -> Content:
    """Return `text` without invisible characters; brackets are not markup."""
    return Content.styled(visible(text), style)


def cut(text: str, cells: int) -> str:
    """Return the visible part of `text` in at most `cells` columns; a cut text ends in an ellipsis."""
    text = visible(text)
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1).rstrip() + "…" if cells > 0 else ""


def fitting(pieces: list[Content], width: int, gap: str = "   ") -> Content:
    """Return as many of the first `pieces` as fit into `width` columns, side by side."""
    shown: list[Content] = []
    room = width
    for piece in pieces:
        needed = piece.cell_length + (len(gap) if shown else 0)
        if needed > room:
            break
        shown.append(piece)
        room -= needed
    return Content(gap).join(shown)
