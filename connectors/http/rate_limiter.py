"""One rate limiter per service, shared by every `spar` process of a person on the machine.

A request takes one of the service's slots, reserves the next free time, waits for it, and checks the shared state again
before sending, so that all processes obey what the service told any of them. Within a process, the slot goes to the
question with the earliest deadline, which is the oldest; neither it nor its retry is overtaken by later ones.
"""

import asyncio
import os
import stat
import tempfile
import time
from bisect import insort
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from connectors.errors import BadResponse, DeadlineExceeded, QuotaExhausted, RateLimited, SourceError
from connectors.http.limits import WHOLE, RateLimit
from connectors.http.pace import FailedRequest, Pace, dumped, loaded

_PATIENCE = 2.0
"""Seconds to wait for another process that reads or writes the notes, which normally takes a millisecond."""
_own: dict[Path, Pace] = {}
"""This process's own state of each service, for when sharing fails."""
_own_slots: dict[Path, set[int]] = {}


def why_unusable(folder: Path) -> str:
    """Return why processes cannot share notes in `folder`; "" if they can. Creates it, accessible to the person
    only."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode):
            return "it is not a folder"
        if hasattr(os, "getuid"):
            if status.st_uid != os.getuid():
                return "it belongs to somebody else"
            if stat.S_IMODE(status.st_mode) != 0o700:
                folder.chmod(0o700)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return error.strerror or type(error).__name__


class SharedNotes:
    """The shared state of one service, in the file `path`, and its slots for requests in flight."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shared = not why_unusable(path.parent)
        self._lock = FileLock(f"{path}.lock", timeout=_PATIENCE, thread_local=False)
        self._held: dict[int, FileLock] = {}

    def read(self) -> Pace:
        """Return the stored state; an empty one if the file is missing or damaged."""
        if not self._shared:
            return _own.get(self._path, Pace())
        try:
            return loaded(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return Pace()
        except OSError:
            return _own.get(self._path, Pace())
        except (ValueError, TypeError, KeyError, AttributeError):
            return Pace()

    def change(self, change: Callable[[Pace], Pace]) -> Pace:
        """Store the state that `change` returns for the current one, without interference. Raises what `change`
        raises."""
        try:
            with self._lock if self._shared else nullcontext():
                return self._changed(change)
        except (Timeout, OSError, NotImplementedError):
            return self._changed(change, alone=True)

    def take(self, slot: int) -> bool:
        """Hold a slot until it is given back or the process dies; return False if it is taken."""
        if slot in self._held:
            return False
        if self._shared:
            lock = FileLock(f"{self._path}.slot{slot}", thread_local=False)
            try:
                lock.acquire(blocking=False)
            except Timeout:
                return False
            except (OSError, NotImplementedError):
                pass
            else:
                self._held[slot] = lock
                return True
        own_slots = _own_slots.setdefault(self._path, set())
        free = slot not in own_slots
        own_slots.add(slot)
        return free

    def give_back(self, slot: int) -> None:
        if lock := self._held.pop(slot, None):
            lock.release()
        else:
            _own_slots.get(self._path, set()).discard(slot)

    def _changed(self, change: Callable[[Pace], Pace], alone: bool = False) -> Pace:
        before = _own.get(self._path, Pace()) if alone else self.read()
        after = change(before)
        if after != before and self._shared and not alone:
            fresh = self._path.with_suffix(".new")
            fresh.write_text(dumped(after), "utf-8")
            fresh.replace(self._path)
        _own[self._path] = after
        return after


_POLL = 0.02
_LEAST = 0.3
"""Minimum seconds left for a request: with less time, no service would answer."""
_ALONE = -1
"""The extra slot held by a request that must be the only one in flight."""
_WAITED_FOR = -2
"""The extra slot held while a person waits for a turn."""
_DAMAGED = 10
"""Number of damaged replies in a row before a service is paused for them, those to five questions asked twice:
unlike silence or a refusal they ask for no pause."""


class RateLimiter:
    """The rate limiter of one service. `path` is the file in which all processes share its state.

    In the `background` nobody waits for a single answer: other requests go first, and the last part of a day's budget
    is left to them.
    """

    def __init__(self, source: str, rate_limit: RateLimit, path: Path, background: bool = False) -> None:
        self._source = source
        self._rate_limit = rate_limit
        self._notes = SharedNotes(path)
        self._line: list[tuple[float, int]] = []
        self._numbers = count()
        self._background = background
        self._spared: QuotaExhausted | None = None

    @asynccontextmanager
    async def acquire(self, moment: float, part: str = WHOLE) -> AsyncIterator[None]:
        """Wait for the right to send one request to `part` of the service and hold it; `moment` is the deadline on the
        loop's clock.

        Raises at once `QuotaExhausted` or `RateLimited` if the service must not be asked before the deadline, and
        `DeadlineExceeded` if the queue is longer than that.
        """
        slots = await self._begun(moment, part)
        try:
            yield
        finally:
            self._note(lambda pace, now: pace.ended(slots[-1], self._rate_limit, now, part))
            self._give_back(slots)

    def succeeded(self) -> None:
        """Record a good reply: the service works again."""
        self._note(lambda pace, now: pace.succeeded(now))

    def slowed(self, gap: float, part: str) -> None:
        """Record the gap in seconds that a reply requests for `part`; used if it exceeds the rule."""
        self._note(lambda pace, now: pace.slowed(gap, part))

    def scarce(self, until: datetime) -> None:
        """Record that the budget is nearly used until `until`: no more background requests."""
        if self._background:
            why = f"has little of its budget left until {until:%Y-%m-%d %H:%M} UTC, which is kept for searches"
            self._spared = QuotaExhausted(self._source, f"{why}; try again after that.", until)

    def failed(self, error: SourceError, resumption: datetime | None = None, part: str = WHOLE) -> None:
        """Record a bad or missing reply, and stop requests if the service asks for it or keeps failing. The time in
        `error` applies to the whole service, `resumption` only to the `part` asked."""
        until = error.until or resumption
        concerned = part if resumption and not error.until else WHOLE
        failure = FailedRequest(error.sentence, isinstance(error, QuotaExhausted))
        rule = self._rate_limit
        if isinstance(error, BadResponse) and error.may_pass:
            rule = replace(rule, failures=max(rule.failures, _DAMAGED))

        def noted(pace: Pace, now: float) -> Pace:
            moment = until.timestamp() if until else None
            if isinstance(error, RateLimited) and moment is None and self._rate_limit.rate_limited_rest:
                moment = now + self._rate_limit.rate_limited_rest
            return pace.failed(failure, now, rule, moment, concerned)

        self._note(noted)

    async def _begun(self, moment: float, part: str) -> list[int]:
        """Return the held slots; the last one is that of the request that begins now."""
        while True:
            slots = await self._taken(moment, part)
            try:
                if await self._waited(slots, moment, part):
                    return slots
            except BaseException:
                self._give_back(slots)
                raise
            self._give_back(slots)

    async def _taken(self, moment: float, part: str) -> list[int]:
        """Take one of the service's slots, and before it the exclusive one if needed."""
        halfway = (moment + asyncio.get_running_loop().time()) / 2
        with self._queued(moment) as is_first, self._announced() as announce:
            while True:
                patience = moment - asyncio.get_running_loop().time()
                now = time.time()
                pace = self._notes.read().as_of(now, self._rate_limit)
                self._refuse(pace, part, now + patience)
                if patience < _LEAST:
                    raise DeadlineExceeded(self._source, "is still busy with earlier requests; try again in a moment.")
                yields = self._background and asyncio.get_running_loop().time() < halfway
                if is_first() and not (yields and self._is_waited_for()):
                    if slots := self._free(pace, now):
                        return slots
                    announce()
                await asyncio.sleep(_POLL)

    @contextmanager
    def _queued(self, moment: float) -> Iterator[Callable[[], bool]]:
        """Queue by deadline within this process; yield a function that tells whether this entry is first."""
        mine = (moment, next(self._numbers))
        insort(self._line, mine)
        try:
            yield lambda: self._line[0] == mine
        finally:
            self._line.remove(mine)

    @contextmanager
    def _announced(self) -> Iterator[Callable[[], None]]:
        """Yield a function that announces to background processes, until the end of the block, that a person waits."""
        announced = False

        def announce() -> None:
            nonlocal announced
            announced = announced or (not self._background and self._notes.take(_WAITED_FOR))

        try:
            yield announce
        finally:
            if announced:
                self._notes.give_back(_WAITED_FOR)

    def _is_waited_for(self) -> bool:
        """Whether a person waits for a turn, in any process."""
        if free := self._notes.take(_WAITED_FOR):
            self._notes.give_back(_WAITED_FOR)
        return not free

    def _free(self, pace: Pace, now: float) -> list[int]:
        """Take free slots as in `_taken`; return none while others hold what is needed."""
        alone = [] if pace.is_sure(now) else [_ALONE]
        if not alone or self._notes.take(_ALONE):
            for slot in pace.slots_by_rest(self._rate_limit):
                if self._notes.take(slot):
                    return [*alone, slot]
            self._give_back(alone)
        return []

    def _give_back(self, slots: list[int]) -> None:
        for slot in slots:
            self._notes.give_back(slot)

    async def _waited(self, slots: list[int], moment: float, part: str) -> bool:
        """Wait for a reserved time and begin; return False if the service has asked for a pause meanwhile."""
        await asyncio.sleep(self._reserved(slots[-1], moment, part))
        began = False

        def begun(pace: Pace, now: float) -> Pace:
            nonlocal began
            began = now >= pace.circuit(part).open_until and (_ALONE in slots or pace.is_sure(now))
            return pace.begun(slots[-1]) if began else pace

        self._note(begun)
        return began

    def _reserved(self, slot: int, moment: float, part: str) -> float:
        """Reserve the next start of a request from `slot`, and return the seconds until then."""
        patience = moment - asyncio.get_running_loop().time()
        wait = 0.0

        def reserved(pace: Pace, now: float) -> Pace:
            nonlocal wait
            start = pace.earliest(slot, part, self._rate_limit, now)
            wait = start - now
            if wait > patience - _LEAST:
                self._refuse(pace, part, now + patience)
                raise DeadlineExceeded(
                    self._source, f"must not be asked again for {wait:.0f} s, longer than this search waits."
                )
            return pace.reserved(start, self._rate_limit, part)

        self._note(reserved)
        return wait

    def _refuse(self, pace: Pace, part: str, end: float) -> None:
        """Raise the error with which the service would answer before `end`."""
        if self._spared and self._spared.until and time.time() < self._spared.until.timestamp():
            raise self._spared
        circuit = pace.circuit(part)
        if circuit.reason is None or not circuit.is_open(end):
            return
        until, today = datetime.fromtimestamp(circuit.open_until, UTC), datetime.now(UTC).date()
        moment = f"{until:%H:%M:%S}" if until.date() == today else f"{until:%Y-%m-%d %H:%M:%S}"
        reason = circuit.reason.sentence.removesuffix("; try again later.")  # the moment says when
        kind = QuotaExhausted if circuit.reason.quota_exhausted else RateLimited
        raise kind(self._source, f"paused until {moment} UTC; it {reason}", until)

    def _note(self, change: Callable[[Pace, float], Pace]) -> None:
        """Store the state that `change` returns for the current one at the current time."""
        now = time.time()

        def changed(pace: Pace) -> Pace:
            after = change(pace.as_of(now, self._rate_limit), now)
            return pace if after == pace else replace(after, noted=now)

        self._notes.change(changed)
