"""What the model is asked, and what it told."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from agents.llm.usage import Usage, estimated_tokens

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to the model. `version` grows whenever the wording of a prompt called `name` changes.

    `max_tokens` is the room for the answer. Texts of papers belong into `user`, fenced by the caller.
    """

    name: str
    version: int
    system: str
    user: str
    max_tokens: int = 2_000

    @property
    def tokens(self) -> int:
        """About how many tokens the prompt has."""
        return estimated_tokens(self.system) + estimated_tokens(self.user)


@dataclass(frozen=True, slots=True)
class Told(Generic[T]):
    """An answer of the model and what it cost; its strings are clean."""

    answer: T
    usage: Usage
