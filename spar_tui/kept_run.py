"""A search that the store remembers, event by event."""

import asyncio
from dataclasses import asdict
from functools import cache
from typing import Any

from agents.event_rows import from_row, to_row
from agents.events import Event
from agents.search.state import SearchState
from agents.search.wishes import Wishes
from cache import runs
from cache.errors import CacheError
from cache.runs import Ended
from cache.store import Store
from spar_tui.errors import Failure
from spar_tui.terminal import note


class KeptRun:
    """A run on the store's board.

    Events that belong together arrive in a burst and are written together as soon as the loop is free: a killed process
    loses at most the answer it was reading. A store that cannot be written costs the memory, never the answer.
    """

    def __init__(self, store: Store, run: str) -> None:
        self.store, self.run = store, run
        self._waiting: list[Event] = []
        self._lost = False

    @classmethod
    def begun(cls, store: Store, question: str, wishes: Wishes) -> "KeptRun":
        """A new run."""
        return cls(store, runs.start(store, "search", question, _wishes().dump_python(wishes, mode="json")))

    @classmethod
    def taken_up(cls, store: Store, name: str) -> "tuple[KeptRun, str, Wishes, list[Event]]":
        """An earlier search: its run, question, wishes, and the events it has. Raises `Failure` if it is none."""
        try:
            run = runs.get(store, runs.resolve(store, name))
            if run.kind != "search":
                raise Failure(f"{run.id} is no search; `spar history` lists the runs.")
            rows = runs.events(store, run.id)
        except CacheError as error:
            raise Failure(str(error)) from None
        events = [event for row in rows if (event := from_row(row.kind, row.content))]
        runs.reopen(store, run.id)
        return cls(store, run.id), run.question, _wishes().validate_python(dict(run.parameters)), events

    def post(self, event: Event) -> None:
        """Remember `event`."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._write)
        self._waiting.append(event)

    def end(self, how: Ended, state: SearchState) -> None:
        """End the run with what it came to."""
        self._write()
        shown = [
            runs.Ranked(state.found[one.work].paper, {"score": one.score, "relevance": one.relevance})
            for one in state.shown
        ]
        if not self._lost:
            try:
                runs.finish(self.store, self.run, how, {**asdict(state.counts), "shown": len(shown)}, shown)
            except CacheError as error:
                self._lose(error)

    def _write(self) -> None:
        events, self._waiting = self._waiting, []
        if events and not self._lost:
            try:
                runs.extend(self.store, self.run, [runs.Post(*to_row(event)) for event in events])
            except CacheError as error:
                self._lose(error)

    def _lose(self, error: CacheError) -> None:
        self._lost = True
        note(f"spar: this search is not remembered: {error}")


@cache
def _wishes() -> Any:
    """The reader and writer of a run's parameters, which is pydantic's and imported where it is used."""
    from pydantic import TypeAdapter

    return TypeAdapter(Wishes)
