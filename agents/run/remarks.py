"""What the person should know of how a model has judged: how much of it stands on words of the papers."""

from collections.abc import Iterable
from typing import Protocol

FEW = 4
"""Judgements that may be alike by chance."""
GOOD = 0.5
"""A model's score before it is lowered for want of a quote."""


class Judged(Protocol):
    """A judgement of one paper."""

    @property
    def by(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def quote(self) -> str: ...
    @property
    def unsupported(self) -> bool: ...


def remark_on(judgements: Iterable[Judged]) -> str:
    """A sentence on judgements that no paper's words bear out; "" if there is nothing to say of them."""
    by_model = [judged for judged in judgements if judged.by == "model"]
    good = [judged for judged in by_model if judged.unsupported or judged.score >= GOOD]
    unsupported = sum(judged.unsupported for judged in good)
    if len(by_model) >= FEW and unsupported == len(by_model) and len({judged.score for judged in by_model}) == 1:
        return (
            f"The model gave all {len(by_model)} papers that it judged the same score and no words that stand in them, "
            "so its judgements tell nothing; another model may do better (SPAR_MODEL)."
        )
    if unsupported:
        return (
            f"For {unsupported} of the {len(good)} papers that the model called relevant it gave no words that stand "
            "in them; these count for less."
        )
    return ""
