"""A line of the scorecard: what was tried, the figures that came of it, and the bounds that they have to keep."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from connectors.capability import Capability
from connectors.registry import SOURCES

SEARCHED = tuple(name for name, spec in SOURCES.items() if Capability.SEARCH in spec.capabilities)
"""The sources that a search can ask."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that was found, and its bound: at most `bound`, or at least that where `least` is so."""

    what: str
    found: float
    bound: float = 0
    least: bool = False
    unit: str = ""

    @property
    def held(self) -> bool:
        return self.found >= self.bound if self.least else self.found <= self.bound


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one line of the scorecard.

    `tried` says what was done, at which size. `controls` are the same measurement with the guard off: they must find
    harm, or the figures mean nothing. `unseen` is what this cannot show. `tests` are the files of the suite that hold
    the line with every change.
    """

    number: int
    name: str
    tried: str
    figures: tuple[Figure, ...]
    controls: tuple[Figure, ...] = ()
    unseen: str = ""
    tests: tuple[str, ...] = ()

    @property
    def met(self) -> bool:
        """Whether every figure keeps its bound, and every control shows that it could have been broken."""
        return all(figure.held for figure in (*self.figures, *self.controls))

    @property
    def missed(self) -> tuple[Figure, ...]:
        return tuple(figure for figure in (*self.figures, *self.controls) if not figure.held)


@dataclass(frozen=True, slots=True)
class Trial:
    """How a line is measured: in full or in short, with chance from `seed`, in an empty `folder` of its own."""

    full: bool
    seed: int
    folder: Path

    def many(self, short: int, full: int) -> int:
        """One of two sizes."""
        return full if self.full else short

    @property
    def dice(self) -> Random:
        return Random(self.seed)


def harm(what: str, found: float) -> Figure:
    """A control: without the guard there must be some of it."""
    return Figure(what, found, 1, least=True)
