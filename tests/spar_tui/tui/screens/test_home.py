"""Where the app opens: what it promises is there, and what there is can be told apart."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from textual.content import Content
from textual.events import Paste
from textual.widgets import Static

from cache import papers, runs, shelf
from cache.runs import Run
from cache.store import Store
from connectors.identifiers import doi, identifiers
from spar_tui.settings import load_settings
from spar_tui.tui.models.run_status import RunStatus
from spar_tui.tui.named_paper import reads_as_title
from spar_tui.tui.screens.dialogs.ask_form import AnewLine
from spar_tui.tui.screens.home import AskLine
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.search import SearchScreen
from spar_tui.tui.widgets.below_ask import Examples, FirstKeys, ReadNext, RecentRuns, run_line
from tests.agents.scripted import ScriptedSource, paper
from tests.rows import each
from tests.spar_tui.tui.scenes import earlier, to_read_next
from tests.spar_tui.tui.world import OTHERS, QUESTION, SPARSE, GatedSource, Hand, play, resources, settings_at

NAMES_OF_KEYS = {"/": "slash", ".": "full_stop", ":": "colon"}
STARTED = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def key_of(letter: str) -> str:
    return NAMES_OF_KEYS.get(letter, letter)


def focused(hand: Hand) -> type:
    return type(hand.app.focused)


@each("words", ["running, 62 papers", "stopping, 1,062 papers", "failed · ⏎ resumes", "20 papers"])
@each("width", [60, 70, 100])
@each("question", ["sparse", "稀疏检索" * 40])
def test_what_a_run_came_to_and_when_it_was_stand_apart_on_one_line(words: str, width: int, question: str) -> None:
    run = Run("20261121-0930-abcd", "search", question, {}, "running", STARTED, None, {})
    line = run_line(run, RunStatus("●", "accent", words), width)
    when = f"{STARTED.astimezone():%d %b %H:%M}"
    assert line.plain.endswith(f"  {when}")
    assert line.cell_length <= width
    if width >= 70:
        assert f"  {words[:19]}" in line.plain


def test_a_narrow_line_shows_a_long_question_rather_than_how_many_papers_a_finished_search_found() -> None:
    question = "how does query evolution change recall of agents?"
    finished = Run("20261121-0930-abcd", "search", question, {}, "finished", STARTED, None, {})
    for status in RunStatus("✔", "good", "26 relevant of 148"), RunStatus("▲", "warned", "26 relevant of 148"):
        assert question in run_line(finished, status, 74).plain
    interrupted = replace(finished, state="interrupted")
    assert "⏎ resumes" in run_line(interrupted, RunStatus("■", "warned", "interrupted · ⏎ resumes"), 74).plain


def test_the_question_gets_the_columns_that_no_result_needs() -> None:
    run = Run("20261121-0930-abcd", "search", "q" * 200, {}, "finished", STARTED, None, {})
    status = RunStatus("✔", "good", "26 of 148")
    fitted, widest = (run_line(run, status, 100, cells).plain for cells in (9, 23))
    assert fitted.count("q") == widest.count("q") + 23 - 9
    assert "…  26 of 148  " in fitted


def test_a_search_that_a_watch_has_run_is_told_from_the_persons_own() -> None:
    run = Run("20261121-0930-abcd", "search", "sparse", {"watch": "sparse"}, "running", STARTED, None, {})
    assert run_line(run, RunStatus("●", "accent", "20 papers"), 70).plain.startswith("●  watch sparse")


def test_no_recent_searches_are_promised_where_there_are_none_but_questions_to_try(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until(lambda: "examples" in hand.lines[-1])
        assert "recent searches" not in hand.lines[-1]
        await hand.press("down", "down")
        assert focused(hand) is Examples
        await hand.press("enter")
        line = hand.app.screen.query_one(AskLine)
        assert line.has_focus
        assert line.value == "does vitamin D lower the risk of respiratory infection, since 2018"
        await hand.press("down", "up", "up")
        assert line.has_focus
        await hand.press("enter")
        assert isinstance(hand.app.screen, SearchScreen)
        await hand.press("escape")
        await hand.until(lambda: "recent searches" in hand.lines[-1] and "examples" not in hand.lines[-1])
        await hand.press("down")
        assert focused(hand) is RecentRuns
        await hand.press("up")
        await hand.type("rivers")
        await hand.press("enter", "escape")
        await hand.until(lambda: len(hand.app.screen.query_one(RecentRuns).rows) == 2)
        await hand.press("down")  # the newest, not the one where the cursor was
        assert hand.app.screen.query_one(RecentRuns).place == 0

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_from_the_questions_to_try_the_arrows_lead_on_to_what_to_read_next(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await to_read_next()(hand)
        assert focused(hand) is AskLine
        await hand.press("down", "down", "down", "down")
        assert focused(hand) is ReadNext
        await hand.press("up")
        assert focused(hand) is Examples
        await hand.press("1")
        assert focused(hand) is AskLine

    play(tmp_path, scene, resources())


def test_google_is_promised_only_with_a_key(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until_shown("Sources: arxiv")
        assert "google" not in hand.text
        home = {"SPAR_HOME": str(tmp_path), "SPAR_MANNERS": str(tmp_path / "manners")}
        hand.app.settings = load_settings({**home, "SERPAPI_API_KEY": "made-up"})
        assert "google" in hand.app.resources_sentence

    play(tmp_path, scene, resources())


def test_whom_a_question_goes_to_is_told_as_the_settings_are_now_and_a_key_chooses_others(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until_shown("Sources: arxiv")
        await hand.type("old things")
        await hand.app.run_action("app.open('settings')")
        hand.app.change_setting("offline", "true")
        await hand.press("escape")
        await hand.until_shown("Offline: library and starter shelf · no model · f8 change")
        await hand.press("f8")
        await hand.until_shown("New question")
        assert hand.app.screen.query_one(AnewLine).value == "old things"

    play(tmp_path, scene, resources())


def test_five_keys_are_told_as_they_are_until_something_was_asked(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[keys]\n"paper.save" = "f11"\n')

    async def scene(hand: Hand) -> None:
        await hand.until_shown("Five keys to start with:")
        told = {" ".join(line.split()) for line in hand.lines}
        assert {"⏎ Ask the question.", "f11 Save the paper; again: remove it from the shelf."} <= told
        assert "f1 Show the keys." in told  # a ? would be written into the line
        await hand.app.run_action("app.open('settings')")
        await hand.press("escape")
        assert hand.app.change_keys("paper.save", ["f12"]) is None
        await hand.press("f3", "f2")
        await hand.until_shown("f12      Save the paper")
        await hand.until_shown("save papers (f12) or like some (m)")
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("escape")
        await hand.until_shown(QUESTION)
        assert "Five keys" not in hand.text

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)), (80, 24))


@pytest.mark.parametrize("reads", [True, False])
def test_the_five_keys_crowd_nothing_out(reads: bool, tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        if reads:
            await to_read_next()(hand)
        for size in ((150, 36), (110, 30), (80, 29), (80, 24), (40, 10)):
            await hand.resize(*size)
            await hand.settled()
            screen = hand.app.screen
            assert screen.query_one(FirstKeys).display is (size[1] >= (30 if reads else 24)) or size[1] < 24
            for one in screen.focus_chain:
                assert screen.query_one("#desk").region.contains_region(one.region), one

    play(tmp_path, scene, resources())


def test_at_the_start_nothing_is_said_of_what_to_read_next_that_is_not_known(tmp_path: Path) -> None:
    """With papers on the shelf and nothing chosen yet, it is not said that they name nothing."""
    shown: list[str] = []

    async def scene(hand: Hand) -> None:
        told = hand.app.screen.query_one("#next-told", Static)
        update = told.update

        def noted(content: Content, **more: bool) -> None:
            shown.append(content.plain)
            update(content, **more)

        told.update = noted  # type: ignore[method-assign,assignment]  # listened to, on its way to the screen
        await hand.until(lambda: "all, with reasons" in hand.text)

    with Store.open(settings_at(tmp_path).places.database) as store:
        papers.remember(store, [*SPARSE, *OTHERS])
        shelf.save(store, [SPARSE[0], SPARSE[3], OTHERS[1]])
    play(tmp_path, scene, resources())
    assert not [one for one in shown if "nothing" in one or "recommends papers" in one], shown


def test_papers_saved_in_this_session_are_not_said_to_name_nothing(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until(lambda: hand.app.recommender.looked)
        papers.remember(hand.app.store, [*SPARSE, *OTHERS])
        shelf.save(hand.app.store, [SPARSE[0], SPARSE[3], OTHERS[1]])
        await hand.press("f3", "f2")
        await hand.until_shown("Read next  f5 recommends papers")

    play(tmp_path, scene, resources())


def test_a_search_that_ends_within_a_moment_of_going_back_is_not_said_to_be_running(tmp_path: Path) -> None:
    slow = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        for question in ("sparse retrieval", "dense retrieval", "learned retrieval"):
            slow.gate.clear()
            live = await hand.ask(question)
            await hand.until(lambda: bool(slow.asked))
            await hand.press("escape")
            await hand.until_shown("running")
            slow.gate.set()
            await hand.until(lambda live=live: not live.under_way)  # type: ignore[misc]  # bound for this round
            await hand.until(lambda: "running" not in hand.text)

    play(tmp_path, scene, resources(slow))


def test_what_runs_store_while_none_is_under_way_is_shown(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        for question in ("river ecology", "lake ecology"):
            run = runs.start(hand.app.store, "search", question)
            await hand.until_shown(question)
            await hand.until_shown("interrupted")
            runs.finish(hand.app.store, run, "finished")
            await hand.until(lambda: "interrupted" not in hand.text)

    play(tmp_path, scene, resources())


def test_a_query_with_operators_that_cannot_be_read_stays_in_the_line_and_its_fault_is_said(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        line = hand.app.screen.query_one(AskLine)
        line.value = "dense AND (sparse OR"
        await hand.press("enter")
        await hand.until(lambda: "A word is missing here (at character 21)" in hand.told)
        assert line.value == "dense AND (sparse OR"
        assert not hand.app.runs_shown

    play(tmp_path, scene, resources())


@pytest.mark.parametrize("typed", ["10.1000/seed", "https://doi.org/10.1000/seed", "DOI: 10.1000/seed"])
def test_an_identifier_or_address_opens_its_paper_by_one_request(typed: str, tmp_path: Path) -> None:
    seed = replace(paper("A seed paper", "10.1000/seed"), abstract="It grows.")
    sources = [ScriptedSource(name, known=[seed]) for name in ("openalex", "crossref")]

    async def scene(hand: Hand) -> None:
        await hand.press(*map(key_of, typed))
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        assert "A seed paper" in hand.text
        assert "Looking up" not in hand.text
        assert papers.find(hand.app.store, identifiers(doi("10.1000/seed"))) is not None
        assert sum(len(source.named) for source in sources) == 1

    play(tmp_path, scene, resources(*sources))


def test_an_identifier_that_nobody_knows_is_told_and_stays_to_be_changed(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press(*map(key_of, "10.1000/nobody"))
        await hand.press("enter")
        await hand.until(lambda: "knows doi:10.1000/nobody" in hand.text)
        assert hand.app.screen.query_one(AskLine).value == "10.1000/nobody"
        await hand.press("ctrl+u", *map(key_of, "https://example.org/page"), "enter")
        await hand.until(lambda: "No paper is known by this address" in hand.told)

    play(tmp_path, scene, resources(ScriptedSource("openalex")))


def test_the_exact_title_of_a_paper_of_the_library_opens_it(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        papers.remember(hand.app.store, SPARSE)
        line = hand.app.screen.query_one(AskLine)
        await hand.press("enter")
        assert "Type a question" in hand.told
        line.value = f"  {SPARSE[2].title.upper()}."
        await hand.press("enter")
        assert isinstance(hand.app.screen, PaperScreen)
        assert hand.app.screen.about.title == SPARSE[2].title
        assert "f8 searches for these words instead" in hand.told
        assert not hand.app.runs_shown
        await hand.press("f8", "enter")
        assert hand.live.question == f"{SPARSE[2].title.upper()}."

    play(tmp_path, scene, resources())


def test_papers_are_offered_by_their_titles_and_crowd_no_search_out(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        shelf.save(hand.app.store, SPARSE)
        earlier(hand.app.store)
        await hand.press("f3", "f2")
        await hand.until_shown("03 Mar 09:30")
        await hand.type("sparse retrieval")
        await hand.until_shown("paper Sparse retrieval of passages, part")
        assert hand.app.screen.query_one(RecentRuns).max_scroll_y == 0

    play(tmp_path, scene, resources(), size=(80, 24))


@pytest.mark.parametrize("pastes", [True, False])
def test_a_title_opens_its_paper_by_one_request_and_other_words_are_asked(pastes: bool, tmp_path: Path) -> None:
    source = ScriptedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        line = hand.app.screen.query_one(AskLine)

        async def enter(text: str) -> None:
            if pastes:
                line.post_message(Paste(text))
                await hand.settled()
            else:
                line.value = text
            await hand.press("enter")

        await enter(SPARSE[1].title)
        await hand.until(lambda: isinstance(hand.app.screen, PaperScreen))
        assert isinstance(hand.app.screen, PaperScreen)
        assert hand.app.screen.about.title == SPARSE[1].title
        assert len(source.asked) == 1
        assert not hand.app.runs_shown
        await hand.press("escape")
        await enter("sparse retrieval of passages with more words")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen))
        assert hand.live.question == "sparse retrieval of passages with more words"
        assert line.value == ""

    play(tmp_path, scene, resources(source))


def test_keys_typed_while_a_title_is_looked_up_do_not_change_the_question(tmp_path: Path) -> None:
    source, question = GatedSource("openalex", SPARSE), "sparse retrieval of scientific passages"

    async def scene(hand: Hand) -> None:
        hand.app.screen.query_one(AskLine).value = question
        await hand.press("enter")
        assert "Looking for a paper with this title" in hand.told
        await hand.press("j", "j")
        source.gate.set()
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen))
        assert hand.live.question == question

    play(tmp_path, scene, resources(source))


@pytest.mark.parametrize(
    ("question", "is_title"),
    [
        ("deep residual learning for image recognition", True),
        ("How Do Geckos Walk on Water without Wet Feet", True),
        ("which papers on sparse retrieval report gains?", False),
        ("deep residual learning for image recognition since 2020", False),
        ("a survey of graph neural networks for molecules", False),
        ("Sparse retrieval of passages", False),
    ],
)
def test_words_of_asking_a_condition_or_few_words_make_no_title(question: str, is_title: bool) -> None:
    assert reads_as_title(question) == is_title


def test_sources_dates_and_depth_are_each_changed_with_one_key(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.until_shown("^s sources that fit   ^t dates from the question   ^g fast")
        await hand.press("ctrl+s", "ctrl+s", "ctrl+s", "ctrl+t", "ctrl+g")
        await hand.until_shown("Sources: openalex, and your library.")
        options = (await hand.ask()).options
        assert (options.sources, options.choose_sources, options.mode) == (("openalex",), False, "deep")
        assert options.since == date(date.today().year, 1, 1)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_a_pasted_list_of_references_is_imported_and_not_searched_for(tmp_path: Path) -> None:
    references = (
        "Roe, A. (2020). What lives in rivers. Rivers, 3(2), 1-9.\nPoe, B. (2021). Why rivers rise. Rivers, 4(1), 2-8."
    )

    async def scene(hand: Hand) -> None:
        hand.app.post_message(Paste(references))
        await hand.press("enter")
        await hand.until_shown("- stands for 2 pasted lines")
        await hand.press("escape")
        hand.app.post_message(Paste("What lives in rivers?\nAnd why do they rise?"))
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, SearchScreen))

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_one_click_on_a_row_opens_it(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        question = "does vitamin D lower the risk"
        await hand.until_shown(question)
        line = next(index for index, text in enumerate(hand.lines) if question in text)
        await hand.pilot.click(offset=(hand.lines[line].index(question), line))
        await hand.until(lambda: hand.app.screen.query_one(AskLine).value.startswith(question))

    play(tmp_path, scene, resources())
