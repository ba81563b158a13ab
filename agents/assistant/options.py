"""What a conversation may use and cost."""

from dataclasses import dataclass

from agents.run.resources import SOURCE_SECONDS

LONGEST = 4_000
"""Characters of a message that are read; a longer one is cut, which is said."""
CALLS = 60
"""Questions to the model in one conversation, unless the person set another bound."""


@dataclass(frozen=True, slots=True)
class ConversationOptions:
    """Budgets: None means no bound. With `allow_changes` nobody is asked before anything that the person
    keeps is changed. `papers` are those of the library that it begins with, by their numbers; without any it begins
    with the whole library. Without `model` no language model is asked, though the person has one.

    `plan_first`, `demonstrations` and `reflection` are what a model's planning can be measured without (InteRecAgent
    §4): the whole plan before anything is done, in place of one step at a time; examples in the prompt; the critic."""

    allow_changes: bool = False
    papers: tuple[int, ...] = ()
    sources: tuple[str, ...] | None = None
    source_seconds: float = SOURCE_SECONDS
    seed: int = 0
    model: bool = True
    calls: int | None = None
    usd: float | None = None
    seconds: float | None = None
    plan_first: bool = True
    demonstrations: bool = True
    reflection: bool = True
