"""The footer: the keys that work here and now, as many as fit."""

from collections.abc import Collection
from typing import Protocol, runtime_checkable

from textual.binding import Binding
from textual.content import Content
from textual.events import Click
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from spar_tui.tui.commands import KEPT_RANK, Command, command_of
from spar_tui.tui.keymap import typed_character
from spar_tui.tui.widgets.text import QUIET, fitting

_URGENT = 1
"""The rank of a command that is shown only because the app calls it urgent."""


@runtime_checkable
class TitlesActions(Protocol):
    """A screen that says what an action would do to the marked or current papers."""

    def title_of(self, action: str, title: str) -> str: ...


@runtime_checkable
class NamesUrgent(Protocol):
    """An app with commands, by id, that are urgent at times."""

    @property
    def urgent(self) -> Collection[str]: ...


class Footer(Widget):
    """Reads the screen's active bindings, so that it shows only keys that work."""

    DEFAULT_CSS = "Footer { dock: bottom; height: 1; padding: 0 1; background: $panel; }"

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)
        self.watch(self.screen, "focused", self._changed, init=False)

    def _changed(self, of: Screen[object] | Widget | None) -> None:
        self.refresh()

    def render(self) -> Content:
        by_id: dict[str, tuple[Command, Binding]] = {}
        for command, binding in self._active():
            by_id.setdefault(command.id, (command, binding))
        ordered = sorted(by_id.values(), key=lambda pair: pair[0].rank or _URGENT)
        kept = Content("  ").join(self._piece(*pair) for pair in ordered if pair[0].rank >= KEPT_RANK)
        rest = [self._piece(*pair) for pair in ordered if pair[0].rank < KEPT_RANK]
        shown = fitting(rest, self.size.width - kept.cell_length - 2, "  ")
        return Content("  ").join(content for content in (shown, kept) if content.cell_length)

    def on_click(self, event: Click) -> None:
        """Press the key whose label or title was clicked."""
        if key := event.style.meta.get("key"):
            self.app.simulate_key(key)

    def _active(self) -> list[tuple[Command, Binding]]:
        pairs = []
        urgent = self.app.urgent if isinstance(self.app, NamesUrgent) else ()
        for active in self.screen.active_bindings.values():
            command = command_of(active.binding)
            if (
                command
                and (command.rank or command.id in urgent)
                and active.enabled
                and not self._typed(active.binding.key)
            ):
                pairs.append((command, active.binding))
        return pairs

    def _typed(self, key: str) -> bool:
        """Whether `key` would be typed into the focused input."""
        focused = self.screen.focused
        return focused is not None and focused.check_consume_key(key, typed_character(key))

    def _piece(self, command: Command, binding: Binding) -> Content:
        title, screen = command.title, self.screen
        if isinstance(screen, TitlesActions):
            title = screen.title_of(command.action, title)
        piece = Content.assemble((self.app.get_key_display(binding), "$key"), " ", (title, QUIET))
        return piece.stylize(Style.from_meta({"key": binding.key}))
