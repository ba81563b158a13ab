"""Every command with its keys, which the person can change by pressing others."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from spar_tui.tui.commands import COMMANDS, Command, bindings, command_named, context_title
from spar_tui.tui.theme import Dialog, Reversing
from spar_tui.tui.widgets.filter_line import FilteredScreen, WordsLine
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import QUIET, cut, plain

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

_KEYS = 21
"""Columns for the keys."""


class KeyPress(Dialog[str | None]):
    """Returns the name of the pressed key; None for Escape, which cancels."""

    DEFAULT_CSS = """
    KeyPress > Static { width: 60; max-width: 100%; height: auto; border: round $border; padding: 1 2;
                        background: $background; }
    """

    def __init__(self, command: Command, more: bool) -> None:
        super().__init__()
        self.command, self.more = command, more

    def compose(self) -> ComposeResult:
        which = "one more key" if self.more else "the key"
        yield Static(
            Content.assemble(
                f"Press {which} for: ", (self.command.title, "bold"), "\n", (self.command.help, QUIET), "\n\n",
                ("esc cancel", QUIET),
            )
        )  # fmt: skip

    def on_key(self, event: Key) -> None:
        if not self.is_current:
            return  # the key before closed it, so the app sends this one to the screen below
        event.stop()
        event.prevent_default()
        self.dismiss(None if event.key == "escape" else event.key)


class KeyList(Reversing, OptionList, inherit_bindings=False):
    """The commands."""

    BINDINGS = bindings("key choice", "lists")


class KeyChoice(Dialog[None], FilteredScreen):
    """The list of keys; a change that is impossible is explained below the list, and not saved."""

    DEFAULT_CSS = """
    KeyChoice > Vertical { width: 92; height: 90%; }
    KeyChoice OptionList { border: none; height: 1fr; min-width: 20; background: $background; padding: 0 1;
                           text-wrap: nowrap; text-overflow: ellipsis; scrollbar-size-vertical: 1; }
    KeyChoice OptionList:focus { border: none; background-tint: transparent; }
    KeyChoice #told { height: auto; padding: 0 1; }
    KeyChoice.-short > Vertical { height: 100%; }
    """
    BINDINGS = bindings("keys", "dialog")
    AUTO_FOCUS = "KeyList"
    app: "BaseApp"

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content("Keys")
            box.border_subtitle = plain(str(self.app.settings.places.config))
            yield KeyList(markup=False)
            yield Static(plain("A change applies at once and is saved in the file.", QUIET), id="told")
            yield WordsLine("words or a key")
        yield Footer()

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        """Show the commands that match the words; the highlight stays on its command."""
        listed = self.query_one(KeyList)
        at = listed.highlighted_option
        options = list(self._options(self.query_one(WordsLine).value.casefold().split()))
        listed.set_options(options)
        indexes = {option.id: index for index, option in enumerate(options) if option.id is not None}
        first = min(indexes.values(), default=None)
        listed.highlighted = indexes.get(at.id, first) if at and at.id else first

    def _options(self, words: list[str]) -> Iterator[Option]:
        for context, commands in COMMANDS.items():
            title = context_title(context)
            shown = [command for command in commands if command.keys and self._has(command, title, words)]
            if shown:
                yield Option(Content.styled(title, "bold $primary"), disabled=True)
            yield from (Option(self._line(command), id=command.id) for command in shown)

    def _has(self, command: Command, context: str, words: list[str]) -> bool:
        text = f"{self._keys(command)} {command.title} {command.help} {context}".casefold()
        return all(word in text for word in words)

    def _keys(self, command: Command) -> str:
        return " ".join(self.app.keys_shown(command.id))

    def _line(self, command: Command) -> Content:
        changed = "" if self.app.command_keys.keys[command.id] == command.keys else "  (changed)"
        keys = cut(self._keys(command), _KEYS - 1)
        return Content.assemble((f"{keys:<{_KEYS}}", "$key"), plain(command.help, QUIET), changed)

    @property
    def _command(self) -> Command | None:
        option = self.query_one(KeyList).highlighted_option
        return command_named(option.id) if option and option.id else None

    async def action_change(self, more: bool) -> None:
        command = self._command
        if command is None:
            return

        def pressed(key: str | None) -> None:
            if key is not None:
                before = self.app.command_keys.keys[command.id] if more else ()
                self._give(command, tuple(dict.fromkeys((*before, key))))

        await self.app.push_screen(KeyPress(command, more), pressed)

    def action_own(self) -> None:
        if command := self._command:
            self._give(command, ())

    def _give(self, command: Command, keys: tuple[str, ...]) -> None:
        problem = self.app.change_keys(command.id, keys)
        sentence = f"Not changed. {problem}" if problem else f"{command.title}: {self._keys(command)}, from now on."
        self.query_one("#told", Static).update(plain(sentence, "$error" if problem else "$success"))
        self._show()

    def show_filtered(self) -> None:
        self._show()

    def to_list(self) -> None:
        self.set_focus(self.query_one(KeyList))

    def action_move(self, steps: int) -> None:
        listed = self.query_one(KeyList)
        listed.action_cursor_down() if steps > 0 else listed.action_cursor_up()

    def action_close(self) -> None:
        """Leave the search; without one, close."""
        if not self.out_of_filter():
            self.dismiss()
