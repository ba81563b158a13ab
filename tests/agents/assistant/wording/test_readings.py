"""The label of an offered reading says what its steps do."""

from agents.assistant.events import Offer, Step, TurnPlanned
from agents.assistant.state import Turn
from agents.assistant.wording.readings import offers_lines, plan_text
from tests.rows import each


@each(
    ("steps", "onward", "told"),
    [
        ([Step("undo"), Step("list")], True, "go back to the list before"),
        (
            [Step("filter", {"authors": ["Bengio"], "since": "2015"}), Step("list")],
            False,
            "papers that are by Bengio and from 2015 or later",
        ),
        ([Step("filter", {"venues": ["ICML"]}), Step("list")], True, "those of them that are in ICML"),
        (
            [Step("filter", {"words": ["moss"]}), Step("rank", {"by": "newest"}), Step("list", {"limit": 3})],
            False,
            "papers that are about “moss”, the newest first, only the first 3",
        ),
        ([Step("search", {"question": "moss"})], False, "search the sources for “moss”"),
        ([Step("list")], True, "show the list"),
    ],
)
def test_a_plan_is_told_by_its_steps(steps: list[Step], onward: bool, told: str) -> None:
    assert plan_text(steps, onward) == told


def test_what_cannot_be_told_in_words_is_not_offered() -> None:
    assert plan_text([Step("query", {"sql": "SELECT 1"})]) == ""
    assert plan_text([Step("filter", {"no_such": 1})]) == ""


def test_offers_are_numbered_and_how_to_take_one_is_said() -> None:
    one = Turn("x", plan=TurnPlanned((), "built-in", offers=(Offer("undo", ()),)))
    assert offers_lines(one) == ["It could also mean (type 1 to choose it):", "1. undo"]
    two = Turn("x", plan=TurnPlanned((), "built-in", understood=False, offers=(Offer("a", ()), Offer("b", ()))))
    assert offers_lines(two) == ["Did you mean one of these (type its number):", "1. a", "2. b"]


def test_a_reading_that_was_taken_is_not_offered_again() -> None:
    assert not offers_lines(Turn("1", plan=TurnPlanned((), "person", offers=(Offer("undo", ()),), instead=True)))
