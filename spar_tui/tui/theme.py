"""The app's quiet colors with one accent: dark, light, those of the terminal, or none."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet
from textual.filter import LineFilter, Monochrome, NoColor
from textual.style import Style
from textual.theme import Theme

if TYPE_CHECKING:
    from textual.widget import Widget as _Mixed
else:
    _Mixed = object  # with two base widgets, Textual applies the styles of the first only


def _variables(cursor: str, cursor_text: str, quiet_cursor: str, text: str, edge: str, lit_edge: str) -> dict[str, str]:
    return {
        "block-cursor-background": cursor,
        "block-cursor-foreground": cursor_text,
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": quiet_cursor,
        "block-cursor-blurred-foreground": text,
        "block-cursor-blurred-text-style": "none",
        "block-hover-background": quiet_cursor,
        "border": lit_edge,
        "border-blurred": edge,
        "scrollbar": edge,
        "scrollbar-hover": lit_edge,
        "scrollbar-active": lit_edge,
    }


NIGHT = Theme(
    name="spar-night",
    primary="#7aa2c9",
    secondary="#8f9fb3",
    accent="#d7a65f",
    warning="#d7a65f",
    error="#d97b74",
    success="#86b384",
    foreground="#d6dae0",
    background="#14171c",
    surface="#14171c",
    panel="#1d2229",
    dark=True,
    variables={
        **_variables("#2b3644", "#ffffff", "#20262e", "#d6dae0", "#646d79", "#7aa2c9"),
        "scrollbar-background": "#14171c",
        "scrollbar-corner-color": "#14171c",
    },
)
DAY = Theme(
    name="spar-day",
    primary="#2f5f8f",
    secondary="#5b6b7d",
    accent="#8a5a00",
    warning="#8a5a00",
    error="#b3261e",
    success="#2e6b34",
    foreground="#1f2328",
    background="#fbfaf7",
    surface="#fbfaf7",
    panel="#efede6",
    dark=False,
    variables={
        **_variables("#d5e2ef", "#10151b", "#e9edf0", "#1f2328", "#8a8679", "#2f5f8f"),
        "scrollbar-background": "#fbfaf7",
        "scrollbar-corner-color": "#fbfaf7",
    },
)
TERMINAL = Theme(
    name="spar-terminal",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_cyan",
    accent="ansi_yellow",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=True,
    variables={
        # The terminal may be dark or light: swapping its own two colors is visible on either.
        **_variables("ansi_default", "ansi_default", "ansi_default", "ansi_default", "ansi_bright_black", "ansi_blue"),
        "block-cursor-text-style": "reverse",
        "block-cursor-blurred-text-style": "underline",
        "scrollbar-background": "ansi_default",
        "scrollbar-corner-color": "ansi_default",
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
    },
)
THEMES = {"dark": NIGHT, "light": DAY, "terminal": TERMINAL}
"""The themes by name in the settings."""
_NO_COLOURS = NoColor()


def filters_for(filters: Sequence[LineFilter], ansi: bool) -> Sequence[LineFilter]:
    """Return the line filters that suit the theme in use; `ansi` if its colors are the terminal's own.

    Textual chooses how to remove colors before the theme is known; its gray filter turns the terminal's own colors
    black.
    """
    return [_NO_COLOURS if ansi and isinstance(line_filter, Monochrome) else line_filter for line_filter in filters]


MOST_PARTS = 1024
"""Most parsed parts of style sheets to keep for each theme; most parts are a widget's."""


@cache
def _parts_read(variables: frozenset[tuple[str, str]]) -> LRUCache[Any, Any]:
    """Return the cache of style sheet parts parsed with the variables of a theme."""
    return LRUCache(MOST_PARTS)


class ReadOnce(Stylesheet):
    """A style sheet that parses each part once per theme.

    Textual parses all parts again for every new screen and change of theme, and once more when the next widget comes: a
    tenth of the cost of such a moment.
    """

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = _parts_read(frozenset(self._variables.items()))

    def set_variables(self, variables: dict[str, str]) -> None:
        self._parse_cache = LRUCache(1)  # Textual clears the cache that it finds
        super().set_variables(variables)
        self._parse_cache = _parts_read(frozenset(variables.items()))

    def reparse(self) -> None:
        self.parse()


class Reversing(_Mixed):
    """Mixin for a widget that draws rows: keeps `reverse` in the styles of its parts.

    Textual drops `reverse` when it combines these styles, and nothing else shows the cursor in the terminal's own
    colors.
    """

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        style = super().get_visual_style(*component_classes, partial=partial)
        reversed_ = any(self.get_component_styles(name).text_style.reverse for name in component_classes)
        return style + Style(reverse=True) if reversed_ else style
