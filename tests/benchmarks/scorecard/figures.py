"""Figures: how many times what it is compared with something costs."""

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Sample = Callable[[], float]
"""What is measured once: seconds, megabytes; always the same of one sample."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A ratio: the middle of `times` measurements, the least and the most of them, and in words what was measured."""

    ratio: float
    least: float
    most: float
    times: int
    told: str = ""


def in_pairs(ours: Sample, plain: Sample, times: int, unit: str = "s") -> Figure:
    """Ours against the plain way, one after the other by turns, so that other work on the machine meets both."""
    return of_pairs([(ours(), plain()) for _ in range(times)], unit)


def of_pairs(pairs: Sequence[tuple[float, float]], unit: str = "s") -> Figure:
    """Measurements of ours with those of the plain way that belong to them."""
    ours, plain = (statistics.median(one) for one in zip(*pairs, strict=True))
    return _figure([first / second for first, second in pairs], f"{_said(ours, unit)}, {_said(plain, unit)}")


def of_allowed(measured: Iterable[float], allowed: float, unit: str = "s") -> Figure:
    """Measurements against what is allowed or told."""
    seen = list(measured)
    return _figure([one / allowed for one in seen], _said(statistics.median(seen), unit))


def _figure(ratios: list[float], told: str) -> Figure:
    return Figure(statistics.median(ratios), min(ratios), max(ratios), len(ratios), told)


def _said(value: float, unit: str) -> str:
    if unit == "s" and value < 1:
        value, unit = value * 1000, "ms"
    return f"{value:.0f} {unit}" if value >= 10 else f"{value:.2g} {unit}"
