"""Whether a probability means what it says: how many of the papers given .3 are relevant (DeGroot & Fienberg 1983)?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

TENTHS = 10

Judged = tuple[float, bool]
"""The probability of being relevant that a paper was given, and whether people's labels call it relevant."""


@dataclass(frozen=True, slots=True)
class Tenth:
    """The papers whose probability lies in one tenth: how many, what they were given on average, and the share of
    them that is relevant. `low` is the tenth's lower end."""

    low: float
    papers: int
    judged: float
    relevant: float


def reliability(judged: Iterable[Judged]) -> list[Tenth]:
    """The tenths in which any paper lies, the lowest first; 1 belongs to the last."""
    within: dict[int, list[Judged]] = {}
    for probability, is_relevant in judged:
        within.setdefault(min(int(probability * TENTHS + 1e-9), TENTHS - 1), []).append((probability, is_relevant))
    return [
        Tenth(
            number / TENTHS,
            len(papers),
            fmean(probability for probability, _ in papers),
            fmean(is_relevant for _, is_relevant in papers),
        )
        for number, papers in sorted(within.items())
    ]


def calibration_error(tenths: Sequence[Tenth]) -> float:
    """How far what was judged is from what is relevant, over the papers (expected calibration error)."""
    papers = sum(tenth.papers for tenth in tenths)
    return sum(tenth.papers * abs(tenth.judged - tenth.relevant) for tenth in tenths) / papers if papers else 0.0
