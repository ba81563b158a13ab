"""Every command with its keys, those that work here first: to read, to find by words, and to change."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from textual.content import Content
from textual.events import Key
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cache.conditions.filters import FilterScope
from cache.conditions.scopes import HISTORY, SEARCH, SHELF, explained
from spar_tui.tui.commands import COMMANDS, Command, Context, bindings, bindings_of, command_named, context_title
from spar_tui.tui.screens.dialogs.dialog import Dialog
from spar_tui.tui.theme import SIGNS, Reversing
from spar_tui.tui.widgets.filter_line import FilteredScreen, WordsLine
from spar_tui.tui.widgets.text import QUIET, plain

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

_WIDTH = 92
_KEYS = 17
"""Columns for the keys."""
_FILTERED: dict[Context, FilterScope] = {"a search": SEARCH, "shelf": SHELF, "history": HISTORY}
"""Contexts with lists that can be filtered."""


class KeyPress(Dialog[str | None]):
    """Returns the name of the pressed key; None for Escape, which cancels."""

    DEFAULT_CSS = "KeyPress > Vertical { width: 60; padding: 1 2; }"

    def __init__(self, command: Command, more: bool) -> None:
        super().__init__()
        self.command, self.more = command, more

    def parts(self) -> Iterator[Widget]:
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

    BINDINGS = bindings("choosing keys", "lists")


class KeyChoice(Dialog[None], FilteredScreen):
    """The list of keys, also as help: `here` are the contexts whose keys work now, the nearest first. A change that is
    impossible is explained below the list, and not saved."""

    DEFAULT_CSS = f"""
    KeyChoice > Vertical {{ width: {_WIDTH}; height: 90%; }}
    KeyChoice OptionList {{ border: none; height: 1fr; min-width: 20; background: $background; padding: 0 1;
                           scrollbar-size-vertical: 1; }}
    KeyChoice OptionList:focus {{ border: none; background-tint: transparent; }}
    KeyChoice #told {{ height: auto; padding: 0 1; }}
    KeyChoice.-short > Vertical {{ height: 100%; }}
    """
    BINDINGS = [*bindings("list of commands and keys"), *bindings_of("help.close"), *bindings("dialogs")]  # noqa: RUF012  # Textual declares it so
    AUTO_FOCUS = "KeyList"
    app: "BaseApp"
    heading = "Keys"

    def __init__(self, here: Sequence[Context] = ()) -> None:
        super().__init__()
        self.here = here

    def parts(self) -> Iterator[Widget]:
        yield KeyList(markup=False)
        yield Static(plain("A change applies at once and is saved in the settings file.", QUIET), id="told")
        yield WordsLine("words or a key")

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        """Show the commands that match the words; the highlight stays on its command."""
        listed, words = self.query_one(KeyList), self.query_one(WordsLine).value
        at = listed.highlighted_option
        options = list(self._options(words.casefold().split()))
        nothing = Option(plain(f"No command matches “{words.strip()}”.", QUIET), disabled=True)
        listed.set_options(options or [nothing])
        indexes = {option.id: index for index, option in enumerate(options) if option.id is not None}
        first = min(indexes.values(), default=None)
        listed.highlighted = indexes.get(at.id, first) if at and at.id else first

    def _options(self, words: Sequence[str]) -> Iterator[Option]:
        """Yield the commands that have all of `words` in their key, their help or the name of their context."""
        far = Option(Content.styled("Elsewhere", "bold underline"), disabled=True) if self.here else None
        for context in [*self.here, *(context for context in COMMANDS if context not in self.here)]:
            shown = [command for command in COMMANDS[context] if command.keys and self._has(context, command, words)]
            if shown and far and context not in self.here:
                yield from [] if words else self._section("Signs", ((sign, SIGNS[sign][1]) for sign in SIGNS))
                yield far
                far = None
            if shown:
                yield Option(Content.styled(context_title(context), "bold $primary"), disabled=True)
            yield from (Option(self._line(command), id=command.id) for command in shown)
            if context in self.here and context in _FILTERED and not words:
                title = f"Filter terms {_FILTERED[context].where} (a paper must match all)"
                yield from self._section(title, explained(_FILTERED[context]))

    def _section(self, title: str, entries: Iterable[tuple[str, str]]) -> Iterator[Option]:
        """Yield lines that only explain."""
        yield Option(Content.styled(title, "bold $primary"), disabled=True)
        yield from (Option(self._entry(*entry), disabled=True) for entry in entries)

    def _has(self, context: Context, command: Command, words: Sequence[str]) -> bool:
        keys = f"{self._keys(command)} {' '.join(self.app.command_keys.keys[command.id])}"
        text = f"{keys} {command.title} {command.help} {context_title(context)}".casefold()
        return all(word in text for word in words)

    def _keys(self, command: Command) -> str:
        return " ".join(self.app.keys_shown(command.id))

    def _line(self, command: Command) -> Content:
        changed = "" if self.app.command_keys.keys[command.id] == command.keys else "  (changed)"
        return self._entry(self._keys(command), f"{command.help}{changed}")

    def _entry(self, what: str, meaning: str) -> Content:
        """Return a line with its meaning beside it, or below it if the line is too long for its column."""
        width = min(self.app.size.width, _WIDTH) - 6 - _KEYS
        beside = f"\n{' ' * _KEYS}".join(wrap(meaning, max(width, 10)))
        gap = " " if len(what) < _KEYS else f"\n{' ' * _KEYS}"
        return Content.assemble((f"{what:<{_KEYS - 1}}", "$key"), gap, (beside, QUIET))

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
