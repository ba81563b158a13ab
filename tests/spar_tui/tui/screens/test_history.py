"""The history: all runs, found as one types, to look at again, to go on with, or to forget."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cache import runs
from cache.store import Store
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen
from spar_tui.tui.screens.history import HistoryScreen, Past
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.widgets.table import Table
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.test_hostile_text import HOSTILE, harmless
from tests.spar_tui.tui.world import OTHERS, SPARSE, GatedSource, Hand, play, resources, settings_at

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def keep(home: Path, *questions: str) -> list[str]:
    """Runs of these questions, an hour apart, that were interrupted."""
    with Store.open(settings_at(home).places.database) as store:
        made = []
        for hour, question in enumerate(questions):
            run = runs.start(store, "search", question, now=NOON + timedelta(hours=hour))
            runs.finish(store, run, "interrupted")
            made.append(run)
        return made


def asked(hand: Hand) -> list[str]:
    table: Table[Past] = hand.app.screen.query_one("#runs", Table)
    return [one.run.question for one in table.rows]


async def open_history(hand: Hand) -> None:
    await hand.press("f4")
    await hand.until(lambda: isinstance(hand.app.screen, HistoryScreen) and hand.app.screen._read)


def test_every_run_is_listed_and_the_filter_narrows_as_one_types(tmp_path: Path) -> None:
    keep(tmp_path, "first about fish", "second about cells", "third about fish")

    async def scene(hand: Hand) -> None:
        await open_history(hand)
        assert asked(hand) == ["third about fish", "second about cells", "first about fish"]
        await hand.until_shown("interrupted · ⏎ resumes")
        assert "⏎ open" in hand.lines[-1]
        await hand.press("slash")
        await hand.type("FISH fir")
        assert asked(hand) == ["first about fish"]
        await hand.press("enter", "escape")
        assert len(asked(hand)) == 3
        await hand.press("escape", "escape")  # away from the matches, then from the history
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources())


def test_an_empty_history_says_where_to_begin(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await open_history(hand)
        await hand.until_shown("No searches yet")
        await hand.press("j", "enter", "d", "slash", "escape", "d")
        assert isinstance(hand.app.screen, HistoryScreen)

    play(tmp_path, scene, resources())


def test_a_summary_that_found_no_paper_says_so_and_is_not_listed(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.type("quokkas of Rottnest")
        await hand.press("ctrl+l", "enter")
        await hand.until_shown("No relevant paper was found on quokkas of Rottnest.")
        await hand.press("escape", "f4")
        await hand.until_shown("No searches yet.")

    play(tmp_path, scene, resources(ScriptedSource("openalex")))


def test_enter_takes_a_run_up_among_the_searches(tmp_path: Path) -> None:
    """It goes on where it was cut off, and the history is where it was when one comes back."""
    keep(tmp_path, "sparse retrieval of passages", "fish")

    async def scene(hand: Hand) -> None:
        await open_history(hand)
        await hand.press("j", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen))
        await hand.until_shown("✔ finished")
        assert len(hand.titles) == len(SPARSE)
        await hand.press("3")
        await hand.until_shown("6 relevant of 6")
        await hand.press("enter")
        assert isinstance(hand.app.screen, SearchScreen)
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_the_same_run_is_never_on_two_screens(tmp_path: Path) -> None:
    """From the history one comes back to the screen that shows a run already, as it was left."""
    slow = GatedSource("arxiv", OTHERS)

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until(lambda: len(hand.titles) == 6)
        await hand.press("j", "j")
        chosen, screen = hand.highlighted, hand.app.screen
        await hand.press("3")
        await hand.until_shown("running, 6 papers")
        await hand.press("enter")
        assert hand.app.screen is screen
        assert hand.highlighted == chosen
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), slow))


def test_a_search_that_ends_while_one_looks_is_not_said_to_be_running(tmp_path: Path) -> None:
    slow = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until(lambda: bool(slow.asked))
        await hand.press("3")
        await hand.until_shown("running")
        slow.gate.set()
        await hand.until(lambda: "running" not in hand.text)
        await hand.until_shown("relevant of")

    play(tmp_path, scene, resources(slow))


def test_forgetting_asks_first_and_then_forgets(tmp_path: Path) -> None:
    keep(tmp_path, "first", "second")

    async def scene(hand: Hand) -> None:
        await open_history(hand)
        await hand.press("d")
        assert isinstance(hand.app.screen, ConfirmScreen)
        await hand.press("escape")
        assert len(asked(hand)) == 2
        await hand.press("d", "y")
        await hand.until(lambda: isinstance(hand.app.screen, HistoryScreen) and asked(hand) == ["first"])

    play(tmp_path, scene, resources())
    with Store.open(settings_at(tmp_path).places.database) as store:
        assert [run.question for run in runs.recent(store)] == ["first"]


def test_a_run_that_was_looked_at_can_be_forgotten(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("3")
        await hand.until(lambda: isinstance(hand.app.screen, HistoryScreen) and bool(asked(hand)))
        await hand.press("d", "y")
        await hand.until(lambda: isinstance(hand.app.screen, HistoryScreen) and not asked(hand))
        await hand.press("1")
        assert isinstance(hand.app.screen, HomeScreen)
        await hand.until_shown("Nothing asked yet")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_search_under_way_is_not_forgotten(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.press("3")
        await hand.until_shown("running")
        await hand.press("d")
        assert isinstance(hand.app.screen, HistoryScreen)

    play(tmp_path, scene, resources(GatedSource("openalex", SPARSE)))


def test_hostile_questions_are_only_text(tmp_path: Path) -> None:
    keep(tmp_path, *HOSTILE)

    async def scene(hand: Hand) -> None:
        await open_history(hand)
        await hand.until_shown("[red]retrieval[/red]")
        for size in ((150, 36), (110, 30), (80, 24), (40, 10), (12, 3), (80, 24)):
            await hand.resize(*size)
            await hand.settled()
            harmless(hand)
            await hand.press("j", "G", "g")
        for _ in HOSTILE[:4]:  # those that would be markup
            await hand.press("d")
            harmless(hand)
            await hand.press("n", "j")

    play(tmp_path, scene, resources())
