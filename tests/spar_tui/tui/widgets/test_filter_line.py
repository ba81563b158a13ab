"""The filter where it is typed: told what it takes, and told what it does not understand."""

from pathlib import Path

from textual.widgets import Input

from cache import shelf
from cache.store import Store
from spar_tui.tui.screens.dialogs.key_choice import KeyList
from spar_tui.tui.screens.history import HistoryScreen
from spar_tui.tui.screens.shelf import ShelfScreen
from spar_tui.tui.widgets.filter_line import FilterHint
from spar_tui.tui.widgets.table import Table
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.tui.command_line.test_command_line import command
from tests.spar_tui.tui.world import OTHERS, SPARSE, Hand, play, resources, settings_at, titles

SAVED = [paper(f"Paper {number}", f"10.1000/{number}", date=str(2010 + number)) for number in range(4)]


def save(home: Path) -> list[int]:
    with Store.open(settings_at(home).places.database) as store:
        return [number for one in SAVED for number in shelf.save(store, [one])]


async def write(hand: Hand, text: str) -> None:
    """Open the filter, with `text` alone in it."""
    await hand.press("slash")
    hand.app.screen.query_one("#filter", Input).value = text


async def open_shelf(hand: Hand) -> None:
    await hand.press("f3")
    await hand.until(lambda: isinstance(hand.app.screen, ShelfScreen) and hand.app.screen._read)


def listed(hand: Hand) -> list[str]:
    return [one.row.title for one in hand.app.screen.query_one("#shelf", Table).rows]


def test_what_can_be_written_stands_below_the_filter_while_it_is_written_in(tmp_path: Path) -> None:
    save(tmp_path)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        assert "year:2020.." not in hand.text
        await hand.press("slash")
        await hand.until_shown("year:2020..")
        await hand.until_shown("is:open|unread|read|saved|retracted")
        assert "relevant" not in hand.text
        await hand.type("paper")
        await hand.press("enter")
        await hand.until(lambda: "year:2020.." not in hand.text)
        assert not hand.app.screen.query_one(FilterHint).region  # it leaves no gap

    for size in ((80, 24), (110, 30), (150, 36)):
        play(tmp_path, scene, resources(), size)


def test_a_term_that_is_not_understood_is_said_and_the_others_still_hold(tmp_path: Path) -> None:
    save(tmp_path)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await write(hand, "is:foo year:2012..")
        await hand.until_shown("is:foo is not known; is: takes open, retracted, unread, read, saved")
        await hand.until(lambda: listed(hand) == ["Paper 3", "Paper 2"])
        await hand.press("enter")  # the list has the focus now, and what was wrong is still said
        await hand.until_shown("is:foo is not known")
        await hand.press("escape")
        await hand.until(lambda: "is:foo" not in hand.text and len(listed(hand)) == 4)
        await write(hand, "is:relevant")
        await hand.until_shown("is:relevant cannot be used on the shelf")
        assert len(listed(hand)) == 4

    play(tmp_path, scene, resources(), (110, 30))


def test_the_history_says_which_terms_mean_nothing_there(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("f4")
        await hand.until(lambda: isinstance(hand.app.screen, HistoryScreen) and hand.app.screen._read)
        await write(hand, "tag:x sparse")
        await hand.until_shown("tag: cannot be used in the history; use words and year:")
        await hand.until_shown("History 1 of 1")
        await write(hand, "-year:2000..")
        await hand.until_shown("History 0 of 1")
        await hand.until_shown("no match")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_the_help_of_each_list_tells_what_its_filter_takes(tmp_path: Path) -> None:
    save(tmp_path)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("question_mark")
        await hand.until_shown("Keys")
        shown = " ".join(str(option.prompt) for option in hand.app.screen.query_one(KeyList).options)
        assert "Filter terms on the shelf" in shown
        assert "cited:10.." in shown
        assert "in the history" not in shown

    play(tmp_path, scene, resources())


def test_a_search_is_filtered_by_what_the_judge_and_the_shelf_say(tmp_path: Path) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        [number] = shelf.save(store, SPARSE[:1], ["rag"])
        shelf.mark_read(store, number, True)

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.until_shown("★")
        for text, left in {
            "is:relevant": titles(SPARSE),
            "-is:relevant": titles(OTHERS),
            "year:..2011": titles(OTHERS),
            "author:author3": {SPARSE[3].title},
            "is:saved": {SPARSE[0].title},
            "tag:ra* is:read": {SPARSE[0].title},
            "is:unread": set[str](),
            '"river ecology"': titles(OTHERS),
        }.items():
            await write(hand, text)
            await hand.until(lambda left=left: set(hand.titles) == left)  # type: ignore[misc]
        await write(hand, "is:unread")
        await hand.until_shown("no match")
        await hand.until_shown("Papers 0 of 12")
        await hand.press("enter")
        await hand.until(lambda: "save" not in hand.lines[-1])
        await hand.press("s", "m", "space")
        await hand.pilot.pause(0.3)
        with Store.open(settings_at(tmp_path).places.database) as kept:
            assert [one.paper.title for one in shelf.shelf(kept)] == [SPARSE[0].title]
        assert not hand.live.state.feedback
        await hand.press("escape")
        await hand.until_shown("Papers 12")
        assert "marked" not in hand.text

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*SPARSE, *OTHERS])))


def test_a_search_is_ordered_by_names_that_are_shown_and_the_cursor_stays_on_its_paper(tmp_path: Path) -> None:
    found = [
        paper(f"Sparse retrieval of passages {number}", f"10.1000/{number}", date=str(year), citation_count=cited,
              abstract="We study sparse retrieval of passages.")
        for number, (year, cited) in enumerate([(2011, 5), (2020, None), (2015, 70), (2018, 0)])
    ]  # fmt: skip

    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.until_shown("by score")
        best_first = hand.titles
        await hand.press("j", "j")
        chosen = hand.highlighted
        numbers = {}
        for name in ("newest first", "most cited first", "newest found first", "by score"):
            await hand.press("R")
            await hand.until_shown(name)
            assert hand.highlighted == chosen
            numbers[name] = [title[-1] for title in hand.titles]
        assert numbers["newest first"] == ["1", "3", "2", "0"]
        assert numbers["most cited first"] == ["2", "0", "3", "1"]
        by_number = sorted(live.state.found, reverse=True)
        assert numbers["newest found first"] == [live.state.found[work].paper.title[-1] for work in by_number]
        assert hand.titles == best_first
        await command(hand, "sort citations reverse")
        await hand.until_shown("least cited first")
        assert [title[-1] for title in hand.titles] == ["3", "0", "2", "1"]
        assert hand.highlighted == chosen
        await command(hand, "sort relevance reverse")
        await hand.until_shown("least relevant first")
        assert hand.titles == best_first[::-1]
        await command(hand, "sort tags")
        assert hand.told == ":sort needs one of relevance, year, citations, found; add reverse for the opposite order."

    play(tmp_path, scene, resources(ScriptedSource("openalex", found)))
