"""Sentences that contradict each other stand together, unless another one leans on them."""

from agents.summary.events import Citation, Sentence
from agents.summary.writing.pairing import paired
from connectors.paper import WorkId

UP = "Token pruning of the inverted index improves recall of passages."
DOWN = "Token pruning of the inverted index reduces recall of passages."
LEANING = "This holds for all passages of the collection that were tried."


def sentence(work: int, text: str) -> Sentence:
    return Sentence(text, (Citation(WorkId(work), text),))


def test_sentences_of_two_papers_that_say_the_opposite_become_one() -> None:
    (only,) = paired([sentence(1, UP), sentence(2, DOWN)])
    assert only.contested
    assert [one.work for one in only.citations] == [1, 2]


def test_a_sentence_that_another_one_leans_on_keeps_its_place() -> None:
    told = [sentence(1, UP), sentence(1, LEANING), sentence(2, DOWN)]
    assert paired(told) == told
    assert paired(told[:1] + told[2:]) != told
