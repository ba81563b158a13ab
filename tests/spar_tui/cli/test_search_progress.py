"""What is told of a search as it goes on is what happened."""

import pytest

from agents.run.events import QueryPlanned, SourceAnswered
from agents.search.events import Finished, ReferencesFollowed, StageChanged
from agents.search.state import SearchState
from connectors.paper import WorkId
from spar_tui.cli.search_progress import SearchProgress
from spar_tui.terminal import Style


def told(*events: object, taken_up: bool = False, width: int = 200) -> SearchProgress:
    progress, state = SearchProgress(Style(width=width)), SearchState()
    if taken_up:
        progress.take_up(state)
    for event in events:
        state = state.apply(event)  # type: ignore[arg-type]
        progress.show(event, state)  # type: ignore[arg-type]
    return progress


def test_the_seconds_of_a_search_that_was_gone_on_with_are_those_of_now(capsys: pytest.CaptureFixture[str]) -> None:
    told(Finished(seconds=3.2))
    assert capsys.readouterr().err == "finished after 3.2 s\n"
    told(Finished(seconds=3.2), taken_up=True)
    assert capsys.readouterr().err == "finished after resuming for 3.2 s\n"


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (SourceAnswered("openalex", "q", "ok", 0, 0.5), "✓ openalex 0.5 s answered with no records"),
        (SourceAnswered("openalex", "q", "failed", 0, 0.5, "is down."), "✗ openalex 0.5 s failed (is down)"),
        (
            SourceAnswered("google", "q", "skipped", error="is off."),
            "- google                   was not asked (is off)",
        ),
    ],
)
def test_a_source_that_answered_failed_or_was_not_asked_is_told_so(
    answer: SourceAnswered, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told(QueryPlanned(answer.source, "q"), answer)
    assert capsys.readouterr().err.split() == line.split()


def test_no_line_is_wider_than_a_narrow_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    words = "a question of many words"
    told(
        QueryPlanned("openalex", words),
        StageChanged("retrieving", 2),
        SourceAnswered("openalex", words, "failed", 0, 0.5, "is not working right now; try again later."),
        StageChanged("judging", 1),
        ReferencesFollowed(WorkId(1), "references", 1, 12_345, 1_234),
        Finished(seconds=3.2),
        width=40,
    )
    assert max(map(len, capsys.readouterr().err.splitlines())) <= 40
