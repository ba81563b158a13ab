"""An offered reading is chosen by its number or its words, and by nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from agents.reading.follow_ups import taken
from tests.rows import each

LABELS = ("go back to the list before", "papers that are by Bengio", "papers that are from 2015 or later")


@each(
    ("said", "place"),
    [
        ("1", 0),
        ("2.", 1),
        ("no, 3 please", 2),
        ("reading 2", 1),
        ("option 3", 2),
        ("Go back to the list before!", 0),
        ("papers that are by Bengio", 1),
        ("papers that are by", 1),
    ],
)
def test_a_reading_is_taken_by_its_number_or_by_words_that_are_its_beginning_alone(said: str, place: int) -> None:
    assert taken(said, LABELS) == place


@each(
    "said", ["4", "0", "12", "papers that are", "papers", "yes", "", "the second", "number 2", "@2", "papers by Bengio"]
)
def test_a_number_that_was_not_offered_words_of_several_and_what_points_at_papers_take_none(said: str) -> None:
    assert taken(said, LABELS) is None


def test_where_nothing_is_offered_nothing_can_be_taken() -> None:
    assert taken("1", ()) is None


@given(st.text(max_size=60), st.lists(st.text(max_size=40), max_size=4))
def test_whatever_is_said_a_reading_that_is_taken_is_one_of_those_offered(said: str, labels: list[str]) -> None:
    place = taken(said, labels)
    assert place is None or 0 <= place < len(labels)
