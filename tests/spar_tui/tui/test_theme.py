"""Colours: dark, light, the terminal's own, none; and how much moves."""

import ast
import tomllib
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.color import Color

import spar_tui.tui
from spar_tui.math_text import shown_title
from spar_tui.tui.base_app import CALM_FLUSH_SECONDS, FLUSH_SECONDS
from spar_tui.tui.theme import THEMES, AsciiSigns, ReadOnce
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources


@pytest.fixture(autouse=True)
def _a_plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSH_CONNECTION", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", THEMES)
def test_the_app_opens_in_the_theme_of_the_settings(name: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f'theme = "{name}"\n')

    async def scene(hand: Hand) -> None:
        assert hand.app.theme == THEMES[name].name

    play(tmp_path, scene, resources())


def test_a_theme_chosen_in_the_palette_is_used_at_once_and_remembered(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("# mine\nlimit = 7\n")

    async def chooses(hand: Hand) -> None:
        await hand.press("ctrl+p")
        await hand.type("light")
        await hand.press("enter")
        assert hand.app.theme == "spar-day"

    play(tmp_path, chooses, resources())
    assert (tmp_path / "config.toml").read_text() == '# mine\nlimit = 7\ntheme = "light"\n'

    async def starts_again(hand: Hand) -> None:
        assert hand.app.theme == "spar-day"

    play(tmp_path, starts_again, resources())


def test_a_theme_that_cannot_be_remembered_is_used_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("broken = = \n")

    async def scene(hand: Hand) -> None:
        await hand.app.run_action("theme('light')")
        await hand.settled()
        assert hand.app.theme == "spar-day"
        assert all(words in hand.told for words in ("could not be saved", "line 1"))

    play(tmp_path, scene, resources())
    assert (tmp_path / "config.toml").read_text() == "broken = = \n"


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("colour", ["foreground", "primary", "secondary", "accent", "warning", "error", "success"])
def test_words_can_be_read_on_their_background(name: str, colour: str) -> None:
    """Every colour that words are written in has a contrast of 4.5 to 1, as WCAG asks for text."""
    theme = THEMES[name]
    assert contrast(getattr(theme, colour), theme.background) >= 4.5
    assert contrast(getattr(theme, colour), theme.panel) >= 4.5


def contrast(one: str | None, other: str | None) -> float:
    lights = sorted(luminance(Color.parse(colour or "")) for colour in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: Color) -> float:
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize(
    ("setting", "variable", "calm"),
    [
        ("auto", None, False),
        ("auto", "SSH_CONNECTION", True),
        ("auto", "NO_COLOR", True),
        ("off", "SSH_CONNECTION", False),
        ("on", None, True),
    ],
)
def test_the_app_is_calm_over_ssh_without_colours_and_when_asked_to_be(
    setting: str, variable: str | None, calm: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text(f'calm = "{setting}"\n')
    if variable:
        monkeypatch.setenv(variable, "1")

    async def scene(hand: Hand) -> None:
        assert hand.app.flush_seconds == (CALM_FLUSH_SECONDS if calm else FLUSH_SECONDS)
        assert (hand.app.animation_level == "none") is calm

    play(tmp_path, scene, resources())


def test_without_colours_every_state_has_its_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        colours = {
            colour.triplet
            for strip in hand.strips
            for segment in strip.apply_filter(hand.app._filters[-1], Color(0, 0, 0))
            if segment.style
            for colour in (segment.style.color, segment.style.bgcolor)
            if colour is not None and colour.triplet is not None
        }
        assert all(one.red == one.green == one.blue for one in colours)
        keys = [segment.style for segment in hand.strips[-1] if segment.text.strip() in ("?", "esc")]
        assert keys
        assert all(style is not None and style.bold for style in keys)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


@pytest.mark.parametrize("signs", ["ascii", "unicode"])
def test_frames_and_signs_have_a_form_in_ascii(signs: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f'signs = "{signs}"\n')

    async def scene(hand: Hand) -> None:
        seen = hand.text
        await hand.ask()
        await hand.until_shown(" finished")
        await hand.press("space", "s", "m", "t")
        await hand.until(lambda: bool(hand.papers.saved))
        seen += hand.text
        await hand.press("question_mark")
        seen += hand.text
        assert seen.isascii() is (signs == "ascii")
        assert ("enter" in hand.text) is (signs == "ascii")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_every_sign_in_a_text_of_the_app_has_a_form_in_ascii() -> None:
    for file in Path(spar_tui.tui.__path__[0]).rglob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
                [drawn] = AsciiSigns().apply([Segment(node.value)], Color(0, 0, 0))
                assert drawn.text.isascii(), f"{file.name}:{node.lineno}: {drawn.text}"


def test_digits_of_formulas_in_titles_have_a_form_in_ascii() -> None:
    [drawn] = AsciiSigns().apply([Segment(shown_title("Raman gain in $CS_2$ and $x^{10}$"))], Color(0, 0, 0))
    assert drawn.text == "Raman gain in CS2 and x10"


def test_what_stands_in_the_file_is_what_was_chosen(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        for name in ("light", "terminal", "dark"):
            await hand.app.run_action(f"theme('{name}')")
            assert tomllib.loads((tmp_path / "config.toml").read_text())["theme"] == name
            assert hand.app.settings.preferences.theme == name

    play(tmp_path, scene, resources())


def test_a_style_sheet_is_read_once_for_each_theme_and_what_comes_later_is_read_alone() -> None:
    def read(shade: str) -> ReadOnce:
        sheet = ReadOnce(variables={"edge": "green"})
        sheet.set_variables({"edge": shade})
        sheet.add_source("Label { color: $edge; }", ("label", ""))
        return sheet

    dark, again, light = read("black"), read("black"), read("white")
    assert again.rules == dark.rules
    assert again.rules[0] is dark.rules[0]
    assert [sheet.rules[0].styles.color.hex for sheet in (dark, light)] == ["#000000", "#FFFFFF"]
    light.add_source("Input { color: $edge; }", ("input", ""))
    before = light.rules
    light.reparse()
    assert [one is other for one, other in zip(light.rules, before, strict=True)] == [True, True]
    light.set_variables({"edge": "black"})
    light.reparse()
    assert light.rules[0] is dark.rules[0]
    assert light.rules[1].styles.color.hex == "#000000"
