"""Two to four marked papers in columns."""

from dataclasses import replace
from pathlib import Path

from agents.run.runner import Runner
from agents.search.events import PaperJudged
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from cache import papers
from connectors.paper import WorkId
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.screens.side_by_side import SideBySide
from tests.agents.scripted import paper
from tests.spar_tui.citation_map.maps import HOSTILE, events_of
from tests.spar_tui.tui.scenes import show
from tests.spar_tui.tui.test_hostile_text import harmless, raw
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources

ROOT = paper("The root of it", "10.1000/root", date="2001", author="Ro Root")
FIRST = paper("A first paper", "10.1000/first", abstract="It begins.", references=ROOT.identifiers, venue="ACL")
SECOND = replace(
    paper("A second paper", "10.1000/second", abstract="It goes on.", citation_count=12),
    references=(*ROOT.identifiers, *FIRST.identifiers),
)


async def marked(hand: Hand, number: int = 2) -> None:
    """A finished search with so many of its papers marked, and these side by side."""
    live = Runner.begun(SEARCH, hand.app.store, "beginnings", SearchOptions())
    judged = PaperJudged(WorkId(0), 0.91, "It is about beginnings.", "It begins.", "model")
    await show(hand, live, events_of([FIRST, SECOND, *SPARSE], judged), over=True)
    await hand.press(*["space"] * number, "equals_sign")


def test_marked_papers_stand_side_by_side_with_their_score_and_how_they_are_linked(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        papers.remember(hand.app.store, [ROOT])
        await marked(hand)
        for words in ("A first", "A second", "0.91", "It goes on.", "2 cites 1.", "1 work cited by two or more",
                      "Root 2001: The root of it"):  # fmt: skip
            await hand.until_shown(words)
        assert any("A first" in line and "A second" in line for line in hand.lines)

    for size in ((150, 36), (110, 30), (80, 24)):
        play(tmp_path / str(size[0]), scene, resources(), size)


def test_columns_say_if_nothing_is_known_of_links_and_hostile_papers_are_only_text_in_them(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.push_screen(SideBySide(SPARSE[:3], None))
        await hand.until_shown("No known citations between these papers.")
        await hand.until_shown("References unknown.")
        for at in range(0, 8, 4):
            hand.app.push_screen(SideBySide([raw(at + one, HOSTILE[at + one]) for one in range(4)], None))
            for size in ((150, 36), (80, 24), (40, 10)):
                await hand.resize(*size)
                harmless(hand)

    play(tmp_path, scene, resources())


def test_arrows_go_from_paper_to_paper_and_enter_reads_the_one_at_hand(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await marked(hand, 3)
        await hand.until_shown("3 papers side by side")
        await hand.press("right", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        await hand.until_shown("A second paper")
        await hand.press("escape", "right", "right", "s")
        await hand.until(lambda: f"Saved “{SPARSE[0].title}”" in hand.told)
        await hand.press("escape")
        assert isinstance(hand.app.screen, SearchScreen)

    play(tmp_path, scene, resources())


def test_one_paper_is_not_compared_and_more_than_four_are_too_many(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await marked(hand, 1)
        await hand.settled()
        assert isinstance(hand.app.screen, SearchScreen)
        await hand.press("asterisk", "equals_sign")
        await hand.until(lambda: "4 papers fit side by side; 8 are marked." in hand.told)

    play(tmp_path, scene, resources())
