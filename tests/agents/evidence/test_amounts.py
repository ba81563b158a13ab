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


def test_a_question_without_a_number_is_left_as_it_is() -> None:
    assert amount("Are frogs loud?") == ("Are frogs loud?", None)
