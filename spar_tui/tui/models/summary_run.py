"""A summary that the app grows, whatever screen is shown."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from agents.summary.events import SummaryEvent
from agents.summary.options import SummaryOptions
from agents.summary.session import SummaryBoard
from agents.summary.state import SummaryState
from spar_tui.phrases import counted, papers_text
from spar_tui.runs.input_papers import with_input_papers
from spar_tui.runs.recorder import Kept, KeptSummary
from spar_tui.runs.runner import LiveRun

if TYPE_CHECKING:
    from agents.run.resources import Resources


class LiveSummary(LiveRun[SummaryEvent, SummaryState, SummaryOptions]):
    """A summary with the hand on it."""

    keeper = KeptSummary

    @staticmethod
    def _board(kept: Kept[SummaryEvent, SummaryState, SummaryOptions], so_far: Sequence[SummaryEvent]) -> SummaryBoard:
        return SummaryBoard(SummaryState(), kept.post, so_far)

    @property
    def papers_found(self) -> int:
        return len(self.state.findings.found)

    @property
    def told_end(self) -> str:
        state = self.state
        facets, papers = counted(len(state.nodes) - 1, "facet"), papers_text(len(state.cited))
        return f"{facets}, {papers} cited in the summary of: {self.question}"

    async def _events(self, resources: "Resources") -> AsyncGenerator[SummaryEvent, None]:
        from agents.summary.loop import summarize  # loads what the first screen need not wait for

        resources = await asyncio.to_thread(with_input_papers, resources, self.kept.store, self.options)
        growing = summarize(self.question, resources, self.options, self.board, self.control)
        async with aclosing(growing) as events:
            async for event in events:
                yield event
