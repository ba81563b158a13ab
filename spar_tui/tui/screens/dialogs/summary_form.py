"""Ask for the size of a summary before it begins; Enter accepts the defaults."""

from collections.abc import Iterator
from dataclasses import fields

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from spar_tui.errors import UsageError
from spar_tui.reports.summary_size import BOUNDS, Size, size_of
from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.dialog import Dialog
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.text import QUIET, plain

_SAYS = {"depth": "levels of facets", "branch": "facets of each", "words": "words, about"}


class SizeLine(OneLine):
    """An input for a number."""

    BINDINGS = bindings("the size of a summary")


class SummaryForm(Dialog[Size | None]):
    """Returns the size of a summary of `topic`, or None. Invalid numbers are reported in the form, which stays open."""

    DEFAULT_CSS = """
    SummaryForm > Vertical { width: 64; padding: 1 2; }
    SummaryForm Static { height: auto; }
    SummaryForm #topic { margin: 0 0 1 0; max-height: 3; }
    SummaryForm Horizontal { height: 1; }
    SummaryForm Horizontal > Static { width: 20; color: $foreground 70%; }
    SummaryForm Input { width: 10; background: $panel; }
    SummaryForm Horizontal > .bounds { width: 1fr; padding: 0 0 0 2; }
    SummaryForm #problem { color: $error; display: none; margin: 1 0 0 0; }
    SummaryForm.-short > Vertical { padding: 0 1; }
    """
    BINDINGS = bindings("dialogs")
    AUTO_FOCUS = "SizeLine"
    heading, hint = "Summary", "tab next field"

    def __init__(self, topic: str) -> None:
        super().__init__()
        self.topic = topic

    def parts(self) -> Iterator[Widget]:
        yield Static(plain(self.topic, "bold"), id="topic")
        for name in (field.name for field in fields(Size)):
            least, most = BOUNDS[name]
            with Horizontal():
                yield Static(Content(_SAYS[name]))
                yield SizeLine(str(getattr(Size(), name)), id=name, compact=True)
                yield Static(plain(f"{least:,} to {most:,}", QUIET), classes="bounds")
        yield Static(Content(""), id="problem")

    def on_input_submitted(self) -> None:
        written = {line.id or "": line.value for line in self.query(SizeLine)}
        try:
            self.dismiss(size_of(**written))
        except UsageError as error:
            problem = self.query_one("#problem", Static)
            problem.update(plain(str(error)))
            problem.display = True
