"""Which papers speak for yes and which for no, by their words."""

from agents.evidence.stances import apart, stances
from tests.rows import each

RAISED = "Statins raised the risk of diabetes in thirteen trials."
SAME = "In our cohort statins did not change the risk of diabetes."
QUOTES = [(1, RAISED), (2, SAME), (3, "Diabetes is a common disease.")]


@each("question", ["Do statins raise the risk of diabetes?", "Statins and the risk of diabetes: do they raise it?"])
def test_a_paper_that_says_most_of_what_is_asked_speaks_for_yes_unless_a_not_or_a_direction_differs(
    question: str,
) -> None:
    assert stances(question, QUOTES) == ((1,), (2,))


@each("question", ["How much do statins raise the risk of diabetes?", "statins and diabetes"])
def test_what_cannot_be_answered_with_yes_or_no_has_no_sides(question: str) -> None:
    assert stances(question, QUOTES) == ((), ())


@each(
    "quote",
    [
        "We asked whether statins raise the risk of diabetes.",
        "Statins raise the risk of diabetes? The question is open.",
        "Statins and the risk of diabetes are both common concerns.",
        "Trials without statins raised no risk of diabetes by diet.",
        "Sugar raised the risk of diabetes.",
    ],
)
def test_what_asks_names_no_direction_or_is_about_something_else_speaks_for_neither(quote: str) -> None:
    assert stances("Do statins raise the risk of diabetes?", [(1, quote)])[0] == ()


def test_who_speaks_for_both_speaks_for_neither() -> None:
    assert apart([1, 2, 2], [1, 3]) == ((2,), (3,))
