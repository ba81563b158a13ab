"""What a paper says in a column of a comparison table."""

from agents.builtin.summarizing.table_cells import cell


def test_a_cell_holds_the_sentence_that_speaks_of_its_column() -> None:
    abstract = "We propose a new index. It is tested on the MS MARCO dataset. Recall improves by 4 %."
    assert cell("method", abstract) == "We propose a new index."
    assert cell("data", abstract) == "It is tested on the MS MARCO dataset."
    assert cell("results", abstract) == "Recall improves by 4 %."
    assert cell("population", abstract) == ""
