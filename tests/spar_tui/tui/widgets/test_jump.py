"""Jump mode: letters lead to panes and rows."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.widgets.jump import LETTERS, JumpScreen, labels
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.world import OTHERS, SPARSE, Hand, play, resources


def letters_at(hand: Hand) -> list[tuple[str, str]]:
    """Each label with the line of the screen that it lies on."""
    assert isinstance(hand.app.screen, JumpScreen)
    return [(label, hand.lines[target.at.y]) for label, target in hand.app.screen.labelled.items()]


def test_a_letter_leads_to_the_row_that_it_lies_on(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        third = hand.titles[2]
        await hand.press("semicolon")

        def led() -> list[str]:
            return [label for label, line in letters_at(hand) if third in line and f"{label}0." in line]

        await hand.until(lambda: bool(led()))
        await hand.press(*led()[0])
        assert isinstance(hand.app.screen, SearchScreen)
        assert hand.highlighted == third
        assert hand.app.focused is hand.papers

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*SPARSE, *OTHERS])))


def test_a_letter_leads_to_a_pane(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("semicolon")
        await hand.until(lambda: any(f"{label}─ Paper ─" in line for label, line in letters_at(hand)))
        label = next(label for label, line in letters_at(hand) if f"{label}─ Paper ─" in line)
        await hand.press(*label)
        assert hand.app.focused is not None
        assert hand.app.focused.id == "paper"

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_any_other_key_leaves_everything_as_it_was(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("j")
        before = hand.highlighted
        for key in ("escape", "enter", "7", "Q"):
            await hand.press("semicolon", key)
            assert isinstance(hand.app.screen, SearchScreen)
            assert hand.highlighted == before
        await hand.press("semicolon")
        await hand.resize(60, 12)
        await hand.settled()
        assert isinstance(hand.app.screen, SearchScreen)  # the letters would have lain elsewhere

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


@given(st.integers(0, len(LETTERS) ** 2))
def test_no_label_is_the_beginning_of_another(count: int) -> None:
    made = labels(count)
    assert len(set(made)) == count
    pairs = {label[0] for label in made if len(label) == 2}
    assert not pairs & {label for label in made if len(label) == 1}
