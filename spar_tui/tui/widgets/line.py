"""A line of text that is drawn anew only when it says something else."""

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget


class Line(Widget):
    """One line, as wide as there is room."""

    DEFAULT_CSS = "Line { height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }"
    content: reactive[Content] = reactive(Content(""))

    def __init__(self, id: str, content: Content | None = None) -> None:
        super().__init__(id=id)
        self.show(content or Content(""))

    def show(self, content: Content) -> None:
        """Say `content`."""
        if not content.is_same(self.content):
            self.content = content

    def render(self) -> Content:
        return self.content
