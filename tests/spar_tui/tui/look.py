"""A screen as text: what stands in its cells, and in which style; small enough to keep, plain enough to read in a diff.

For each size there are the lines of the screen, then a map of its styles with a letter for each cell, then what the
letters mean in the dark and in the light theme. The first style has a blank for its letter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_letters, digits

from rich.cells import cell_len
from rich.color import Color, ColorType
from rich.style import Style
from textual.strip import Strip

_LETTERS = f" {ascii_letters}{digits}"
_ATTRIBUTES = ("bold", "dim", "italic", "underline", "reverse", "strike")


@dataclass(frozen=True)
class Cells:
    """The lines of a screen, and the style of each cell of them in words."""

    lines: tuple[str, ...]
    styles: tuple[tuple[str, ...], ...]


def cells(strips: Iterable[Strip]) -> Cells:
    """What `strips` show."""
    lines, styles = [], []
    for strip in strips:
        lines.append("".join(segment.text for segment in strip).rstrip())
        styles.append(
            tuple(
                _told(letter == " ", segment.style or Style()) for segment in strip for letter in _by_cell(segment.text)
            )
        )
    return Cells(tuple(lines), tuple(styles))


def _by_cell(text: str) -> Iterable[str]:
    return (letter for letter in text for _ in range(cell_len(letter)))


@cache  # a screen has thousands of cells and few styles
def _told(blank: bool, style: Style) -> str:
    """A style in words; the colour of a letter that is not seen is of no account."""
    attributes = [name for name in _ATTRIBUTES if getattr(style, name)]
    seen = not blank or {"underline", "reverse", "strike"} & set(attributes)
    words = [_colour(style.color) if seen else "blank", "on", _colour(style.bgcolor), *(attributes if seen else ())]
    return " ".join(words)


def _colour(colour: Color | None) -> str:
    if colour is None or colour.type is ColorType.DEFAULT:
        return "default"
    return colour.get_truecolor().hex


def look(size: tuple[int, int], dark: Cells, light: Cells) -> str:
    """The screen at `size` in both themes, which show the same words."""
    letters: dict[tuple[str, str], str] = {}
    drawn = [
        "".join(letters.setdefault(pair, _LETTERS[len(letters)]) for pair in zip(one, other, strict=True)).rstrip()
        for one, other in zip(dark.styles, light.styles, strict=True)
    ]
    meant = [f"{letter}  {one}  |  {other}" for (one, other), letter in letters.items()]
    return "\n".join([_head(size), *dark.lines, "styles", *drawn, "dark | light", *meant, ""])


def _head(size: Sequence[int]) -> str:
    return f"{size[0]}x{size[1]}"


def parts(stored: str, sizes: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The looks of which a stored text is made, by their sizes."""
    found: dict[tuple[int, int], str] = {}
    rest = f"\n{stored}"
    for size in reversed(list(sizes)):
        head = f"{_head(size)}\n"
        rest, _, part = rest.rpartition(f"\n{head}")
        rest, found[size] = f"{rest}\n", f"{head}{part}"
    return found
