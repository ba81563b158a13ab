"""The line of keys promises what a key does here and now, and nothing else."""

from collections.abc import Sequence
from pathlib import Path

from textual.events import AppBlur
from textual.screen import ModalScreen

from spar_tui.tui.keymap import typed_character
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.paper_page import PaperPage
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.scenes import on_shelf, pressing, scripted_desk, searched, summarized, to_read_next
from tests.spar_tui.tui.world import SPARSE, Hand, Scene, play, resources

DIALOGS: Sequence[tuple[Scene, Sequence[tuple[str, str]]]] = (
    (
        searched("done"),
        (
            ("help", "question_mark"),
            ("error log", "exclamation_mark"),
            ("settings", "comma"),
            ("palette", "ctrl+p"),
            ("size of a summary", "S"),
        ),
    ),
    (on_shelf(), (("export", "X"), ("tags", "T"), ("citation", "y"))),
)
"""Screens, and the dialogs that keys open over them."""
WRITING = {"palette", "tags", "export"}
"""The dialogs in which letters are written."""


def promised(hand: Hand) -> set[str]:
    """The keys that the line at the bottom of the screen in front promises."""
    return {binding.key for _, binding in hand.app.screen.query_one(Footer)._active()}


def letters(hand: Hand) -> list[str]:
    """The promised keys that write a character where one writes."""
    return [key for key in promised(hand) if typed_character(key)]


def at_the_bottom(hand: Hand) -> bool:
    """Whether the last line of the terminal is the line of keys of the screen in front."""
    return hand.lines[-1].strip() == hand.app.screen.query_one(Footer).render().plain.strip()


def test_below_a_dialog_stand_its_own_keys_and_not_those_of_the_screen_behind_it(tmp_path: Path) -> None:
    async def looks(hand: Hand) -> None:
        for open_screen, dialogs in DIALOGS:
            await open_screen(hand)
            for name, key in dialogs:
                await hand.press(key)
                assert isinstance(hand.app.screen, ModalScreen), name
                await hand.until(lambda: at_the_bottom(hand))
                assert "escape" in promised(hand), name
                assert name not in WRITING or letters(hand) == [], name
                await hand.press("escape")
                assert not isinstance(hand.app.screen, ModalScreen), name

    play(tmp_path, looks, scripted_desk, (110, 30))


def test_below_the_ask_line_no_letter_is_promised(tmp_path: Path) -> None:
    async def looks(hand: Hand) -> None:
        await hand.until(lambda: at_the_bottom(hand))
        assert letters(hand) == []

    play(tmp_path, looks, scripted_desk, (110, 30))


BACK: dict[str, Scene] = {
    "search": searched("done"),
    "summary": summarized("done"),
    "shelf": on_shelf(),
    "history": pressing("f4"),
    "recommendation": to_read_next("f5"),
    "profile": to_read_next("f6"),
}


def test_q_is_called_quit_only_where_it_quits(tmp_path: Path) -> None:
    async def looks(hand: Hand) -> None:
        for name, open_screen in BACK.items():
            await open_screen(hand)
            await hand.until(lambda: "esc back" in hand.lines[-1])
            assert "quit" not in hand.lines[-1], name
            await hand.press("q")
            assert isinstance(hand.app.screen, HomeScreen), name
            assert hand.app.is_running

    play(tmp_path, looks, scripted_desk, (110, 30))


def test_at_home_q_quits_and_the_line_says_so_before_and_after_another_screen(tmp_path: Path) -> None:
    async def looks(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("escape", "down")
        await hand.until(lambda: "q quit" in hand.lines[-1])
        await hand.press("f3")
        await hand.until(lambda: "esc back" in hand.lines[-1] and "quit" not in hand.lines[-1])
        await hand.press("f2")
        await hand.until(lambda: "q quit" in hand.lines[-1])

    play(tmp_path, looks, resources(ScriptedSource("openalex", SPARSE)), (110, 30))


def test_saving_is_called_by_what_it_does_to_the_papers_at_hand_and_a_click_presses_the_key(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("s")
        await hand.until(lambda: "s remove" in hand.lines[-1])
        await hand.press("j")
        await hand.until(lambda: "s save" in hand.lines[-1])
        await hand.press("space", "space")
        await hand.until(lambda: "s save 2" in hand.lines[-1])
        await hand.pilot.click(Footer, offset=(hand.lines[-1].index("s save 2") + 3, 0))
        await hand.until(lambda: "s remove 2" in hand.lines[-1])
        assert "Saved 2 papers" in hand.told

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_key_finds_the_focus_of_a_screen_that_opened_while_the_terminal_had_lost_its(tmp_path: Path) -> None:
    """Not every terminal reports after `fg` that it has the focus again."""

    async def looks(hand: Hand) -> None:
        await on_shelf()(hand)
        hand.app.post_message(AppBlur())
        await hand.until(lambda: not hand.app.app_focus)
        hand.app.open_paper(SPARSE[0])
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        assert hand.app.screen.focused is None
        await hand.press("down")
        assert hand.app.screen.query_one(PaperPage).has_focus
        await hand.until(lambda: at_the_bottom(hand))

    play(tmp_path, looks, scripted_desk, (110, 30))
