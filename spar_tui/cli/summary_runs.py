"""Growing a summary for a verb: kept event by event, told as it goes, and gone on with after it was cut off."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from agents.run.codec import to_row
from agents.run.resources import Resources
from agents.summary.events import SummaryEvent
from agents.summary.loop import summarize
from agents.summary.options import SummaryOptions
from agents.summary.session import SummaryBoard
from agents.summary.state import SummaryState
from connectors.services import LIVE_SOURCES
from spar_tui.cli.summary_progress import SummaryProgress
from spar_tui.errors import Interrupted
from spar_tui.runs.input_papers import settled, with_input_papers
from spar_tui.runs.recorder import KeptSummary
from spar_tui.terminal import progress_style, say
from spar_tui.workspace import open_store, open_workspace

if TYPE_CHECKING:
    from spar_tui.settings import Settings


class SummaryOutput:
    """How a summary is told while it grows: progress on standard error, with `as_jsonl` its events as the answer."""

    def __init__(self, plain: bool, as_jsonl: bool = False) -> None:
        self.as_jsonl = as_jsonl
        self.run = ""
        self._progress = SummaryProgress(progress_style(plain))

    def event(self, event: SummaryEvent, state: SummaryState) -> None:
        """Tell of an event as it happens."""
        self._progress.show(event, state)
        self._line(event)

    def take_up(self, events: Sequence[SummaryEvent], state: SummaryState) -> None:
        """Tell what happened in earlier sittings; as JSON lines the whole run is told."""
        self._progress.take_up(state)
        for event in events:
            self._line(event)

    def _line(self, event: SummaryEvent) -> None:
        if self.as_jsonl:
            row = to_row(event)
            say(json.dumps({"event": row.kind, "role": row.role, **row.content}, ensure_ascii=False))


def summarized(telling: SummaryOutput, growing: Coroutine[None, None, SummaryState]) -> SummaryState:
    """The end of a summary. Raises `Interrupted` on Ctrl-C, saying how to go on."""
    try:
        return asyncio.run(growing)
    except KeyboardInterrupt:
        if not telling.run:
            raise Interrupted("interrupted before the summary began.") from None
        raise Interrupted(
            f"interrupted; what there is of it is kept. Go on with:\n  spar summarize --resume {telling.run}"
        ) from None


async def new_summary(
    settings: "Settings", topic: str, options: SummaryOptions, sources: Sequence[str], offline: bool, model: bool,
    telling: SummaryOutput,
) -> SummaryState:  # fmt: skip
    """A summary from the live `sources`, or from the papers at hand that `options` name."""
    async with open_workspace(settings, _live(sources, options), offline, model) as workspace:
        options = settled(workspace.store, options)
        corpus = with_input_papers(workspace.resources, workspace.store, options)
        kept = KeptSummary.begun(workspace.store, topic, replace(options, sources=tuple(corpus.live)))
        return await _grow(topic, corpus, options, kept, SummaryBoard(SummaryState(), kept.post), telling)


async def resumed_summary(
    settings: "Settings", name: str, given: SummaryOptions, offline: bool, model: bool, telling: SummaryOutput
) -> SummaryState:
    """Go on with a summary; the budgets that are `given` replace its own, for they may be why it ended."""
    with open_store(settings) as store:
        kept, topic, options, events = KeptSummary.taken_up(store, name)
        board = SummaryBoard(SummaryState(), kept.post, events)
        telling.run = kept.run
        telling.take_up(events, board.state)
        if board.state.finished:
            kept.end("finished", board.state)
            return board.state
    options = replace(
        options,
        calls=options.calls if given.calls is None else given.calls,
        usd=options.usd if given.usd is None else given.usd,
        seconds=options.seconds if given.seconds is None else given.seconds,
    )
    sources = _live(settings.preferences.sources if options.sources is None else options.sources, options)
    async with open_workspace(settings, sources, offline, model) as workspace:
        kept.store = workspace.store
        return await _grow(
            topic, with_input_papers(workspace.resources, workspace.store, options), options, kept, board, telling
        )


def _live(sources: Sequence[str], options: SummaryOptions) -> list[str]:
    return [name for name in LIVE_SOURCES if name in sources and options.corpus == "sources"]


async def _grow(
    topic: str,
    resources: Resources,
    options: SummaryOptions,
    kept: KeptSummary,
    board: SummaryBoard,
    telling: SummaryOutput,
) -> SummaryState:
    telling.run = kept.run
    try:
        async with aclosing(summarize(topic, resources, options, board)) as events:
            async for event in events:
                telling.event(event, board.state)
    except BaseException as error:
        kept.end("interrupted" if isinstance(error, asyncio.CancelledError) else "failed", board.state)
        raise
    kept.end("finished", board.state)
    return board.state
