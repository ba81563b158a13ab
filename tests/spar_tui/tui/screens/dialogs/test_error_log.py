"""The error log: what failed, when, why, and what to do."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from agents.run.events import FoundBy, PaperFound, SourceAnswered, Warned
from agents.search.events import ReferencesFollowed
from agents.search.kind import SEARCH
from cache.runs import Event, Run
from connectors.errors import SourceUnavailable
from connectors.paper import WorkId
from spar_tui.tui.failures import RunFailure, together
from spar_tui.tui.screens.dialogs.error_log import ErrorLog, failures_of, log_text
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
RUN = Run("r1", "search", "sparse retrieval", {}, "finished", NOON, None, {})


def rows(*events: SourceAnswered | ReferencesFollowed | Warned) -> list[Event]:
    """The events as the store gives them, a minute apart."""
    posted = [SEARCH.codec.encode(one) for one in events]
    return [
        Event("r1", number, one.role, one.kind, one.content, one.score, NOON + timedelta(minutes=number))
        for number, one in enumerate(posted)
    ]


def test_a_run_tells_what_failed_with_its_time_its_reason_and_what_to_do() -> None:
    findings = SEARCH.folded([PaperFound(WorkId(2), paper("Dense retrieval"), FoundBy("openalex", "q", 1))]).findings
    found = list(failures_of(RUN, rows(
        SourceAnswered("openalex", "q", "ok", 3),
        SourceAnswered("pubmed", "q", "failed", error="is not working right now."),
        SourceAnswered("google", "q", "skipped", error="is off."),
        ReferencesFollowed(WorkId(1), "citations", 1, 0, 0, error="openalex is down."),
        ReferencesFollowed(WorkId(2), "citations", 1, 5, 2),
        Warned("The model was not asked any more."),
        ReferencesFollowed(WorkId(2), "references", 1, 0, 0, error="arxiv is down."),
    ), findings))  # fmt: skip
    assert [(one.when.minute, one.why) for one in found] == [
        (1, "pubmed is not working right now."),
        (3, "The citations of a paper could not be fetched: openalex is down."),
        (5, "The model was not asked any more."),
        (6, "The references of “Dense retrieval” could not be fetched: arxiv is down."),
    ]
    assert [bool(one.todo) for one in found] == [True, True, False, True]
    assert {one.about for one in found} == {"search “sparse retrieval”"}


def test_what_failed_alike_stands_once_with_its_last_time() -> None:
    again = [RunFailure(NOON + timedelta(minutes=minute), "Pubmed is down.") for minute in range(3)]
    told = together([RunFailure(NOON + timedelta(minutes=1), "No browser."), *again])
    assert [(one.why, one.times, one.when.minute) for one in told] == [("Pubmed is down.", 3, 2), ("No browser.", 1, 1)]
    assert "3 times" in log_text(told).plain


def test_advice_that_several_failures_share_stands_once_below_them() -> None:
    failures = [RunFailure(NOON, f"{name} is down.", "Run it again.", "search “x”") for name in ("arxiv", "pubmed")]
    told = log_text([*failures, RunFailure(NOON, "No browser.")]).plain
    assert told.count("Run it again.") == told.count("In the search “x”.") == 1
    assert told.index("pubmed is down.") < told.index("Run it again.") < told.index("No browser.")


def test_a_source_that_failed_and_what_the_app_could_not_do_are_in_the_log(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("▲ finished")
        await hand.press("O")
        await hand.until_shown("No local or open-access PDF")
        await hand.press("exclamation_mark")
        await hand.until_shown("semanticscholar is not working right now.")
        assert isinstance(hand.app.screen, ErrorLog)
        shown = hand.text
        assert shown.index("No local or open-access PDF") < shown.index("semanticscholar is not")
        assert "run it again to ask" in shown
        await hand.press("exclamation_mark", "s")
        await hand.until_shown("Saved")
        assert "No local or open-access PDF" not in hand.text  # one message at a time
        await hand.press("exclamation_mark")
        await hand.until_shown("▲ No local or open-access PDF")
        assert "Saved" in hand.text
        await hand.press("exclamation_mark")
        assert not isinstance(hand.app.screen, ErrorLog)

    broken = ScriptedSource("semanticscholar", error=SourceUnavailable("semanticscholar", "is not working right now."))
    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE), broken))


def test_a_run_that_failed_is_in_the_log_with_the_way_to_go_on(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.summarize("nothing", "no-such-run")
        await hand.until_shown("✘ failed")
        await hand.press("escape", "down", "exclamation_mark")
        await hand.until_shown("Resume it on its screen.")
        await hand.until_shown("summary “nothing”")

    play(tmp_path, scene, resources())


def test_an_empty_log_says_so(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("f3", "exclamation_mark")
        await hand.until_shown("No messages or errors")
        await hand.press("escape")
        assert not isinstance(hand.app.screen, ErrorLog)

    play(tmp_path, scene, resources())
