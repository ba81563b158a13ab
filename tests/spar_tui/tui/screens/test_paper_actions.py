"""Marking, saving, and telling a search what one thinks of a paper."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Key

from agents.search.events import Finished
from agents.search.kind import SEARCH, SearchRun
from agents.search.options import SearchOptions
from cache import shelf
from cache.reading_history import interactions
from cache.store import Store
from spar_tui.tui.screens.search import SearchScreen
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.scenes import search_events
from tests.spar_tui.tui.screens.test_paper import LinkedSource
from tests.spar_tui.tui.world import OTHERS, QUESTION, SPARSE, GatedSource, Hand, play, resources, settings_at, titles


def saved(home: Path) -> set[str]:
    with Store.open(settings_at(home).places.database) as store:
        return {one.paper.title for one in shelf.shelf(store)}


async def finished(hand: Hand) -> None:
    await hand.ask()
    await hand.until_shown("✔ finished")


def test_saving_marks_the_paper_with_a_star_and_again_takes_it_off(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await finished(hand)
        title = hand.highlighted
        await hand.press("s")
        await hand.until_shown(f"★ {title}")
        await hand.press("s")
        await hand.until(lambda: "★" not in hand.text)
        assert "from the shelf" in hand.told
        await hand.press("s")
        await hand.until_shown(f"★ {title}")

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    assert len(saved(tmp_path)) == 1


def test_marks_stay_on_their_papers_while_the_list_grows_and_is_sorted(tmp_path: Path) -> None:
    slow = GatedSource("arxiv", SPARSE)

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until(lambda: len(hand.titles) == 6)
        await hand.press("j", "space", "space")
        marked = set(hand.titles[1:3])
        slow.gate.set()
        await hand.until_shown("✔ finished")
        await hand.press("R")
        assert isinstance(hand.app.screen, SearchScreen)
        assert {one.title for one in hand.app.screen.chosen} == marked
        await hand.until(lambda: sum("◆" in line for line in hand.lines) == 2)
        await hand.press("s")
        await hand.until(lambda: hand.text.count("★") == 2)

    play(tmp_path, scene, resources(ScriptedSource("openalex", OTHERS), slow))
    assert len(saved(tmp_path)) == 2


def test_keys_that_come_in_one_burst_meet_the_papers_that_they_were_meant_for(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await finished(hand)
        wanted = {hand.titles[1], hand.titles[3]}
        for key in ("j", "space", "j", "space", "s"):
            hand.app.post_message(Key(key, " " if key == "space" else key))
        await hand.until(lambda: hand.text.count("★") == 2)
        assert isinstance(hand.app.screen, SearchScreen)
        assert {one.title for one in hand.app.screen.chosen} == wanted

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_papers_are_marked_all_at_once_and_from_the_trail_and_their_pages_too(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await finished(hand)
        await hand.press("asterisk")
        await hand.until(lambda: hand.text.count("◆") == len(SPARSE))
        await hand.press("asterisk")
        await hand.until(lambda: "◆" not in hand.text)
        await hand.press("enter", "space", "escape")
        await hand.until(lambda: hand.text.count("◆") == 1)
        await hand.press("asterisk", "asterisk")
        await hand.press("t", "j", "j", "space")  # query, source, first paper
        assert isinstance(hand.app.screen, SearchScreen)
        assert len(hand.app.screen.marked) == 1

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_what_is_saved_is_starred_in_the_next_search(tmp_path: Path) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        shelf.save(store, SPARSE[:2])

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until(lambda: hand.text.count("★") == 2)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_an_opinion_counts_at_once_can_be_taken_back_and_not_relevant_is_no_dislike(tmp_path: Path) -> None:
    """A finished search goes on for it; the reading history keeps that more like it was wanted."""

    async def scene(hand: Hand) -> None:
        await finished(hand)
        live = hand.live
        await hand.press("G", "minus")
        work = next(work for work, one in live.state.found.items() if one.paper.title == hand.highlighted)
        await hand.until(lambda: live.state.called_relevant == {work: False})
        await hand.until_shown("✔ finished")
        assert live.state.relevance(work) == 0
        await hand.press("minus")
        await hand.until(lambda: not live.state.called_relevant)
        await hand.until_shown("✔ finished")
        await hand.press("m")
        await hand.until(lambda: live.state.called_relevant == {work: True})
        await hand.until_shown("✔ finished")
        await hand.press("minus")
        await hand.until(lambda: live.state.called_relevant == {work: False})

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    with Store.open(settings_at(tmp_path).places.database) as store:
        kept = interactions(store)
    assert [one.act for one in kept if one.act != "viewed"] == ["unrated", "liked"]
    assert all(one.run for one in kept)


def test_a_search_that_goes_on_tells_how_long_all_of_it_took(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        before = SearchRun.begun(SEARCH, hand.app.store, QUESTION, SearchOptions())
        for event in await search_events():
            before.board.post(replace(event, seconds=100.0) if isinstance(event, Finished) else event)
        before.recorder.end("finished", before.state)
        hand.app.open_run(before.run)
        await hand.until_shown("1:40")
        await hand.press("m")
        await hand.until(lambda: bool(hand.live.state.called_relevant))
        await hand.until_shown("▲ finished")
        assert hand.live.seconds > 100
        assert " 0:0" not in hand.text

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_references_are_a_list_of_their_own_and_judged_in_the_search(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("r")
        await hand.until_shown("6 references, 0 new")  # the search has found them already
        assert titles(OTHERS) == set(hand.titles)
        await hand.until(lambda: titles(OTHERS) <= {one.title for one in live.state.papers.values()})
        await hand.press("c")
        await hand.until_shown("0 new")
        await hand.until_shown("Cited by")  # of the same paper: nobody has moved in the list
        await hand.press("escape")
        await hand.until_shown("✔ finished")
        assert titles([*SPARSE, *OTHERS]) == set(hand.titles)

    play(tmp_path, scene, resources(LinkedSource("openalex", SPARSE)))


def test_keys_without_a_paper_do_nothing(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await finished(hand)
        await hand.press("space", "asterisk", "s", "y", "o", "O", "e", "T", "u", "r", "c", "m", "minus", "X")
        assert isinstance(hand.app.screen, SearchScreen)

    play(tmp_path, scene, resources())


@pytest.fixture
def handed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that gets what is opened."""
    program, handed = tmp_path / "program", tmp_path / "handed"
    program.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {handed}.new; mv {handed}.new {handed}\n')
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(program))
    return handed


def test_a_file_that_the_person_keeps_is_opened_before_the_pdf_of_the_web(handed: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.pdf"
    paper = replace(SPARSE[0], pdf="https://example.org/open.pdf")

    async def scene(hand: Hand) -> None:
        await finished(hand)
        await hand.press("O")
        await hand.until(handed.exists)
        assert handed.read_text() == "https://example.org/open.pdf"
        handed.unlink()
        await hand.press("s")
        await hand.until_shown("★")
        kept.write_bytes(b"%PDF-1.7")
        with Store.open(settings_at(tmp_path).places.database) as store:
            shelf.set_files(store, shelf.shelf(store)[0].number, [str(tmp_path / "gone.pdf"), str(kept)])
        await hand.press("O")
        await hand.until(handed.exists)
        assert handed.read_text() == str(kept)
        handed.unlink()
        kept.unlink()
        await hand.press("O")
        await hand.until(lambda: f"No such file: {kept}. Opened https://example.org/open.pdf" in hand.told)

    play(tmp_path, scene, resources(ScriptedSource("openalex", [paper])))


def test_a_file_that_a_bibliography_named_is_opened_after_a_question_and_then_without(
    handed: Path, tmp_path: Path
) -> None:
    named = tmp_path / "named.pdf"
    named.write_bytes(b"%PDF-1.7")

    async def scene(hand: Hand) -> None:
        await finished(hand)
        await hand.press("s")
        await hand.until_shown("★")
        with Store.open(settings_at(tmp_path).places.database) as store:
            told = shelf.ImportedData((), "", [str(tmp_path / "run.command"), str(named)], {})
            shelf.put_imported(store, [(shelf.shelf(store)[0].number, told)])
        await hand.press("O")
        await hand.until_shown("is outside the folder")
        await hand.press("escape")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen))
        assert not handed.exists()
        await hand.press("O")
        await hand.until_shown("is outside the folder")
        await hand.press("y")
        await hand.until(handed.exists)
        assert handed.read_text() == str(named)
        handed.unlink()
        await hand.press("O")
        await hand.until(handed.exists)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE[:1])))


def test_a_paper_that_is_marked_as_read_or_tagged_and_saved_for_that_is_said_to_be_saved(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await finished(hand)
        await hand.press("u")
        await hand.until(lambda: "is read; it is saved to the shelf now." in hand.told)
        await hand.press("j", "T", "r", "a", "g", "enter")
        await hand.until(lambda: "rag; it is saved to the shelf now." in hand.told)
        await hand.press("asterisk", "u")
        await hand.until(lambda: "6 papers marked as read; 4 of them are saved to the shelf now." in hand.told)
        await hand.press("u")
        await hand.until(lambda: "6 papers marked as not read." in hand.told)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
    assert len(saved(tmp_path)) == 6
