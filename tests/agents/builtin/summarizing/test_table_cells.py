"""What a paper says in the columns of a comparison table."""

from agents.builtin.summarizing.table_cells import cells
from agents.builtin.text.sentences import LONGEST_QUOTE


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
    assert cells(["method"], abstract, {"We propose a new model by a new method."}) == ["We train it by contrast."]


def test_a_sentence_that_says_nothing_fills_no_cell() -> None:
    assert cells(["method", "result"], "Extensive experiments demonstrate the effectiveness of our method.") == ["", ""]
