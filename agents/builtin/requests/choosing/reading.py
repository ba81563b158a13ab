"""A request for papers read as a whole, by one reader after another."""

import re
from collections.abc import Callable

from agents.builtin.requests.choosing.authors import read_authors
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.counts import read_author_counts, read_citation_counts
from agents.builtin.requests.choosing.exclusions import read_exclusions
from agents.builtin.requests.choosing.kinds import read_kinds
from agents.builtin.requests.choosing.likeness import read_likeness
from agents.builtin.requests.choosing.orders import (
    read_liking,
    read_limit,
    read_nearness,
    read_order,
    with_order_behind,
)
from agents.builtin.requests.choosing.scope import read_scope
from agents.builtin.requests.choosing.states import read_states
from agents.builtin.requests.choosing.subject import read_subject
from agents.builtin.requests.choosing.tags import read_tags
from agents.builtin.requests.choosing.times import read_bounds, read_times
from agents.builtin.requests.choosing.titles import read_titles
from agents.builtin.requests.choosing.venues import read_venues
from agents.builtin.requests.comparisons import read_comparisons
from agents.builtin.requests.negation import read_negation, read_negative_clauses
from agents.builtin.requests.saving_days import read_saving
from agents.builtin.requests.scene import Scene
from agents.builtin.requests.sentences.clauses import in_short

_READERS: tuple[Callable[[Choice], None], ...] = (
    read_titles, read_citation_counts, read_author_counts, read_nearness, read_liking, read_likeness, read_bounds,
    read_comparisons, read_tags, read_states, read_order, read_limit, read_times, read_kinds, read_authors,
        read_venues, read_exclusions, read_subject,
)  # fmt: skip
"""In this order: what is most plainly a condition is taken out first, and the subject is what is left."""


_ASIDE = re.compile(r"\s+\(([^()]{1,80})\)(?=\s|$)")
"""What stands in brackets is said in passing: "articles (not preprints)"."""


_NON = re.compile(
    r"\bnon-(?=preprints?|surveys?|reviews?|books?|retracted|saved|tagged|articles?|english)", re.IGNORECASE
)


def read_choice(text: str, scene: Scene) -> Choice:
    """All that `text` says of the papers that are wanted."""
    choice = Choice(with_order_behind(in_short(_NON.sub("not ", _ASIDE.sub(r" , \1 , ", text)))), scene)
    read_saving(choice)
    read_scope(choice)
    for read_away in (read_negation, read_negative_clauses):
        read_away(choice, lambda said: _read(Choice(said, scene)))
    return _read(choice)


def _read(choice: Choice) -> Choice:
    for read in _READERS:
        read(choice)
    return choice
