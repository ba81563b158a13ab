"""One rate limiter per service, shared by every `spar` process on the machine.

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
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from connectors.errors import DeadlineExceeded, QuotaExhausted, RateLimited, SourceError
from connectors.http.circuit_breaker import Circuit
from connectors.http.limits import RateLimit

LONGEST_QUEUE = 600.0
LONGEST_CLOSURE = 26 * 3600.0
_POLL = 0.02


class _Failure(NamedTuple):
    """Why a service is left alone, and whether because its budget is spent."""

    sentence: str
    quota_exhausted: bool


@dataclass(frozen=True, slots=True)
class _State:
    next_free: float = 0.0
    circuit: Circuit[_Failure] = field(default_factory=Circuit)


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
            if state.circuit.failures:
                self._write(replace(state, circuit=state.circuit.succeeded()))

    def failed(self, error: SourceError) -> None:
        """A bad reply or none: count it, and leave the service alone when it asks for it or keeps failing."""
        with self._lock:
            state, now = self._read(), time.time()
            until = error.until.timestamp() if error.until else None
            if isinstance(error, RateLimited) and until is None and self._rate_limit.rate_limited_rest:
                until = now + self._rate_limit.rate_limited_rest
            failure = _Failure(error.sentence, isinstance(error, QuotaExhausted))
            limit, rest = self._rate_limit.failures, self._rate_limit.rest
            circuit = state.circuit.failed(failure, now, limit=limit, rest=rest, until=until)
            self._write(replace(state, circuit=circuit))

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
        return closure if closure and state.circuit.is_open(now + patience) else None

    def _reserve(self, patience: float) -> float:
        """Reserve the next free moment; the seconds to wait for it."""
        with self._lock:
            state, now = self._read(), time.time()
            closure = self._closure(state, now)
            start = max(now, state.next_free, state.circuit.open_until if closure else 0.0)
            if start > now + patience:
                raise closure or DeadlineExceeded(
                    self._source, f"must not be asked again for {start - now:.0f} s, longer than this search waits."
                )
            self._write(replace(state, next_free=start + self._rate_limit.gap))
            return start - now

    def _cool_down(self) -> None:
        """Count the gap from now: a slow connection must not bring the next request too close to this one."""
        with self._lock:
            state = self._read()
            self._write(replace(state, next_free=max(state.next_free, time.time() + self._rate_limit.gap)))

    def _closure(self, state: _State, now: float) -> SourceError | None:
        failure = state.circuit.reason
        if failure is None or not state.circuit.is_open(now):
            return None
        until = datetime.fromtimestamp(state.circuit.open_until, UTC)
        kind = QuotaExhausted if failure.quota_exhausted else RateLimited
        return kind(self._source, f"left alone until {until:%Y-%m-%d %H:%M:%S} UTC; it {failure.sentence}", until)

    def _read(self) -> _State:
        try:
            return _sane(_loaded(self._path.read_text("utf-8")), time.time())
        except (OSError, ValueError, TypeError, KeyError):
            return _State()  # missing or damaged: the limits start anew, nothing else depends on it

    def _write(self, state: _State) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.write_text(_dumped(state), "utf-8")
        fresh.replace(self._path)


def _sane(state: _State, now: float) -> _State:
    """`state` without moments that lie absurdly far ahead."""
    if state.next_free > now + LONGEST_QUEUE:
        state = replace(state, next_free=0.0)
    if state.circuit.is_open(now + LONGEST_CLOSURE):
        state = replace(state, circuit=replace(state.circuit, open_until=0.0))
    return state


def _loaded(text: str) -> _State:
    """The state that a file holds. Raises `ValueError`, `TypeError` or `KeyError`."""
    stored = json.loads(text)
    failure = _Failure(stored["closed_for"], stored["budget_gone"])
    return _State(stored["next_free"], Circuit(stored["failures"], stored["closed_until"], failure))


def _dumped(state: _State) -> str:
    circuit, failure = state.circuit, state.circuit.reason or _Failure("", quota_exhausted=False)
    stored = {
        "next_free": state.next_free,
        "closed_until": circuit.open_until,
        "closed_for": failure.sentence,
        "budget_gone": failure.quota_exhausted,
        "failures": circuit.failures,
    }
    return json.dumps(stored)
