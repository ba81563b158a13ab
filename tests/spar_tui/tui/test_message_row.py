"""A message takes rows of its own above the footer, so that it covers nothing of the screen."""

from pathlib import Path

import pytest

from tests.spar_tui.tui.scenes import of_a_paper, on_shelf, scripted_desk, searched, summarized, talked, to_read_next
from tests.spar_tui.tui.world import Hand, Scene, play

SCENES: dict[str, Scene] = {
    "home": to_read_next(),
    "search": searched("done"),
    "paper": of_a_paper(),
    "shelf": on_shelf(),
    "recommendation": to_read_next("f5"),
    "summary": summarized("done"),
    "conversation": talked("papers on sparse retrieval"),
}
LONG = "This message explains something. " * 4


def lowest(lines: list[str]) -> str:
    """The lowest line that is not blank."""
    return next(line for line in reversed(lines) if line.strip())


@pytest.mark.parametrize("name", SCENES)
def test_a_message_covers_no_row(name: str, tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await SCENES[name](hand)
        hand.app.clear_notifications()
        await hand.settled()
        before = hand.lines
        for message, rows in (("Saved.", 1), (LONG, 2)):
            hand.app.say(message)
            await hand.until_shown(message[:30].strip())
            *lines, footer = hand.lines
            assert message[:5] in lines[-rows]
            assert footer == before[-1]
            assert lowest(lines[:-rows]) == lowest(before[:-1])
            hand.app.clear_notifications()
            await hand.until(lambda: hand.lines[-2] == before[-2])

    play(tmp_path, scene, scripted_desk, (110, 36))


def test_the_highlighted_paper_stays_in_view_above_a_message(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await searched("done", "G")(hand)
        last = hand.highlighted
        hand.app.say("Saved.")
        await hand.until_shown("Saved.")
        assert last in hand.text

    play(tmp_path, scene, scripted_desk, (80, 24))


def test_the_end_of_a_conversation_stays_in_view_above_a_message(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await talked("papers on sparse retrieval", "save the first and tag it rag")(hand)
        hand.app.say("Saved.")
        await hand.until_shown("Saved.")
        await hand.until(lambda: any("y yes  n no" in line for line in hand.lines[:-1]))

    play(tmp_path, scene, scripted_desk, (80, 24))
