"""The options of a recommendation: where it starts, and its budgets."""

from dataclasses import dataclass

from agents.run.resources import RunOptions

QUESTIONS = 6
"""Model steps: one to understand the person, three to weigh candidates, one to sum up, one to rank."""
CALLS = 2 * QUESTIONS
"""Default bound of requests to the model; unusable answers may be asked for again."""
THRESHOLD = 0.5
"""θ of ARAG §2.2.3; at 0.5 a paper fits the history as well as the median paper of the history fits the others."""
MOST_PAPERS = 100


@dataclass(frozen=True, slots=True)
class RecommendOptions(RunOptions):
    """`start`: papers to start from (library numbers) in place of the whole history; `tag`: start from saved papers
    with this tag; `field`: start from this part of the starter shelf, for people without a history. `only_new` leaves
    out papers that were known at the last recommendation.

    `model`: False asks no language model even if there is one. Budgets: None means no bound. `unasked`: the app started
    the run by itself, and nobody has seen it yet.
    """

    limit: int = 10
    start: tuple[int, ...] = ()
    tag: str | None = None
    field: str | None = None
    only_new: bool = False
    unasked: bool = False
