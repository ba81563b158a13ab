"""The text of a PDF in the app: by page, with a search through all pages."""

from pathlib import Path

import pytest

from cache import page_texts, shelf
from cache.originals import choose
from cache.store import Store
from connectors.records.build import build_paper
from connectors.records.matching import BIBLIOGRAPHY
from spar_tui.tui.screens.pages import PagesScreen
from spar_tui.tui.screens.shelf import ShelfScreen
from spar_tui.tui.widgets.paper_page import PaperPage
from tests.connectors.pdf.writing import pdf
from tests.spar_tui.tui.screens.test_shelf import SAVED, open_shelf
from tests.spar_tui.tui.world import Hand, play, resources, settings_at

pytestmark = pytest.mark.usefixtures("own_home")
LONG = "\n".join(f"Line {number} of the middle." for number in range(60))
PAGES = ["Dense passages\nare retrieved.", "", f"{LONG}\nAll dense passages, at the end.", "Nothing of interest."]


@pytest.mark.parametrize("size", [(80, 24), (110, 30), (160, 40)])
def test_a_pdf_is_read_by_page_and_searched(size: tuple[int, int], tmp_path: Path) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        [number] = shelf.save(store, SAVED[:1])
        shelf.set_files(store, number, ["/a.pdf"])
        page_texts.keep(store, number, "/a.pdf", b"", PAGES)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("P")
        await hand.until(lambda: isinstance(hand.app.screen, PagesScreen))
        await hand.until_shown("page 1 of 4")
        assert "are retrieved." in hand.text
        await hand.press("right")
        await hand.until_shown("page 3 of 4")  # the second has no text
        beside = hand.lines[0].index("╭")
        await hand.press("slash")
        assert hand.lines[0].index("╭") == beside
        await hand.type("DENSE passages")
        await hand.press("enter")
        await hand.until_shown("All dense passages, at the end.")
        await hand.press("n")
        await hand.until_shown("page 1 of 4")
        await hand.press("N")
        await hand.until_shown("page 3 of 4")
        await hand.press("slash")
        await hand.type("zebra")
        await hand.until_shown("no match · page 3 of 4")
        await hand.press("escape", "escape")
        assert isinstance(hand.app.screen, ShelfScreen)

    play(tmp_path, scene, resources(), size)


def test_the_text_stands_in_the_pane_of_the_paper_beside_the_list_at_every_size(tmp_path: Path) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        [number] = shelf.save(store, SAVED[:1])
        shelf.set_files(store, number, ["/a.pdf"])
        page_texts.keep(store, number, "/a.pdf", b"", PAGES)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        page = hand.app.screen.query_one(PaperPage)
        await hand.press("P")
        await hand.until_shown("page 1 of 4")
        pane = hand.app.screen.query_one("#pane")
        await hand.until(lambda: pane.region == page.region)
        assert SAVED[0].title in hand.text.split("page 1 of 4")[0]
        await hand.resize(80, 24)
        await hand.until(lambda: pane.region.size == (80, 23))
        await hand.resize(170, 40)
        await hand.until(lambda: bool(page.region) and pane.region == page.region)
        assert "are retrieved." in hand.text

    play(tmp_path, scene, resources(), (160, 40))


def test_a_paper_without_a_pdf_says_why_there_is_nothing_to_read(tmp_path: Path) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.save(store, SAVED[:1])
    (tmp_path / "config.toml").write_text("offline = true\n")

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("P")
        await hand.until(lambda: "Nothing is fetched offline" in hand.told or "nothing is fetched offline" in hand.told)
        assert isinstance(hand.app.screen, ShelfScreen)

    play(tmp_path, scene, resources())


def test_a_pdf_whose_text_is_not_the_papers_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf([[(72.0, 700.0, "On rivers and what lives in them, with many words")]]))
    with Store.open(settings_at(tmp_path).places.database) as store:
        [number] = shelf.save(store, SAVED[:1])
        shelf.set_files(store, number, [str(tmp_path / "a.pdf")])
        with store.writing() as db:
            choose(db, [str(tmp_path / "a.pdf")])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("P")
        await hand.until(lambda: "is of another paper" in hand.told)
        assert isinstance(hand.app.screen, ShelfScreen)

    play(tmp_path, scene, resources())


def test_the_pdfs_of_several_papers_are_fetched_by_one_command_that_names_each_failure(tmp_path: Path) -> None:
    titles = ["On rivers and what lives in them", "On lakes and what lives in them", "On seas", "On ponds"]
    with Store.open(settings_at(tmp_path).places.database) as store:
        for title in titles:
            [number] = shelf.save(store, [build_paper(BIBLIOGRAPHY, title=title)])
            if "lives" in title:
                file = tmp_path / f"{number}.pdf"
                file.write_bytes(pdf([[(72.0, 700.0, title), (72.0, 600.0, "Fish live there.")]]))
                shelf.set_files(store, number, [str(file)])
                with store.writing() as db:
                    choose(db, [str(file)])

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.press("asterisk", "P")
        await hand.until(lambda: "PDF text stored for 2 of 4 papers." in hand.told)
        for title in titles[2:]:
            await hand.until_shown(f"“{title}”: no open-access PDF is known")

    play(tmp_path, scene, resources())
