"""What a paper says in the columns of a comparison table."""

from agents.builtin.text.sentences import LONGEST_QUOTE
from agents.builtin.text.words import letters_of
from agents.evidence.cells import cells
from tests.rows import each


def test_a_cell_holds_the_sentence_that_speaks_of_its_column() -> None:
    abstract = "We propose a new index. It is tested on the MS MARCO dataset. Recall improves by 4 %."
    assert cells(["method", "data", "results", "population"], abstract) == [
        "We propose a new index.",
        "It is tested on the MS MARCO dataset.",
        "Recall improves by 4 %.",
        "",
    ]


def test_a_sentence_stands_in_one_column_only() -> None:
    only = "We propose a method that improves results on data."
    assert sorted(cells(["method", "data", "result"], only)) == ["", "", only]


def test_no_sentence_is_cut() -> None:
    long = f"We propose a model {'of many words ' * 30}."
    assert len(long) > LONGEST_QUOTE
    assert cells(["method"], long) == [""]


def test_what_is_told_beside_the_table_leaves_its_place_to_the_next_best() -> None:
    abstract = "We propose a new model by a new method. We train it by contrast. Recall improves by 4 %."
    assert cells(["method"], abstract) == ["We propose a new model by a new method."]
    assert cells(["method"], abstract, {letters_of("We propose a new-model by a new method.")}) == [
        "We train it by contrast."
    ]


def test_a_sentence_that_says_nothing_fills_no_cell() -> None:
    assert cells(["method", "result"], "Extensive experiments demonstrate the effectiveness of our method.") == ["", ""]


@each(
    ("sentence", "is_own"),
    [
        ("Recent work has proposed methods and models of many kinds.", False),
        ("However, existing methods need a training corpus.", False),
        ("Language models have shown remarkable methods of generation.", False),
        ("Although other models need training, we propose a method that needs none.", True),
        ("Existing models are beaten by the proposed method.", True),
    ],
)
def test_what_others_did_is_not_the_method_of_a_paper(sentence: str, is_own: bool) -> None:
    assert (cells(["method"], f"{sentence} We saw no fault in a year of use.") == [sentence]) is is_own


def test_what_others_did_may_be_what_was_lacking() -> None:
    assert cells(["limitation"], "However, existing methods lack labels.") == ["However, existing methods lack labels."]


def test_no_cell_points_at_a_sentence_outside_it() -> None:
    assert cells(["method"], "This method trains a model. We train by contrast.") == ["We train by contrast."]
