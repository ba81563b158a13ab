"""What is shown of a text that is longer than there is room for."""

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.excerpts import excerpt
from agents.builtin.text.sentences import sentences

ABSTRACT = (
    "Retrieval is slow. Many systems wait for it, among them those of e.g. Smith et al. in large firms. "
    "We measure how long. We propose an index. It is built in a minute. It answers 10 times sooner than before."
)


def test_a_text_that_has_room_is_shown_as_it_stands() -> None:
    assert excerpt(ABSTRACT, len(ABSTRACT)) == ABSTRACT


def test_what_was_done_and_found_is_shown_in_order_with_gaps_marked() -> None:
    assert excerpt(ABSTRACT, 95) == (
        "[…] We measure how long. We propose an index. […] It answers 10 times sooner than before."
    )


def test_one_endless_sentence_is_cut_between_words() -> None:
    shown = excerpt("word " * 200, 100)
    assert set(shown.replace("[…]", "").split()) == {"word"}
    assert len(shown) <= 100


@given(
    st.lists(st.text("ab c1", min_size=1, max_size=30).map(lambda words: f"A{words}."), max_size=12),
    st.integers(10, 200),
)
def test_an_excerpt_keeps_within_its_room_and_holds_only_words_of_the_text_in_their_order(
    parts: list[str], letters: int
) -> None:
    text = " ".join(" ".join(parts).split())
    shown = excerpt(text, letters)
    assert len(shown) <= letters
    at = 0
    for part in filter(None, (one.strip() for one in shown.split("[…]"))):
        assert part in text[at:]
        at = text.index(part, at) + len(part)
    assert set(sentences(text)) >= {one for part in shown.split(" […] ")[1:-1] for one in sentences(part)}
