"""Ask why a paper is excluded: a digit chooses a reason, or the person types one."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.paper_prompt import Prompt
from spar_tui.tui.theme import Dialog
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import cut, plain

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

_WIDTH = 44
_ROOM = _WIDTH - 10


class ReasonScreen(Dialog[str | None]):
    """Returns the reason; None if cancelled."""

    DEFAULT_CSS = f"""
    ReasonScreen > Vertical {{ width: {_WIDTH}; padding: 0 2; }}
    ReasonScreen Static {{ height: auto; }}
    """
    BINDINGS = bindings("reason")
    app: "BaseApp"

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__()
        self.reasons = reasons

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content("Excluded because")
            yield Static(Content("\n").join(self._lines()))
        yield Footer()

    def _lines(self) -> Iterator[Content]:
        for digit, reason in enumerate(self.reasons, start=1):
            key = self.app.key_shown(f"reason.{digit}")
            yield Content.assemble((f"{key} ", "bold $accent"), plain(cut(reason, _ROOM)))

    def action_take(self, digit: int) -> None:
        """Choose the reason of this digit."""
        if digit <= len(self.reasons):
            self.dismiss(self.reasons[digit - 1])

    def action_write(self) -> None:
        """Ask for another reason; nothing happens without words."""
        self.app.push_screen(Prompt("Excluded because"), self._written)

    def _written(self, text: str | None) -> None:
        if reason := " ".join((text or "").split()):
            self.dismiss(reason)

    def action_close(self) -> None:
        """Cancel; the paper is not excluded."""
        self.dismiss(None)
