"""Summaries in the app: watching the tree grow, reading the text, what can be done with its citations."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from agents.run.resources import Resources
from agents.summary.events import ROOT, Citation, NodeRetrieved, NodeWritten, Sentence
from agents.summary.kind import SUMMARY, SummaryRun
from agents.summary.options import SummaryOptions
from agents.summary.writing.sections import sections
from cache import runs
from cache.store import Store
from connectors.paper import Paper, WorkId
from connectors.source import Answer, Query
from spar_tui.tui.keymap import TOGETHER
from spar_tui.tui.screens.dialogs.palette import contexts_here
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt
from spar_tui.tui.screens.history import HistoryScreen
from spar_tui.tui.screens.home import AskLine, HomeScreen
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.screens.summary import SummaryPage, SummaryScreen
from spar_tui.tui.widgets.below_ask import RecentRuns
from spar_tui.tui.widgets.trail_tree import TrailTree, branch_text
from tests.agents.scripted import ScriptedSource
from tests.agents.search.world import Library, made_up, shelf
from tests.agents.summary.world import TOPIC, Asked, honest_model, listed
from tests.spar_tui.in_process import spar
from tests.spar_tui.tui.models.test_summary_rows import PAPERS, PLANNED, STARTED
from tests.spar_tui.tui.scenes import StoppedSummary, show
from tests.spar_tui.tui.screens.test_search import kept
from tests.spar_tui.tui.test_hostile_text import HOSTILE, harmless, raw
from tests.spar_tui.tui.world import QUESTION, SPARSE, GatedSource, Hand, play, resources, settings_at

SIZES = ((150, 36), (80, 24), (40, 10))


class SlowAfterTheTopic(GatedSource):
    """Answers to the topic at once, to its facets when the test lets it."""

    async def search(self, query: Query) -> Answer:
        return await (super().search(query) if self.asked else ScriptedSource.search(self, query))


def field(model: bool = False) -> Resources:
    return shelf(Library(made_up(40)), model=honest_model() if model else None)


async def summarize(hand: Hand, topic: str = TOPIC) -> SummaryRun:
    """Put a topic into the ask line, press the key beside Enter, and take the usual size."""
    hand.app.screen.query_one(AskLine).value = topic
    await hand.press("ctrl+l", "enter")
    return live(hand)


def live(hand: Hand) -> SummaryRun:
    assert isinstance(hand.app.screen, SummaryScreen)
    return hand.app.screen.live


async def finished(hand: Hand, topic: str = TOPIC) -> SummaryRun:
    begun = await summarize(hand, topic)
    await hand.until(lambda: begun.status == "finished" and "✔ finished" in hand.text)
    return begun


def page(hand: Hand) -> SummaryPage:
    return hand.app.screen.query_one(SummaryPage)


async def to_first(hand: Hand, kind: str) -> None:
    """Put the highlight of the text on the first row of this kind, by its keys."""
    page(hand).go_to(next(place for place, row in enumerate(page(hand).rows) if row.kind == kind))
    await hand.settled()


def tree_text(hand: Hand) -> str:
    return "\n".join(branch_text(row.branch).plain for row in hand.app.screen.query_one(TrailTree).rows)


def test_a_topic_becomes_a_tree_and_a_text_and_the_run_is_kept(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        done = await finished(hand)
        state = done.state
        for node in state.nodes:
            cited = f"{len({*state.cited} & {*state.works_below(node)})} " if node in sections(state) else ""
            assert f"{cited}{state.title(node)}" in tree_text(hand).splitlines()
        await hand.until_shown("Quotes only, no model")
        numbers = {one.number for row in page(hand).rows for one in row.cited}
        assert numbers == set(range(1, len(state.cited) + 1))

    play(tmp_path, scene, field())
    assert [(run.kind, run.question, run.state) for run in kept(tmp_path)] == [("summary", TOPIC, "finished")]


def test_facets_that_did_not_stand_are_struck_out_with_their_reason(tmp_path: Path) -> None:
    def relevant(request: Asked) -> dict[str, Any]:
        first, *others = listed(request, "Facets")
        told = [{"id": first["id"], "relevant": [], "reason": "it lies beside the topic"}]
        return {"facets": told + [{"id": one["id"], "relevant": one["candidates"][:8]} for one in others]}

    async def scene(hand: Hand) -> None:
        done = await finished(hand)
        reasons = {node: one.reason for node, one in done.state.dropped.items()}
        reasons |= {node: one.reason for node, one in done.state.merged.items()}
        assert "it lies beside the topic" in reasons.values()
        labels = [branch_text(row.branch) for row in hand.app.screen.query_one(TrailTree).rows]
        for node, reason in reasons.items():
            label = next(label for label in labels if label.plain == f"✗ {done.state.title(node)}")
            assert any("strike" in str(span.style) for span in label.spans)
            assert reason in tree_text(hand)

    play(tmp_path, scene, shelf(Library(made_up(40)), model=honest_model(relevant=relevant)))


def test_the_facet_under_the_cursor_is_read_and_its_citation_opened(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        done = await finished(hand)
        await hand.press("j")
        title = done.state.title("1")
        await hand.until(lambda: page(hand).rows[0].key == "h:1")
        assert any(title in str(part) for part in page(hand).rows[0].parts)
        assert {one.work for row in page(hand).rows for one in row.cited} == set(done.state.works_below("1"))
        await hand.press("enter")  # from the tree into the text
        await to_first(hand, "item")
        row = page(hand).row
        assert row is not None
        await hand.press("enter")
        screen = hand.app.screen
        assert isinstance(screen, PaperScreen)
        assert screen.about == done.state.findings.papers[row.cited[0].work]
        await hand.press("escape")
        assert live(hand) is done
        assert page(hand).row == row

    play(tmp_path, scene, field())


def test_before_there_is_text_the_papers_of_the_facet_are_shown(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        begun = await summarize(hand)
        await hand.until(lambda: bool(begun.state.facets))
        await hand.until(lambda: any(row.kind == "paper" for row in page(hand).rows))
        await hand.until(
            lambda: {one.work for row in page(hand).rows for one in row.cited} == set(begun.state.works(ROOT))
        )
        assert "◌" in tree_text(hand)
        await hand.press("j")
        await hand.until(lambda: begun.state.question("1") in hand.text)
        await hand.until_shown("No papers yet")
        source.gate.set()
        await hand.until_shown("✔ finished")

    source = SlowAfterTheTopic("openalex", made_up(40))
    play(tmp_path, scene, resources(source))


def test_a_model_s_sentence_shows_the_quote_behind_each_of_its_citations(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        done = await finished(hand)
        await hand.press("t")
        await to_first(hand, "item")
        row = page(hand).row
        assert row is not None
        quote = row.cited[0].support[0].strip("“”")
        assert quote in done.state.findings.papers[row.cited[0].work].abstract
        await hand.until_shown(f"“{quote[:30]}")
        assert "Written by a language model" in "".join(str(part) for part in page(hand).rows[0].parts)

    play(tmp_path, scene, field(model=True))


def test_saving_citing_marking_and_exporting_work_on_the_citation_at_hand(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        done = await finished(hand)
        await hand.press("t")
        await to_first(hand, "item")
        await hand.press("s")
        await hand.until_shown("Saved")
        await hand.press("y", "t")
        await hand.until_shown("Copied")
        await hand.press("X")
        await hand.until_shown(f"Export {len(done.state.cited)} papers")
        await hand.press("escape")
        await to_first(hand, "paper")
        await hand.press("space")
        await hand.until_shown("◆")
        await hand.press("X")
        await hand.until_shown("Export 1 paper")

    play(tmp_path, scene, field())


def test_the_text_is_written_into_a_file_and_an_old_one_only_after_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "sparse-retrieval-of-scientific-passages.md"

    async def scene(hand: Hand) -> None:
        await finished(hand)
        await hand.press("w")
        await hand.until(lambda: isinstance(hand.app.screen, TextPrompt))
        await hand.press("enter")
        await hand.until(file.exists)
        assert file.read_text("utf-8").startswith(f"# {TOPIC}\n")
        await hand.until(lambda: isinstance(hand.app.screen, SummaryScreen))
        file.write_text("mine", "utf-8")
        await hand.press("w")
        await hand.until(lambda: isinstance(hand.app.screen, TextPrompt))
        await hand.press("enter")
        await hand.until_shown("Replace it?")
        await hand.press("n")
        await hand.settled()
        assert file.read_text("utf-8") == "mine"
        await hand.press("w")
        await hand.until(lambda: isinstance(hand.app.screen, TextPrompt))
        await hand.type("/no/such")
        await hand.press("enter")
        await hand.until(lambda: "cannot be written" in hand.told)

    play(tmp_path / "home", scene, field())


def test_a_text_is_written_as_the_name_of_its_file_says_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def scene(hand: Hand) -> None:
        async def write(name: str) -> Path:
            await hand.press("w")
            await hand.until(lambda: isinstance(hand.app.screen, TextPrompt))
            hand.app.screen.query_one(Input).value = name
            await hand.press("enter")
            return tmp_path / name

        await finished(hand)
        for name, beginning in (("text.qmd", b"# "), ("text", b"# "), ("text.docx", b"PK")):
            if name != "text.docx" or shutil.which("pandoc"):
                file = await write(name)
                await hand.until(file.exists)
                assert file.read_bytes().startswith(beginning)
        for ending in (".json", ".tex"):
            file = await write(f"text{ending}")
            refusal = f"{ending} is not an ending of markdown files; name a .md file."
            await hand.until(lambda refusal=refusal: refusal in hand.told)  # type: ignore[misc]
            assert not file.exists()

    play(tmp_path / "home", scene, field())


def test_a_summary_goes_on_while_the_person_is_elsewhere(tmp_path: Path) -> None:
    source = GatedSource("openalex", made_up(40))

    async def scene(hand: Hand) -> None:
        begun = await summarize(hand)
        await hand.until(lambda: bool(source.asked))
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)
        await hand.until_shown("summary")
        await hand.until_shown("running")
        source.gate.set()
        await hand.until(lambda: begun.status == "finished")
        await hand.press("down", "enter")
        assert live(hand) is begun
        await hand.until_shown("✔ finished")

    play(tmp_path, scene, resources(source))


def test_a_pause_asks_nobody_and_a_stop_writes_what_is_there(tmp_path: Path) -> None:
    source = GatedSource("openalex", made_up(40))

    async def scene(hand: Hand) -> None:
        begun = await summarize(hand)
        await hand.until(lambda: bool(source.asked))
        await hand.press("p")
        asked = len(source.asked)
        source.gate.set()
        await hand.until(lambda: bool(begun.state.findings.found))
        for _ in range(10):
            await hand.pilot.pause(0.02)
        await hand.until_shown("‖ paused")
        assert len(source.asked) == asked
        await hand.press("x")
        await hand.until_shown("✔ finished")
        assert begun.state.finished is not None
        assert begun.state.finished.ending == "stopped"
        assert begun.state.written[ROOT].sentences

    play(tmp_path, scene, resources(source))


def test_a_summary_that_was_cut_off_goes_on_at_the_next_start(tmp_path: Path) -> None:
    slow = GatedSource("openalex", made_up(40))

    async def begins(hand: Hand) -> None:
        await summarize(hand)
        await hand.until(lambda: bool(slow.asked))
        await hand.press("ctrl+x")
        await hand.until_shown("interrupted")
        await hand.press("escape", "down", "q")

    play(tmp_path, begins, resources(slow))
    assert [(run.kind, run.state) for run in kept(tmp_path)] == [("summary", "interrupted")]

    async def goes_on(hand: Hand) -> None:
        await hand.until_shown("interrupted")
        await hand.press("down", "enter")
        assert live(hand).question == TOPIC
        await hand.until_shown("✔ finished")

    play(tmp_path, goes_on, field())
    assert [run.state for run in kept(tmp_path)] == ["finished"]


def test_a_finished_summary_opens_from_the_history_as_it_was_and_asks_nobody(tmp_path: Path) -> None:
    shown: list[object] = []

    async def writes(hand: Hand) -> None:
        await finished(hand)
        shown.append(list(page(hand).rows))

    play(tmp_path, writes, field())
    silent = ScriptedSource("openalex", SPARSE)

    async def looks(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        asked = len(silent.asked)
        await hand.press("f4")
        await hand.until(lambda: isinstance(hand.app.screen, HistoryScreen) and "summary" in hand.text)
        await hand.until_shown("relevant of")
        await hand.press("slash")
        await hand.type("summary")
        await hand.press("enter", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, SummaryScreen) and bool(page(hand).rows))
        assert list(page(hand).rows) == shown[0]
        assert len(silent.asked) == asked

    play(tmp_path, looks, resources(silent))


def test_a_summary_is_made_from_the_papers_of_a_search(tmp_path: Path) -> None:
    source = ScriptedSource("openalex", made_up(40))

    async def scene(hand: Hand) -> None:
        search = await hand.ask()
        await hand.until_shown("✔ finished")
        asked = len(source.asked)
        found = {one.id for one in search.state.papers.values()}
        await hand.press("S", "enter")
        begun = live(hand)
        await hand.until_shown("✔ finished")
        assert begun.question == QUESTION
        assert begun.options.corpus_name == search.run
        assert len(source.asked) == asked
        papers: list[Paper] = list(begun.state.findings.papers.values())
        assert papers
        assert {one.id for one in papers} <= found
        await hand.press("escape")
        assert hand.live is search

    play(tmp_path, scene, resources(source))


def test_the_size_of_a_summary_is_asked_for_and_what_cannot_be_is_said(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        line = hand.app.screen.query_one(AskLine)
        line.value = TOPIC
        await hand.press("ctrl+l", "escape")
        assert isinstance(hand.app.screen, HomeScreen)
        assert line.value == TOPIC
        await hand.press("ctrl+l", "backspace", "9", "enter")
        await hand.until_shown("“9” cannot be used; use 0 to 3.")
        await hand.press("backspace", "1", "down", "backspace", "2", "down", *["backspace"] * 4, "3", "0", "0", "enter")
        options = live(hand).options
        assert (options.depth, options.branch, options.words) == (1, 2, 300)
        await hand.until_shown("✔ finished")
        assert set(live(hand).state.facets) == {"1", "2"}

    play(tmp_path, scene, field())


def test_the_citation_at_hand_stays_while_the_text_grows_above_it(tmp_path: Path) -> None:
    works = (WorkId(2), WorkId(3), WorkId(4))
    cited = Sentence("Says much.", tuple(Citation(work, f"words of {work}") for work in works))
    grown = Sentence("Comes before.", (Citation(works[-1], "words of 4"),))

    async def scene(hand: Hand) -> None:
        begun = StoppedSummary.begun(SUMMARY, hand.app.store, "topic", SummaryOptions())
        retrieved = [NodeRetrieved(node, works) for node in (ROOT, "1", "2", "3")]
        await show(hand, begun, [STARTED, *PAPERS, PLANNED, *retrieved, NodeWritten("2", (cited,), by="model")], False)
        await hand.press("t")
        await to_first(hand, "text")
        await hand.press("right")
        await hand.until_shown("“words of 3”")
        begun.board.post(NodeWritten("1", (grown,), by="model"))
        await hand.until_shown("Comes before [1].")
        await hand.until_shown("“words of 3”")
        await hand.until_shown("3 of 3 ← →")  # the number of another paper is less now

    play(tmp_path, scene, Resources())


def test_without_a_topic_nothing_begins(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("ctrl+l")
        assert isinstance(hand.app.screen, HomeScreen)
        await hand.until_shown("Type the topic of the summary")

    play(tmp_path, scene, Resources())
    assert kept(tmp_path) == []


def test_a_topic_that_nothing_is_found_for_says_so(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await finished(hand)
        assert "0 papers" not in hand.lines[1]
        await hand.press("t", "j", "enter", "s", "y", "space", "X", "right", "w", "escape")

    play(tmp_path, scene, Resources())


def test_a_search_whose_papers_are_gone_fails_with_a_sentence_and_the_app_stays(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        with_none = runs.start(hand.app.store, "search", "nothing")
        hand.app.summarize("nothing", with_none)
        await hand.until_shown("has no papers to read")
        await hand.until_shown("✘ failed")
        await hand.press("escape")
        await hand.until_shown("failed · ⏎ resumes")

    play(tmp_path, scene, Resources())


def test_hostile_text_is_only_text_at_every_size(tmp_path: Path) -> None:
    papers = [raw(number, text) for number, text in enumerate(HOSTILE)]

    async def scene(hand: Hand) -> None:
        await finished(hand, "retrieval [bold]x[/bold] [/ $\\mathbb{R}^{[n]}$")
        for size in SIZES:
            await hand.resize(*size)
            await hand.settled()
            harmless(hand)
            for key in ("j", "j", "t", *("j" for _ in range(12)), "G", "enter", "escape", "g", "t"):
                await hand.press(key)
                harmless(hand)

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*papers, *made_up(20)])))


def test_where_there_is_little_room_one_pane_is_shown_and_t_goes_to_the_other(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        def tree() -> int:
            return hand.app.screen.query_one(TrailTree).region.width

        await finished(hand)
        await hand.until(lambda: tree() == 80)
        await hand.press("enter")
        await hand.until(lambda: (page(hand).region.width, tree()) == (80, 0))
        await hand.press("escape")
        await hand.until(lambda: tree() == 80)
        await hand.press("escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, field(), (80, 24))


def test_the_highlight_stays_on_its_row_while_the_text_grows_above_it(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        slow = await summarize(hand)
        await hand.until(lambda: any(row.kind == "paper" for row in page(hand).rows))
        await hand.press("t", "j", "j")
        row = page(hand).row
        assert row is not None
        work = row.cited[0].work
        await hand.until(lambda: slow.status == "finished" and "✔ finished" in hand.text)
        now = page(hand).row
        assert now is not None
        if work in slow.state.cited:
            assert now.key == row.key

    play(tmp_path, scene, field())


def test_a_summary_can_be_forgotten(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await finished(hand)
        await hand.press("f4")
        await hand.until(lambda: isinstance(hand.app.screen, HistoryScreen) and TOPIC in hand.text)
        await hand.press("d", "y")
        await hand.until_shown("No searches yet")

    play(tmp_path, scene, field())
    with Store.open(settings_at(tmp_path).places.database) as store:
        assert runs.recent(store) == []


def test_the_keys_of_a_summary_are_known_to_the_check_for_clashes(tmp_path: Path) -> None:
    """Wherever the focus is, the places that have the keys stand in one line of `TOGETHER`."""

    async def scene(hand: Hand) -> None:
        await finished(hand)
        for widget in hand.app.screen.focus_chain:
            hand.app.screen.set_focus(widget)
            here = set(contexts_here(hand.app.screen))
            assert any(here <= set(places) for places in TOGETHER), here

    play(tmp_path, scene, field())


def test_leaving_while_a_summary_is_under_way_asks_first(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await summarize(hand)
        await hand.press("escape")
        await hand.until(
            lambda: bool(hand.app.screen.query(RecentRuns)) and len(hand.app.screen.query_one(RecentRuns).rows) > 0
        )
        await hand.press("down", "q")
        await hand.until_shown("A summary is running.")
        await hand.press("y")
        assert hand.app._exit

    play(tmp_path, scene, resources(GatedSource("openalex", SPARSE)))


def test_the_list_of_runs_says_which_are_summaries_and_the_log_tells_their_steps(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await finished(hand)

    play(tmp_path / "spar", scene, field())
    (run,) = kept(tmp_path / "spar")
    listed_runs = spar(tmp_path, "history")
    assert f"summary  {run.counts['shown']} of {run.counts['screened']} papers" in listed_runs.stdout
    told = spar(tmp_path, "log", run.id)
    assert told.returncode == 0, told.stderr
    for step in (
        f"“{TOPIC}” in about",
        "topic: ",
        "papers chosen",
        "sentences",
        "(by built-in rules)",
        "finished after",
    ):
        assert step in " ".join(told.stdout.split())
    assert "only `--json` shows" not in told.stdout
