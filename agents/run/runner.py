"""Carry a run on, for a command, for the app on any screen, or for another program."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime
from typing import Any, Generic, Literal, NamedTuple, Self

from agents.run.control import Control
from agents.run.errors import RunError, unexpected
from agents.run.events import SourceAnswered, Spent
from agents.run.findings import E, S
from agents.run.kinds import O, RunKind, kind_named
from agents.run.recorder import Recorder, Say, kept
from agents.run.resources import Resources
from cache import runs
from cache.errors import CacheError
from cache.runs import Ended
from cache.store import Store
from cache.timestamps import utc_now

LOG = logging.getLogger("spar.run")
_SHORT = 3


def traced(run: str, event: object) -> None:
    """Log `event`, if its class is logged."""
    match event:
        case SourceAnswered():
            reason = f": {event.error}" if event.error and not _quotes(event.error, event.query) else ""
            LOG.info("%s %s %s, %d found, %.2f s%s", run, event.source, event.state, event.found, event.seconds, reason)
        case Spent():
            figures = event.calls, event.remembered, event.input_tokens, event.output_tokens
            LOG.info("%s model, %s: %d calls, %d remembered, %d tokens in, %d out", run, event.step, *figures)


def _quotes(sentence: str, query: str) -> bool:
    """Whether a sentence may contain the query: services often quote it in their answers."""
    text = sentence.casefold()
    return any(len(word) > _SHORT and word in text for word in query.casefold().split())


Status = Literal["running", "paused", "stopping", "finished", "cut off", "failed"]
ResourcesFor = Callable[[Sequence[str] | None], Awaitable[Resources]]
"""Returns the resources with the live sources of these names; None means all that the person set."""


def carried_on_elsewhere(kind: str) -> str:
    """Say why a run of `kind` cannot be carried on here."""
    return f"This {kind} is running elsewhere, in another process or for a conversation; wait until it has ended."


def asks_nothing(control: Control) -> None:
    """Send no requests to the run."""


class Failed(NamedTuple):
    """A failure of a run; the sentence gives the reason."""

    when: datetime
    why: str


class Runner(Generic[S, E, O]):
    """A run and its control. `state` is its current state; readers must not change it. A command follows `events`;
    the app calls `start` and lets the run go on by itself."""

    def __init__(
        self, kind: RunKind[S, E, O], recorder: Recorder[S, E, O], question: str, options: O, so_far: Sequence[E] = ()
    ) -> None:
        self.kind, self.recorder = kind, recorder
        self.question, self.options = question, options
        self.board = kind.board(recorder.post, so_far)
        self.so_far = so_far
        """The events of earlier sessions."""
        self.control = Control(options.seconds)
        self.problem: str | None = None
        """Why the run failed; None if it has not."""
        self.failures: list[Failed] = []
        """All failures in this session."""
        self._task: asyncio.Task[None] | None = None
        self._earlier: float = sum(getattr(event, "seconds", 0.0) for event in so_far if type(event) is kind.finishing)
        """Seconds that earlier sessions took, as far as known."""
        self._began = self._ended = 0.0

    @classmethod
    def begun(
        cls, kind: RunKind[S, E, O], store: Store, question: str, options: O, say: Say = lambda sentence: None
    ) -> Self:
        """Return a new run, not started yet. Raises `RunError` for an unreadable question, and `CacheError`."""
        kind.check(question)
        return cls(kind, Recorder.begun(kind, store, question, options, say), question, options)

    @classmethod
    def taken_up(cls, kind: RunKind[S, E, O], store: Store, name: str, say: Say = lambda sentence: None) -> Self:
        """Return a stored run of `kind`, to be resumed if it is not finished. Raises `RunError`, `CacheError`."""
        recorder = Recorder(kind, store, runs.resolve(store, name, kind.name), say)
        recorder.folded = runs.last_event(store, recorder.run)  # before reading: events may be added in between
        run, options, events = kept(kind, store, recorder.run)
        return cls(kind, recorder, run.question, options, events)

    @classmethod
    def kept_as(cls, store: Store, name: str, say: Say = lambda sentence: None) -> "Runner[Any, Any, Any]":
        """Return a stored run of any kind. Raises `RunError`, `CacheError`."""
        return Runner.taken_up(kind_named(runs.get(store, runs.resolve(store, name)).kind), store, name, say)

    # How it stands

    @property
    def run(self) -> str:
        return self.recorder.run

    @property
    def state(self) -> S:
        return self.board.state

    @property
    def status(self) -> Status:
        if not self.under_way:
            if self.problem:
                return "failed"
            return "finished" if self.state.finished else "cut off"
        if self.control.stopping:
            return "stopping"
        return "paused" if self.control.paused else "running"

    @property
    def under_way(self) -> bool:
        return self._task is not None and not self._task.done()

    @property
    def seconds(self) -> float:
        """Seconds that the run has taken without pauses, in this and earlier sessions, as far as known."""
        return self._earlier + (self.control.clock if self.under_way else self._ended) - self._began

    # Carrying it on

    async def events(
        self, resources: Resources, ask: Callable[[Control], None] = asks_nothing
    ) -> AsyncGenerator[E, None]:
        """Carry the run on to its end and yield its events, each stored and folded first. The time limit of the options
        starts now. `resources` are prepared already (`RunKind.prepared`); `ask` may send requests."""
        self.control = Control(self.options.seconds)
        ask(self.control)

        async def prepared() -> Resources:
            return resources

        async with aclosing(self._carried_on(prepared)) as events:
            async for event in events:
                yield event

    def start(self, resources_for: ResourcesFor) -> None:
        """Begin or resume the run, if it is neither under way nor finished. Call this in the running event loop."""
        if not self.under_way and not self.state.finished:
            self._start(Control(self.options.seconds), resources_for)

    def request(self, resources_for: ResourcesFor, ask: Callable[[Control], None]) -> None:
        """Send the run a request with `ask`; resume it if it is not under way."""
        if self.under_way:
            ask(self.control)
            return
        control = Control(self.options.seconds)
        ask(control)
        self._start(control, resources_for)

    def keep(self, event: E) -> None:
        """Store an act of the person that requires nothing of the run, under way or not. Call this in the running event
        loop."""
        self.board.post(event)

    async def catch_up(self) -> None:
        """Load the events that another process has added, unless the run is under way here. Raises `CacheError`."""
        recorder = self.recorder
        while not self.under_way and recorder.is_complete:
            stored, state = recorder.folded, self.state
            if await asyncio.to_thread(runs.last_event, recorder.store, self.run) in (0, stored):
                return
            rows = await asyncio.to_thread(runs.events, recorder.store, self.run)
            fresh = await asyncio.to_thread(self.kind.replayed, rows)
            if self.state is state and not self.under_way and rows:
                self.board.state, recorder.folded = fresh, len(rows)

    async def ended(self) -> None:
        """Wait until the run is not under way."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def cut_off(self) -> None:
        """Stop at once, keeping what was found; the run can be resumed."""
        if self._task is not None and self.under_way:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _start(self, control: Control, resources_for: ResourcesFor) -> None:
        self.control, self.problem = control, None
        self._earlier = self.seconds
        self._began = control.clock
        self._task = asyncio.create_task(self._to_the_end(resources_for))

    async def _carried_on(self, prepared: Callable[[], Awaitable[Resources]]) -> AsyncGenerator[E, None]:
        """Yield the events and store how the run ended. Raises `RunError` if another process is carrying it on."""
        if not self.recorder.lock.take():
            raise RunError(carried_on_elsewhere(self.kind.name))
        how: Ended = "interrupted"
        try:
            if self.state.started:
                self.recorder.reopen()
            resources = replace(await prepared(), run=self.run)
            carried_on = self.kind.carry_on(self.question, resources, self.options, self.board, self.control)
            async with aclosing(carried_on) as events:
                async for event in events:
                    traced(self.run, event)
                    yield event
            how = "finished"
        except Exception:
            how = "failed"
            raise
        finally:
            if how != "finished":
                for event in self.kind.cut_off(self.state):
                    self.board.post(event)
            self.recorder.end(how, self.state)

    async def _to_the_end(self, resources_for: ResourcesFor) -> None:
        try:
            unmet = -1
            while unmet:
                async with aclosing(self._carried_on(lambda: self._prepared(resources_for))) as events:
                    async for _ in events:
                        pass  # the board has the event: screens read the state there
                # Requests that arrived while the run was ending are met like later ones.
                before, unmet = unmet, self.control.requests.unmet
                if unmet == before:
                    break  # no request can be met
        except (RunError, CacheError) as error:
            self._fail(str(error))
        except Exception as error:  # noqa: BLE001  # a fault in one run must not end the app and the other runs
            self._fail(f"An {unexpected(error)}.")
        finally:
            self._ended = self.control.clock

    async def _prepared(self, resources_for: ResourcesFor) -> Resources:
        start_event = self.state.started
        resources = await resources_for(start_event.sources if start_event else self.options.sources)
        return await asyncio.to_thread(self.kind.equipped, resources, self.recorder.store, self.options)

    def _fail(self, problem: str) -> None:
        self.problem = problem
        self.failures.append(Failed(utc_now(), problem))


AnyRun = Runner[Any, Any, Any]
"""A run of any kind."""
