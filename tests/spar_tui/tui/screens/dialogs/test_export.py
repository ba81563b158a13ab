"""Writing papers into a file from the app, and copying citations."""

from pathlib import Path

from textual.widgets import Input, Select

from cache.reading_history import interactions
from cache.store import Store
from spar_tui.tui.screens.dialogs.export import ExportScreen
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.tui.test_hostile_text import HOSTILE, harmless, raw
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources, settings_at


async def found(hand: Hand) -> None:
    await hand.ask()
    await hand.until_shown("✔ finished")


async def write_to(hand: Hand, file: Path | str) -> None:
    await hand.press("X")
    await hand.until(lambda: bool(hand.app.screen.query("#file")))
    hand.app.screen.query_one("#file", Input).value = str(file)
    await hand.settled()
    await hand.press("enter")


async def closed(hand: Hand) -> None:
    await hand.until(lambda: not isinstance(hand.app.screen, ExportScreen))


def test_the_marked_papers_are_written_and_what_came_of_it_is_said(tmp_path: Path) -> None:
    file = tmp_path / "mine.bib"

    async def scene(hand: Hand) -> None:
        await found(hand)
        marked = hand.titles[:2]
        await hand.press("space", "space")
        await write_to(hand, file)
        await closed(hand)
        text = file.read_text()
        assert [title in text for title in hand.titles] == [title in marked for title in hand.titles]
        assert "2 entries" in hand.told

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    with Store.open(settings_at(tmp_path).places.database) as store:
        assert [one.act for one in interactions(store)].count("exported") == 2


def test_without_marks_the_highlighted_paper_is_written_and_added_to_what_is_there(tmp_path: Path) -> None:
    file = tmp_path / "mine.bib"
    file.write_text("% mine\n@misc{old,\n  title = {An old one},\n}\n")

    async def scene(hand: Hand) -> None:
        await found(hand)
        await write_to(hand, file)
        await closed(hand)
        assert file.read_text().startswith("% mine\n@misc{old,")
        assert hand.highlighted in file.read_text()
        assert file.read_text().count("title =") == 2

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_file_that_cannot_be_written_is_told_of_and_the_form_stays(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await found(hand)
        foreign = tmp_path / "mine.odt"
        for name in (tmp_path / "no/such/folder/mine.bib", tmp_path, "", "~nobody-of-this-name/x.bib", foreign):
            await write_to(hand, name)
            await hand.until(lambda: hand.app.screen.query_one("#told").display)
            assert isinstance(hand.app.screen, ExportScreen)
            await hand.press("escape")
            await closed(hand)
        assert not foreign.exists()

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_file_is_never_replaced_unless_that_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("precious\n")

    async def scene(hand: Hand) -> None:
        await found(hand)
        await write_to(hand, file)
        await hand.until_shown("exists already")
        assert file.read_text() == "precious\n"
        hand.app.screen.query_one("#how", Select).value = "replace"
        await hand.press("enter")
        await closed(hand)
        assert hand.highlighted in file.read_text()

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_the_ending_of_the_name_chooses_the_format(tmp_path: Path) -> None:
    written = {
        ".bib": "@article{", ".ris": "TY  - ", ".json": '"title"', ".md": "Sparse", ".csv": "title,", ".txt": "Sparse"
    }  # fmt: skip

    async def scene(hand: Hand) -> None:
        await found(hand)
        for ending, sign in written.items():
            file = tmp_path / f"mine{ending}"
            await write_to(hand, file)
            await closed(hand)
            assert hand.highlighted in file.read_text()
            assert sign in file.read_text()

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_citation_is_copied_in_the_form_that_is_asked_for(tmp_path: Path) -> None:
    async def copied(hand: Hand, form: str, sign: str) -> None:
        hand.app._clipboard = ""
        await hand.press("y")
        await hand.until_shown("BibLaTeX")
        await hand.press(form)
        await hand.until(lambda: sign in hand.app.clipboard)

    async def scene(hand: Hand) -> None:
        await found(hand)
        await copied(hand, "b", "@article{")
        await copied(hand, "d", "10.1000/s")
        await copied(hand, "t", "Sparse retrieval of passages")
        await copied(hand, "k", "\\cite{author")
        await copied(hand, "m", "[@author")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_escape_copies_nothing_and_several_marked_papers_are_cited_together(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await found(hand)
        await hand.press("y", "escape", "y", "y")
        assert hand.app.clipboard == ""
        await hand.press("space", "space", "y", "k")
        await hand.until(lambda: hand.app.clipboard.startswith("\\cite{"))
        assert hand.app.clipboard.count(",") == 1

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_hostile_papers_are_cited_and_written_as_plain_text(tmp_path: Path) -> None:
    papers = [raw(number, text) for number, text in enumerate(HOSTILE)] + [paper("retrieval of x", "10.1000/x")]
    file = tmp_path / "mine.bib"

    async def scene(hand: Hand) -> None:
        await hand.ask("retrieval")
        await hand.until_shown("✔ finished")
        await hand.press("asterisk", "y", "b")
        await hand.until(lambda: "@" in hand.app.clipboard)
        harmless(hand)
        assert "\x1b" not in hand.app.clipboard
        await write_to(hand, file)
        await closed(hand)
        harmless(hand)
        assert "\x1b" not in file.read_text()

    play(tmp_path, scene, resources(ScriptedSource("openalex", papers)))


def test_an_export_begins_with_the_format_used_last_and_an_entry_is_copied_in_it(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await found(hand)
        await hand.press("y")
        assert "b BibLaTeX" in hand.lines[-1]
        await hand.press("b")
        await hand.until(lambda: "date = {2020" in hand.app.clipboard)
        await hand.until(lambda: f"Copied BibLaTeX of {hand.app.clipboard.split('{')[1].split(',')[0]}" in hand.told)
        await write_to(hand, tmp_path / "mine.ris")
        await closed(hand)
        await hand.press("y")
        assert "b RIS" in hand.lines[-1]
        await hand.press("b")
        await hand.until(lambda: hand.app.clipboard == (tmp_path / "mine.ris").read_bytes().decode().rstrip())
        await hand.until(lambda: "Copied RIS of " in hand.told)
        await hand.press("X")
        await hand.until_shown("papers.ris")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    assert settings_at(tmp_path).preferences.export_format == "ris"
