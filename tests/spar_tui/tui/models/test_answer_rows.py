"""What an answer shows, without a screen."""

from collections.abc import Sequence

from agents.summary.answering.kind import ANSWER
from agents.summary.events import (
    ROOT,
    Citation,
    EvidenceChosen,
    NodeRetrieved,
    NodeWritten,
    QuestionAnswered,
    Sentence,
    SummaryEvent,
    SummaryFinished,
)
from spar_tui.reports.summary_text import TextRow
from spar_tui.tui.screens.summary import answer_rows
from tests.spar_tui.tui.models.test_summary_rows import ONE, PAPERS, STARTED, ZERO

FOUND: list[SummaryEvent] = [STARTED, *PAPERS, NodeRetrieved(ROOT, (ZERO, ONE))]
QUOTED = EvidenceChosen((Citation(ONE, "words of one", page=3), Citation(ZERO, "words of zero")), 2)
WRITTEN = NodeWritten(ROOT, (Sentence("It does.", (Citation(ONE, "words of one", page=3),)),), "Not why.", by="model")


def shown(*events: SummaryEvent) -> Sequence[TextRow]:
    return answer_rows(ANSWER.folded([*FOUND, *events]))


def words(rows: Sequence[TextRow]) -> list[str]:
    return ["".join(part for part in row.parts if isinstance(part, str)).strip() for row in rows]


def test_the_verdict_stands_before_the_first_sentence_and_quotes_below_their_paper() -> None:
    rows = shown(QUOTED, WRITTEN, QuestionAnswered("yes", "model"))
    assert words(rows) == [
        "Yes: It does.", "Not why.", "Evidence", "Paper 1", "“words of one” (p. 3)", "Paper 0", "“words of zero”",
    ]  # fmt: skip
    assert [one.number for one in rows[0].cited] == [1]


def test_quotes_alone_are_said_to_conclude_nothing() -> None:
    rows = shown(QUOTED, QuestionAnswered(None))
    assert words(rows)[0] == "Quotes nearest to the question. No model read them, so nothing is concluded:"
    assert [one.number for row in rows for one in row.cited] == [1, 2]


def test_an_answer_that_did_not_hold_is_said_to_be_left_out() -> None:
    rows = shown(QUOTED, WRITTEN, QuestionAnswered(None, "model"))
    assert words(rows)[0].startswith("The model's answer was left out because its quotes do not support it.")
    assert words(rows)[1] == "It does."


def test_quotes_are_announced_only_where_there_are_some() -> None:
    fallen, none = NodeWritten(ROOT, (), by="model", cut=1), EvidenceChosen((), 2)
    assert words(shown(none, fallen, QuestionAnswered(None, "model"))) == [
        "The model gave no answer that its quotes support."
    ]
    assert words(shown(QUOTED, fallen, QuestionAnswered(None, "model")))[0].endswith("Quotes on the question:")
    assert words(shown(SummaryFinished(ending="budget"))) == ["The answer was stopped before it quoted a paper."]


def test_a_mixed_answer_says_once_that_papers_disagree() -> None:
    both = Sentence("It does. It does not.", (Citation(ONE, "it does"), Citation(ZERO, "it does not")), contested=True)
    written = NodeWritten(ROOT, (both,), by="model")
    assert words(shown(QUOTED, written, QuestionAnswered("mixed", "model")))[0] == "Mixed: It does. It does not."
    assert words(shown(QUOTED, written, QuestionAnswered("other", "model")))[0].startswith("Papers disagree here: It")


def test_papers_that_do_not_say_are_said_not_to() -> None:
    """Whether a model read them or their words were compared is told apart."""
    by_words = "Judged by words alone, no sentence of these papers bears on the question."
    assert words(shown(EvidenceChosen((), 2), QuestionAnswered("silent"))) == [by_words]
    assert words(shown(EvidenceChosen((), 2), QuestionAnswered("silent", "model"))) == ["These papers do not say."]


def test_before_the_answer_nothing_is_said_of_it() -> None:
    assert words(shown(QUOTED)) == ["No answer yet."]
