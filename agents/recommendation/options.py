"""What a recommendation starts from, and what it may cost."""

from dataclasses import dataclass

from agents.run.resources import SOURCE_SECONDS

QUESTIONS = 6
"""One to understand the person, three to weigh candidates, one to sum up, one to rank."""
CALLS = 2 * QUESTIONS
"""Requests to the model unless the person set another bound: an answer that is of no use costs no step."""
THRESHOLD = 0.5
"""θ of ARAG §2.2.3; at 0.5 a paper fits the history as well as the middle one of it fits the others."""
MOST_PAPERS = 100


@dataclass(frozen=True, slots=True)
class RecommendOptions:
    """`start` are the papers to start from, by their numbers in the library, in place of the whole history; `tag` those
    on the shelf with that tag; `field` a part of the starter shelf, for who has no history. With `only_new` nothing is
    recommended that was known at the last recommendation.

    Without `model` no language model is asked, though the person has one. `threshold` is how well a candidate must
    fit to count as aligned. Budgets: None means no bound. An `unasked` one was made by the app by itself, and
    nobody has looked at it yet.
    """

    limit: int = 10
    start: tuple[int, ...] = ()
    tag: str | None = None
    field: str | None = None
    only_new: bool = False
    threshold: float = THRESHOLD
    sources: tuple[str, ...] | None = None
    source_seconds: float = SOURCE_SECONDS
    seed: int = 0
    unasked: bool = False
    model: bool = True
    calls: int | None = None
    usd: float | None = None
    seconds: float | None = None
