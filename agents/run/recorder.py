"""Store a run, event by event."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Generic, Self

from agents.run.errors import RunError
from agents.run.events import adapter
from agents.run.findings import E, S
from agents.run.kinds import O, RunKind
from cache import runs
from cache.errors import CacheError, Locked
from cache.run_lock import RunLock
from cache.runs import Ended
from cache.store import WAIT, Store

Say = Callable[[str], object]
RETRY_SECONDS = 1.0
"""Seconds after which a library locked by another process is tried again."""


class Recorder(Generic[S, E, O]):
    """Writes the events of one run into the store.

    Events that arrive in a burst are written together as soon as the event loop is free: a killed process loses at most
    the answer it was reading. If the store cannot be written, the run continues unrecorded and `say` reports it.
    """

    def __init__(self, kind: RunKind[S, E, O], store: Store, run: str, say: Say = lambda sentence: None) -> None:
        self.kind, self.store, self.run = kind, store, run
        self.lock = RunLock(store.path, run)
        """Held while this process carries the run on."""
        self.folded = 0
        """Number of stored events folded here, if they are the run's first events; else 0."""
        self._say = say
        self._waiting: list[E] = []
        self._ending: tuple[Ended, S] | None = None
        self._locked_since: float | None = None
        self._lost = False

    @classmethod
    def begun(
        cls, kind: RunKind[S, E, O], store: Store, question: str, options: O, say: Say = lambda sentence: None
    ) -> Self:
        """Return the recorder of a new run. Raises `CacheError`."""
        form: type = kind.options
        parameters = adapter(form).dump_python(options, mode="json")
        recorder = cls(kind, store, runs.start(store, kind.name, question, parameters), say)
        recorder.lock.take()  # at once, so that lists show the run as under way
        return recorder

    def reopen(self) -> None:
        """Mark the run as resumed. If another process has locked the library, go on without the mark: the end is
        written in any case."""
        try:
            runs.reopen(self.store, self.run)
        except Locked:
            pass
        except CacheError as error:
            self._lose(error)

    def post(self, event: E) -> None:
        """Store `event`."""
        if self._lost:
            return
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._write)
        self._waiting.append(event)

    @property
    def is_complete(self) -> bool:
        """Whether all posted events are stored."""
        return not self._waiting and not self._lost

    def end(self, how: Ended, state: S) -> None:
        """End the run with its result and release its lock."""
        self._ending = (how, state)
        self._write()
        self.lock.free()

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
            posts = [runs.Post(*row) for row in map(self.kind.codec.encode, self._waiting)]
            last = runs.extend(self.store, self.run, posts)
            self.folded = last if last == self.folded + len(posts) else 0
            self._waiting = []
        if self._ending:
            how, state = self._ending
            figures, papers = self.kind.result(state)
            failed = state.findings.failed
            runs.finish(self.store, self.run, how, {**figures, "shown": len(papers), "failed": failed}, papers)
            self._ending = None

    def _wait_out(self, began: float, error: Locked) -> None:
        """Retry later while another process has locked the library; give up after `WAIT` seconds."""
        if self._locked_since is None:
            self._locked_since = began
        if time.monotonic() - self._locked_since >= WAIT:
            self._lose(error)
            return
        if began == self._locked_since:
            name = self.kind.name
            self._say(f"spar: another process has locked the library; this {name} is stored as soon as it is free.")
        asyncio.get_running_loop().call_later(RETRY_SECONDS, self._write)

    def _lose(self, error: CacheError) -> None:
        self._lost, self._waiting = True, []
        self._say(f"spar: this {self.kind.name} is not stored: {error}")


def kept(kind: RunKind[S, E, O], store: Store, name: str) -> tuple[runs.Run, O, list[E]]:
    """Return the run of this kind stored as `name` (`last`: the newest), its options and its events. Raises
    `RunError` if the run is of another kind, and `CacheError`."""
    run = runs.get(store, runs.resolve(store, name, kind.name))
    if run.kind != kind.name:
        raise RunError(f"{run.id} is not of the kind {kind.name}; `spar history` lists the runs.")
    form: type = kind.options
    options: Any = adapter(form).validate_python(dict(run.parameters))
    return run, options, kind.events(runs.events(store, run.id))
