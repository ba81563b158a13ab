"""New queries without a model: the question's words, and those of a paper's sentences in each direction."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.query_expansion import TELLING, Vocabulary, evolved_queries
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
BEST = [SEED, *PAPERS[:8]]
FIELD = Vocabulary(QUESTION, [*BEST, *PAPERS[8:]], [1.0] * (len(PAPERS) + 1))


def added(queries: Iterable[str]) -> list[set[str]]:
    return [set(terms(query)) - set(terms(QUESTION)) for query in queries]


def test_each_direction_speaks_with_the_words_of_its_sentences() -> None:
    found = evolved_queries(QUESTION, Vocabulary(QUESTION, [SEED, *PAPERS], [1.0] * (len(PAPERS) + 1)), [SEED])
    assert set(found) == {"method", "application", "limitation"}
    assert {"impact", "weights"} & set(found["method"].split())
    assert {"clinical", "notes"} & set(found["application"].split())
    assert {"vocabulary", "mismatch"} & set(found["limitation"].split())


def test_every_query_keeps_words_of_the_question_and_adds_new_ones() -> None:
    asked = set(terms(QUESTION))
    for query in evolved_queries(QUESTION, FIELD, BEST).values():
        assert asked & set(terms(query))
        assert set(terms(query)) - asked
        assert len(query.split()) <= 8


def test_no_two_directions_add_the_same_word_nor_one_that_was_asked_before() -> None:
    first = evolved_queries(QUESTION, FIELD, BEST)
    later = evolved_queries(QUESTION, FIELD, BEST, [*first.values()])
    new = [*added(first.values()), *added(later.values())]
    assert sum(map(len, new)) == len(set().union(*new))


def test_no_part_of_a_word_of_the_question_is_added_as_a_new_one() -> None:
    best = [paper(f"Part {number}", abstract="We propose augmented memories.") for number in range(5)]
    [query] = evolved_queries("retrieval-augmented generation", Vocabulary("", best, [1.0] * 5), best).values()
    assert "memories" in query.split()
    assert "augmented" not in query.split()


def test_only_the_very_best_papers_lend_their_words() -> None:
    said = set(terms(" ".join(f"{one.title} {one.about}" for one in BEST[:TELLING])))
    assert set().union(*added(evolved_queries(QUESTION, FIELD, BEST).values())) <= said


def test_a_word_is_worth_more_that_several_of_the_best_have_and_the_rest_have_not() -> None:
    best = [paper(f"Glacier {number}", abstract="Moraine and ice.") for number in range(12)]
    rest = [paper(f"Harbour {number}", abstract="Dredging and ice.") for number in range(30)]
    field = Vocabulary("", [*best, *rest], [1.0] * 12 + [0.0] * 30)
    moraine, ice, dredging = (field.worth(terms(word)[0]) for word in ("moraine", "ice", "dredging"))
    assert moraine > ice
    assert moraine > dredging


def test_of_words_that_tell_as_much_the_one_nearer_the_question_is_worth_more() -> None:
    best = [paper(f"Number {number}", abstract="Physicians and turnips.") for number in range(12)]
    rest = [paper(f"Other {number}", abstract="Anything else.") for number in range(30)]
    field = Vocabulary("doctors and nurses in a clinic", [*best, *rest], [1.0] * 12 + [0.0] * 30)
    assert field.worth(terms("physicians")[0]) > field.worth(terms("turnips")[0])


def test_papers_that_say_nothing_give_no_query() -> None:
    assert evolved_queries(QUESTION, FIELD, [paper("(untitled)", abstract="")]) == {}
    assert evolved_queries(QUESTION, Vocabulary(QUESTION, [], []), []) == {}


@given(st.text(max_size=200), st.text(max_size=80))
def test_any_texts_are_answered(abstract: str, question: str) -> None:
    seed = paper("Any", abstract=abstract)
    for query in evolved_queries(question, Vocabulary(question, [seed], [1.0]), [seed]).values():
        assert query.strip()
