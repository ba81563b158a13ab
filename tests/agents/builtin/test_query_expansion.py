"""New queries without a model: the question's words, and those of a paper's sentences in each direction."""

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.query_expansion import Field, evolved_queries
from agents.builtin.text.terms import terms
from tests.agents.scripted import paper
from tests.agents.search.world import QUESTION, made_up

PAPERS = made_up(40)
SEED = paper(
    "Ranking with impact weights",
    "10.1000/seed",
    abstract="We propose contextual impact weights for ranking. They are applied to clinical notes. "
    "However, vocabulary mismatch remains a problem.",
)
FIELD = Field([*PAPERS, SEED], [SEED, *PAPERS[:8]])


def test_each_direction_speaks_with_the_words_of_its_sentences() -> None:
    found = evolved_queries(QUESTION, FIELD, SEED)
    assert set(found) == {"method", "application", "limitation"}
    assert {"impact", "weights"} & set(found["method"].split())
    assert {"clinical", "notes"} & set(found["application"].split())
    assert {"vocabulary", "mismatch"} & set(found["limitation"].split())


def test_every_query_keeps_words_of_the_question_and_adds_new_ones() -> None:
    asked = set(terms(QUESTION))
    for seed in PAPERS:
        for query in evolved_queries(QUESTION, FIELD, seed).values():
            assert asked & set(terms(query))
            assert set(terms(query)) - asked
            assert len(query.split()) <= 7


def test_no_two_directions_of_a_paper_add_the_same_words() -> None:
    asked = set(terms(QUESTION))
    for seed in PAPERS:
        new = [set(terms(query)) - asked for query in evolved_queries(QUESTION, FIELD, seed).values()]
        assert sum(map(len, new)) == len(set().union(*new))


def test_a_paper_that_says_nothing_gives_no_query() -> None:
    assert evolved_queries(QUESTION, FIELD, paper("(untitled)", abstract="")) == {}


@given(st.text(max_size=200), st.text(max_size=80))
def test_any_texts_are_answered(abstract: str, question: str) -> None:
    seed = paper("Any", abstract=abstract)
    for query in evolved_queries(question, Field([seed], [seed]), seed).values():
        assert query.strip()
