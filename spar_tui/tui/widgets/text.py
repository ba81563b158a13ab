"""Pieces of text for the screen: foreign words as they are, never as markup, cut by the cells that they take."""

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from connectors.records.visible import visible


class Line(Widget):
    """One line, as wide as there is room; or several where the style lets it grow."""

    DEFAULT_CSS = "Line { height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }"
    content: reactive[Content] = reactive(Content(""))

    def __init__(self, id: str, content: Content | None = None) -> None:
        super().__init__(id=id)
        self.show(content or Content(""))

    def show(self, content: Content) -> None:
        """Say `content`."""
        if not content.is_same(self.content):
            before, self.content = self.content, content
            if before.plain.count("\n") != content.plain.count("\n"):
                self.refresh(layout=True)

    def render(self) -> Content:
        return self.content


QUIET = "$foreground 70%"
"""For what stands beside; `$text-muted` would come out white inside a `Content`."""


def plain(text: str, style: str = "") -> Content:
    """`text` without anything that is not seen; brackets stay brackets."""
    return Content.styled(visible(text), style)


def cut(text: str, cells: int) -> str:
    """The visible part of `text` in at most `cells` columns; a cut ends in an ellipsis."""
    text = visible(text)
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1).rstrip() + "…" if cells > 0 else ""


def fitting(pieces: list[Content], width: int, gap: str = "   ") -> Content:
    """As many of `pieces` from the first on as fit into `width` columns, side by side."""
    shown: list[Content] = []
    room = width
    for piece in pieces:
        needed = piece.cell_length + (len(gap) if shown else 0)
        if needed > room:
            break
        shown.append(piece)
        room -= needed
    return Content(gap).join(shown)
