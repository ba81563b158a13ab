"""Running a search for a verb: kept event by event, told as it goes, and gone on with after it was cut off."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents.run.board import Board
from agents.run.codec import to_row
from agents.run.events import Event
from agents.search.loop import ranking_so_far, search
from agents.search.options import Wishes
from agents.search.state import SearchState
from connectors.services import LIVE_SOURCES
from spar_tui.cli.search_progress import Progress
from spar_tui.errors import Interrupted
from spar_tui.runs.recorder import KeptRun
from spar_tui.terminal import progress_style, say
from spar_tui.workspace import OpenDesk, open_desk, open_store

if TYPE_CHECKING:
    from spar_tui.settings import Settings


class Telling:
    """How a search is told while it goes on: progress on standard error, with `as_jsonl` its events as the answer."""

    def __init__(self, plain: bool, as_jsonl: bool = False) -> None:
        self.as_jsonl = as_jsonl
        self.run = ""
        self._progress = Progress(progress_style(plain))

    def event(self, event: Event, state: SearchState) -> None:
        """Tell of an event as it happens."""
        self._progress.show(event, state)
        self._line(event)

    def take_up(self, events: Sequence[Event], state: SearchState) -> None:
        """Tell what happened in earlier sittings; as JSON lines the whole run is told."""
        self._progress.take_up(state)
        for event in events:
            self._line(event)

    def _line(self, event: Event) -> None:
        if self.as_jsonl:
            row = to_row(event)
            say(json.dumps({"event": row.kind, "role": row.role, **row.content}, ensure_ascii=False))


def searched(telling: Telling, searching: Coroutine[None, None, SearchState]) -> SearchState:
    """The end of a search. Raises `Interrupted` on Ctrl-C, saying how to go on."""
    try:
        return asyncio.run(searching)
    except KeyboardInterrupt:
        if not telling.run:
            raise Interrupted("interrupted before the search began.") from None
        raise Interrupted(
            f"interrupted; what was found is kept. Go on with:\n  spar search --resume {telling.run}"
        ) from None


async def new_search(
    settings: "Settings", question: str, wishes: Wishes, sources: Sequence[str], offline: bool, model: bool,
    telling: Telling,
) -> SearchState:  # fmt: skip
    """A search of the live `sources`."""
    async with open_desk(settings, sources, offline, model) as desk:
        kept = KeptRun.begun(desk.store, question, replace(wishes, sources=tuple(desk.desk.live)))
        return await _search(question, desk, wishes, kept, Board(kept.post), telling)


async def resumed_search(
    settings: "Settings", name: str, given: Wishes, offline: bool, model: bool, telling: Telling
) -> SearchState:
    """Go on with a search; the budgets that are `given` replace its own, for they may be why it ended."""
    with open_store(settings) as store:
        kept, question, wishes, events = KeptRun.taken_up(store, name)
        board = Board(kept.post, events)
        telling.run = kept.run
        telling.take_up(events, board.state)
        if board.state.finished:
            kept.end("finished", board.state)
            return board.state
    wishes = replace(wishes, **budgets(given))
    asked = settings.preferences.sources if wishes.sources is None else wishes.sources
    sources = [source for source in LIVE_SOURCES if source in asked]
    async with open_desk(settings, sources, offline or not sources, model) as desk:
        kept.store = desk.store
        return await _search(question, desk, wishes, kept, board, telling)


def budgets(wishes: Wishes) -> dict[str, Any]:
    """The budgets that were set, by name."""
    found = {"calls": wishes.calls, "usd": wishes.usd, "seconds": wishes.seconds}
    return {name: value for name, value in found.items() if value is not None}


async def _search(
    question: str, desk: OpenDesk, wishes: Wishes, kept: KeptRun, board: Board, telling: Telling
) -> SearchState:
    telling.run = kept.run
    try:
        async with aclosing(search(question, desk.desk, wishes, board)) as events:
            async for event in events:
                telling.event(event, board.state)
    except BaseException as error:
        board.post(ranking_so_far(board.state))  # so that what was found has places to be named by
        kept.end("interrupted" if isinstance(error, asyncio.CancelledError) else "failed", board.state)
        raise
    kept.end("finished", board.state)
    return board.state
