"""The watches in the app: what is new since the last time, told once, and never a failure as nothing new."""

import asyncio
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from agents.lookup.following import WatchSubject
from agents.search.options import SearchOptions
from cache import papers, runs, shelf
from cache.store import Store
from cache.watches import note_asked, note_looked, note_shown, set_watch, watch, watches
from connectors.errors import SourceUnavailable
from connectors.paper import Paper
from connectors.source import Answer
from spar_tui.settings import load_settings
from spar_tui.tui.app import SparApp
from tests.agents.scripted import ScriptedSource, paper
from tests.services import Services
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import environment
from tests.spar_tui.tui.world import OTHERS, QUESTION, SPARSE, GatedSource, Hand, play, resources

THEN = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
BEFORE = datetime(2019, 3, 4, tzinfo=UTC)
"""Since then everything here has appeared."""
LATER = paper(
    "Sparse retrieval of passages, part 7",
    "10.1000/s7",
    abstract="We study sparse retrieval of passages with means 7. It works well.",
    author="Ada Author7",
    date=date.today().isoformat(),
)


def stored(home: Path, name: str = "sparse", shown: list[Paper] = SPARSE) -> None:
    """A watch that has shown some papers, and was asked `THEN`."""
    with Store.open(home / "spar.db") as store:
        set_watch(store, name, QUESTION, asdict(SearchOptions()), now=THEN)
        note_shown(store, name, shown, now=THEN)
        note_looked(store, name, ["openalex", "arxiv"], BEFORE)
        note_asked(store, name, now=THEN)


def shown(home: Path, name: str = "sparse") -> int:
    with Store.open(home / "spar.db") as store:
        return watch(store, name).shown


async def look(hand: Hand, shown: int, *keys: str) -> None:
    """Go to a watch that has shown so many papers, and press `keys`: by default, look for new ones."""
    await hand.press("f10")
    await hand.until_shown(f"{shown} shown")
    await hand.press(*(keys or ("enter",)))


SINCE = f"since {THEN.astimezone():%d %b %H:%M}"


def test_what_came_since_the_last_time_is_shown_and_the_next_time_nothing_is_new(tmp_path: Path) -> None:
    stored(tmp_path)
    source = ScriptedSource("openalex", [*SPARSE, *OTHERS])

    async def scene(hand: Hand) -> None:
        await look(hand, 6)
        await hand.until_shown(f"Nothing new {SINCE}")
        source.papers = [*SPARSE, LATER, *OTHERS]
        second = watch(hand.app.store, "sparse").last_asked
        assert second is not None
        await hand.press("enter")
        await hand.until_shown(f"1 paper new since {second.astimezone():%d %b %H:%M}")
        assert hand.titles == [LATER.title]
        await hand.until(lambda: watch(hand.app.store, "sparse").shown == 7)
        await hand.press("enter")
        await hand.until_shown("Nothing new since")
        assert hand.titles == []

    play(tmp_path, scene, resources(source))


def test_new_papers_have_the_keys_that_papers_have_everywhere(tmp_path: Path) -> None:
    stored(tmp_path, shown=SPARSE[:2])

    async def scene(hand: Hand) -> None:
        await hand.press("7" if hand.app.focused is None else "f10")
        await hand.until_shown("2 shown")
        await hand.press("A")
        await hand.until_shown("4 papers new")
        await hand.press("t", "s")
        await hand.until(lambda: len(shelf.rows(hand.app.store)) == 1)
        await hand.press("space", "space")
        await hand.until_shown("2 marked")
        await hand.press("escape", "f", *"part", "space", "4", "enter")
        await hand.until(lambda: hand.titles == ["Sparse retrieval of passages, part 4"])
        await hand.press("enter")
        await hand.until_shown("References and citations")
        await hand.press("escape")
        await hand.until_shown("4 papers new")

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*SPARSE, *OTHERS])))


def test_only_what_the_filter_lets_be_seen_counts_as_shown(tmp_path: Path) -> None:
    stored(tmp_path, shown=SPARSE[:5])
    source = ScriptedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        await look(hand, 5)
        await hand.until_shown("1 paper new")
        await hand.until(lambda: watch(hand.app.store, "sparse").shown == 6)
        await hand.press("t", "f", *"nowhere", "enter")
        await hand.until_shown("no match")
        source.papers = [*SPARSE, LATER]
        await hand.press("t")
        await hand.until(lambda: hand.app.focused is not None and hand.app.focused.id == "watches")
        await hand.press("enter")
        await hand.until(lambda: "1 new" in hand.text and "no match" in hand.text)
        await hand.pilot.pause(0.3)
        assert watch(hand.app.store, "sparse").shown == 6

    play(tmp_path, scene, resources(source))


def test_new_papers_are_sorted_by_another_order_and_reversed(tmp_path: Path) -> None:
    stored(tmp_path)
    by_year = [
        paper(f"Sparse retrieval of passages in {year}", f"10.1000/y{year}", date=str(year))
        for year in (2022, 2020, 2021)
    ]
    newest = [f"Sparse retrieval of passages in {year}" for year in (2022, 2021, 2020)]

    async def scene(hand: Hand) -> None:
        await look(hand, 6)
        await hand.until_shown(f"3 papers new {SINCE}")
        await hand.press("R")
        await hand.until(lambda: hand.titles == newest)
        await hand.press("ctrl+r")
        await hand.until(lambda: hand.titles == newest[::-1])
        await hand.press("ctrl+r")
        await hand.until(lambda: hand.titles == newest)

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*SPARSE, *by_year])))


def test_papers_further_down_count_as_shown_only_when_they_come_into_sight(tmp_path: Path) -> None:
    stored(tmp_path, shown=[])
    many = [paper(f"Sparse retrieval of passages, part {place}", f"10.1000/many{place}") for place in range(20)]

    async def scene(hand: Hand) -> None:
        await look(hand, 0)
        await hand.until_shown("20 papers new")
        await hand.until(lambda: watch(hand.app.store, "sparse").shown > 0)
        await hand.pilot.pause(0.3)
        assert watch(hand.app.store, "sparse").shown < 10
        await hand.press("t", *["down"] * 19)
        await hand.until(lambda: watch(hand.app.store, "sparse").shown == 20)

    play(tmp_path, scene, resources(ScriptedSource("openalex", many)), (80, 24))


def test_a_source_that_fails_is_named_and_is_never_told_as_nothing_new(tmp_path: Path) -> None:
    stored(tmp_path)
    dead = ScriptedSource("arxiv", error=SourceUnavailable("arxiv", "is not working right now."))

    async def scene(hand: Hand) -> None:
        await look(hand, 6)
        await hand.until_shown("arxiv failed (is not working right now).")
        assert "incomplete" in hand.text
        assert "Nothing new from the sources that answered." in hand.text
        assert f"Nothing new {SINCE}" not in hand.text
        await hand.press("exclamation_mark")
        await hand.until_shown("The search continued without it")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), dead))


def test_where_every_source_fails_nothing_is_said_to_be_known_and_the_last_time_stays(tmp_path: Path) -> None:
    stored(tmp_path)
    dead = ScriptedSource("openalex", error=SourceUnavailable("openalex", "is not working right now."))

    async def scene(hand: Hand) -> None:
        await look(hand, 6)
        await hand.until_shown("No source answered")
        assert "othing new" not in hand.text
        assert watch(hand.app.store, "sparse").last_asked == THEN

    play(tmp_path, scene, resources(dead))


class Follows(ScriptedSource):
    async def newest_citations(self, paper: Paper, limit: int) -> Answer:
        return await self._say(self.papers)


def followed(home: Path) -> None:
    """A watch of what cites a paper, which has told its list."""
    subject = WatchSubject("cites", "A cited paper", ("doi:10.1000/cited",))
    with Store.open(home / "spar.db") as store:
        set_watch(store, "citing", subject.words, subject.parameters, now=THEN)
        note_shown(store, "citing", SPARSE[:2], now=THEN)
        note_looked(store, "citing", ["openalex"], BEFORE)
        note_asked(store, "citing", now=THEN)


def test_what_cites_a_paper_is_told_once_the_newest_first(tmp_path: Path) -> None:
    followed(tmp_path)
    source = Follows("openalex", [*SPARSE[:2], LATER])

    async def scene(hand: Hand) -> None:
        await look(hand, 2)
        await hand.until_shown(f"1 paper new {SINCE}")
        assert hand.titles == [LATER.title]
        await hand.until(lambda: watch(hand.app.store, "citing").shown == 3)
        await hand.press("enter")
        await hand.until_shown("Nothing new since")

    play(tmp_path, scene, resources(source))


def test_a_list_that_cannot_be_told_is_named_with_the_watch_among_the_errors(tmp_path: Path) -> None:
    followed(tmp_path)
    dead = Follows("openalex", error=SourceUnavailable("openalex", "is not working right now."))

    async def scene(hand: Hand) -> None:
        await look(hand, 2)
        await hand.until_shown("No source answered")
        assert watch(hand.app.store, "citing").last_asked == THEN
        await hand.press("exclamation_mark")
        await hand.until_shown("watch “citing”")

    play(tmp_path, scene, resources(dead))


def test_offline_a_paper_is_not_followed_and_that_is_said(tmp_path: Path) -> None:
    followed(tmp_path)
    (tmp_path / "config.toml").write_text("offline = true\n")

    async def scene(hand: Hand) -> None:
        await look(hand, 2)
        await hand.until_shown("spar is offline, so it cannot ask the sources")
        assert "othing new" not in hand.text

    play(tmp_path, scene, resources())


@pytest.mark.parametrize("key", ["escape", "ctrl+c", "x"])
def test_asking_can_be_stopped_and_nothing_is_lost_by_it(tmp_path: Path, key: str) -> None:
    stored(tmp_path)
    stored(tmp_path, "zweite")
    source = GatedSource("openalex", [*SPARSE, LATER])

    async def scene(hand: Hand) -> None:
        await look(hand, 6, "A")
        await hand.until_shown("waiting")
        await hand.until(lambda: bool(source.asked))
        await hand.press("f3")
        await hand.until_shown("Nothing is saved yet")  # other screens stay usable
        await hand.press("f10")
        await hand.until_shown("asking")
        await hand.press(key)
        await hand.until(lambda: hand.text.count("6 shown") == 2)
        assert all(one.last_asked == THEN and one.shown == 6 for one in watches(hand.app.store))
        assert hand.app.under_way == 0
        source.gate.set()
        await hand.press("enter")
        await hand.until_shown("1 paper new")
        await hand.press("escape", "escape")
        await hand.until_shown("What do you want to know?")

    play(tmp_path, scene, resources(source))


def test_what_was_found_while_the_person_was_elsewhere_is_told_when_it_stands_on_the_screen(tmp_path: Path) -> None:
    stored(tmp_path)
    source = GatedSource("openalex", [*SPARSE, LATER])

    async def scene(hand: Hand) -> None:
        await look(hand, 6, "enter", "f2")
        await hand.until(lambda: bool(source.asked))
        source.gate.set()
        await hand.until(lambda: watch(hand.app.store, "sparse").last_asked != THEN)
        await hand.until_shown("1 watch asked: 1 paper new.")
        assert "relevant papers for" not in hand.text
        assert watch(hand.app.store, "sparse").shown == 6
        await hand.press("f10")
        await hand.until_shown(LATER.title)
        await hand.until(lambda: watch(hand.app.store, "sparse").shown == 7)

    play(tmp_path, scene, resources(source))


def test_what_was_never_on_the_screen_when_the_app_ended_is_new_the_next_time(tmp_path: Path) -> None:
    stored(tmp_path)

    async def ends_early(hand: Hand) -> None:
        await look(hand, 6, "enter", "f2")
        source.gate.set()
        await hand.until(lambda: watch(hand.app.store, "sparse").last_asked != THEN)

    async def again(hand: Hand) -> None:
        await look(hand, 6)
        await hand.until_shown("1 paper new since")
        assert hand.titles == [LATER.title]

    source = GatedSource("openalex", [*SPARSE, LATER])
    play(tmp_path, ends_early, resources(source))
    play(tmp_path, again, resources(source))


def test_papers_that_are_here_are_not_passed_off_as_what_sources_told(tmp_path: Path) -> None:
    stored(tmp_path, shown=[])
    with Store.open(tmp_path / "spar.db") as store:
        papers.remember(store, SPARSE)
    dead = ScriptedSource("openalex", error=SourceUnavailable("openalex", "is not working right now."))
    on = replace(resources(dead), local={"library": Follows("library", SPARSE)})

    async def scene(hand: Hand) -> None:
        await look(hand, 0)
        await hand.until_shown("No source answered")
        assert hand.titles == []
        assert "sources that answered" not in hand.text

    play(tmp_path, scene, on)


def test_a_watch_is_forgotten_after_a_yes_and_its_papers_stay(tmp_path: Path) -> None:
    stored(tmp_path)

    async def scene(hand: Hand) -> None:
        await look(hand, 6, "d")
        await hand.until_shown("Delete the watch “sparse”?")
        await hand.press("n", "d", "y")
        await hand.until_shown("No watches yet")
        assert "   :watch --author ID        follows a person" in hand.text.replace("\n", "")
        assert watches(hand.app.store) == []

    play(tmp_path, scene, resources())


def test_the_search_of_a_watch_stands_among_the_searches(tmp_path: Path) -> None:
    stored(tmp_path)

    async def scene(hand: Hand) -> None:
        await look(hand, 6)
        await hand.until_shown("Nothing new since")
        [run] = runs.recent(hand.app.store)
        assert run.state == "finished"
        await hand.press("f4")
        await hand.until_shown("History 1")
        await hand.press("enter")
        await hand.until_shown("part 5")
        await hand.press("f4", "d", "y")
        await hand.until_shown("No searches yet")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_the_first_screen_tells_how_many_watches_there_are_and_when_they_were_asked(tmp_path: Path) -> None:
    stored(tmp_path)

    async def scene(hand: Hand) -> None:
        days = (datetime.now().astimezone().date() - THEN.astimezone().date()).days
        await hand.until_shown(f"1 watch, last asked {days} days ago · f10 shows new papers")

    play(tmp_path, scene, resources())


# The app and the command line


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services() as running:
        yield running


def watched(home: Path, services: Services) -> None:
    """A watch stored by the command line, as if it had seen nothing since 1900."""
    ask = ("search", "dense retrieval", "--source", "openalex", "--fast", "--watch", "dense")
    spar(home, *ask, more=services.environment)
    with Store.open(home / "spar" / "spar.db") as store, store.writing() as db:
        db.execute("DELETE FROM watch_papers")
        db.execute("UPDATE watch_looks SET looked = '1900-01-01T00:00:00.000000Z'")


def in_app(home: Path, services: Services, words: str) -> list[str]:
    """The titles that the app shows once it says `words` of the watch, which it asks over HTTP."""
    settings = load_settings(environment(home, services.environment))
    titles: list[str] = []

    async def run() -> None:
        with Store.open(settings.places.database) as store:
            app = SparApp(settings, store, reload=lambda: settings)
            async with Hand.on(app) as hand:
                await hand.press("f10")
                await hand.until_shown("shown")
                before = watch(store, "dense").shown
                await hand.press("enter")
                await hand.until_shown(words)
                titles.extend(hand.titles)
                await hand.press("t", *["down"] * len(titles))  # every one comes into sight
                await hand.until(lambda: watch(store, "dense").shown == before + len(titles))

    asyncio.run(run())
    return titles


def test_what_the_app_has_shown_is_no_news_to_the_command_line(services: Services, tmp_path: Path) -> None:
    watched(tmp_path, services)
    assert in_app(tmp_path, services, "papers new since")
    ran = spar(tmp_path, "watch", more=services.environment)
    assert ran.returncode == 3
    assert "dense: nothing new since" in ran.stdout


def test_what_the_command_line_has_printed_is_no_news_in_the_app(services: Services, tmp_path: Path) -> None:
    watched(tmp_path, services)
    assert "papers new" in spar(tmp_path, "watch", more=services.environment).stdout
    assert in_app(tmp_path, services, "Nothing new since") == []
