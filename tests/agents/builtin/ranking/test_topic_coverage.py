"""How much of a question any paper says, whatever the other papers are."""

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.ranking.topic_coverage import TERMS, coverage
from tests.agents.scripted import paper

REDUCING = [paper(f"Reducing cost {n}", f"10.1000/r{n}", abstract="We reduce the quality of noise.") for n in range(30)]
ABOUT = paper("Coffee and the quality of sleep", "10.1000/coffee", abstract="Coffee reduces it.")
COFFEE = "does coffee reduce sleep quality?"


def test_a_paper_with_every_term_of_the_question_covers_it() -> None:
    assert coverage(COFFEE, [*REDUCING, ABOUT]) == 1


def test_words_that_all_papers_have_cover_little_of_a_question() -> None:
    """Two of the four terms stand in papers of every field, and the two that matter in none of these."""
    assert 0 < coverage(COFFEE, REDUCING) < 0.4


def test_one_word_that_no_paper_has_leaves_the_rest_of_the_question() -> None:
    """However many papers have the others: they were found by them."""
    surveys = [paper(f"Literature search by agents {n}", f"10.1000/l{n}") for n in range(30)]
    assert coverage("llm agents for literature search", surveys) > 0.5


def test_of_few_papers_too_a_word_that_none_has_is_not_everything() -> None:
    assert coverage("sparse neural retrieval", [paper("Sparse retrieval")]) > 0.5


def test_a_long_question_need_not_be_met_in_all_its_words() -> None:
    words = "coral algae plankton lagoon atoll reef tide sponge"
    assert coverage(words, [paper(" ".join(words.split()[:TERMS]))]) > 0.8
    assert coverage(words, [paper("Coral")]) < 0.5


def test_words_of_asking_do_not_count() -> None:
    assert coverage("find papers about corals", [paper("Find papers"), paper("Corals")]) == 1
    assert coverage("find papers about corals", [paper("Find papers")]) == 0


def test_authors_and_venues_are_words_of_a_paper() -> None:
    known = paper("Study", author="Udo Pooch", venue="Reefs")
    assert coverage("Udo Pooch in Reefs", [known]) == 1


def test_no_papers_cover_nothing_and_a_question_without_words_doubts_nothing() -> None:
    assert coverage(COFFEE, []) == 0
    assert coverage("…", REDUCING) == 1


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=6))
def test_coverage_is_a_share(question: str, titles: list[str]) -> None:
    assert 0 <= coverage(question, [paper(title or "Study") for title in titles]) <= 1
