"""A dialog that finds any command by a few letters of its name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.actions import parse
from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode
from textual.fuzzy import Matcher
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from spar_tui.tui.commands import COMMANDS, Command, Context, bindings, command_of, context_of
from spar_tui.tui.screens.dialogs.dialog import Dialog
from spar_tui.tui.theme import Reversing
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.text import QUIET, cut

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

_MOVING: frozenset[Context] = frozenset({"lists", "the trail", "a paper"})
"""Contexts with moves that nobody looks up by name."""
_LEAST = 0.0


@dataclass(frozen=True, slots=True)
class Doable:
    """A command and the node that runs it."""

    command: Command
    node: DOMNode


def contexts_here(screen: Screen[object]) -> list[Context]:
    """Return the contexts whose keys work now, the nearest to the focus first."""
    return list(dict.fromkeys(context for _, context in _contexts(screen)))


def what_can_be_done(screen: Screen[object]) -> list[Doable]:
    """Return what `screen` and its focused part can do now, the nearest first."""
    by_id: dict[str, Doable] = {}
    for node, context in _contexts(screen):
        for command in COMMANDS[context]:
            if (command.rank or context not in _MOVING) and command.id != "app.palette" and _can(node, command):
                by_id.setdefault(command.id, Doable(command, node))
    return list(by_id.values())


def _contexts(screen: Screen[object]) -> Iterator[tuple[DOMNode, Context]]:
    """Yield each part of the screen that has commands, from the focus outwards, with the contexts of its commands."""
    for node in (screen.focused or screen).ancestors_with_self:
        classes = [cls for cls in type(node).__mro__ if issubclass(cls, DOMNode)]
        last = next((at for at, cls in enumerate(classes) if not cls._inherit_bindings), len(classes))
        declared = [binding for cls in classes[: last + 1] for binding in cls.__dict__.get("BINDINGS", ())]
        commands = [
            command for binding in declared if isinstance(binding, Binding) and (command := command_of(binding))
        ]
        for context in dict.fromkeys(map(context_of, commands)):
            yield node, context


def _can(node: DOMNode, command: Command) -> bool:
    where, action, parameters = parse(command.action)
    doer = {"screen": node.screen, "app": node.app}.get(where, node)
    return doer.check_action(action, parameters) is True


def matching(doable: Sequence[Doable], letters: str) -> list[Doable]:
    """Return the commands whose title or help has `letters` in this order, the best first; all without letters."""
    if not letters.strip():
        return list(doable)
    matcher = Matcher(letters)
    scored = [(max(matcher.match(do.command.title), matcher.match(do.command.help) / 2), do) for do in doable]
    return [do for score, do in sorted(scored, key=lambda pair: -pair[0]) if score > _LEAST]


class PaletteLine(OneLine):
    """The input for the letters; the arrows move in the list below it."""

    BINDINGS = bindings("command palette")


class Choices(Reversing, OptionList):
    """The commands to choose from."""


class PaletteScreen(Dialog[Doable | None]):
    """Returns the chosen command, or None."""

    DEFAULT_CSS = """
    PaletteScreen { align-vertical: top; }
    PaletteScreen > Vertical { width: 84; max-height: 80%; margin: 2 0 0 0; }
    PaletteScreen Input { padding: 0 1; background: $background; margin: 0 0 1 0; }
    PaletteScreen OptionList { border: none; height: auto; max-height: 16; background: $background; padding: 0;
                               text-wrap: nowrap; text-overflow: ellipsis; scrollbar-size-vertical: 1; }
    PaletteScreen.-short > Vertical { margin: 0; max-height: 100%; }
    PaletteScreen.-short Input { margin: 0; }
    """
    BINDINGS = bindings("dialogs")
    AUTO_FOCUS = "Input"
    heading = "Commands"
    app: "BaseApp"

    def __init__(self, doable: Sequence[Doable]) -> None:
        super().__init__()
        self.doable = doable
        self.shown: list[Doable] = []

    def parts(self) -> Iterator[Widget]:
        yield PaletteLine(placeholder="type a few letters", compact=True)
        choices = Choices(markup=False)
        choices.can_focus = False
        yield choices

    def on_mount(self) -> None:
        self.set_focus(self.query_one(Input))
        self._show("")

    def on_resize(self) -> None:
        self._show(self.query_one(Input).value)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._show(event.value)

    def _show(self, letters: str) -> None:
        self.shown = matching(self.doable, letters)
        choices = self.query_one(OptionList)
        choices.set_options(Option(self._line(doable.command, letters)) for doable in self.shown)
        choices.highlighted = 0 if self.shown else None

    def _line(self, command: Command, letters: str) -> Content:
        width = min(self.size.width, 84) - 4
        keys = " ".join(self.app.keys_shown(command.id))
        title = (
            Matcher(letters, match_style=Style(bold=True, underline=True)).highlight(command.title)
            if letters
            else (Content(command.title))
        )
        room = max(width - 20 - len(keys) - 2, 0)
        help_text = cut(command.help, room)
        return Content.assemble(
            " ",
            title.truncate(19, pad=True),
            " ",
            (help_text, QUIET),
            " " * (room - len(help_text) + 1),
            (keys, "$key"),
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.shown[event.option_index])

    def action_run(self) -> None:
        at = self.query_one(OptionList).highlighted
        self.dismiss(self.shown[at] if at is not None else None)

    def action_move(self, steps: int) -> None:
        choices = self.query_one(OptionList)
        choices.action_cursor_down() if steps > 0 else choices.action_cursor_up()
