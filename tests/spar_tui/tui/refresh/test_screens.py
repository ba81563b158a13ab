"""Each screen shows in place what another process does to the library, and disturbs nobody who reads or types."""

from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from agents.search.options import SearchOptions
from cache import corrections, merges, papers, profile, runs, shelf, watches
from cache.errors import DiskFull
from cache.store import PaperId, Store
from cache.taking_back import take_back_last
from connectors.paper import Paper
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt
from spar_tui.tui.screens.home import AskLine
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.shelf import SavedPaper
from spar_tui.tui.screens.side_by_side import SideBySide
from spar_tui.tui.screens.watches import WatchesScreen
from spar_tui.tui.widgets.below_ask import RecentRuns
from spar_tui.tui.widgets.paper_list import PaperList
from spar_tui.tui.widgets.row_list import RowList
from spar_tui.tui.widgets.table import Table
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.running import spar
from tests.spar_tui.tui.refresh.elsewhere import Elsewhere, other_process
from tests.spar_tui.tui.screens.test_history import asked, keep, open_history
from tests.spar_tui.tui.screens.test_paper import SEED, links, on_seed
from tests.spar_tui.tui.screens.test_profile import read
from tests.spar_tui.tui.screens.test_recommendation import opened, remembered
from tests.spar_tui.tui.screens.test_shelf import SAVED, listed, open_shelf, save, table
from tests.spar_tui.tui.screens.test_triage import triage
from tests.spar_tui.tui.world import OTHERS, SPARSE, Hand, play, resources, settings_at

MANY = [paper(f"Study {number:02}", f"10.1000/m{number}", author=f"Ada Name{number}") for number in range(60)]
NEW = [paper(f"New study {number:02}", f"10.1000/n{number}", author=f"Bea Name{number}") for number in range(40)]
SOURCE = ScriptedSource("openalex", SPARSE)


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with other_process() as process:
        yield process


@pytest.fixture
def elsewhere(pool: ProcessPoolExecutor, tmp_path: Path) -> Elsewhere:
    return Elsewhere(pool, settings_at(tmp_path).places.database)


def at_cursor(hand: Hand) -> Any:
    """The row under the cursor of the screen's first table."""
    row = hand.app.screen.query(Table).first().row
    assert row is not None
    return row


def line_of_cursor(rows: RowList[SavedPaper]) -> int:
    """The line of the list on which the row under the cursor is drawn."""
    return rows.top_of(rows.place) - rows.scroll_offset.y


# The shelf


def test_an_import_in_another_terminal_appears_on_the_shelf(tmp_path: Path) -> None:
    save(tmp_path, SAVED)
    (tmp_path / "refs.bib").write_text("@article{new, title={Imported meanwhile}, author={Noether, Emmy}, year={1921}}")

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.until_shown("Shelf 3")
        process = hand.app.run_worker(
            lambda: spar(tmp_path, "import", str(tmp_path / "refs.bib"), more={"SPAR_HOME": str(tmp_path)}), thread=True
        )
        await hand.until_shown("Imported meanwhile")
        await hand.until_shown("Shelf 4")
        await process.wait()
        await hand.until_shown("• Imported meanwhile")
        assert hand.text.count("•") == 1
        await hand.press("u")
        await hand.until(lambda: "•" not in hand.text)

    play(tmp_path, scene, resources())


def test_signs_of_changes_by_others_stay_until_the_person_changes_something(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    numbers = save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await elsewhere(shelf.tag, numbers[0], ["theirs"])
        await hand.until(lambda: hand.text.count("•") == 1)
        await elsewhere(shelf.tag, numbers[1], ["theirs"])
        await hand.until(lambda: hand.text.count("•") == 2)
        await hand.press("u")
        await hand.until(lambda: "•" not in hand.text)

    play(tmp_path, scene, resources())


def test_cursor_marks_and_filter_stay_while_papers_come_change_and_go_around_them(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    numbers = save(tmp_path, MANY)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        rows = table(hand)
        rows.go_to(40)
        assert rows.row is not None
        await hand.press("space", "space")
        at, line = rows.row.row.number, line_of_cursor(rows)
        marked = dict(hand.app.screen.marked)  # type: ignore[attr-defined]
        await elsewhere(shelf.save, NEW)
        await hand.until_shown("Shelf 100 · 2 marked")
        assert (rows.row.row.number, line_of_cursor(rows)) == (at, line)
        gone = [number for number in numbers[-10:] if number != at]
        await elsewhere(shelf.unsave, gone)
        await hand.until_shown("Shelf 90 · 2 marked")
        assert (rows.row.row.number, line_of_cursor(rows)) == (at, line)
        await elsewhere(shelf.tag, at, ["theirs"])
        await hand.until_shown("#theirs")
        assert hand.app.screen.marked == marked  # type: ignore[attr-defined]
        await hand.press("slash")
        await hand.type("new")
        await hand.until_shown("Shelf 40 of 90")
        await elsewhere(shelf.unsave, [one.row.number for one in rows.rows[:5]])
        await hand.until_shown("Shelf 35 of 85")
        assert isinstance(hand.app.focused, Input)
        assert hand.app.focused.value == "new"

    play(tmp_path, scene, resources())


def test_when_the_paper_under_the_cursor_goes_the_next_one_is_under_it(tmp_path: Path, elsewhere: Elsewhere) -> None:
    numbers = save(tmp_path, MANY)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        rows = table(hand)
        rows.go_to(30)
        shown = [one.row.number for one in rows.rows]
        await elsewhere(shelf.unsave, [*shown[5:10], *shown[30:33]])
        await hand.until(lambda: len(listed(hand)) == len(numbers) - 8)
        assert rows.row is not None
        assert rows.row.row.number == shown[33]

    play(tmp_path, scene, resources())


def test_a_list_at_its_top_shows_what_comes_there(tmp_path: Path, elsewhere: Elsewhere) -> None:
    save(tmp_path, MANY)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        assert table(hand).row is not None
        await elsewhere(shelf.save, NEW[:3])
        await hand.until_shown(NEW[2].title)
        assert table(hand).place == 3

    play(tmp_path, scene, resources())


def test_a_list_that_was_scrolled_away_from_its_cursor_is_not_scrolled_back(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    save(tmp_path, MANY)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        rows = table(hand)
        rows.scroll_to(y=20, animate=False, force=True, immediate=True)
        await elsewhere(shelf.save, NEW[:3])
        await hand.until_shown("Shelf 63")
        assert (rows.place, rows.scroll_offset.y) == (3, 23)

    play(tmp_path, scene, resources())


def test_the_page_beside_the_shelf_shows_what_the_table_does_not_tell(tmp_path: Path, elsewhere: Elsewhere) -> None:
    numbers = save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        for note in ("Read this first.", "Read this last."):
            await elsewhere(shelf.set_note, numbers[-1], note)
            await hand.until_shown(note)

    play(tmp_path, scene, resources())


def test_a_dialog_and_what_is_typed_in_it_stay_as_they_are(tmp_path: Path, elsewhere: Elsewhere) -> None:
    numbers = save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("T")
        await hand.until(lambda: isinstance(hand.app.screen, TextPrompt))
        await hand.type("mine, to")
        await elsewhere(shelf.tag, numbers[-1], ["theirs"])
        await elsewhere(shelf.unsave, numbers[:1])
        for _ in range(3):
            hand.app.follower.look()
            await hand.settled()
        assert isinstance(hand.app.focused, Input)
        assert hand.app.focused.value == "mine, to"
        await hand.type("day")
        await hand.press("enter")
        await hand.until_shown("#mine #theirs")
        await hand.until_shown("Shelf 2")

    play(tmp_path, scene, resources())
    with Store.open(settings_at(tmp_path).places.database) as store:
        assert shelf.tags_of(store, numbers[-1:]) == {numbers[-1]: ("mine", "theirs", "today")}


def test_a_shelf_that_cannot_be_read_says_why_and_appears_once_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path, SAVED)

    def full(store: Store) -> None:
        raise DiskFull(store.path, "database or disk is full")

    async def scene(hand: Hand) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(shelf, "rows", full)
            await hand.press("f3")
            await hand.until_shown("Free space on the disk. spar tries again by itself.")
        await hand.until_shown("Shelf 3")
        assert "Free space" not in "".join(hand.lines[:3])

    play(tmp_path, scene, resources())


# Runs and watches


def begin_and_end(store: Store, question: str) -> str:
    run = runs.start(store, "search", question)
    runs.finish(store, run, "finished", {"included": 3, "screened": 9})
    return run


def test_the_start_screen_lists_a_search_made_elsewhere_and_leaves_a_half_typed_question(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    keep(tmp_path, "first", "second")

    async def scene(hand: Hand) -> None:
        await hand.until_shown("second")
        await hand.press("down", "down")
        recent = hand.app.screen.query_one(RecentRuns)
        at = recent.row
        hand.app.screen.query_one(AskLine).value = "half a quest"
        await elsewhere(begin_and_end, "asked in another terminal")
        await hand.until_shown("asked in another terminal")
        await hand.until_shown("3 relevant of 9")
        assert at is not None
        assert recent.row is not None
        assert recent.row.id == at.id
        assert hand.app.screen.query_one(AskLine).value == "half a quest"
        await elsewhere(watches.set_watch, "sparse", "sparse retrieval", asdict(SearchOptions()))
        await hand.until_shown("1 watch, never asked")

    play(tmp_path, scene, resources())


def test_the_start_screen_makes_room_for_what_to_read_next_when_papers_are_saved_elsewhere(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until_shown("Read next appears here once you save papers")
        await hand.until(lambda: hand.app.recommender.looked)
        await elsewhere(shelf.save, SPARSE[:2])
        await hand.until_shown("f5 recommends papers")

    play(tmp_path, scene, resources())


def test_the_history_follows_other_processes_and_the_cursor_stays_on_its_run(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    first, *_ = keep(tmp_path, "first", "second", "third")

    async def scene(hand: Hand) -> None:
        await open_history(hand)
        await hand.press("j", "j")
        run = await elsewhere(begin_and_end, "asked in another terminal")
        await hand.until(lambda: asked(hand)[0] == "asked in another terminal")
        assert at_cursor(hand).run.id == first
        await elsewhere(runs.forget, run)
        await hand.until(lambda: asked(hand) == ["third", "second", "first"])
        assert at_cursor(hand).run.id == first

    play(tmp_path, scene, resources())


def test_the_watches_follow_other_processes(tmp_path: Path, elsewhere: Elsewhere) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        for name in ("birds", "fish"):
            watches.set_watch(store, name, "sparse retrieval", asdict(SearchOptions()))

    async def scene(hand: Hand) -> None:
        await hand.press("f10")
        await hand.until_shown("Watches 2")
        await hand.press("j")
        await elsewhere(watches.set_watch, "ants", "sparse retrieval", asdict(SearchOptions()))
        await hand.until_shown("Watches 3")
        await elsewhere(watches.drop_watch, "birds")
        await hand.until_shown("Watches 2")
        assert isinstance(hand.app.screen, WatchesScreen)
        assert at_cursor(hand).watch.name == "fish"

    play(tmp_path, scene, resources())


# Papers


def test_the_list_of_a_search_shows_the_stars_of_papers_saved_elsewhere(tmp_path: Path, elsewhere: Elsewhere) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("j", "j")
        at = hand.highlighted
        await elsewhere(shelf.save, SPARSE[:1], ["theirs"])
        await hand.until(lambda: hand.text.count("★") == 1)
        await hand.press("slash")
        await hand.type("tag:mine")
        await hand.until(lambda: not hand.titles)
        await elsewhere(shelf.save, SPARSE[:1], ["mine"])
        await hand.until(lambda: hand.titles == [SPARSE[0].title])
        await hand.press("enter", "escape")
        await hand.until(lambda: len(hand.titles) == 6)
        await elsewhere(shelf.unsave, [1, 2, 3, 4, 5, 6, 7])
        await hand.until(lambda: "★" not in hand.text)
        assert at in hand.titles

    play(tmp_path, scene, resources(SOURCE))


def test_the_page_of_a_paper_shows_what_is_said_of_it_elsewhere(tmp_path: Path, elsewhere: Elsewhere) -> None:
    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        [number] = await elsewhere(shelf.save, [SEED], ["theirs"])
        for do, shown in _SAID.items():
            await elsewhere(do, number)
            await hand.until_shown(shown)
        await hand.until_shown("#theirs")
        await elsewhere(shelf.unsave, [number])
        await hand.until(lambda: "On the shelf" not in hand.text)

    play(tmp_path, scene, resources())


def note(store: Store, number: int) -> None:
    shelf.set_note(store, number, "Their note.")


def like(store: Store, number: int) -> None:
    shelf.rate(store, number, 1)


_SAID: dict[Callable[[Store, int], None], str] = {note: "Their note.", like: "more like this"}


def _is_linked(hand: Hand, one: Paper) -> bool:
    return one.title in links(hand)


def test_cursor_and_marks_stay_on_their_papers_when_links_become_known_elsewhere(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        papers.remember(store, [SEED, *SPARSE, *OTHERS])
        for cited in SPARSE[2:4]:
            papers.link(store, [SEED], [cited])

    async def scene(hand: Hand) -> None:
        await on_seed(hand)
        await hand.until(lambda: len(links(hand)) == 2)
        await hand.press("enter", "j", "space")
        screen = hand.app.screen
        assert isinstance(screen, PaperScreen)
        at, marked = screen.paper, screen.chosen
        for more in (SPARSE[:2], OTHERS):
            for one in more:
                await elsewhere(papers.link, [SEED], [one])
                await hand.until(partial(_is_linked, hand, one))
            assert (screen.paper, screen.chosen) == (at, marked)
        assert hand.app.screen.query_one(PaperList).has_focus

    play(tmp_path, scene, resources())


def test_what_to_read_next_shows_the_stars_of_papers_saved_elsewhere(tmp_path: Path, elsewhere: Elsewhere) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await opened(hand)
        await hand.press("j")
        at = hand.highlighted
        await hand.until(lambda: "★" not in hand.text)
        await elsewhere(shelf.save, [one for one in SPARSE if one.title == at])
        await hand.until_shown("★")
        assert hand.highlighted == at

    play(tmp_path, scene, resources())


def test_the_profile_shows_lines_written_elsewhere(tmp_path: Path, elsewhere: Elsewhere) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        for text in ("birds", "fish"):
            profile.add_line(store, "like", text)

    async def scene(hand: Hand) -> None:
        lines = await read(hand)
        await hand.press("j")
        assert lines.row is not None
        at = lines.row.text
        await elsewhere(profile.add_line, "dislike", "ants")
        await hand.until_shown("ants")
        assert lines.row.text == at

    play(tmp_path, scene, resources())


def edit(store: Store, title: str) -> None:
    """Give the paper of this title another one, and another year."""
    [number] = [number for number in range(1, 20) for one in papers.by_ids(store, [number]) if one.title == title]
    corrections.correct(store, PaperId(number), {"title": f"{title} (edited)", "date": "1999"})


def merge_away(store: Store, title: str, other: str) -> None:
    """Merge the paper of this title into another."""
    by_title = {one.title: PaperId(number) for number in range(1, 20) for one in papers.by_ids(store, [number])}
    merges.merge(store, by_title[other], by_title[title])


async def on_page(hand: Hand) -> None:
    await open_shelf(hand)
    await hand.press("enter")


async def on_links(hand: Hand) -> None:
    papers.link(hand.app.store, [SEED], SPARSE[:2])
    await on_seed(hand)
    await hand.until(lambda: len(links(hand)) == 2)


async def on_list(hand: Hand) -> None:
    await hand.ask()
    await hand.until_shown("✔ finished")
    await hand.until(lambda: len(hand.titles) == 6)


async def on_sides(hand: Hand) -> None:
    await on_list(hand)
    await hand.press("space", "space", "equals_sign")
    await hand.until(lambda: isinstance(hand.app.screen, SideBySide))


async def on_triage(hand: Hand) -> None:
    await triage(hand)


async def on_map(hand: Hand) -> None:
    await on_list(hand)
    await hand.press("M")
    await hand.until_shown("Who cites whom")


async def on_recommendation(hand: Hand) -> None:
    await opened(hand)


SCREENS = [open_shelf, on_page, on_links, on_list, on_sides, on_triage, on_map, on_recommendation]
MERGING = [on_page, on_list, on_triage, on_sides]
"""The screens in which a paper may be merged into another that they do not show."""


def title_shown(hand: Hand) -> str:
    """The title of a paper that the screen lists, or shows in full."""
    listed = [title for _ in hand.app.screen.query(PaperList) for title in hand.titles[:1]]
    return listed[0] if listed else next(one.title for one in (*SPARSE, *OTHERS) if one.title in hand.text)


@pytest.mark.parametrize("open_screen", SCREENS)
def test_a_paper_edited_or_merged_away_elsewhere_shows_its_new_title_and_the_old_one_once_that_is_undone(
    open_screen: Callable[[Hand], Awaitable[None]], tmp_path: Path, elsewhere: Elsewhere
) -> None:
    remembered(tmp_path)

    async def scene(hand: Hand) -> None:
        await open_screen(hand)
        title, other = title_shown(hand), f"{OTHERS[0].title} (edited)"
        await elsewhere(edit, title)
        await hand.until_shown(f"{title} (edited)")
        await elsewhere(take_back_last)
        await hand.until(lambda: title in hand.text and "(edited)" not in hand.text)
        if open_screen in MERGING:
            await elsewhere(edit, OTHERS[0].title)
            await elsewhere(merge_away, title, other)
            await hand.until(lambda: title not in hand.text and other in hand.text)

    play(tmp_path, scene, resources(SOURCE))


# Much at a time


def save_in_steps(store: Store, found: list[Paper]) -> int:
    """Each in a transaction of its own; how many that were."""
    for one in found:
        shelf.save(store, [one])
    return len(found)


def test_an_import_in_many_steps_lets_keys_through_and_ends_with_all_its_papers(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    save(tmp_path, MANY)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        at = listed(hand)[0]
        many = [paper(f"Imported {number}", f"10.1000/i{number}") for number in range(120)]
        importing = hand.app.run_worker(elsewhere(save_in_steps, many), exit_on_error=False)
        for _ in range(30):
            await hand.press("j")
        assert table(hand).row is not None
        assert [one.row.title for one in table(hand).rows][table(hand).place - 30] == at
        await importing.wait()
        await hand.until_shown("Shelf 180")

    play(tmp_path, scene, resources())
