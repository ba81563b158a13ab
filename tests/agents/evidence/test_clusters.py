"""Papers whose quotes speak of the same are grouped; what all quotes say groups none."""

from agents.evidence.clusters import clusters

QUESTION = "hallucination of language models"
QUOTES = [
    ("probe", "Hidden activations of a language model tell hallucination before it is written."),
    ("again", "Consistency of sampled answers reveals hallucination of a language model."),
    ("layers", "We read hallucination off hidden activations in the last layers of language models."),
    ("check", "Sampled answers that lack consistency are hallucination in most language models."),
    ("cost", "Language models cause hallucination at a price."),
]


def test_papers_that_share_rare_words_beside_the_question_belong_together() -> None:
    assert [set(group) for group in clusters(QUOTES, QUESTION)] == [{"again", "check"}, {"probe", "layers"}]


def test_a_paper_is_not_grouped_with_itself_nor_by_the_words_of_the_question() -> None:
    same = [("one", "hidden activations tell"), ("one", "hidden activations tell"), *QUOTES[4:]]
    assert clusters(same, QUESTION) == []


def test_in_a_group_each_two_papers_belong_together() -> None:
    chain = [("a", "red apples grow"), ("b", "red apples, blue plums fall"), ("c", "blue plums rot"), ("d", "sun")]
    assert len(clusters(chain, "fruit")) == 1


def test_nothing_is_grouped_of_nothing() -> None:
    assert clusters([], QUESTION) == []
