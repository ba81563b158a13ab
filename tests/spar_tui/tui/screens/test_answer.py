"""Answers in the app: asked for from a search, read, listed among the runs, opened again."""

from pathlib import Path

from spar_tui.tui.screens.history import HistoryScreen
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.summary import AnswerScreen, SummaryPage
from spar_tui.tui.widgets.status_lines import answer_told
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.screens.test_search import kept
from tests.spar_tui.tui.world import QUESTION, SPARSE, Hand, play, resources


async def answered(hand: Hand) -> AnswerScreen:
    """Search, and ask for the answer to the question from what was found."""
    search = await hand.ask()
    await hand.until(lambda: search.status == "finished")
    await hand.press("a")
    await hand.until(lambda: isinstance(hand.app.screen, AnswerScreen) and hand.app.screen.live.status == "finished")
    await hand.until_shown("✔ finished")
    screen = hand.app.screen
    assert isinstance(screen, AnswerScreen)
    return screen


def test_a_key_answers_the_question_of_a_search_from_its_papers(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        screen = await answered(hand)
        assert "Quotes nearest to the question. No model read them" in hand.text
        assert "We study sparse retrieval of passages" in hand.text
        assert " read" in hand.text
        assert not screen.query_one("#sources").display  # no source was asked
        rows = screen.query_one(SummaryPage).rows
        screen.query_one(SummaryPage).go_to(next(at for at, row in enumerate(rows) if row.kind == "paper"))
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    assert [(run.kind, run.question, run.state) for run in kept(tmp_path)][:1] == [("answer", QUESTION, "finished")]


def test_an_answer_stands_among_the_runs_and_is_opened_from_there(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await answered(hand)
        await hand.press("escape", "escape")
        await hand.until(lambda: isinstance(hand.app.screen, HomeScreen))
        await hand.until_shown(f"answer {QUESTION}")
        await hand.press("f4")
        await hand.until(lambda: isinstance(hand.app.screen, HistoryScreen))
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, AnswerScreen))
        await hand.until_shown("Quotes nearest to the question.")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_question_is_answered_above_the_papers_of_its_search(tmp_path: Path) -> None:
    question = "Does sparse retrieval of passages work?"

    async def scene(hand: Hand) -> None:
        search = await hand.ask(question)
        await hand.until(lambda: search.status == "finished")
        await hand.until_shown("a shows the evidence")
        assert "Quotes nearest to the question. No model read them" in hand.text
        assert "“We study sparse retrieval of passages with means 0.” [Author0 2020]" in hand.text
        await hand.press("a")
        await hand.until(lambda: isinstance(hand.app.screen, AnswerScreen))
        await hand.until_shown(" read")

    async def another_day(hand: Hand) -> None:
        await hand.press("down", "down", "enter")
        await hand.until_shown("a shows the evidence")
        assert "“We study sparse retrieval of passages with means 0.” [Author0 2020]" in hand.text

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    assert sorted(run.kind for run in kept(tmp_path)) == ["answer", "search"]
    play(tmp_path, another_day, resources())
    assert sorted(run.kind for run in kept(tmp_path)) == ["answer", "search"]


def test_above_the_papers_only_whole_sentences_stand_and_the_key_for_the_rest() -> None:
    lines = ["Yes.", "“One two three.” [Ada 2020]", "“Four five six seven.” [Bell 2021]"]
    assert answer_told(lines, "a more", 16, 5).plain == "Yes.\n“One two three.”\n[Ada 2020]\na more"
    whole, last = answer_told(lines, "a more", 80, 5).plain, f"{lines[-1]:<74}a more"
    assert whole == "\n".join([*lines[:-1], last])
    assert answer_told(["A long sentence first"], "a more", 8, 2).plain.startswith("A long\nsentence\nfirst")


def test_an_answer_on_a_small_terminal_is_left_at_once(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await answered(hand)
        await hand.press("escape")
        await hand.until_shown("Papers 6")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)), (80, 24))
