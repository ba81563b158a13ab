"""The filter line below a list, and a hint on the terms that it accepts."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from textual import on
from textual.screen import Screen
from textual.widgets import Input, Static

from cache.conditions.filters import Filter, FilterScope, parsed
from cache.conditions.orders import NamedOrder, named
from cache.conditions.scopes import summed_up
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.row_list import RowList
from spar_tui.tui.widgets.text import QUIET, plain


class FilterHint(Static):
    """The hint below a filter line; hidden while empty."""

    DEFAULT_CSS = """
    FilterHint { height: auto; padding: 0 1; background: $panel; display: none; }
    FilterHint.told { display: block; }
    """


class WordsLine(OneLine):
    """An input for search words; hidden until opened, and shown while it has words."""

    DEFAULT_CSS = """
    WordsLine { border: none; height: 1; padding: 0 1; background: $panel; display: none; }
    WordsLine:focus { border: none; }
    WordsLine.asked { display: block; }
    """

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, id="filter")

    def ask(self) -> None:
        """Show the line and give it the focus."""
        self.add_class("asked")
        self.screen.set_focus(self)

    def keep(self) -> None:
        """Keep the line if it has words, else hide it."""
        self.set_class(bool(self.value.strip()), "asked")

    def leave(self) -> bool:
        """Clear and hide the line; False if it was hidden."""
        there = self.has_class("asked")
        self.clear()
        self.remove_class("asked")
        return there


class FilterLine(WordsLine):
    """An input for words and the terms of filters; a hint below it explains the terms and reports invalid ones."""

    def __init__(self, scope: FilterScope) -> None:
        super().__init__("words and terms, listed below")
        self.scope = scope
        self._hint_text = ""
        self._hint = FilterHint(markup=False)

    def on_mount(self) -> None:
        self.screen.mount(self._hint, after=self)
        self._tell()

    @property
    def wanted(self) -> Filter:
        """The filter as typed; an empty line matches everything."""
        return parsed(self.value, self.scope)

    @property
    def rows(self) -> RowList[Any]:
        """The list that the line filters."""
        assert self.parent is not None
        return self.parent.query_one(RowList)

    def keep(self) -> None:
        super().keep()
        self.rows.find(None if self.wanted.terms else ())

    def leave(self) -> bool:
        """Clear the filter, but keep its matches for the match keys; without words, drop the matches too. Return False
        if there was neither."""
        had_matches = self.rows.find(self.rows.keys if self.wanted.terms else ())
        there = super().leave()
        self._tell()
        return there or had_matches

    def watch_value(self) -> None:
        self._tell()

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self._tell()

    def _tell(self) -> None:
        """Show below the line what was not understood; while it has the focus, else the accepted terms."""
        problems = self.wanted.problems
        sentence = " · ".join(problems) if problems else summed_up(self.scope) if self.has_focus else ""
        if sentence != self._hint_text:  # a new text changes the layout of the screen
            self._hint_text = sentence
            self._hint.update(plain(sentence, "$warning" if problems else QUIET))
        self._hint.set_class(self.has_class("asked") and bool(sentence), "told")


class FilteredScreen(Screen[None]):
    """A screen with a list or a text that a line of words filters at each letter."""

    @abstractmethod
    def show_filtered(self) -> None:
        """Show what matches the words."""

    @abstractmethod
    def to_list(self) -> None:
        """Move the focus to the list or text."""

    @on(Input.Changed, "#filter")
    def _filter_changed(self) -> None:
        self.show_filtered()

    @on(Input.Submitted, "#filter")
    def _filter_entered(self) -> None:
        self.query_one(WordsLine).keep()
        self.to_list()

    def action_filter(self) -> None:
        self.query_one(WordsLine).ask()

    def out_of_filter(self) -> bool:
        """Clear the filter, or then drop its matches, and go to the list; False if there was neither."""
        there = self.query_one(WordsLine).leave()
        if there:
            self.to_list()
        return there


class SortedScreen(FilteredScreen):
    """A screen with a filtered list that can be sorted by each of the `orders`, by name."""

    orders: Sequence[str]
    order: NamedOrder

    @abstractmethod
    def order_by(self, order: NamedOrder) -> None:
        """Sort the list; the cursor stays on its paper."""

    @property
    def order_cycle(self) -> Sequence[str]:
        """The names of the orders that a key goes through."""
        return self.orders

    def action_order(self) -> None:
        names, name = self.order_cycle, self.order.order.name
        self.order_by(named(names[(names.index(name) + 1) % len(names) if name in names else 0]))

    def action_reverse(self) -> None:
        self.order_by(named(self.order.order.name, not self.order.reverse))
