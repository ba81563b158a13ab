"""Asking more: papers like one, the same question anew, and a search that is watched."""

from pathlib import Path

from agents.run.runner import Runner
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from cache import runs
from cache.store import Store
from cache.watches import watches
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.search import SearchScreen
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.citation_map.maps import events_of
from tests.spar_tui.tui.scenes import show
from tests.spar_tui.tui.world import OTHERS, SPARSE, Hand, play, resources, settings_at


async def searched(hand: Hand, question: str = "old things") -> str:
    live = Runner.begun(SEARCH, hand.app.store, question, SearchOptions(limit=7))
    await show(hand, live, events_of(SPARSE), over=True)
    return live.run


def test_papers_like_one_are_looked_for_by_a_key_from_any_paper(tmp_path: Path) -> None:
    source = ScriptedSource("openalex", OTHERS)

    async def scene(hand: Hand) -> None:
        await searched(hand)
        await hand.press("tilde")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        await hand.until_shown("Similar 6")
        await hand.press("j", "tilde")
        await hand.until_shown(f"{SPARSE[0].title[:20]}")
        screen = hand.app.screen
        assert isinstance(screen, PaperScreen)
        await hand.until(lambda: screen.about.title == OTHERS[1].title)

    play(tmp_path, scene, resources(source))


def test_a_question_is_asked_anew_with_its_options_from_the_search_and_from_the_history(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        first = await searched(hand)
        await hand.press("A")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen) and hand.live.run != first)
        second = hand.live
        assert (second.question, second.options.limit) == ("old things", 7)
        await hand.until_shown("✔ finished")
        await hand.press("f4")
        await hand.until_shown("History 2")
        await hand.press("A")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen) and hand.live.run not in (first, second.run))

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    with Store.open(settings_at(tmp_path).places.database) as store:
        assert [one.question for one in runs.recent(store)] == ["old things"] * 3


def test_a_name_that_watches_another_question_is_replaced_only_after_a_yes(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        for question, answer in (("old things", ""), ("Old, things", "n"), ("Old, things", "y")):
            await searched(hand, question)
            await hand.press("W")
            await hand.until_shown("under the name")
            await hand.press("enter")
            if answer:
                await hand.until_shown("watches “old things”")
                await hand.press(answer)
            await hand.until(lambda: "under the name" not in hand.text and "watches “" not in hand.text)
            await hand.pilot.pause(0.2)
            watched = [one.question for one in watches(hand.app.store)]
            assert watched == ["Old, things" if answer == "y" else "old things"]

    play(tmp_path, scene, resources())


def test_a_search_is_watched_under_the_name_that_is_asked_for_and_without_one_not_at_all(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await searched(hand)
        await hand.press("W")
        await hand.until_shown("under the name")
        await hand.press("escape", "W")
        await hand.until_shown("under the name")
        await hand.press("ctrl+u", "enter")
        await hand.until(lambda: "Nothing was saved" in hand.told)
        assert watches(hand.app.store) == []
        await hand.press("W")
        await hand.until_shown("Watch this search under the name")
        await hand.until_shown("old-things")
        await hand.press("enter")
        await hand.until(lambda: "Watching “old-things”" in hand.told)
        [one] = watches(hand.app.store)
        assert (one.name, one.question, one.shown) == ("old-things", "old things", len(SPARSE))

    play(tmp_path, scene, resources())
