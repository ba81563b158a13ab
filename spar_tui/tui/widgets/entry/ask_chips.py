"""The options of a question as chips: depth, dates and sources."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Generic, TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.dom import DOMNode
from textual.message import Message
from textual.widget import Widget

from spar_tui.settings import Settings
from spar_tui.tui.commands import bindings
from spar_tui.tui.research_app import options_of
from spar_tui.tui.widgets.text import plain

if TYPE_CHECKING:
    from agents.search.options import Mode, SearchOptions
    from spar_tui.tui.base_app import BaseApp


T = TypeVar("T")


class Chip(Widget, Generic[T], can_focus=True):
    """Shows the label of one of `choices`, which are values with labels in a circle; `key` precedes the label."""

    DEFAULT_CSS = """
    Chip { width: auto; height: 1; padding: 0 1; margin: 0 1 0 0; background: $panel; }
    Chip:focus { background: $block-cursor-background; color: $block-cursor-foreground;
                 text-style: $block-cursor-text-style; }
    """
    BINDINGS = bindings("ask dialog: options")

    class Changed(Message):
        """The value has changed."""

    def __init__(self, key: str, choices: Sequence[tuple[T, str]], value: T, id: str) -> None:
        super().__init__(id=id)
        self.key, self.choices = key, choices
        self._at = [option for option, _ in choices].index(value)

    @property
    def value(self) -> T:
        return self.choices[self._at][0]

    def render(self) -> Content:
        content = plain(self.choices[self._at][1])
        if not self.key:
            return content
        return Content.assemble((self.key, "$key"), " ", content)

    def on_click(self) -> None:
        self.action_change(1)

    def action_change(self, steps: int) -> None:
        self._at = (self._at + steps) % len(self.choices)
        self.refresh(layout=True)
        self.post_message(self.Changed())


_YEARS = 60
"""Number of years to choose from; the question can name an earlier one."""


def depth_chip(settings: Settings, key: str = "") -> Chip[str]:
    """Return the chip for the depth of the search."""
    mode = "deep" if settings.preferences.mode == "deep" else "fast"
    return Chip(key, [("fast", "fast"), ("deep", "deep")], mode, "mode")


def dates_chip(key: str = "") -> Chip[int | None]:
    """Return the chip for the first year of publication."""
    today = date.today().year
    years = [(year, f"since {year}") for year in range(today, today - _YEARS, -1)]
    return Chip(key, [(None, "dates from the question"), *years], None, "since")


def chosen_options(chips: DOMNode, settings: Settings, sources: tuple[str, ...] | None) -> "SearchOptions":
    """Return the settings' options with the chips' depth and dates, and these sources, or those that fit for None."""
    year = chips.query_one("#since", Chip).value
    mode: Mode = "deep" if chips.query_one("#mode", Chip).value == "deep" else "fast"
    options = replace(options_of(settings), mode=mode, since=date(year, 1, 1) if isinstance(year, int) else None)
    return options if sources is None else replace(options, sources=sources, choose_sources=False)


def told_sources(settings: Settings, chosen: tuple[str, ...] | None) -> str:
    """Return a sentence on the sources for a question; None stands for those that fit."""
    corpus = f"{', '.join(chosen)}, " if settings.preferences.offline and chosen else ""
    here = f"what is on this machine: {corpus}the library and the starter shelf"
    if settings.preferences.offline:
        return f"Offline by your settings. Searches {here}."
    if chosen is None:
        return "Asks the selected sources that fit the question, and your library."
    if not chosen:
        return f"No source selected. Searches {here}."
    return f"Sources: {', '.join(chosen)}, and your library."


class AskChips(Horizontal):
    """The chips below the ask line, each changed by its key there or a click; at first they show the settings."""

    DEFAULT_CSS = "AskChips { height: 1; padding: 0 1; overflow: hidden; }"
    app: "BaseApp"

    def compose(self) -> ComposeResult:
        self._settings = self.app.settings
        keys = {name: self.app.key_shown(f"ask.{name}") for name in ("sources", "dates", "depth")}
        depth = depth_chip(self._settings, keys["depth"])
        for chip in (self._sources(keys["sources"]), dates_chip(keys["dates"]), depth):
            chip.can_focus = False
            yield chip

    def _sources(self, key: str) -> Chip[tuple[str, ...] | None]:
        names = self._settings.open_sources
        every = [(names, "all sources")] if len(names) > 1 else []
        each = [((name,), f"only {name}") for name in names]
        return Chip(key, [(None, "sources that fit"), *every, *each, ((), "library only")], None, "sources")

    @property
    def sources(self) -> tuple[str, ...] | None:
        """The chosen sources; None for those that fit."""
        chosen: tuple[str, ...] | None = self.query_one("#sources", Chip).value
        return chosen

    @property
    def options(self) -> "SearchOptions":
        """The options for a question asked now."""
        return chosen_options(self, self._settings, self.sources)

    def follow_settings(self) -> None:
        """Reset the chips if the settings have changed."""
        if self.app.settings is not self._settings:
            self.refresh(recompose=True)
