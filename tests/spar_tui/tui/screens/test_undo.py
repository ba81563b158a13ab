"""U takes back what was done last to papers, wherever one is, and says what that was."""

from functools import partial
from pathlib import Path

import pytest
from textual.widgets import Input

from agents.tools import shelf_actions
from cache import page_texts, reading_history, shelf
from cache.journal import SESSION
from cache.store import Store
from spar_tui.tui.models.personal_shelf import PersonalShelf
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.shelf import ShelfScreen
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.tui.screens.test_shelf import SAVED, listed, on_shelf, open_shelf, save
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources, settings_at

SOURCE = ScriptedSource("openalex", SPARSE)


def acts(home: Path) -> list[str]:
    """The reading history but for what was only looked at, the oldest first."""
    with Store.open(settings_at(home).places.database) as store:
        return [one.act for one in reversed(reading_history.interactions(store)) if one.act != "viewed"]


async def undone(hand: Hand, name: str) -> None:
    """Press U, and wait until it is said to have taken back `name`."""
    await hand.press("U")
    await hand.until(lambda: f"Undone: {name}." in hand.told)


def test_a_change_that_another_program_made_is_undone_only_after_a_question(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(SESSION, "another")
            shelf_actions.tag(hand.app.store, SAVED, ["theirs"])
        tagged = on_shelf(tmp_path)
        for key, said in (("escape", ""), ("y", "Undone: 3 papers (tagged theirs).")):
            await hand.press("U")
            await hand.until(lambda: isinstance(hand.app.screen, ConfirmScreen))
            assert isinstance(hand.app.screen, ConfirmScreen)
            assert hand.app.screen.question.endswith("3 papers (tagged theirs). Undo it?")
            assert on_shelf(tmp_path) == tagged
            await hand.press(key)
            await hand.until(partial(_is_told, hand, said))
        assert on_shelf(tmp_path) != tagged

    play(tmp_path, scene, resources())


def _is_told(hand: Hand, words: str) -> bool:
    return words in hand.told


async def found(hand: Hand) -> None:
    await hand.ask()
    await hand.until_shown("✔ finished")


async def tag(hand: Hand, text: str) -> None:
    await hand.press("T")
    await hand.until(lambda: isinstance(hand.app.focused, Input))
    await hand.type(text)
    await hand.press("enter")


def test_every_change_is_taken_back_by_its_name_the_last_first(tmp_path: Path) -> None:
    save(tmp_path, SAVED[:1], "old")
    before, title = on_shelf(tmp_path), SAVED[0].title

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.until_shown(title)
        await hand.press("u")
        await hand.until(lambda: "is read" in hand.told)
        await hand.press("m")
        await hand.until(lambda: "more like this" in hand.told)
        await tag(hand, ",new")
        await hand.until_shown("#new")
        await hand.press("s")
        await hand.until(lambda: "U undoes this" in hand.told)
        await undone(hand, f"removed “{title}” from the shelf")
        await hand.until_shown(title)
        await hand.press("1")  # from anywhere
        await hand.press("escape", "tab")
        await undone(hand, f"tagged “{title}” new")
        await undone(hand, f"more like “{title}”")
        await undone(hand, f"marked “{title}” as read")
        await hand.press("U")
        await hand.until(lambda: "Nothing more to undo" in hand.told)

    play(tmp_path, scene, resources())
    assert on_shelf(tmp_path) == before
    assert acts(tmp_path) == ["saved"]


def test_without_a_change_nothing_is_said_to_be_taken_back(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("U")
        await hand.until(lambda: hand.told == "Nothing to undo.")

    play(tmp_path, scene, resources())
    assert len(on_shelf(tmp_path)) == 3


def test_several_papers_are_tagged_and_that_is_taken_back_at_once(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("asterisk")
        await tag(hand, "rag")
        await hand.until_shown("#rag")
        await undone(hand, "tagged 3 papers rag")
        await hand.until(lambda: "#rag" not in hand.text)

    play(tmp_path, scene, resources())
    assert {one.tags for one in on_shelf(tmp_path).values()} == {()}


def test_what_another_program_changed_since_stays_and_is_told(tmp_path: Path) -> None:
    numbers = save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("asterisk", "u")
        await hand.until(lambda: "marked as read" in hand.told)
        with Store.open(settings_at(tmp_path).places.database) as other:
            shelf.mark_read(other, numbers[0], False)
        await hand.press("U")
        await hand.until(
            lambda: "Undone: marked 3 papers as read; 1 of 3 was changed elsewhere since, so not undone." in hand.told
        )
        await hand.press("asterisk", "g", "s")
        await hand.until(lambda: "from the shelf" in hand.told)
        with Store.open(settings_at(tmp_path).places.database) as other:
            shelf.put(other, numbers, ["theirs"])
        await hand.press("U")
        await hand.until(lambda: "Not undone: removed" in hand.told)

    play(tmp_path, scene, resources())
    assert {one.tags for one in on_shelf(tmp_path).values()} == {("theirs",)}


def test_an_opinion_in_a_search_is_taken_back_there_and_in_the_history(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await found(hand)
        live = hand.live
        await hand.press("G", "minus")
        await hand.until(lambda: list(live.state.called_relevant.values()) == [False])
        await hand.press("m")
        await hand.until(lambda: list(live.state.called_relevant.values()) == [True])
        title = hand.highlighted
        await undone(hand, f"more like “{title}”")
        await hand.until(lambda: list(live.state.called_relevant.values()) == [False])
        await undone(hand, f"not relevant: “{title}”")
        await hand.until(lambda: not live.state.called_relevant)
        await hand.until_shown("✔ finished")

    play(tmp_path, scene, resources(SOURCE))
    assert acts(tmp_path) == []


@pytest.mark.parametrize(("key", "relevant"), [("m", True), ("minus", False)])
def test_an_opinion_given_on_the_papers_own_screen_is_the_searchs_feedback(
    tmp_path: Path, key: str, relevant: bool
) -> None:
    async def scene(hand: Hand) -> None:
        await found(hand)
        live = hand.live
        await hand.press("G", "enter", "enter")
        assert isinstance(hand.app.screen, PaperScreen)
        title = hand.app.screen.about.title
        await hand.press(key)
        await hand.until(lambda: list(live.state.called_relevant.values()) == [relevant])
        [work] = live.state.called_relevant
        assert live.state.papers[work].title == title
        await hand.until_shown("judged by you")
        await hand.press("U")
        await hand.until(lambda: not live.state.called_relevant and "judged by you" not in hand.text)

    play(tmp_path, scene, resources(SOURCE))
    assert acts(tmp_path) == []


def test_keys_for_an_opinion_in_one_burst_count_one_after_the_other(tmp_path: Path) -> None:
    """The second is pressed before the search has met the first."""

    async def scene(hand: Hand) -> None:
        await found(hand)
        live = hand.live
        await hand.press("j", "m", "m")
        await hand.until_shown("Rating removed.")
        await hand.until(lambda: not live.control.requests.open)
        assert not live.state.called_relevant

    play(tmp_path, scene, resources(SOURCE))
    assert acts(tmp_path) == ["liked", "unrated"]


def test_more_than_one_paper_is_taken_off_only_after_a_question(tmp_path: Path) -> None:
    save(tmp_path, SAVED, "mine")
    before = on_shelf(tmp_path)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("asterisk", "s")
        await hand.until_shown("Remove 3 papers from the shelf, with their tags and notes?")
        await hand.press("enter")  # the harmless answer
        await hand.until(lambda: isinstance(hand.app.screen, ShelfScreen))
        assert len(listed(hand)) == 3
        await hand.press("s")
        await hand.until(lambda: isinstance(hand.app.screen, ConfirmScreen))
        await hand.press("y")
        await hand.until_shown("Nothing is saved yet")
        assert on_shelf(tmp_path) == {}
        await undone(hand, "removed 3 papers from the shelf")
        await hand.until(lambda: len(listed(hand)) == 3)

    play(tmp_path, scene, resources())
    assert on_shelf(tmp_path) == before


def test_the_footer_and_the_title_count_what_is_marked(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await found(hand)
        assert "s save " in hand.text
        assert "marked" not in hand.text
        await hand.press("space", "space", "space")
        await hand.until_shown("Papers 6 · 3 marked")
        await hand.until_shown("s save 3")
        await hand.press("escape")
        await hand.until(lambda: "marked" not in hand.text and "save 3" not in hand.text)

    play(tmp_path, scene, resources(SOURCE))


@pytest.mark.parametrize("where", ["search", "shelf"])
def test_marks_that_the_filter_hides_are_left_alone_and_counted(tmp_path: Path, where: str) -> None:
    if where == "shelf":
        save(tmp_path, SPARSE)

    async def scene(hand: Hand) -> None:
        await (found(hand) if where == "search" else open_shelf(hand))
        await hand.until_shown("part 5")
        await hand.press("asterisk", "slash")
        await hand.type("author2")
        await hand.press("enter")
        await hand.until_shown(" 1 of 6 · 1 marked · 5 marked, not shown")
        await hand.press("u")
        await hand.until(lambda: "part 2” is read" in hand.told)
        await hand.press("escape")
        await hand.until(lambda: "marked" not in hand.text)
        await hand.until_shown(" 1 of 6")  # the filter stays for one more Esc
        await hand.press("escape")
        await hand.until(lambda: "1 of 6" not in hand.text and "◆" not in hand.text)

    play(tmp_path, scene, resources(SOURCE))
    assert [title for title, one in on_shelf(tmp_path).items() if one.read] == [SPARSE[2].title]


def test_what_lasts_says_that_it_is_still_going_on(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("asterisk")
        with Store.open(settings_at(tmp_path).places.database) as other, other.writing():
            await hand.press("u")
            await hand.until(lambda: "Still marking 3 papers…" in hand.told)
        await hand.until(lambda: "marked as read" in hand.told)

    play(tmp_path, scene, resources())


def test_thousands_of_papers_are_taken_off_and_brought_back(tmp_path: Path) -> None:
    many = [
        paper(f"Study number {number}", f"10.1000/x{number}", author=f"Ada Name{number}") for number in range(2_000)
    ]
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.save(store, many, ["mine"])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("asterisk", "s")
        await hand.until(lambda: isinstance(hand.app.screen, ConfirmScreen))
        await hand.press("y")
        await hand.until_shown("Nothing is saved yet")
        await undone(hand, "removed 2,000 papers from the shelf")
        await hand.until(lambda: len(listed(hand)) == 2_000)

    play(tmp_path, scene, resources())
    assert {one.tags for one in on_shelf(tmp_path).values()} == {("mine",)}


def test_who_takes_a_paper_with_a_text_off_is_told_that_the_text_does_not_come_back_with_it(tmp_path: Path) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        [number] = shelf.save(store, [paper("Kept with its text", "10.1000/text")])
        shelf.set_files(store, number, ["/a.pdf"])
        page_texts.keep(store, number, "/a.pdf", b"", ["Some text."])
        personal = PersonalShelf(store, lambda: "U")
        told = personal.take_off([number])
        assert told.endswith("U undoes this, and :fetch reads the text of PDFs again.")
        assert page_texts.kept(store, number) is None
        personal.take_back()
        assert shelf.shelved(store, number) is not None
        assert "fetch" not in personal.take_off([number])
