"""What a measure is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from tests.benchmarks.app.load import Load, flooded
from tests.benchmarks.bibliography import Imported, imported
from tests.benchmarks.scorecard.figures import Figure
from tests.benchmarks.scorecard.homes import Homes


@dataclass(frozen=True)
class Bench:
    """What measures run on: homes made once, how often each is repeated, and what several of them read off one run."""

    folder: Path
    times: int = 5

    @cached_property
    def homes(self) -> Homes:
        return Homes(self.folder)

    @cached_property
    def load(self) -> Load:
        """The screen of a search under a flood of events."""
        return flooded(3.0 * self.times)

    @cache  # noqa: B019  # a bench lives as long as the process
    def imports(self, entries: int) -> list[Imported]:
        """Some imports of a bibliography."""
        text = self.homes.bibliography(entries).read_text("utf-8")
        return [imported(text) for _ in range(max(1, self.times // 2))]


@dataclass(frozen=True, slots=True)
class Measure:
    """`what` is measured, beside what, in what (`of`); it should be at most `aim` times as much. `run` gives it."""

    name: str
    what: str
    beside: str
    aim: float
    run: Callable[[Bench], Figure] = field(repr=False)
    of: str = "processor"
