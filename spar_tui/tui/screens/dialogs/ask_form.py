"""Ask a question from anywhere: an input, and the options of the search below it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on
from textual.containers import ItemGrid
from textual.widget import Widget
from textual.widgets import Static

from spar_tui.settings import Settings
from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.dialog import Dialog
from spar_tui.tui.widgets.entry.ask_box import AskBox
from spar_tui.tui.widgets.entry.ask_chips import Chip, chosen_options, dates_chip, depth_chip, told_sources
from spar_tui.tui.widgets.text import QUIET, plain

if TYPE_CHECKING:
    from agents.search.options import SearchOptions
    from spar_tui.tui.research_app import ResearchApp


class AnewLine(AskBox):
    """The input for the question."""

    BINDINGS = bindings("ask dialog: question")


class AskForm(Dialog[None]):
    """Asks with exactly the options shown when Enter is pressed; calls `asked` if the search has begun."""

    DEFAULT_CSS = """
    AskForm > Vertical { width: 92; padding: 1 2; overflow-y: auto; }
    AskForm Static { height: auto; }
    AskForm AnewLine { background: $panel; margin: 0 0 1 0; }
    AskForm .chips { height: auto; grid-gutter: 0 1; }
    AskForm #told { margin: 1 0 0 0; }
    AskForm.-short > Vertical { padding: 0 1; }
    AskForm.-short AnewLine, AskForm.-short #told { margin: 0; }
    """
    BINDINGS = bindings("dialogs")
    AUTO_FOCUS = "AnewLine"
    heading, hint = "New question", "tab next field"
    app: "ResearchApp"

    def __init__(self, begun: str = "", on_ask: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self.begun, self.asked = begun, on_ask

    def parts(self) -> Iterator[Widget]:
        yield AnewLine(self.begun, compact=True)
        with ItemGrid(min_column_width=30, classes="chips"):
            yield depth_chip(self.app.settings)
            yield dates_chip()
            if model := asked_model(self.app.settings):
                yield Chip("", [(True, f"asks {model}"), (False, "no model")], True, "model")
        with ItemGrid(min_column_width=22, classes="chips"):
            for name in self.app.settings.open_sources:
                yield Chip("", [(True, f"✔ {name}"), (False, f"✘ {name}")], True, f"source-{name}")
        yield Static(id="told")

    def on_mount(self) -> None:
        self._tell()

    @on(Chip.Changed)
    def _tell(self) -> None:
        """Show which sources the question would go to."""
        self.query_one("#told", Static).update(plain(told_sources(self.app.settings, self._sources()), QUIET))

    def _sources(self) -> tuple[str, ...] | None:
        """Return the ticked sources; None if all are, so that the search chooses those that suit the question."""
        offered = self.app.settings.open_sources
        chosen = tuple(name for name in offered if self.query_one(f"#source-{name}", Chip).value)
        return None if chosen == offered else chosen

    def on_text_area_changed(self) -> None:
        self.app.expect_question()

    def on_ask_box_submitted(self) -> None:
        self.action_ask()

    def action_ask(self) -> None:
        question = self.query_one(AnewLine).value
        if not question:
            self.app.say("Type a question first.", "warning")
            self.set_focus(self.query_one(AnewLine))
            return
        options = self._options()
        self.dismiss()
        self.app.ask_among_searches(question, options, self.asked)

    def _options(self) -> "SearchOptions":
        asks_model = not self.query("#model") or bool(self.query_one("#model", Chip).value)
        return replace(chosen_options(self, self.app.settings, self._sources()), model=asks_model)


def asked_model(settings: Settings) -> str:
    """Return the name of the model that a search would use; "" without one."""
    model = settings.model
    if model is None or (settings.preferences.offline and not model.on_this_machine):
        return ""
    return model.known_name or "the model"
