"""Options and budgets of a conversation."""

from dataclasses import dataclass

from agents.run.resources import RunOptions

LONGEST = 4_000
"""Maximum number of characters of a message; a longer one is cut, with a warning."""
CALLS = 60
"""Default limit on the model calls of a conversation."""


@dataclass(frozen=True, slots=True)
class ConversationOptions(RunOptions):
    """Options and budgets of a conversation; a budget of None means no limit. With `allow_changes`, the person's data
    is changed without asking. `papers` are the numbers of the library papers to begin with, () for the whole library.
    Without `model`, no language model is used, even if the person has one.

    `plan_first`, `demonstrations` and `reflection` can be turned off to measure the model's planning without them
    (InteRecAgent §4): the whole plan before the first step, rather than one step at a time; examples in the prompt; the
    critic."""

    allow_changes: bool = False
    papers: tuple[int, ...] = ()
    plan_first: bool = True
    demonstrations: bool = True
    reflection: bool = True
