"""The citation map of a search as a screen: walked by keys, written into a file, true about what is known."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from agents.run.runner import Runner
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from cache import papers
from connectors.paper import Paper
from spar_tui.citation_map.phrases import NO_LINKS
from spar_tui.tui.screens.citation_map import CitationMapScreen, MapView, on_lines
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.search import SearchScreen
from tests.agents.scripted import paper
from tests.spar_tui.citation_map.maps import HOSTILE, events_of, paper_of
from tests.spar_tui.tui.scenes import show
from tests.spar_tui.tui.test_hostile_text import harmless
from tests.spar_tui.tui.world import Hand, play, resources

OLD = paper("An old paper", "10.1000/old", date="2010", author="Ada Old")
MIDDLE = paper("A paper between", "10.1000/middle", date="2015", author="Bo Middle", references=OLD.identifiers)
BESIDE = paper("A paper beside", "10.1000/beside", date="2015", author="Cy Beside")
NEW = paper("A new paper", "10.1000/new", date="2020", author="Di New",
            references=[*OLD.identifiers, *MIDDLE.identifiers])  # fmt: skip
FOUR = [OLD, MIDDLE, BESIDE, NEW]


async def on_map(hand: Hand, found: Sequence[Paper] = FOUR, relevant: int | None = None) -> None:
    """A finished search that found these papers, and its map."""
    live = Runner.begun(SEARCH, hand.app.store, "old things", SearchOptions())
    await show(hand, live, events_of(found, relevant=relevant), over=True)
    await hand.press("M")
    await hand.until_shown("Who cites whom: old things")


def at(hand: Hand) -> str:
    """The title of the paper under the cursor."""
    assert isinstance(hand.app.screen, CitationMapScreen)
    found = hand.app.screen.paper
    return found.title if found else ""


def test_the_map_shows_the_years_the_links_and_what_is_known_of_them(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await on_map(hand)
        await hand.until_shown("3 citations among 4 relevant papers.")
        await hand.until(lambda: "not asked (2)" in " ".join(hand.text.split()))
        assert at(hand) == OLD.title
        await hand.until_shown("cited by 2: Middle 2015; New 2020")
        years = next(line for line in hand.lines if "2010" in line and "2015" in line)
        assert years.index("2010") < years.index("2015") < years.index("2020")
        assert any("◀" in line for line in hand.lines)

    for size in ((150, 36), (110, 30), (80, 24)):
        play(tmp_path / str(size[0]), scene, resources(), size)


def test_a_title_is_wrapped_between_words_and_its_last_line_cut() -> None:
    title = "Over-smoothing control improves depth without over-smoothing in heterogeneous graphs"
    assert on_lines(title, 19, 3) == ["Over-smoothing", "control improves", "depth without over…"]
    assert on_lines("A survey", 19, 3) == ["A survey", "", ""]


def test_titles_take_the_lines_that_they_need_where_these_fit(tmp_path: Path) -> None:
    title = "Over-smoothing control improves depth without over-smoothing in graphs of papers from libraries of physics"
    long = paper(title, "10.1000/long", date="2020", author="Di New", references=OLD.identifiers)

    async def scene(hand: Hand) -> None:
        await on_map(hand, [OLD, long])
        assert at(hand) == OLD.title  # whose title stands below the map
        words = ["Over-smoothing", "control improves", "depth without", "over-smoothing in", "graphs of papers"]
        words += ["from libraries of", "physics"]
        await hand.until(lambda: all(any(line.rstrip().endswith(part) for line in hand.lines) for part in words))

    play(tmp_path, scene, resources())


def test_the_arrows_go_from_year_to_year_and_up_and_down_within_one(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await on_map(hand)
        for key, title in (
            ("right", MIDDLE.title), ("down", BESIDE.title), ("down", BESIDE.title), ("up", MIDDLE.title),
            ("l", NEW.title), ("right", NEW.title), ("left", MIDDLE.title), ("g", OLD.title), ("G", NEW.title),
        ):  # fmt: skip
            await hand.press(key)
            await hand.until(lambda title=title: at(hand) == title)  # type: ignore[misc]

    play(tmp_path, scene, resources(), (80, 24))


def test_brackets_follow_the_links_and_enter_reads_the_paper_as_the_search_has_it(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await on_map(hand)
        await hand.press("G", "left_square_bracket")
        await hand.until(lambda: at(hand) == MIDDLE.title)
        await hand.press("left_square_bracket")
        await hand.until(lambda: at(hand) == OLD.title)
        await hand.press("right_square_bracket", "right_square_bracket", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        await hand.until_shown(NEW.title)
        await hand.until_shown("Relevance")
        await hand.press("escape")
        await hand.until(lambda: at(hand) == NEW.title)
        await hand.press("escape")
        assert isinstance(hand.app.screen, SearchScreen)

    play(tmp_path, scene, resources())


def test_a_map_without_links_says_that_none_is_known_and_why(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await on_map(hand, [OLD, BESIDE])
        await hand.until_shown(NO_LINKS)
        await hand.until_shown("not asked (2)")
        await hand.until_shown("No known link to another relevant paper.")

    play(tmp_path, scene, resources(), (80, 24))


def test_without_relevant_papers_it_is_said_that_there_is_no_map(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await on_map(hand, [OLD], relevant=0)
        await hand.until_shown("No paper of this search is judged relevant, so there is no map.")
        await hand.press("right", "down", "enter", "X", "left_square_bracket", "space", "s")
        assert isinstance(hand.app.screen, CitationMapScreen)

    play(tmp_path, scene, resources())


def test_links_that_are_learned_while_the_map_is_left_are_on_it_afterwards(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await on_map(hand, [OLD, BESIDE])
        await hand.until_shown(NO_LINKS)
        await hand.press("enter")
        papers.link(hand.app.store, [BESIDE], [OLD])
        await hand.press("escape")
        await hand.until_shown("1 citation among 2 relevant papers.")

    play(tmp_path, scene, resources())


def test_the_map_is_written_into_a_file_whose_ending_says_the_format(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"

    async def scene(hand: Hand) -> None:
        await on_map(hand)
        await hand.until_shown("3 citations among")
        await hand.press("X")
        await hand.until_shown("old-things.svg")
        await hand.press("ctrl+u")
        await hand.type("x.png")
        await hand.press("enter")
        await hand.until_shown("has no known ending")
        await hand.press("X")
        await hand.until_shown("old-things.svg")
        await hand.press("ctrl+u")
        await hand.press(*str(file))
        await hand.press("enter")
        await hand.until_shown("Wrote ")

    play(tmp_path, scene, resources())
    assert ElementTree.parse(file).getroot().tag.endswith("svg")


def test_hostile_papers_are_only_text_on_the_map_at_every_size(tmp_path: Path) -> None:
    hostile = [paper_of(title, 2000 + number % 3, title) for number, title in enumerate(HOSTILE)]
    hostile[1] = replace(hostile[1], title="检索增强生成的科学文献综述与引文推荐方法研究及其在大规模数据集上的实验评估")

    async def scene(hand: Hand) -> None:
        await on_map(hand, hostile)
        for size in ((150, 36), (80, 24), (40, 10), (12, 3), (110, 30)):
            await hand.resize(*size)
            harmless(hand)
            await hand.press("right", "down")
        assert hand.app.screen.query_one(MapView).work is not None

    play(tmp_path, scene, resources())


def test_the_scrollbar_stands_where_the_map_opens(tmp_path: Path) -> None:
    found = [paper(f"Of the year {year}", f"10.1000/y{year}", date=str(year)) for year in range(2010, 2019)]
    last = paper("The last", "10.1000/last", date="2019", references=found[-1].identifiers)

    async def scene(hand: Hand) -> None:
        await on_map(hand, [*found, last])
        view = hand.app.screen.query_one(MapView)
        await hand.until(lambda: view.scroll_x > 0)
        await hand.settled()
        assert view.horizontal_scrollbar.position == view.scroll_x

    play(tmp_path, scene, resources(), (80, 24))


def test_titles_leave_the_scrollbar_its_line(tmp_path: Path) -> None:
    """Nothing scrolls up and down on a map whose papers fit at all."""
    long = "Over-smoothing control improves depth without over-smoothing in graphs of papers from libraries of year"
    found = [
        paper(f"{long} {year}, {number}", f"10.1000/{year}.{number}", date=str(year), references=OLD.identifiers)
        for year in range(2010, 2020)
        for number in range(3)
    ]

    async def scene(hand: Hand) -> None:
        await on_map(hand, [OLD, *found])
        view = hand.app.screen.query_one(MapView)
        for lines in range(30, 50):
            await hand.resize(150, lines)
            await hand.settled()
            assert view.show_horizontal_scrollbar
            assert not view.show_vertical_scrollbar

    play(tmp_path, scene, resources())
