"""The palette: what can be done here, found by a few letters."""

from pathlib import Path

from spar_tui.tui.commands import COMMANDS
from spar_tui.tui.screens.dialogs.palette import PaletteScreen, matching, what_can_be_done
from spar_tui.tui.screens.home import HomeScreen
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.world import SPARSE, GatedSource, Hand, play, resources


def offered(hand: Hand) -> set[str]:
    assert isinstance(hand.app.screen, PaletteScreen)
    return {one.command.id for one in hand.app.screen.shown}


def test_only_what_can_be_done_here_and_now_is_offered(tmp_path: Path) -> None:
    slow = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        await hand.press("ctrl+p")
        assert not {one for one in offered(hand) if one.startswith("search.")}
        await hand.press("escape")
        live = await hand.ask()
        await hand.press("ctrl+p")
        assert "search.pause" in offered(hand)
        assert "search.resume" not in offered(hand)
        await hand.press("escape")
        slow.gate.set()
        await hand.until(lambda: live.status == "finished")
        await hand.press("ctrl+p")
        assert "search.pause" not in offered(hand)

    play(tmp_path, scene, resources(slow))


def test_letters_that_fit_nothing_do_nothing_and_those_of_a_name_work_where_they_would_be_typed(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("ctrl+p")
        await hand.type("[/qqqqxzzz")
        await hand.press("enter")
        assert isinstance(hand.app.screen, HomeScreen)
        await hand.press("ctrl+p", "down", "up", "up", "escape")
        assert isinstance(hand.app.screen, HomeScreen)
        await hand.press("ctrl+p")
        await hand.type("settings")
        await hand.press("enter")
        await hand.until_shown("How many papers a command lists")
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources())


def test_a_command_is_done_by_a_few_letters_of_its_name_which_goes_before_a_sentence(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        found = matching(what_can_be_done(hand.app.screen), "export")
        assert found[0].command.id == "paper.export"
        assert all(
            one.command in COMMANDS[place] for one in found for place in COMMANDS if one.command in COMMANDS[place]
        )
        await hand.press("ctrl+p")
        await hand.type("trl")
        await hand.until_shown("Show or hide the trail")
        await hand.press("enter")
        assert hand.app.focused is not None
        assert hand.app.focused.id == "trail"

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
