"""The settings, each with its meaning; a change is in config.toml at once, as by `spar config set`."""

from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import DescendantBlur
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Select, Static

from spar_tui.settings import Preferences, choices_of
from spar_tui.tui.commands import bindings
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import QUIET, plain

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp


class SettingLine(OneLine):
    """A setting that is typed."""

    BINDINGS = bindings("setting")


class SettingsScreen(ModalScreen[None]):
    """A form made from `Preferences`: a choice or a line for each."""

    DEFAULT_CSS = """
    SettingsScreen { align: center middle; background: $background 60%; }
    #settings { width: 92; max-width: 100%; height: 90%; border: round $border; padding: 1 1; background: $background;
                scrollbar-size-vertical: 1; border-subtitle-color: $foreground 60%; }
    SettingsScreen .setting { height: auto; margin: 0 0 1 0; padding: 0 1 0 0; border-left: blank; }
    SettingsScreen .setting:focus-within { background: $panel; border-left: outer $accent; }
    SettingsScreen .setting > * { height: auto; background: $background; }
    SettingsScreen .setting:focus-within > *, SettingsScreen SettingLine { background: $panel; }
    SettingsScreen .problem { color: $error; display: none; }
    SettingsScreen.-short #settings { height: 100%; padding: 0; }
    """
    BINDINGS = bindings("settings", "dialog")
    AUTO_FOCUS = ""
    app: "BaseApp"

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="settings") as box:
            box.can_focus = False
            box.border_title = Content("Settings")
            box.border_subtitle = plain(str(self.app.settings.places.config))
            for warning in self.app.settings.warnings:
                yield Static(plain(f"{warning}\n", "$warning"))
            for one in fields(Preferences):
                with Vertical(classes="setting"):
                    yield Static(Content.assemble((one.name, "bold"), "\n", (one.metadata["says"], QUIET)))
                    yield from self._field(one.name)
                    yield Static(Content(""), id=f"{one.name}-problem", classes="problem")
        yield Footer()

    def _field(self, name: str) -> Iterator[Widget]:
        value = getattr(self.app.settings.preferences, name)
        # Words, where a switch would show its state by colour and side alone.
        choices = ("true", "false") if isinstance(value, bool) else choices_of(name)
        if choices:
            shown = [({"true": "yes", "false": "no"}.get(one, one), one) for one in choices]
            yield Select(shown, value=_written(value), allow_blank=False, id=name, compact=True)
        else:
            yield SettingLine(_written(value), id=name, compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        for line in self.query(Input):
            line.cursor_blink = False
        self.focus_next()

    def on_select_changed(self, event: Select.Changed) -> None:
        self._keep(event.select.id, str(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self._keep(event.input.id, event.value):
            self.focus_next()

    def on_descendant_blur(self, event: DescendantBlur) -> None:
        """A line that is left is kept as if Enter had been pressed."""
        if isinstance(event.widget, SettingLine):
            self._keep(event.widget.id, event.widget.value)

    def _keep(self, name: str | None, written: str) -> bool:
        """Write the setting if it is another than before; whether it is now what was written."""
        if name is None or written == _written(getattr(self.app.settings.preferences, name)):
            self._tell(name, None)
            return True
        problem = self.app.change_setting(name, written)
        self._tell(name, problem)
        return problem is None

    def _tell(self, name: str | None, problem: str | None) -> None:
        line = self.query_one(f"#{name}-problem", Static)
        line.update(plain(problem or ""))
        line.display = problem is not None

    def action_close(self) -> None:
        """Back to what was there; a line that was not left yet is kept first."""
        focused = self.focused
        if isinstance(focused, SettingLine) and not self._keep(focused.id, focused.value):
            self.app.say(f"{focused.id} stays as it was.", "warning")
        self.dismiss()

    def action_move(self, steps: int) -> None:
        """To the next setting, or the one before."""
        self.focus_next() if steps > 0 else self.focus_previous()


def _written(value: object) -> str:
    """A setting as it is typed."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
