"""Sentences that contradict each other stand together, unless another one leans on them."""

from agents.summary.events import Citation, Sentence
from agents.summary.writing.checking import paired
from connectors.paper import WorkId

UP = "Token pruning of the inverted index improves recall of passages."
DOWN = "Token pruning of the inverted index reduces recall of passages."
LEANING = "This holds for all passages of the collection that were tried."


def sentence(work: int, text: str) -> Sentence:
    return Sentence(text, (Citation(WorkId(work), text),))


def test_sentences_of_two_papers_that_say_the_opposite_become_one() -> None:
    (only,) = paired([sentence(1, UP), sentence(2, DOWN)], [(1, 0)])
    assert only.contested
    assert [one.work for one in only.citations] == [1, 2]


def test_a_sentence_that_another_one_leans_on_keeps_its_place() -> None:
    told = [sentence(1, UP), sentence(1, LEANING), sentence(2, DOWN)]
    assert paired(told, [(0, 2)]) == told
    assert len(paired(told[:1] + told[2:], [(0, 1)])) == 1


def test_nothing_is_joined_that_nobody_found_to_be_opposite() -> None:
    told = [sentence(1, UP), sentence(2, DOWN)]
    assert paired(told, []) == told


def test_a_sentence_is_joined_to_one_other_and_to_none_of_its_own_paper() -> None:
    told = [sentence(1, UP), sentence(2, DOWN), sentence(3, DOWN), sentence(1, DOWN)]
    joined = paired(told, [(0, 1), (1, 0), (0, 2), (0, 3), (2, 2)])
    assert [len(one.citations) for one in joined] == [2, 1, 1]
