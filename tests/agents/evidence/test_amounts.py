"""Questions for numbers: which numbers answer them."""

from agents.evidence.amounts import amount
from agents.evidence.choosing import evidence
from connectors.paper import Paper
from tests.rows import each

ABSTRACT = (
    "Frogs of city ponds are loud at night. Of 310 frogs, 42 % moved away within three weeks. Loud frogs were heavier."
)


@each(
    ("question", "quote"),
    [
        ("How many frogs were there?", "Of 310 frogs"),
        ("What number of frogs was there?", "Of 310 frogs"),
        ("What share of the frogs moved away?", "42 %"),
        ("How long did the frogs stay before they moved away?", "three weeks"),
    ],
)
def test_the_first_quote_has_the_number_that_is_asked_for(question: str, quote: str) -> None:
    first, *_ = evidence(question, {"frogs": Paper("Frogs of city ponds", ABSTRACT)})
    assert quote in first.text


LULLABIES = (
    "Lullabies were sung in 2 wards of a hospital. {} Sleep grew by 31 minutes in 3 of 4 nights, and 9 songs were best."
)


@each(
    ("question", "counting"),
    [
        ("how many infants took part in it", "Twenty-four infants took part."),
        ("how many infants were there?", "A total of 24 healthy, preterm infants were enrolled."),
        ("how many infants were there?", "We recruited infants (n = 24) at birth."),
        ("how many infants did they have", "The number of infants was 24."),
        ("how many infants were enrolled?", "24 babies heard them."),
        ("how many people took part?", "24 infants heard them."),
        ("how many participants did they have?", "Nurses (N = 24) sang them."),
        ("what sample size did they use", "24 patients heard them."),
        ("what was the sample size?", "The sample size was 24."),
        ("how large was the sample?", "They were 24 volunteers."),
        ("how many nurses sang?", "Of 30 nurses, 24 sang."),
    ],
)
def test_a_number_counts_the_nouns_beside_it_by_any_word_for_them(question: str, counting: str) -> None:
    first, *_ = evidence(question, {"sung": Paper("Lullabies at night", LULLABIES.format(counting))})
    assert first.text == counting


@each("question", ["how many nurses took part?", "how many women were there?", "how many schools took part?"])
def test_a_number_of_something_else_is_no_answer(question: str) -> None:
    text = LULLABIES.format("Twenty-four infants took part.")
    assert evidence(question, {"sung": Paper("Lullabies at night", text)}) == []


def test_a_question_without_a_number_asks_for_no_amount() -> None:
    assert amount("Are frogs loud?") is None
