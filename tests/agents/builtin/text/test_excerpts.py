"""What is shown of a text that is longer than there is room for."""

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.excerpts import excerpt
from agents.builtin.text.sentences import sentences

ABSTRACT = (
    "Retrieval is slow. Many systems wait for it, among them those of e.g. Smith et al. in large firms. "
    "We measure how long. We propose an index. It is built in a minute. It answers ten times sooner."
)


def test_a_text_that_has_room_is_shown_as_it_stands() -> None:
    assert excerpt(ABSTRACT, len(ABSTRACT)) == ABSTRACT


def test_the_findings_at_the_end_are_shown_and_both_parts_end_where_sentences_end() -> None:
    shown = excerpt(ABSTRACT, 110)
    head, _, tail = shown.partition(" […] ")
    assert tail == "It answers ten times sooner."
    assert head == "Retrieval is slow."


def test_one_endless_sentence_is_cut_between_words() -> None:
    shown = excerpt("word " * 200, 100)
    assert set(shown.replace("[…]", "").split()) == {"word"}
    assert len(shown) <= 100


@given(
    st.lists(st.text("ab c", min_size=1, max_size=30).map(lambda words: f"A{words}."), max_size=12),
    st.integers(10, 200),
)
def test_an_excerpt_keeps_within_its_room_and_holds_only_words_of_the_text(parts: list[str], letters: int) -> None:
    text = " ".join(parts)
    shown = excerpt(text, letters)
    assert len(shown) <= letters
    head, _, tail = shown.partition("[…]")
    assert text.startswith(head.strip())
    assert text.endswith(tail.strip())
    assert not tail or set(sentences(tail.strip())) <= set(sentences(text))
