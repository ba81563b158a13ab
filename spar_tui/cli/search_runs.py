"""Running a search for a verb: kept event by event, told as it goes, and gone on with after it was cut off."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents.run.board import SearchBoard
from agents.run.codec import to_row
from agents.run.events import Event
from agents.search.loop import ranking_so_far, search
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from connectors.services import LIVE_SOURCES
from spar_tui.cli.search_progress import Progress
from spar_tui.errors import Interrupted
from spar_tui.runs.recorder import KeptRun
from spar_tui.terminal import progress_style, say
from spar_tui.workspace import Workspace, open_store, open_workspace

if TYPE_CHECKING:
    from spar_tui.settings import Settings


class SearchOutput:
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


def searched(telling: SearchOutput, searching: Coroutine[None, None, SearchState]) -> SearchState:
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
    settings: "Settings", question: str, options: SearchOptions, sources: Sequence[str], offline: bool, model: bool,
    telling: SearchOutput,
) -> SearchState:  # fmt: skip
    """A search of the live `sources`."""
    async with open_workspace(settings, sources, offline, model) as workspace:
        kept = KeptRun.begun(workspace.store, question, replace(options, sources=tuple(workspace.resources.live)))
        return await _search(question, workspace, options, kept, SearchBoard(kept.post), telling)


async def resumed_search(
    settings: "Settings", name: str, given: SearchOptions, offline: bool, model: bool, telling: SearchOutput
) -> SearchState:
    """Go on with a search; the budgets that are `given` replace its own, for they may be why it ended."""
    with open_store(settings) as store:
        kept, question, options, events = KeptRun.taken_up(store, name)
        board = SearchBoard(kept.post, events)
        telling.run = kept.run
        telling.take_up(events, board.state)
        if board.state.finished:
            kept.end("finished", board.state)
            return board.state
    options = replace(options, **budgets(given))
    asked = settings.preferences.sources if options.sources is None else options.sources
    sources = [source for source in LIVE_SOURCES if source in asked]
    async with open_workspace(settings, sources, offline or not sources, model) as workspace:
        kept.store = workspace.store
        return await _search(question, workspace, options, kept, board, telling)


def budgets(options: SearchOptions) -> dict[str, Any]:
    """The budgets that were set, by name."""
    found = {"calls": options.calls, "usd": options.usd, "seconds": options.seconds}
    return {name: value for name, value in found.items() if value is not None}


async def _search(
    question: str,
    workspace: Workspace,
    options: SearchOptions,
    kept: KeptRun,
    board: SearchBoard,
    telling: SearchOutput,
) -> SearchState:
    telling.run = kept.run
    try:
        async with aclosing(search(question, workspace.resources, options, board)) as events:
            async for event in events:
                telling.event(event, board.state)
    except BaseException as error:
        board.post(ranking_so_far(board.state))  # so that what was found has places to be named by
        kept.end("interrupted" if isinstance(error, asyncio.CancelledError) else "failed", board.state)
        raise
    kept.end("finished", board.state)
    return board.state
