"""A search that the store remembers, event by event."""

import asyncio
from dataclasses import asdict

from agents.event_rows import to_row
from agents.events import Event
from agents.search.loop import Wishes
from agents.search.state import SearchState
from cache import runs
from cache.errors import CacheError
from cache.runs import Ended
from cache.store import Store
from spar_tui.cli.terminal import note


class KeptRun:
    """A run on the store's board.

    Events of one answer arrive in a burst and are written together as soon as the loop is free: a killed process
    loses at most the answer it was reading. A store that cannot be written costs the memory, never the answer.
    """

    def __init__(self, store: Store, question: str, wishes: Wishes) -> None:
        parameters = {name: str(value) for name, value in asdict(wishes).items() if value is not None}
        self.run = runs.start(store, "search", question, parameters)
        self._store = store
        self._waiting: list[Event] = []
        self._lost = False

    def post(self, event: Event) -> None:
        """Remember `event`."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._write)
        self._waiting.append(event)

    def end(self, how: Ended, state: SearchState) -> None:
        """End the run with what it came to."""
        self._write()
        ranked = [
            runs.Ranked(state.found[one.work].paper, {"score": one.score, "relevance": one.relevance})
            for one in state.ranking
        ]
        if not self._lost:
            try:
                runs.finish(self._store, self.run, how, asdict(state.counts), ranked)
            except CacheError as error:
                self._lose(error)

    def _write(self) -> None:
        events, self._waiting = self._waiting, []
        if events and not self._lost:
            try:
                runs.extend(self._store, self.run, [runs.Post(*to_row(event)) for event in events])
            except CacheError as error:
                self._lose(error)

    def _lose(self, error: CacheError) -> None:
        self._lost = True
        note(f"spar: this search is not remembered: {error}")
