"""A run that the store remembers, event by event: a search or a summary."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeVar

from agents.run.codec import from_row, from_summary_row, to_row
from agents.run.events import Event
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from agents.summary.events import ROOT, SummaryEvent
from agents.summary.options import SummaryOptions
from agents.summary.state import SummaryState
from cache import runs
from cache.errors import CacheError, Locked
from cache.runs import Ended
from cache.store import WAIT, Store
from spar_tui.errors import Failure
from spar_tui.terminal import note

E = TypeVar("E", Event, SummaryEvent)
S = TypeVar("S", SearchState, SummaryState)
W = TypeVar("W", SearchOptions, SummaryOptions)

RETRY_SECONDS = 1.0
"""After which a library that another process held is tried again."""


class Kept(ABC, Generic[E, S, W]):
    """A run on the store's board.

    Events that belong together arrive in a burst and are written together as soon as the loop is free: a killed process
    loses at most the answer it was reading. A store that cannot be written costs the memory, never the answer.
    """

    kind: ClassVar[str]
    options: ClassVar[type]

    def __init__(self, store: Store, run: str) -> None:
        self.store, self.run = store, run
        self._waiting: list[E] = []
        self._ending: tuple[Ended, S] | None = None
        self._locked_since: float | None = None
        self._lost = False

    @classmethod
    def begun(cls, store: Store, question: str, options: W) -> Self:
        """A new run."""
        return cls(
            store, runs.start(store, cls.kind, question, _adapter(cls.options).dump_python(options, mode="json"))
        )

    @classmethod
    def taken_up(cls, store: Store, name: str) -> tuple[Self, str, W, list[E]]:
        """An earlier run: itself, its question, its wishes, and the events it has. Raises `Failure` if it is none."""
        try:
            run = runs.get(store, runs.resolve(store, name))
            if run.kind != cls.kind:
                raise Failure(f"{run.id} is no {cls.kind}; `spar history` lists the runs.")
            rows = runs.events(store, run.id)
        except CacheError as error:
            raise Failure(str(error)) from None
        events = [event for row in rows if (event := cls.read(row.kind, row.content))]
        runs.reopen(store, run.id)
        return cls(store, run.id), run.question, _adapter(cls.options).validate_python(dict(run.parameters)), events

    @staticmethod
    @abstractmethod
    def read(kind: str, content: dict[str, Any]) -> E | None:
        """The event of a row; None for a kind that this version does not know."""

    @staticmethod
    @abstractmethod
    def came_to(state: S) -> tuple[Mapping[str, Any], Sequence[runs.Ranked]]:
        """The figures of a run, and the papers of its answer."""

    def post(self, event: E) -> None:
        """Remember `event`."""
        if self._lost:
            return
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._write)
        self._waiting.append(event)

    def end(self, how: Ended, state: S) -> None:
        """End the run with what it came to."""
        self._ending = (how, state)
        self._write()

    def _write(self) -> None:
        began = time.monotonic()
        try:
            if not self._lost:
                self._write_waiting()
                self._locked_since = None
        except Locked as error:
            self._wait_out(began, error)
        except CacheError as error:
            self._lose(error)

    def _write_waiting(self) -> None:
        if self._waiting:
            runs.extend(self.store, self.run, [runs.Post(*to_row(event)) for event in self._waiting])
            self._waiting = []
        if self._ending:
            how, state = self._ending
            counts, shown = self.came_to(state)
            runs.finish(self.store, self.run, how, {**counts, "shown": len(shown)}, shown)
            self._ending = None

    def _wait_out(self, began: float, error: Locked) -> None:
        """Write later what another process keeps us from writing, unless it has done so for too long."""
        if self._locked_since is None:
            self._locked_since = began
        if time.monotonic() - self._locked_since >= WAIT:
            self._lose(error)
            return
        if began == self._locked_since:
            note(f"spar: another process holds the library; this {self.kind} is written as soon as it lets go.")
        asyncio.get_running_loop().call_later(RETRY_SECONDS, self._write)

    def _lose(self, error: CacheError) -> None:
        self._lost, self._waiting = True, []
        note(f"spar: this {self.kind} is not remembered: {error}")


class KeptRun(Kept[Event, SearchState, SearchOptions]):
    """A search."""

    kind = "search"
    options = SearchOptions
    read = staticmethod(from_row)

    @staticmethod
    def came_to(state: SearchState) -> tuple[Mapping[str, Any], Sequence[runs.Ranked]]:
        shown = [
            runs.Ranked(state.found[one.work].paper, {"score": one.score, "relevance": one.relevance})
            for one in state.shown
        ]
        return asdict(state.counts), shown


class KeptSummary(Kept[SummaryEvent, SummaryState, SummaryOptions]):
    """A summary; its answer's papers are those it cites, by their numbers; of an outline all."""

    kind = "summary"
    options = SummaryOptions
    read = staticmethod(from_summary_row)

    @staticmethod
    def came_to(state: SummaryState) -> tuple[Mapping[str, Any], Sequence[runs.Ranked]]:
        papers = state.findings.papers
        works = state.cited or state.works_below(ROOT)
        shown = [runs.Ranked(papers[work], {"number": number}) for number, work in enumerate(works, start=1)]
        return {"facets": len(state.nodes) - 1, "screened": len(papers)}, shown


@cache
def _adapter(options: type) -> Any:
    """The reader and writer of a run's parameters, which is pydantic's and imported where it is used."""
    from pydantic import TypeAdapter

    return TypeAdapter(options)
