"""One recommendation while it is made: what every agent reads and posts to."""

import asyncio
from collections.abc import Mapping
from datetime import datetime

from agents.recommendation.events import RecommendationEvent, RecommendationStarted, RecommendationState
from agents.recommendation.options import CALLS, RecommendOptions
from agents.run.control import Control
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.run.session import RunSession
from agents.taste.comparison import Comparison, strangers
from agents.taste.context import Reader, UserContext
from cache import papers
from connectors.paper import Paper, WorkId
from connectors.starter import StarterShelf


class RecommendationSession(RunSession[RecommendationState, RecommendationEvent]):
    """A recommendation under way; the resources name the person it is for."""

    def __init__(
        self,
        resources: Resources,
        options: RecommendOptions,
        board: Board[RecommendationState, RecommendationEvent],
        control: Control,
    ) -> None:
        super().__init__(resources, board, control)
        assert isinstance(resources.reader, Reader)
        self.reader = resources.reader
        self.options = options
        self.seed, self.usd = options.seed, options.usd
        self.calls = CALLS if options.calls is None else options.calls
        self._comparison: Comparison | None = None
        self._numbers: dict[WorkId, int] | None = None

    @property
    def started(self) -> RecommendationStarted:
        assert self.state.started is not None
        return self.state.started

    @property
    def context(self) -> UserContext:
        return self.reader.context

    @property
    def now(self) -> datetime:
        return self.reader.now

    @property
    def by_model(self) -> bool:
        """Whether a model reasons: there is one, and something says what the person likes."""
        return self.resources.model is not None and not self.context.empty

    async def compare(self) -> Comparison:
        """The library compared with the person's context, and with what else may be recommended: the starter shelf and
        what is on the board. So it is the same in a run that goes on."""
        others = [] if self.context.empty else [*self._starter(), *self.papers.values()]
        fresh = await asyncio.to_thread(strangers, self.reader.store, others)
        self._comparison = await asyncio.to_thread(Comparison, self.reader.store, self.context, fresh)
        return self._comparison

    def number(self, work: WorkId) -> int | None:
        """The number in the library of a candidate; None if it was not there when it was recalled."""
        if self._numbers is None:
            found = self.state.recalled.candidates if self.state.recalled else ()
            self._numbers = {self.findings.work(one.work): one.number for one in found if one.number is not None}
        return self._numbers.get(work)

    @property
    def compared(self) -> Comparison:
        """The comparison that is there already."""
        assert self._comparison is not None
        return self._comparison

    async def comparison(self) -> Comparison:
        """The comparison that is there, or one with what was recalled."""
        return self._comparison or await self.compare()

    def _starter(self) -> list[Paper]:
        shelves = [source for source in self.resources.fallback.values() if isinstance(source, StarterShelf)]
        return [paper for source in shelves for paper in source.papers()]

    async def places(self) -> Mapping[WorkId, int]:
        """Where the candidates are in the comparison; one that left the library meanwhile is nowhere."""
        comparison = await self.comparison()
        others = {paper.id: comparison.place_of_other(index) for index, paper in enumerate(comparison.others)}
        found: dict[WorkId, int] = {}
        for candidate in self.state.recalled.candidates if self.state.recalled else ():
            work = self.findings.work(candidate.work)
            place = comparison.place.get(candidate.number) if candidate.number is not None else None
            if place is None:
                place = others.get(self.papers[work].id)
            if place is None and (number := papers.number_of(self.reader.store, self.papers[work])) is not None:
                place = comparison.place.get(number)  # it came into the library meanwhile
            if place is not None:
                found[work] = place
        return found
