"""One gate per service, shared by every `spar` process on the machine.

A small file holds the moment from which the next request may start, until when the service is to be left alone and
why, and the failures in a row. A process that wants to ask takes the next free moment under a file lock and then
waits for it; requests under way hold one of a few slot files, which the system frees when a process dies.
Wall clock times are used because processes share no other clock; one that lies absurdly far ahead (a clock that
went back) is ignored.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from connectors.errors import DeadlineExceeded, QuotaExhausted, RateLimited, SourceError
from connectors.http.limits import RateLimit

LONGEST_QUEUE = 600.0
LONGEST_CLOSURE = 26 * 3600.0
_POLL = 0.02


@dataclass(slots=True)
class _State:
    next_free: float = 0.0
    closed_until: float = 0.0
    closed_for: str = ""
    budget_gone: bool = False
    failures: int = 0


class RateLimiter:
    """The way to one service. `path` is its state file; its folder must exist."""

    def __init__(self, source: str, rate_limit: RateLimit, path: Path) -> None:
        self._source = source
        self._rate_limit = rate_limit
        self._path = path
        self._lock = FileLock(str(path) + ".lock", timeout=5, thread_local=False)

    @asynccontextmanager
    async def acquire(self, moment: float) -> AsyncIterator[None]:
        """Wait for the right to send one request and hold it; `moment` is the deadline on the loop's clock.

        Raises at once, without waiting, `QuotaExhausted` or `RateLimited` when the service is to be left alone beyond
        the
        deadline, and `DeadlineExceeded` when the queue is longer than that.
        """
        slot = await self._slot(moment)
        try:
            await asyncio.sleep(self._reserve(moment - asyncio.get_running_loop().time()))
            yield
        finally:
            if self._rate_limit.in_flight == 1:
                self._cool_down()
            slot.release()

    def succeeded(self) -> None:
        """A good reply: the service works again."""
        with self._lock:
            state = self._read()
            if state.failures:
                state.failures = 0
                self._write(state)

    def failed(self, error: SourceError) -> None:
        """A bad reply or none: count it, and close the gate when the service asks for it or keeps failing."""
        with self._lock:
            state = self._read()
            state.failures += 1
            now = time.time()
            until = error.until.timestamp() if error.until else 0.0
            if isinstance(error, RateLimited) and not until and self._rate_limit.rate_limited_rest:
                until = now + self._rate_limit.rate_limited_rest
            if state.failures >= self._rate_limit.failures and not until:
                until = now + self._rate_limit.rest
                state.failures = 0
            if until > max(now, state.closed_until):
                state.closed_until, state.closed_for = until, error.sentence
                state.budget_gone = isinstance(error, QuotaExhausted)
            self._write(state)

    async def _slot(self, moment: float) -> FileLock:
        """One of the service's places, held until released or the process dies."""
        if refusal := self._refusal(moment - asyncio.get_running_loop().time()):
            raise refusal
        slots = [FileLock(f"{self._path}.slot{n}", thread_local=False) for n in range(self._rate_limit.in_flight)]
        while True:
            for slot in slots:
                try:
                    slot.acquire(blocking=False)
                except Timeout:
                    continue
                return slot
            if asyncio.get_running_loop().time() + _POLL > moment:
                raise DeadlineExceeded(self._source, "is still busy with earlier requests; try again in a moment.")
            await asyncio.sleep(_POLL)

    def _refusal(self, patience: float) -> SourceError | None:
        state, now = self._read(), time.time()
        closure = self._closure(state, now)
        return closure if closure and state.closed_until > now + patience else None

    def _reserve(self, patience: float) -> float:
        """Reserve the next free moment; the seconds to wait for it."""
        with self._lock:
            state, now = self._read(), time.time()
            closure = self._closure(state, now)
            start = max(now, state.next_free, state.closed_until if closure else 0.0)
            if start > now + patience:
                raise closure or DeadlineExceeded(
                    self._source, f"must not be asked again for {start - now:.0f} s, longer than this search waits."
                )
            state.next_free = start + self._rate_limit.gap
            self._write(state)
            return start - now

    def _cool_down(self) -> None:
        """Count the gap from now: a slow connection must not bring the next request too close to this one."""
        with self._lock:
            state = self._read()
            state.next_free = max(state.next_free, time.time() + self._rate_limit.gap)
            self._write(state)

    def _closure(self, state: _State, now: float) -> SourceError | None:
        if state.closed_until <= now:
            return None
        until = datetime.fromtimestamp(state.closed_until, UTC)
        kind = QuotaExhausted if state.budget_gone else RateLimited
        return kind(self._source, f"left alone until {until:%Y-%m-%d %H:%M:%S} UTC; it {state.closed_for}", until)

    def _read(self) -> _State:
        try:
            state = _State(**json.loads(self._path.read_text("utf-8")))
            now = time.time()
            if state.next_free > now + LONGEST_QUEUE:
                state.next_free = 0.0
            if state.closed_until > now + LONGEST_CLOSURE:
                state.closed_until = 0.0
        except (OSError, ValueError, TypeError):
            return _State()  # missing or damaged: manners start anew, nothing else depends on it
        return state

    def _write(self, state: _State) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(asdict(state)), "utf-8")
        fresh.replace(self._path)
