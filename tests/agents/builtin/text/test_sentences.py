"""Texts are parted where sentences end."""

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.text.sentences import sentences
from tests.rows import each


@each(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("We follow Smith et al. The rest is new.", ["We follow Smith et al. The rest is new."]),
        ("See Fig. 2 for J. Doe. Then go.", ["See Fig. 2 for J. Doe.", "Then go."]),
        ("It is 3.5 times faster. Really.", ["It is 3.5 times faster.", "Really."]),
        (
            "It was safe.A trial followed (p<.05).Then 9%.RESULTS: 5.The end.",
            ["It was safe.", "A trial followed (p<.05).", "Then 9%.", "RESULTS: 5.", "The end."],
        ),
        (
            "See www.Nature.com and Node.js v2.Beta, i.e.the U.S.A today.",
            ["See www.Nature.com and Node.js v2.Beta, i.e.the U.S.A today."],
        ),
        ("", []),
        ("no end", ["no end"]),
    ],
)
def test_texts_are_parted_where_sentences_end(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


@given(st.text(alphabet="aB .?!\n0é中。", max_size=200))
def test_sentences_stand_in_the_text_as_they_are_and_lose_no_letter(text: str) -> None:
    found = sentences(text)
    assert all(sentence in text for sentence in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_words_before_an_initial_that_stood_there_before_are_told_in_their_own_place() -> None:
    assert sentences("It is by A. Smith. It is so. It is by A. Jones.") == [
        "It is by A. Smith.",
        "It is so.",
        "It is by A. Jones.",
    ]
