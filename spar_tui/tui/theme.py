"""The app's quiet colors with one accent: dark, light, those of the terminal, or none."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from rich.segment import Segment
from textual.cache import LRUCache
from textual.color import Color
from textual.css.stylesheet import Stylesheet
from textual.filter import LineFilter, Monochrome, NoColor
from textual.style import Style
from textual.theme import Theme

if TYPE_CHECKING:
    from textual.widget import Widget as _Mixed
else:
    _Mixed = object  # with two base widgets, Textual applies the styles of the first only


def _theme(name: str, dark: bool, cursor: str, cursor_text: str, quiet_cursor: str, edge: str, **colors: Any) -> Theme:
    text, behind, lit_edge = colors["foreground"], colors["background"], colors["primary"]
    variables = {
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
        "scrollbar-background": behind,
        "scrollbar-corner-color": behind,
    }
    return Theme(name, dark=dark, warning=colors["accent"], surface=behind, variables=variables, **colors)


NIGHT = _theme(
    "spar-night", dark=True, foreground="#d6dae0", background="#14171c", panel="#1d2229", edge="#646d79",
    cursor="#2b3644", cursor_text="#ffffff", quiet_cursor="#20262e",
    primary="#7aa2c9", secondary="#8f9fb3", accent="#d7a65f", error="#e08a83", success="#86b384",
)  # fmt: skip
DAY = _theme(
    "spar-day", dark=False, foreground="#1f2328", background="#fbfaf7", panel="#efede6", edge="#8a8679",
    cursor="#d5e2ef", cursor_text="#10151b", quiet_cursor="#e9edf0",
    primary="#2f5f8f", secondary="#5b6b7d", accent="#8a5a00", error="#b3261e", success="#2e6b34",
)  # fmt: skip
_OWN = "ansi_default"
TERMINAL = _theme(
    "spar-terminal", dark=True, foreground=_OWN, background=_OWN, panel=_OWN, boost=_OWN, edge="ansi_bright_black",
    cursor=_OWN, cursor_text=_OWN, quiet_cursor=_OWN,
    primary="ansi_blue", secondary="ansi_cyan", accent="ansi_yellow", error="ansi_red", success="ansi_green",
)  # fmt: skip
TERMINAL.ansi = True
TERMINAL.variables |= {
    # The terminal may be dark or light: swapping its own two colors is visible on either.
    "block-cursor-text-style": "reverse",
    "block-cursor-blurred-text-style": "underline",
    "ansi-background": _OWN,
    "ansi-foreground": _OWN,
}
THEMES = {"dark": NIGHT, "light": DAY, "terminal": TERMINAL}
"""The themes by name in the settings."""
_NO_COLOURS = NoColor()


def filters_for(filters: Sequence[LineFilter], ansi: bool, ascii_only: bool) -> Sequence[LineFilter]:
    """Return the line filters that suit the theme in use; `ansi` if its colors are the terminal's own, `ascii_only` if
    it cannot show other signs.

    Textual chooses how to remove colors before the theme is known; its gray filter turns the terminal's own colors
    black.
    """
    chosen = [_NO_COLOURS if ansi and isinstance(line_filter, Monochrome) else line_filter for line_filter in filters]
    return [*chosen, AsciiSigns()] if ascii_only else chosen


SIGNS = {
    "◆": ("*", "marked"), "★": ("s", "saved to the shelf"), "○": ("o", "open access; in a summary: checked"),
    "▲": ("^", "more like this; of a run: something failed"), "▼": ("v", "not relevant"), "✎": ("n", "has a note"),
    "•": (".", "changed by another program"), "›": (">", "matches the last filter"), "✔": ("+", "done, or relevant"),
    "●": ("@", "running"), "◌": (".", "not begun"), "‖": ("=", "paused"), "■": ("#", "interrupted"),
    "✘": ("x", "failed"),
}  # fmt: skip
"""The signs, each with the letter that stands for it where only ASCII can be shown, and its meaning."""
_DRAWN = {
    "+": "╭╮╰╯┌┐└┘├┤┬┴┼", "-": "─╴╶–—", "|": "│╵╷▌▐▊▎", "<": "◀←", ">": "▶▸→", "v": "▾↓", "^": "↑", ".": "·▁▂▃▄",
    "#": "▅▆▇█▀", "~": "…", '"': "“”", "'": "‘’", "x": "✗",
}  # fmt: skip
_SCRIPTS = {chr(code): normalize("NFKC", chr(code)) for code in (0xB2, 0xB3, 0xB9, *range(0x2070, 0x209D))}
"""Raised and lowered digits and letters, which formulas in titles become."""
_ASCII = str.maketrans({drawn: letter for letter, all_drawn in _DRAWN.items() for drawn in all_drawn} | _SCRIPTS
                       | {sign: letter for sign, (letter, _) in SIGNS.items()})  # fmt: skip


class AsciiSigns(LineFilter):
    """Draws frames and signs with ASCII letters of the same width; letters of titles stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text.translate(_ASCII), style, control) for text, style, control in segments]


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
