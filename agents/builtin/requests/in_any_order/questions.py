"""Questions of which every word is known, whatever their order: of one paper, of its links, of figures and tables."""

from agents.builtin.requests.in_any_order.compared import compared
from agents.builtin.requests.in_any_order.figures import figured
from agents.builtin.requests.in_any_order.first_time import first_time
from agents.builtin.requests.in_any_order.links import linked_to_one
from agents.builtin.requests.in_any_order.parts import asked_of_one
from agents.builtin.requests.in_any_order.tables import tabled
from agents.builtin.requests.scene import Reading, Scene
from agents.builtin.requests.sentences.courtesies import without_courtesy
from agents.builtin.requests.sentences.verbatim import QUOTED

_OF_ONE = (asked_of_one, linked_to_one)
_OF_MANY = (first_time, tabled, compared, figured)
"""These look for words wherever they stand, and would find them in quotation marks, too, where they ask for nothing."""


def asked_in_any_order(text: str, scene: Scene) -> Reading | None:
    """What the first of the readers that knows all words of `text` makes of it."""
    bare = without_courtesy(text) + "?" * text.rstrip().endswith("?")
    readers = _OF_ONE if QUOTED.search(bare) else (*_OF_ONE, *_OF_MANY)
    return next(filter(None, (read(bare, scene) for read in readers)), None)
