"""The shelf: what is saved is listed, found as one types, put in order, tagged, read, noted and taken off."""

import asyncio
from pathlib import Path

from textual.widgets import Input

from cache import page_texts, shelf
from cache.conditions.orders import short_names
from cache.store import Store
from connectors.paper import Paper
from spar_tui.tui.base_app import write_widths
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.shelf import SavedPaper, ShelfScreen, SideList
from spar_tui.tui.widgets.table import Table
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.tui.test_hostile_text import HOSTILE, harmless, raw
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources, settings_at

SAVED = [
    paper("Dense passage retrieval", "10.1000/a", author="Vladimir Karpukhin", date="2020", venue="EMNLP"),
    paper("A survey of river fish", "10.1000/b", author="Ada Zebra", date="2011", venue="Rivers"),
    paper("BM25 and beyond", "10.1000/c", author="Stephen Robertson", date="2009", venue="Foundations"),
]


def save(home: Path, papers: list[Paper], *tags: str) -> list[int]:
    """Put papers on the shelf in `home`, each a little later than the one before."""
    with Store.open(settings_at(home).places.database) as store:
        return [number for one in papers for number in shelf.save(store, [one], tags)]


def on_shelf(home: Path) -> dict[str, shelf.Shelved]:
    with Store.open(settings_at(home).places.database) as store:
        return {one.paper.title: one for one in shelf.shelf(store)}


def table(hand: Hand) -> "Table[SavedPaper]":
    return hand.app.screen.query_one("#shelf", Table)


def listed(hand: Hand) -> list[str]:
    return [one.row.title for one in table(hand).rows]


async def open_shelf(hand: Hand) -> None:
    await hand.press("f3")
    await hand.until(lambda: isinstance(hand.app.screen, ShelfScreen) and hand.app.screen._read)


def test_what_is_saved_is_listed_the_last_first_opened_and_come_back_to_at_every_size(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        assert listed(hand) == [one.title for one in reversed(SAVED)]
        await hand.until_shown("Robertson")
        await hand.until_shown("Shelf 3")
        await hand.press("j", "enter")
        assert isinstance(hand.app.screen, PaperScreen)
        assert hand.app.screen.about.title == SAVED[1].title
        await hand.press("escape", "1", "f3")
        row = table(hand).row
        assert row is not None
        assert row.row.title == SAVED[1].title
        for size in ((150, 36), (110, 30), (80, 24), (40, 10), (12, 3), (80, 24)):
            await hand.resize(*size)
            await hand.settled()
            harmless(hand)
            await hand.press("j", "k", "G", "g", "enter", "escape")
            if size[0] >= 40:
                await hand.until_shown("BM25")

    play(tmp_path, scene, resources())


def test_a_retracted_paper_is_marked_by_a_word_and_found_by_it(tmp_path: Path) -> None:
    gone = paper(
        "Retracted article: A cure that was not one",
        "10.1000/gone",
        abstract='It says "retracted":true.',
        retracted=True,
    )
    sound = paper('A study of "retracted":true', "10.1000/sound")
    save(tmp_path, [*SAVED, gone, sound])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.until_shown("RETRACTED A cure that was not one")
        assert hand.text.count("RETRACTED") == 1
        await hand.press("slash")
        await hand.type("cure retr")
        await hand.until(lambda: listed(hand) == [gone.title])

    play(tmp_path, scene, resources(), (80, 24))


def test_an_empty_shelf_says_how_to_fill_it(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.until_shown("Nothing is saved yet")
        await hand.until_shown("I  to import a file")
        await hand.press("j", "G", "enter", "s", "y", "R", "space", "u", "T", "X", "slash", "escape")
        assert isinstance(hand.app.screen, ShelfScreen)

    play(tmp_path, scene, resources())


NARROWED = {
    "river": {"A survey of river fish"},
    "ZEBRA 2011": {"A survey of river fish"},
    "emnlp": {"Dense passage retrieval"},
    "tag:meth*": {"Dense passage retrieval"},
    "unread": {"A survey of river fish", "Dense passage retrieval"},
    "read bm25": {"BM25 and beyond"},
    "nothing like it": set[str](),
}


async def places(hand: Hand, *keys: str) -> list[int]:
    """The row under the cursor after each of `keys`."""
    passed = []
    for key in keys:
        await hand.press(key)
        passed.append(table(hand).place)
    return passed


def test_the_filter_narrows_as_one_types(tmp_path: Path) -> None:
    first, _, third = save(tmp_path, SAVED)
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.tag(store, first, ["Methods", "to read"])
        shelf.mark_read(store, third, True)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        for typed, left in NARROWED.items():
            await hand.press("slash")
            line = hand.app.screen.query_one("#filter", Input)
            line.value = typed[:-1]
            line.action_end()
            await hand.type(typed[-1])
            assert set(listed(hand)) == left
            await hand.press("enter", "escape")
            assert len(listed(hand)) == 3
        await hand.press("slash")
        await hand.type("-river")
        await hand.press("enter", "g")
        assert await places(hand, "n", "n", "N") == [1, 0, 1]  # round the two that are left
        await hand.press("escape")
        assert await places(hand, "n", "n", "N", "p") == [0, 2, 0, 0]  # in the whole list, past the one between
        assert [line[1] for line in hand.lines[2:5]] == ["›", " ", "›"]
        assert " n next match  " in hand.lines[-1]
        await hand.press("escape", "g")
        assert "next match" not in hand.lines[-1]
        assert await places(hand, "n") == [1]  # no matches any more: the next paper
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources())


def test_the_filter_looks_into_full_texts_and_the_page_shows_where_words_stand(tmp_path: Path) -> None:
    first, _, third = save(tmp_path, SAVED)
    with Store.open(settings_at(tmp_path).places.database) as store:
        for number, text in ((first, "Two [b]encoders[/b] are trained."), (third, "Terms are weighted.")):
            shelf.set_files(store, number, [f"/{number}.pdf"])
            page_texts.keep(store, number, f"/{number}.pdf", b"", ["", text])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("slash")
        await hand.type("encoders in:fulltext")
        await hand.until(lambda: listed(hand) == [SAVED[0].title])
        for shown in ("Shelf 1 of 3", "The paper says on page 2 of its PDF", "“Two [b]encoders[/b] are trained.”"):
            await hand.until_shown(shown)
        await hand.type(" weighted")
        await hand.until_shown("no match")

    play(tmp_path, scene, resources(), size=(150, 40))


def test_the_filter_finds_papers_without_full_texts(tmp_path: Path) -> None:
    first, *_ = save(tmp_path, SAVED)
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.set_files(store, first, ["/1.pdf"])
        page_texts.keep(store, first, "/1.pdf", b"", ["Two encoders are trained."])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("slash")
        await hand.type("-in:fulltext")
        await hand.until_shown("Shelf 2 of 3")
        assert SAVED[0].title not in listed(hand)

    play(tmp_path, scene, resources())


def test_the_order_changes_and_the_cursor_stays_on_its_paper(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("j")
        orders = []
        for _ in range(5):
            row = table(hand).row
            assert row is not None
            assert row.row.title == SAVED[1].title
            await hand.press("R")
            orders.append([title[0] for title in listed(hand)])
        assert orders[1] == ["A", "B", "D"]  # by title
        assert orders[2] == ["D", "B", "A"]  # by author: Karpukhin, Robertson, Zebra
        assert orders[3] == ["D", "A", "B"]  # by year
        await hand.press("R", "R", "R", "R", "R", "R", "R")
        await hand.until_shown("newest first")
        await hand.press("ctrl+r")
        assert [title[0] for title in listed(hand)] == ["B", "A", "D"]
        await hand.until_shown("oldest first")

    play(tmp_path, scene, resources())


async def click_head(hand: Hand, title: str) -> None:
    head = table(hand)
    line = hand.lines[head.content_region.y]
    await hand.pilot.click(head, (line.index(title) - head.region.x, 1))
    await hand.settled()


def test_a_click_on_the_head_of_a_column_sorts_by_it_and_another_turns_that_round(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await click_head(hand, "Year")
        assert [title[0] for title in listed(hand)] == ["D", "A", "B"]
        await hand.until_shown("Year↓")
        await click_head(hand, "Year")
        assert [title[0] for title in listed(hand)] == ["B", "A", "D"]
        await hand.until_shown("Year↑")
        await click_head(hand, "Authors")
        assert [title[0] for title in listed(hand)] == ["D", "B", "A"]

    play(tmp_path, scene, resources())


def test_columns_are_chosen_ordered_and_remembered_and_the_title_takes_what_they_leave(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def chooses(hand: Hand) -> None:
        await open_shelf(hand)
        [(_, title)] = [one for one in table(hand).widths(100) if one[0].title == "Title"]
        venue = len("Foundations") + 1
        authors = max(len(short_names(entry.row.authors, entry.row.et_al)) for entry in table(hand).rows) + 1
        assert title == 100 - 2 - authors - 6 - venue - 1  # beside authors and year: nobody tagged, cited or rated one
        await hand.press("C", "j", "space", "j", "space", "j", "space", "j", "j")  # the title stays
        await hand.press("K", "K", "K", "K", "K", "enter")
        await hand.until(lambda: "Authors" not in hand.text)
        assert [one.title for one, _ in table(hand).widths(120)] == ["Venue", "Title"]
        await hand.press("C", "escape")

    play(tmp_path, chooses, resources(), (150, 36))
    columns = settings_at(tmp_path).preferences.shelf_columns
    assert columns == ("venue", "rating", "title", "tags", "citations")


def test_a_chosen_venue_is_cut_rather_than_left_out_and_only_where_there_is_little_room(tmp_path: Path) -> None:
    title, venue = "Dense retrieval of passages for questions", "Foundations and Trends in IR"
    save(tmp_path, [paper(title, "10.1000/a", date="2020", venue=venue)])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        widths = [{column.title: cells for column, cells in table(hand).widths(width)} for width in (100, 75)]
        assert widths[0]["Venue"] == len(venue)
        assert 12 <= widths[1]["Venue"] < len(venue)

    play(tmp_path, scene, resources())


def test_a_narrow_table_shows_the_year_beside_long_names(tmp_path: Path) -> None:
    save(tmp_path, [paper("Dense passage retrieval", "10.1000/a", date="2020", author="Ada Featherstonehaugh-Smythe")])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        assert [column.title for column, _ in table(hand).widths(64)] == ["Title", "Authors", "Year"]

    play(tmp_path, scene, resources())


def test_the_tags_of_a_paper_are_shown_whole_and_take_no_more_room_than_they_need(tmp_path: Path) -> None:
    [first, *_] = save(tmp_path, SAVED)
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.tag(store, first, ["retrieval", "reading/now"])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.until_shown("#reading/now #retrieval")
        assert {one.title: cells for one, cells in table(hand).widths(150)}["Tags"] == 23

    play(tmp_path, scene, resources(), (200, 36))


def test_the_title_gets_the_cells_of_tags_that_few_papers_have(tmp_path: Path) -> None:
    long = [paper(f"{letter} long title of a paper about the retrieval of passages and of what {letter} says of it",
                  f"10.1000/{letter}") for letter in "ABC"]  # fmt: skip
    [first, *others] = save(tmp_path, long)
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.tag(store, first, ["retrieval", "reading/now", "later"])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        shown = {column.title: cells for column, cells in table(hand).widths(110)}
        assert shown["Tags"] == 12
        assert shown["Title"] > 110 // 2
        for number in others:
            shelf.tag(hand.app.store, number, ["retrieval", "reading/now", "later"])
        await hand.until(lambda: hand.text.count("#later #reading") > 3)
        shown = {column.title: cells for column, cells in table(hand).widths(110)}
        assert shown["Tags"] > 12  # as many tags would be cut as titles

    play(tmp_path, scene, resources(), (150, 36))


def test_filters_are_kept_by_name_beside_the_shelf_with_how_many_papers_meet_them(tmp_path: Path) -> None:
    first, second, third = save(tmp_path, SAVED)
    with Store.open(settings_at(tmp_path).places.database) as store:
        for number, tag in ((first, "thesis/intro"), (second, "thesis/methods"), (third, "Thesis")):
            shelf.tag(store, number, [tag])
        shelf.mark_read(store, third, True)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("slash")
        await hand.type("year:soon")
        await hand.press("enter")
        assert "save filter" not in hand.lines[-1]  # it was not understood
        await hand.press("slash", "ctrl+u")
        await hand.type("is:unread")
        await hand.press("enter")
        assert "save filter" in hand.lines[-1]
        await hand.press("F")
        await hand.press(*["backspace"] * 9)
        await hand.type("to read")
        await hand.press("enter")
        await hand.press("escape", "t")
        await hand.until(lambda: len(hand.app.screen.query_one("#side", Table).rows) == 5)
        shown = [line[1:25].split() for line in hand.lines[1:6]]
        assert shown == [["all", "3"], ["to", "read", "2"], ["#Thesis", "3"], ["#intro", "1"], ["#methods", "1"]]
        await hand.press("j")
        assert set(listed(hand)) == {SAVED[0].title, SAVED[1].title}
        await hand.press("j", "enter")
        assert len(listed(hand)) == 3  # a level has what is below it
        await hand.press("t", "j", "enter")
        assert listed(hand) == [SAVED[0].title]
        await hand.press("t", "g", "j", "t", "t")  # the list opens at the filter in use
        side = hand.app.screen.query_one("#side", SideList)
        assert side.row is not None
        assert side.row.name == "to read"
        await hand.press("slash")
        await hand.type(" x")
        await hand.press("enter", "t", "k", "j")
        assert listed(hand) == []  # no step takes away a filter that has no name
        await hand.press("d")
        await hand.until(lambda: len(side.rows) == 4)

    play(tmp_path, scene, resources())
    assert settings_at(tmp_path).filters == {}


def test_where_there_is_no_room_the_filters_stand_in_place_of_the_papers(tmp_path: Path) -> None:
    save(tmp_path, SAVED[:1], "ir")
    (tmp_path / "config.toml").write_text('[filters]\nnone = "zzz"\nnumber = 3\n')

    async def scene(hand: Hand) -> None:
        assert "filters: number: must be a text" in hand.told
        await open_shelf(hand)
        await hand.press("t")
        await hand.until_shown("#ir")
        assert SAVED[0].title not in hand.text
        await hand.press("j", "enter")
        await hand.until_shown("no match")

    play(tmp_path, scene, resources(), (80, 24))


def test_reading_tagging_and_rating_are_kept(tmp_path: Path) -> None:
    save(tmp_path, SAVED[:1])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("u", "m")
        await hand.press("T")
        await hand.until(lambda: bool(hand.app.screen.query(Input)) and "Tags" in hand.text)
        await hand.type("to read,ir")
        await hand.press("enter")
        await hand.until_shown("#ir")

    play(tmp_path, scene, resources())
    one = on_shelf(tmp_path)[SAVED[0].title]
    assert one.read
    assert one.rating == 1
    assert set(one.tags) == {"to read", "ir"}


def test_tags_are_changed_on_their_line(tmp_path: Path) -> None:
    """The line begins with the tags there are; what is deleted there is taken off."""
    save(tmp_path, SAVED[:1], "old")

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("T")
        await hand.until(lambda: [one.value for one in hand.app.screen.query(Input)] == ["old, "])
        await hand.type("more")  # beside the old tag, not glued to it
        await hand.press("enter")
        await hand.until(lambda: "#old" in hand.text and "#more" in hand.text)
        await hand.press("T")
        await hand.until(lambda: [one.value for one in hand.app.screen.query(Input)] == ["more, old, "])
        await hand.press("ctrl+u")
        await hand.type("new")
        await hand.press("enter")
        await hand.until_shown("#new")

    play(tmp_path, scene, resources())
    assert on_shelf(tmp_path)[SAVED[0].title].tags == ("new",)


def test_taking_off_is_told_and_saving_again_brings_tags_and_note_back(tmp_path: Path) -> None:
    number = save(tmp_path, SAVED[:1], "keep me")[0]
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.set_note(store, number, "Very good.")

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("enter")
        await hand.until_shown("Very good.")
        await hand.press("s")
        await hand.until(lambda: "from the shelf, with 1 tag and its note" in hand.told)
        await hand.press("s")
        await hand.until(lambda: "with its earlier tags and note" in hand.told)

    play(tmp_path, scene, resources())
    one = on_shelf(tmp_path)[SAVED[0].title]
    assert (one.tags, one.note) == (("keep me",), "Very good.")


def test_what_is_saved_elsewhere_is_there_when_one_comes_back(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("1")
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("s")
        await hand.until_shown("★")
        await hand.press("2")
        await hand.until(lambda: len(listed(hand)) == 1)
        await hand.until_shown(listed(hand)[0])

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_hostile_text_is_only_text_on_the_shelf(tmp_path: Path) -> None:
    numbers = save(tmp_path, [raw(number, text) for number, text in enumerate(HOSTILE)])
    with Store.open(settings_at(tmp_path).places.database) as store:
        for number, text in zip(numbers, HOSTILE, strict=True):
            shelf.tag(store, number, [text])
            shelf.set_note(store, number, text)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        assert len(listed(hand)) == len(HOSTILE)
        harmless(hand)
        seen = hand.text
        for _ in HOSTILE:
            await hand.press("j")  # the page beside the list follows
            await hand.until(lambda: "On the shelf" in hand.text)
            harmless(hand)
            seen += hand.text
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen) and "On the shelf" in hand.text)
        harmless(hand)
        await hand.press("escape")
        for literal in ("[red]retrieval[/red]", "half [/ open", "[@click=app.quit]retrieval[/]", ":warning:"):
            assert literal in seen
        await hand.press("slash")
        await hand.type("[/")
        harmless(hand)
        await hand.press("enter", "s")
        await hand.until(lambda: "from the shelf" in hand.told)
        harmless(hand)

    play(tmp_path, scene, resources(), (150, 40))


def test_the_page_beside_is_there_as_soon_as_there_is_room_for_it(tmp_path: Path) -> None:
    save(tmp_path, [*SAVED, paper(r"$\alpha$-divergence", "10.1000/d", abstract="Of two distributions.")])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.resize(160, 40)
        await hand.until_shown("Of two distributions.")
        assert "α-divergence" in hand.text

    play(tmp_path, scene, resources(), (110, 30))


def test_widths_that_were_kept_when_the_shelf_was_called_library_still_hold(tmp_path: Path) -> None:
    save(tmp_path, SAVED)
    write_widths(tmp_path, {"LibraryScreen-wide": {"page": 60}})

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        assert hand.app.screen.query_one("#page").region.width == 90

    play(tmp_path, scene, resources(), (150, 36))


def test_marked_papers_are_read_for_an_export_while_the_app_goes_on(tmp_path: Path) -> None:
    save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("asterisk")
        screen = hand.app.screen
        assert isinstance(screen, ShelfScreen)
        reading = asyncio.create_task(screen.read_chosen())
        await asyncio.sleep(0)
        assert not reading.done()
        assert [one.title for one in await reading] == [one.title for one in reversed(SAVED)]
        await hand.press("X")
        await hand.until_shown("Export 3 papers")

    play(tmp_path, scene, resources())


def test_among_the_filters_no_key_acts_on_a_paper(tmp_path: Path) -> None:
    save(tmp_path, SAVED[:1], "ir")

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("t")
        await hand.until(lambda: hand.app.screen.query_one(SideList).has_focus)
        assert "remove" not in hand.lines[-1]
        await hand.press("s", "space", "u", "escape")
        assert listed(hand) == [SAVED[0].title]
        assert "1 marked" not in hand.text

    play(tmp_path, scene, resources())
