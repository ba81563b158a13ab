"""Contrast of all that the stored looks show and of all styles in the code, in the dark and in the light theme."""

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from textual.app import App
from textual.color import Color
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.style import Style
from textual.theme import Theme

import spar_tui.tui
from spar_tui.tui.theme import DAY, NIGHT
from tests.rows import each
from tests.spar_tui.tui.look import parts
from tests.spar_tui.tui.test_looks import LOOKS, SIZES
from tests.spar_tui.tui.test_theme import contrast

BOXES = {"export", "settings"}
"""What lies behind the box of a dialog recedes; the box itself does not."""
FRAMES = frozenset("─│╭╮╰╯├└┬▁▂▃▄▅▆▇█▊▎▔▕")
LEAST_OF_TEXT, LEAST_OF_FRAMES = 4.5, 3.0


@pytest.mark.parametrize("file", sorted(LOOKS.glob("*.txt")), ids=lambda file: file.stem)
def test_every_text_and_every_frame_can_be_seen(file: Path) -> None:
    if ".new" in file.name:
        pytest.skip("a look that nobody has looked at yet")
    looks = parts(file.read_text("utf-8"), SIZES).values()
    pale = {one for part in looks for one in _too_pale(part, file.stem in BOXES)}
    assert not pale


def _box(lines: list[str]) -> tuple[slice, slice]:
    """The rows and columns of the smallest box that is whole: that of the dialog lies over the others."""
    boxes = []
    for top, line in enumerate(lines):
        for left, right in ((a, b) for a in range(len(line)) if line[a] == "╭" for b in [line.find("╮", a)] if b > 0):
            sides = [row[left : left + 1] + row[right : right + 1] for row in lines[top + 1 :]]
            height = next((at for at, side in enumerate(sides, 1) if side != "││"), 0)
            if height and sides[height - 1] == "╰╯":
                boxes.append((slice(top, top + height + 1), slice(left, right + 1)))
    return min(boxes, key=lambda box: (box[0].stop - box[0].start) * (box[1].stop - box[1].start))


def _too_pale(part: str, in_box: bool) -> Iterator[str]:
    """The styles of a look, or of the box in it, that are too pale, each with a letter that it is used for."""
    text, styles = part.split("\nstyles\n")
    drawn, meant = styles.split("\ndark | light\n")
    lines, letters = text.split("\n")[1:], drawn.split("\n")
    if in_box:
        rows, columns = _box(lines)
        lines = [line[columns] for line in lines[rows]]
        letters = [styled.ljust(columns.stop)[columns] for styled in letters[rows]]
    seen: dict[str, set[str]] = {}
    for line, styled in zip(lines, letters, strict=False):
        if not line.isascii() and any(ord(letter) > 0x2E7F for letter in line):
            continue  # wide letters take two cells, and the map has one for each
        for letter, style in zip(line, styled.ljust(len(line)), strict=False):
            if letter != " ":
                seen.setdefault(style, set()).add(letter)
    for meaning in meant.strip("\n").split("\n"):
        style, both = meaning[0], meaning[1:]
        for one in both.split("|"):
            ink, _, ground, *_ = one.split()
            used = seen.get(style, set())
            least = LEAST_OF_FRAMES if used <= FRAMES else LEAST_OF_TEXT
            if used and ink.startswith("#") and (measured := contrast(ink, ground)) < least:
                yield f"{one.strip()}: {measured:.2f}, as in {''.join(sorted(used))[:20]}"


MODULES = [import_module(module.name) for module in walk_packages(spar_tui.tui.__path__, "spar_tui.tui.")]
CLASSES = {
    value
    for module in MODULES
    for value in vars(module).values()
    if isinstance(value, type) and issubclass(value, DOMNode) and value.__module__.startswith("spar_tui")
}
INK = re.compile(r"(?:(?:bold|italic|dim|reverse) )*\$([a-z-]+)(?: \d+%)?")


def _variables(theme: Theme) -> dict[str, str]:
    app: App[None] = App()
    app.register_theme(theme)
    app.set_reactive(App.theme, theme.name)
    return app.get_css_variables()


def _grounds(theme: Theme) -> dict[str, Color]:
    """The colors that text can lie on where its own style names none."""
    cursors = ("block-cursor-background", "block-cursor-blurred-background")
    return {
        "background": Color.parse(theme.background or ""), "panel": Color.parse(theme.panel or ""),
        **{name: Color.parse(theme.variables[name]) for name in cursors},
    }  # fmt: skip


def _pale(name: str, ink: Color, grounds: dict[str, Color], least: float) -> Iterator[str]:
    for where, ground in grounds.items():
        if (measured := contrast((ground + ink).hex, ground.hex)) < least:
            yield f"{name} on {where}: {measured:.2f}"


@each("theme", [NIGHT, DAY], ids=lambda theme: theme.name)
def test_every_rich_style_in_the_code_can_be_read_wherever_it_may_lie(theme: Theme) -> None:
    literals = {node.value for module in MODULES for node in ast.walk(ast.parse(inspect.getsource(module)))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)}  # fmt: skip
    variables = _variables(theme)
    styles = sorted(text for text in literals if (match := INK.fullmatch(text)) and match[1] in variables)
    assert {"$foreground 70%", "bold $accent", "$error", "$success", "$warning"} <= set(styles)
    pale: list[str] = []
    for text in styles:
        ink = Style.parse(text, variables).foreground
        assert ink is not None, text
        pale += _pale(text, ink, _grounds(theme), LEAST_OF_TEXT)
    assert not pale


@each("theme", [NIGHT, DAY], ids=lambda theme: theme.name)
def test_every_rule_of_the_style_sheets_can_be_read_and_its_frames_seen(theme: Theme) -> None:
    sheet = Stylesheet(variables=_variables(theme))
    for cls in CLASSES:
        for part in ("DEFAULT_CSS", "CSS"):
            if isinstance(text := vars(cls).get(part), str):
                sheet.add_source(text, (cls.__name__, part))
    sheet.parse()
    assert len(sheet.rules) > 100
    pale: list[str] = []
    for rule in sheet.rules:
        styles, behind = rule.styles, dict(_grounds(theme))
        if styles.has_rule("background") and styles.background.a == 1:
            behind = {"its background": styles.background}
        for ink in ("color", "border_title_color", "border_subtitle_color", "scrollbar_color"):
            if styles.has_rule(ink) and (color := getattr(styles, ink)).a:
                least = LEAST_OF_FRAMES if ink == "scrollbar_color" else LEAST_OF_TEXT
                pale += _pale(f"{rule.selectors} {ink}", color, behind, least)
        for edge in ("top", "right", "bottom", "left"):
            if styles.has_rule(f"border_{edge}"):
                kind, color = getattr(styles, f"border_{edge}")
                frames = {name: ground for name, ground in behind.items() if "cursor" not in name}
                pale += (
                    _pale(f"{rule.selectors} {edge}", color, frames, LEAST_OF_FRAMES)
                    if kind not in ("", "blank")
                    else []
                )
    assert not sorted(set(pale))
