"""How near a word is to what a text says, which decides what a long text is asked for by."""

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.ranking.features import nearness
from agents.builtin.text.terms import terms

TEXT = "Determining the veracity of rumors on Twitter out of the certainty with which users speak of them"


def near(word: str) -> float:
    [term] = terms(word)
    return nearness(TEXT)(term)


def test_a_word_of_the_subject_is_nearer_than_one_beside_it() -> None:
    assert min(map(near, ("rumor", "tweets", "misinformation"))) > max(map(near, ("office", "enzyme", "turbine")))


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_word_counts_a_little_and_none_more_than_the_subject_itself(text: str, term: str) -> None:
    assert 0 < nearness(text)(term) < 1.001
