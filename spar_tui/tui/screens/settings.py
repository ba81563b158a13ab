"""The settings and what they mean; a change is saved in config.toml at once, as by `spar config set`. Below them are
the sources and the model, each with its key and a test."""

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer, Vertical, VerticalScroll
from textual.content import Content
from textual.events import DescendantBlur
from textual.widget import Widget
from textual.widgets import Select, Static

from connectors.registry import SOURCES
from spar_tui.health.sources import Outcome, key_status, model_key_status
from spar_tui.phrases import sentence
from spar_tui.settings import Preferences, Settings, choices_of
from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.dialog import Choice, Dialog
from spar_tui.tui.widgets.entry.ask_box import AskBox
from spar_tui.tui.widgets.text import QUIET, plain

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp


class SettingLine(AskBox):
    """The input for a setting, which shows a long value whole."""

    BINDINGS = bindings("one setting")

    def __init__(self, text: str, id: str) -> None:
        super().__init__(text, id=id, compact=True)
        self.placeholder = ""


class SettingsLine(Static, can_focus=True):
    """A line of the settings that keys act on."""

    DEFAULT_CSS = """
    SettingsLine { height: auto; padding: 0 1; margin: 0 0 1 0; border-left: blank; }
    SettingsLine:focus { background: $panel; border-left: outer $accent; }
    """


class KeysLine(SettingsLine):
    """The line that opens the list of keys."""

    BINDINGS = bindings("keys, in the settings")


class ServiceLine(SettingsLine):
    """The key of a source, or of the model for None, and the result of its test."""

    BINDINGS = bindings("a source or the model, in the settings")
    app: "BaseApp"

    def __init__(self, source: str | None) -> None:
        super().__init__(Content(""))
        self.source = source

    def on_mount(self) -> None:
        self.tell(Content(""))

    def tell(self, outcome: Content) -> None:
        """Show the present status of the key, and below it the `outcome` of a test."""
        name, status = (self.source, self._source()) if self.source else ("model", self._model())
        lines = [Content.assemble((name, "bold"), "  ", plain(status, QUIET)), *([outcome] if outcome.plain else [])]
        self.update(Content("\n").join(lines))

    def _source(self) -> str:
        return key_status(SOURCES[self.source or ""], self.app.settings)

    def _model(self) -> str:
        model = self.app.settings.model
        which = f"{model.known_name or 'the model'} at {model.host}. " if model else ""
        return f"{which}{model_key_status(self.app.settings)}"

    @work(exclusive=True)
    async def action_test(self) -> None:
        settings = self.app.settings
        self.tell(plain("  asking…", QUIET))
        outcome = await _tried(settings, self.source)
        if settings is self.app.settings:
            self.tell(_outcome_text(outcome))


async def _tried(settings: Settings, source: str | None) -> Outcome:
    offline = settings.preferences.offline
    if source is None:
        from spar_tui.health.model import try_model

        return await try_model(settings.model, offline)
    if offline:
        return Outcome("note", "not asked: spar is offline (settings).")
    from spar_tui.health.sources import tried

    return (await tried(settings, [source]))[source]


def _outcome_text(outcome: Outcome) -> Content:
    """Return the result of a test: a word or a sentence."""
    if outcome.seconds is not None:
        return plain(f"  ✔ answered in {outcome.seconds:.1f} s", "$success")
    return plain(f"  ✘ {outcome.sentence}", "$error") if outcome.state == "problem" else plain(f"  {outcome.sentence}")


class SettingsForm(VerticalScroll, inherit_bindings=False, can_focus=False):
    """The form, which leaves the arrows to the dialog: they go from setting to setting."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding for binding in ScrollableContainer.BINDINGS if isinstance(binding, Binding) and "page" in binding.key
    ]


class SettingsScreen(Dialog[None]):
    """A form for `Preferences`: a choice or an input for each."""

    DEFAULT_CSS = """
    #settings { width: 92; height: 90%; padding: 1 1; }
    SettingsScreen .setting { height: auto; margin: 0 0 1 0; padding: 0 1 0 0; border-left: blank; }
    SettingsScreen .setting:focus-within { background: $panel; border-left: outer $accent; }
    SettingsScreen .setting > * { height: auto; background: transparent; }
    SettingsScreen SettingLine, SettingsScreen SettingLine:focus { padding: 0; background: transparent; }
    SettingsScreen .problem { color: $error; display: none; }
    SettingsScreen.-short #settings { height: 100%; padding: 0; }
    """
    BINDINGS = bindings("the settings", "dialogs")
    AUTO_FOCUS = ""
    app: "BaseApp"
    heading = "Settings"

    def box(self) -> Widget:
        self.hint = str(self.app.settings.places.config)
        return SettingsForm(id="settings")

    def parts(self) -> Iterator[Widget]:
        for warning in self.app.settings.warnings:
            yield Static(plain(f"{warning}\n", "$warning"))
        for field in fields(Preferences):
            with Vertical(classes="setting"):
                label, rest = _label(field.name)
                yield Static(Content.assemble((label, "bold"), rest))
                yield from self._field(field.name)
                yield Static(Content(""), id=f"{field.name}-problem", classes="problem")
        yield KeysLine(Content.assemble(("Keys", "bold"), "\n", ("change keys with enter", QUIET)))
        yield Static(Content.assemble(("Sources and model", "bold $primary"), "\n"))
        for name in (*SOURCES, None):
            yield ServiceLine(name)

    def _field(self, name: str) -> Iterator[Widget]:
        value = getattr(self.app.settings.preferences, name)
        # Words, because a switch would show its state only by color and side.
        choices = ("true", "false") if isinstance(value, bool) else choices_of(name)
        if choices:
            shown = [({"true": "yes", "false": "no"}.get(choice, choice), choice) for choice in choices]
            yield Choice(shown, _written(value), name)
        else:
            yield SettingLine(_written(value), name)

    def on_mount(self) -> None:
        self.focus_next()

    def on_select_changed(self, event: Select.Changed) -> None:
        self._keep(event.select.id, str(event.value))

    def on_ask_box_submitted(self) -> None:
        if isinstance(line := self.focused, SettingLine) and self._keep(line.id, line.value):
            self.focus_next()

    def on_descendant_blur(self, event: DescendantBlur) -> None:
        """Save a setting when its input loses the focus, as on Enter."""
        if isinstance(event.widget, SettingLine):
            self._keep(event.widget.id, event.widget.value)

    def _keep(self, name: str | None, written: str) -> bool:
        """Save the setting if it has changed. Return False if its text is invalid."""
        if name is None or written == _written(getattr(self.app.settings.preferences, name)):
            self._tell(name, None)
            return True
        problem = self.app.change_setting(name, written)
        self._tell(name, problem)
        if problem is None:
            for line in self.query(ServiceLine):  # the tests were made with other settings
                line.tell(Content(""))
        return problem is None

    def _tell(self, name: str | None, problem: str | None) -> None:
        line = self.query_one(f"#{name}-problem", Static)
        line.update(plain(problem or ""))
        line.display = problem is not None

    def action_test_all(self) -> None:
        """Test all of them at the same time."""
        for line in self.query(ServiceLine):
            line.action_test()
        self.query_one("#settings").scroll_end(animate=False)

    def action_close(self) -> None:
        focused = self.focused
        if isinstance(focused, SettingLine) and not self._keep(focused.id, focused.value):
            self.app.say(f"{_label(focused.id or '')[0]}: this value is invalid; nothing was changed.", "warning")
        self.dismiss()


def _label(setting: str) -> tuple[str, str]:
    """Return the first clause of the explanation of a setting, and the rest."""
    explanation = Preferences.__dataclass_fields__[setting].metadata["says"]
    label = re.split(r"[;:] | \(", explanation, maxsplit=1)[0]
    return sentence(label), explanation.removeprefix(label)


def _written(value: object) -> str:
    """Return a setting as the person would type it."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
