"""A rule: ways of saying something, and what they ask for."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.scene import Reading, Scene


class Rule(NamedTuple):
    """If a whole request is one of the `phrases`, `read` tells what it asks for; None if it was meant otherwise."""

    phrases: Phrases
    read: Callable[[Slots, Scene], Reading | None]


def first_reading(rules: Sequence[Rule], text: str, scene: Scene) -> Reading | None:
    """What the first of the rules that understands `text` makes of it."""
    for rule in rules:
        slots = rule.phrases.match(text)
        if slots is not None and (reading := rule.read(slots, scene)) is not None:
            return reading
    return None
