"""What the keys do, from the table of commands: first for the focused pane, then for all others."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.widgets import Static

from cache.conditions.filters import FilterScope
from cache.conditions.scopes import HISTORY, SEARCH, SHELF, explained
from spar_tui.tui.commands import COMMANDS, Command, Context, bindings, context_title
from spar_tui.tui.screens.dialogs.scroll_modal import ScrollModal
from spar_tui.tui.widgets.filter_line import FilteredScreen, WordsLine
from spar_tui.tui.widgets.text import QUIET, plain

_KEYS = 17
"""Columns for the keys."""
_FILTERED: dict[Context, FilterScope] = {"search": SEARCH, "shelf": SHELF, "history": HISTORY}
"""Contexts with lists that can be filtered."""


class HelpScreen(ScrollModal, FilteredScreen):
    """Every command with its keys, or those that match the words of the line below. `here`: the contexts whose keys
    work now, the nearest first."""

    DEFAULT_CSS = f"HelpScreen WordsLine {{ width: {ScrollModal.WIDTH}; max-width: 100%; }}"
    BINDINGS = bindings("help search", "help", "dialog")
    heading = "Keys"

    def __init__(self, here: Sequence[Context]) -> None:
        super().__init__()
        self.here = here

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield WordsLine("words or a key")

    def parts(self) -> Iterator[Content]:
        """Yield the commands that are available now, then all others."""
        yield self._with("")

    def _with(self, words: str) -> Content:
        """Return the commands that have all of `words` in their key, their help or the name of their context."""
        elsewhere = [context for context in COMMANDS if context not in self.here]
        near = self._groups(self.here, words.casefold().split(), with_grammar=not words.strip())
        far = self._groups(elsewhere, words.casefold().split())
        parts = [*near, *([Content.styled("Elsewhere", "bold underline"), *far] if far else [])]
        return Content("\n\n").join(parts) if parts else plain(f"No command matches “{words.strip()}”.", QUIET)

    def _groups(
        self, contexts: Sequence[Context], words: Sequence[str], *, with_grammar: bool = False
    ) -> list[Content]:
        parts = list[Content]()
        for context in contexts:
            commands = [command for command in COMMANDS[context] if command.keys and self._has(context, command, words)]
            lines = [
                Content.styled(context_title(context), "bold $primary"),
                *(self._line(command) for command in commands),
            ]
            parts += [Content("\n").join(lines)] if commands else []
            parts += [self._grammar(_FILTERED[context])] if with_grammar and context in _FILTERED else []
        return parts

    def _has(self, context: Context, command: Command, words: Sequence[str]) -> bool:
        keys = f"{self._keys(command)} {' '.join(self.app.command_keys.keys[command.id])}"
        text = f"{keys} {command.title} {command.help} {context_title(context)}".casefold()
        return all(word in text for word in words)

    def _keys(self, command: Command) -> str:
        shown = self.app.command_keys.keys[command.id]
        return " ".join(self.app.get_key_display(Binding(key, "")) for key in shown)

    def _grammar(self, listed: FilterScope) -> Content:
        """Return the terms that the filter line accepts."""
        title = Content.styled(f"Filter terms {listed.where} (a paper must match all)", "bold $primary")
        return Content("\n").join([title, *(self._entry(example, meaning) for example, meaning in explained(listed))])

    def _line(self, command: Command) -> Content:
        return self._entry(self._keys(command), command.help)

    def _entry(self, what: str, meaning: str) -> Content:
        """Return a line with its meaning beside it, or below it if the line is too long for its column."""
        beside = f"\n{' ' * _KEYS}".join(wrap(meaning, max(self.room - _KEYS, 10)))
        gap = " " if len(what) < _KEYS else f"\n{' ' * _KEYS}"
        return Content.assemble((f"{what:<{_KEYS - 1}}", "$key"), gap, (beside, QUIET))

    def show_filtered(self) -> None:
        self.query_one("#sheet Static", Static).update(self._with(self.query_one(WordsLine).value))
        self.query_one("#sheet").scroll_home(animate=False)

    def to_list(self) -> None:
        self.set_focus(self.query_one("#sheet"))

    def action_close(self) -> None:
        """Leave the search; without one, close."""
        if not self.out_of_filter():
            super().action_close()
