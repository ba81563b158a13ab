"""The box to ask in grows with the question, and offers papers of the library while one types."""

from pathlib import Path

from textual.events import Paste

from cache import papers
from spar_tui.tui.screens.home import AskLine
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.widgets.below_ask import PapersOffered
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources


def test_what_is_pasted_is_shown_whole_in_up_to_five_lines_and_enter_asks_it(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        box = hand.app.screen.query_one(AskLine)
        assert box.content_size.height == 1
        box.post_message(Paste("sparse \x1b[31mretrieval\r\nor\u2028dense\n\n"))
        await hand.settled()
        assert box.text == "sparse [31mretrieval\nor\ndense"
        assert box.content_size.height == 3
        await hand.press("ctrl+j", "x", "ctrl+j", "y", "ctrl+j", "z")
        assert box.content_size.height == 5
        await hand.press("up", "down")
        assert box.has_focus
        box.text = "why\n" + "word " * 500
        box.move_cursor(box.document.end)
        await hand.press("ctrl+u")
        assert box.text == "why\n"
        box.text = "why " + "x" * 5_000
        box.value = "sparse"
        await hand.press("ctrl+j")
        await hand.type("retrieval")
        await hand.press("enter")
        assert hand.live.question == "sparse retrieval"

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_the_end_of_a_long_question_stays_in_sight_when_the_terminal_becomes_smaller(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.screen.query_one(AskLine).value = "word " * 120 + "the end"
        await hand.resize(60, 24)
        await hand.until_shown("the end")

    play(tmp_path, scene, resources())


def test_papers_whose_title_has_the_typed_words_are_offered_and_opened(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        papers.remember(
            hand.app.store,
            [paper(f"Bitter lessons of [b]pruning[/b] {n}", f"10.1000/{n}") for n in range(5)]
            + [paper("Lessons on maps", "10.1000/maps", abstract="bitter pruning")],
        )
        await hand.type("pruning bitter les")
        await hand.until(lambda: len(hand.app.screen.query_one(PapersOffered).rows) == 3)
        assert "maps" not in hand.text
        await hand.press("down")
        assert hand.app.screen.query_one(PapersOffered).has_focus
        await hand.press("up")
        assert hand.app.screen.query_one(AskLine).has_focus
        await hand.press("down", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        await hand.press("escape")
        assert hand.app.screen.query_one(AskLine).value == "pruning bitter les"
        await hand.press("i", "z")
        await hand.until(lambda: not hand.app.screen.query_one(PapersOffered).display)
        hand.app.screen.query_one(AskLine).value = '" OR title:* NEAR('
        await hand.settled()
        assert not hand.said

    play(tmp_path, scene, resources())


def test_that_built_in_search_reads_english_is_said_before_the_question_is_asked(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.type("welche modelle finden die besten papiere zu einem thema")
        await hand.until_shown("Built-in search reads English")
        await hand.resize(80, 12)
        await hand.until_shown("Built-in search reads English")
        hand.app.screen.query_one(AskLine).value = "which models find papers"
        await hand.until(lambda: "reads English" not in hand.text)

    play(tmp_path, scene, resources())
