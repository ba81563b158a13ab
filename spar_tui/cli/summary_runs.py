"""Growing a summary for a verb: kept event by event, told as it goes, and gone on with after it was cut off."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from agents.run.codec import to_row
from agents.run.resources import Desk
from agents.summary.events import SummaryEvent
from agents.summary.loop import summarize
from agents.summary.options import SummaryWishes
from agents.summary.session import SummaryBoard
from agents.summary.state import SummaryState
from connectors.services import LIVE_SOURCES
from spar_tui.cli.summary_progress import TreeProgress
from spar_tui.errors import Interrupted
from spar_tui.runs.input_papers import settled, with_papers_at_hand
from spar_tui.runs.recorder import KeptSummary
from spar_tui.terminal import progress_style, say
from spar_tui.workspace import open_desk, open_store

if TYPE_CHECKING:
    from spar_tui.settings import Settings


class TreeTelling:
    """How a summary is told while it grows: progress on standard error, with `as_jsonl` its events as the answer."""

    def __init__(self, plain: bool, as_jsonl: bool = False) -> None:
        self.as_jsonl = as_jsonl
        self.run = ""
        self._progress = TreeProgress(progress_style(plain))

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


def summarized(telling: TreeTelling, growing: Coroutine[None, None, SummaryState]) -> SummaryState:
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
    settings: "Settings", topic: str, wishes: SummaryWishes, sources: Sequence[str], offline: bool, model: bool,
    telling: TreeTelling,
) -> SummaryState:  # fmt: skip
    """A summary from the live `sources`, or from the papers at hand that `wishes` name."""
    async with open_desk(settings, _live(sources, wishes), offline, model) as desk:
        wishes = settled(desk.store, wishes)
        corpus = with_papers_at_hand(desk.desk, desk.store, wishes)
        kept = KeptSummary.begun(desk.store, topic, replace(wishes, sources=tuple(corpus.live)))
        return await _grow(topic, corpus, wishes, kept, SummaryBoard(SummaryState(), kept.post), telling)


async def resumed_summary(
    settings: "Settings", name: str, given: SummaryWishes, offline: bool, model: bool, telling: TreeTelling
) -> SummaryState:
    """Go on with a summary; the budgets that are `given` replace its own, for they may be why it ended."""
    with open_store(settings) as store:
        kept, topic, wishes, events = KeptSummary.taken_up(store, name)
        board = SummaryBoard(SummaryState(), kept.post, events)
        telling.run = kept.run
        telling.take_up(events, board.state)
        if board.state.finished:
            kept.end("finished", board.state)
            return board.state
    wishes = replace(
        wishes,
        calls=wishes.calls if given.calls is None else given.calls,
        usd=wishes.usd if given.usd is None else given.usd,
        seconds=wishes.seconds if given.seconds is None else given.seconds,
    )
    sources = _live(settings.preferences.sources if wishes.sources is None else wishes.sources, wishes)
    async with open_desk(settings, sources, offline, model) as desk:
        kept.store = desk.store
        return await _grow(topic, with_papers_at_hand(desk.desk, desk.store, wishes), wishes, kept, board, telling)


def _live(sources: Sequence[str], wishes: SummaryWishes) -> list[str]:
    return [name for name in LIVE_SOURCES if name in sources and wishes.corpus == "sources"]


async def _grow(
    topic: str, desk: Desk, wishes: SummaryWishes, kept: KeptSummary, board: SummaryBoard, telling: TreeTelling
) -> SummaryState:
    telling.run = kept.run
    try:
        async with aclosing(summarize(topic, desk, wishes, board)) as events:
            async for event in events:
                telling.event(event, board.state)
    except BaseException as error:
        kept.end("interrupted" if isinstance(error, asyncio.CancelledError) else "failed", board.state)
        raise
    kept.end("finished", board.state)
    return board.state
