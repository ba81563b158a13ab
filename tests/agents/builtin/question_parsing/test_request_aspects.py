"""What a long request asks for, one thing after the other."""

from agents.builtin.question_parsing.phrases import aspects
from tests.rows import each

REQUEST = (
    "I need to train a generative adversarial network for many applications. To do this, I need a system that can "
    "store the training data. In order to lower the communication cost, an algorithm with quantized gradients might "
    "work. It has to avoid convergence issues, which I believe can be handled by gradient compression."
)


def test_the_aspects_of_a_request_stand_in_its_order_with_their_clauses() -> None:
    found = aspects(REQUEST, 4, 8)
    places = [REQUEST.index(one.clause) for one in found]
    assert len(found) > 1
    assert places == sorted(places)
    assert all(word in one.clause for one in found for word in one.query.split())


@each(
    ("clause", "name"),
    [
        ("I want to optimize photometric rendering errors", "photometric rendering errors"),  # no verb before it
        ("we use quantized gradients might work", "quantized gradients"),
        ("networks with a prediction distribution closely approximating a point", "prediction distribution"),
        ("comprehending user input from robots", "user input"),
        ("reinforcement learning for robots", "reinforcement learning"),
        ("my customer inquiries come at night", "customer inquiries"),  # and no verb behind it
        ("I would first draw a map and then label sea birds", "sea birds"),
    ],
)
def test_an_aspect_is_called_by_a_name_that_its_clause_holds(clause: str, name: str) -> None:
    (only,) = aspects(clause, 1, 8)
    assert only.names[0] == name


def test_every_name_stands_in_its_clause() -> None:
    assert all(name in one.clause for one in aspects(REQUEST, 4, 8) for name in one.names)
