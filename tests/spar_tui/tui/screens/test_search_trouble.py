"""What a person sees of a search in which something failed, or which found nothing: why, and what can be done."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

from agents.run.resources import Resources
from agents.search.options import SearchOptions
from connectors.errors import SourceUnavailable
from spar_tui.settings import Settings
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.settings import SettingsScreen
from spar_tui.tui.widgets.text import Line
from tests.agents.scripted import ScriptedSource
from tests.agents.search.world import model_at
from tests.services.model import says
from tests.services.model.server import ScriptedModel
from tests.spar_tui.tui.scenes import searched
from tests.spar_tui.tui.world import OTHERS, QUESTION, SPARSE, GatedSource, Hand, play, resources

SIZES = [(150, 36), (110, 30), (80, 24)]


def dead(name: str) -> ScriptedSource:
    return ScriptedSource(name, error=SourceUnavailable(name, "did not answer in 10 s."))


def style_of(hand: Hand, words: str) -> str:
    """The color in which the first cell of `words` is drawn."""
    for strip in hand.strips:
        for segment in strip:
            if words in segment.text and segment.style and segment.style.color:
                return segment.style.color.get_truecolor().hex
    raise AssertionError(f"{words} is not shown:\n{hand.text}")


def test_a_search_in_which_a_source_failed_ends_in_amber_with_the_reason_and_the_keys(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        for size in SIZES:
            await hand.resize(*size)
            await hand.until_shown("▲ finished")
            assert "✔ finished" not in hand.text
            await hand.until_shown("arxiv failed (did not answer in 10 s).")
            await hand.until_shown("A asks again   ! shows all")
            variables = hand.app.theme_variables
            assert style_of(hand, "▲ finished") == variables["warning"].lower() != variables["success"].lower()
            if size == SIZES[0]:
                await hand.until(lambda: "! messages" in hand.lines[-1])
            await hand.press("exclamation_mark")
            await hand.until_shown("Messages")
            await hand.press("escape")
            await hand.until(lambda: "space mark" in hand.lines[-1])
            assert "! messages" not in hand.lines[-1]  # they are read

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), dead("arxiv")))


def test_behind_a_dialog_the_reason_has_the_lines_that_it_needs_at_each_size(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await searched("done", "ctrl+p")(hand)
        for size, lines in (((80, 24), 2), ((150, 36), 1), ((110, 30), 2)):
            await hand.resize(*size)
            line = hand.app.screen_stack[-2].query_one("#trouble", Line)
            assert line.content.plain.count("\n") + 1 == lines == line.size.height

    play(tmp_path, scene, resources())


def test_a_reason_that_needs_more_room_has_two_lines(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until(lambda: hand.lines[2].startswith(" ▲ arxiv failed (did not answer in"))
        await hand.until(lambda: hand.lines[3].rstrip().endswith("A asks again   ! shows all"))

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), dead("arxiv")), (58, 30))


def test_a_later_session_still_knows_in_which_search_something_failed(tmp_path: Path) -> None:
    async def asked(hand: Hand) -> None:
        await hand.ask("an earlier question")
        await hand.until_shown("finished")
        await hand.press("1")
        await hand.ask()
        await hand.until_shown("finished")

    async def next_day(hand: Hand) -> None:
        await hand.until_shown(QUESTION)
        told = next(line for line in hand.lines if QUESTION in line)
        assert "▲" in told
        assert "✔" not in told
        amber = hand.app.theme_variables["warning"].lower()
        assert style_of(hand, "▲") == amber
        await hand.press("f4")
        await hand.until(lambda: any("▲" in line and QUESTION in line for line in hand.lines))
        await hand.press("j")  # to the next row: the highlight has one color
        assert style_of(hand, "▲") == amber

    play(tmp_path, asked, resources(ScriptedSource("openalex", SPARSE), dead("arxiv")))
    play(tmp_path, next_day, resources())


def test_a_search_in_which_all_went_well_says_nothing_of_trouble(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        assert "▲" not in hand.text
        assert "messages" not in hand.lines[-1]

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_where_every_source_is_dead_the_list_says_so_and_what_to_do(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        for size in SIZES:
            await hand.resize(*size)
            await hand.until_shown("▲ finished")
            await hand.until_shown("No papers found, because no source answered.")
            for name in ("openalex", "arxiv"):
                await hand.until_shown(f"{name} failed (did not answer in 10 s)")
            await hand.until_shown("runs it again")
        await hand.press("comma")
        assert isinstance(hand.app.screen, SettingsScreen)  # the key that the panel names

    play(tmp_path, scene, resources(dead("openalex"), dead("arxiv")))


def test_sources_that_answered_with_nothing_are_not_called_dead(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask("sparse retrieval since 2024")
        await hand.until_shown("✔ finished")
        await hand.until_shown("openalex answered with no records")
        assert "failed" not in hand.text
        assert "No papers found." in hand.text
        await hand.until_shown("runs it without “since 2024-01-01”")

    play(tmp_path, scene, resources(ScriptedSource("openalex")))


def test_the_panel_says_which_bounds_are_not_of_the_question(tmp_path: Path) -> None:
    """They were given when the search was begun, so other words in the question do not take them away."""

    async def scene(hand: Hand) -> None:
        hand.app.ask(QUESTION, SearchOptions(since=date(2024, 1, 1)))
        await hand.until_shown("✔ finished")
        await hand.until_shown("esc  goes back, to ask without “since 2024-01-01”")
        assert "runs it without" not in hand.text
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex")))


def test_a_dead_model_is_told_of_and_costs_nothing_that_is_not_known(tmp_path: Path) -> None:
    @asynccontextmanager
    async def opened(settings: Settings) -> AsyncIterator[Resources]:
        with ScriptedModel(lambda request: says.down()) as endpoint:
            model = model_at(endpoint)
            yield Resources({"openalex": ScriptedSource("openalex", SPARSE)}, model=model)
            await model.close()

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("▲ finished")
        await hand.until_shown("▲ Built-in rules took over. The model ")
        assert "$" not in hand.text
        assert "USD" not in hand.text
        await hand.until(lambda: "! messages" in hand.lines[-1])

    play(tmp_path, scene, opened)


def test_a_failure_is_told_while_the_search_still_runs(tmp_path: Path) -> None:
    slow = GatedSource("openalex", OTHERS)

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("arxiv failed (did not answer in 10 s).")
        assert "asks again" not in hand.text  # it is under way
        assert "! shows all" in hand.text
        slow.gate.set()
        await hand.until_shown("▲ finished")

    play(tmp_path, scene, resources(slow, dead("arxiv")))
