"""The line below a list in which one writes what its rows must have, and below it what can be written."""

from abc import abstractmethod
from typing import Any

from textual import on
from textual.screen import Screen
from textual.widgets import Input, Static

from cache.conditions.filters import Filter, FilterScope, parsed
from cache.conditions.scopes import summed_up
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.row_list import RowList
from spar_tui.tui.widgets.text import QUIET, plain


class FilterHint(Static):
    """What is told below a filter; hidden while there is nothing to tell."""

    DEFAULT_CSS = """
    FilterHint { height: auto; padding: 0 1; background: $panel; display: none; }
    FilterHint.told { display: block; }
    """


class WordsLine(OneLine):
    """A line for words to look for. Hidden until it is asked for; it stays while it holds words."""

    DEFAULT_CSS = """
    WordsLine { border: none; height: 1; padding: 0 1; background: $panel; display: none; }
    WordsLine:focus { border: none; }
    WordsLine.asked { display: block; }
    """

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, id="filter")
        self.cursor_blink = False

    def ask(self) -> None:
        """Show the line, ready to be written in."""
        self.add_class("asked")
        self.screen.set_focus(self)

    def keep(self) -> None:
        """The words are written: the line stays if there are any."""
        self.set_class(bool(self.value.strip()), "asked")

    def leave(self) -> bool:
        """Take the words away; False if there was no line."""
        there = self.has_class("asked")
        self.clear()
        self.remove_class("asked")
        return there


class FilterLine(WordsLine):
    """A line for words and terms of the filters' grammar, which is told below it; so is what is not understood."""

    def __init__(self, scope: FilterScope) -> None:
        super().__init__("words and terms, listed below")
        self.scope = scope
        self._told = ""
        self._hint = FilterHint(markup=False)

    def on_mount(self) -> None:
        self.screen.mount(self._hint, after=self)
        self._tell()

    @property
    def wanted(self) -> Filter:
        """What is asked for; it asks for nothing while the line is empty."""
        return parsed(self.value, self.scope)

    @property
    def rows(self) -> RowList[Any]:
        """The list that the line chooses from."""
        assert self.parent is not None
        return self.parent.query_one(RowList)

    def keep(self) -> None:
        super().keep()
        self.rows.find(None if self.wanted.terms else ())

    def leave(self) -> bool:
        """Take the words away: the list is whole again, and keys go through what they chose. Without words take that
        away, too; False if there was neither."""
        found = self.rows.find(self.rows.keys if self.wanted.terms else ())
        there = super().leave()
        self._tell()
        return there or found

    def watch_value(self) -> None:
        self._tell()

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self._tell()

    def _tell(self) -> None:
        """Below the line: what was not understood, else what can be written, while something is being written."""
        problems = self.wanted.problems
        sentence = " · ".join(problems) if problems else summed_up(self.scope) if self.has_focus else ""
        if sentence != self._told:  # a new text lays the screen out anew
            self._told = sentence
            self._hint.update(plain(sentence, "$warning" if problems else QUIET))
        self._hint.set_class(self.has_class("asked") and bool(sentence), "told")


class FilteredScreen(Screen[None]):
    """A screen with a list that its filter line chooses from, at each letter that is written."""

    @abstractmethod
    def show_filtered(self) -> None:
        """Show what the filter asks for."""

    @abstractmethod
    def to_list(self) -> None:
        """Give the list the keys."""

    @on(Input.Changed, "#filter")
    def _filter_changed(self) -> None:
        self.show_filtered()

    @on(Input.Submitted, "#filter")
    def _filter_entered(self) -> None:
        self.query_one(FilterLine).keep()
        self.to_list()

    def action_filter(self) -> None:
        """Go to the filter."""
        self.query_one(FilterLine).ask()

    def out_of_filter(self) -> bool:
        """Back to the whole list, then away from its matches; False if there were none."""
        there = self.query_one(FilterLine).leave()
        if there:
            self.to_list()
        return there
