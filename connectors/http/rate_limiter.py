"""One rate limiter per service, shared by every `spar` process of a person on the machine.

Who wants to ask takes one of the service's places, reserves the next free moment, waits for it, and looks again
before it sends: what the service told anybody meanwhile, all keep. Within a process the place goes to the question that
has to be answered soonest, which is the one that came first: it is not overtaken by later ones, nor is its next try.
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
from connectors.http.pace import Failure, Pace, dumped, loaded

_PATIENCE = 2.0
"""Seconds to wait for who reads or writes the notes, which takes them a thousandth; one who is stopped takes longer."""
_own: dict[Path, Pace] = {}
"""What this process knows of each service."""
_own_places: dict[Path, set[int]] = {}


def why_unusable(folder: Path) -> str:
    """Why processes cannot share notes in `folder`; "" if they can. Makes it, and makes it the person's alone."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode):
            return "it is no folder"
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
    """The notes of one service, in the file `path`, and its places: the requests that may be under way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shared = not why_unusable(path.parent)
        self._lock = FileLock(f"{path}.lock", timeout=_PATIENCE, thread_local=False)
        self._held: dict[int, FileLock] = {}

    def read(self) -> Pace:
        """What is noted; nothing yet if the notes are missing or damaged, for nothing else depends on them."""
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
        """Note what `change` makes of what is noted, with nobody else in between. Raises what `change` raises."""
        try:
            with self._lock if self._shared else nullcontext():
                return self._changed(change)
        except (Timeout, OSError, NotImplementedError):
            return self._changed(change, alone=True)

    def take(self, slot: int) -> bool:
        """Hold a place until it is given back or the process dies; False if somebody holds it."""
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
        taken = _own_places.setdefault(self._path, set())
        free = slot not in taken
        taken.add(slot)
        return free

    def give_back(self, slot: int) -> None:
        if lock := self._held.pop(slot, None):
            lock.release()
        else:
            _own_places.get(self._path, set()).discard(slot)

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
"""Seconds in which nobody answers: a request that would have less is not sent, for nothing would come of it."""
_ALONE = -1
"""The place that is held besides by a request that may not be under way beside another."""
_WAITED_FOR = -2
"""The place that is held besides while a person waits for a turn."""
_DAMAGED = 10
"""Damaged replies in a row before which no service is left alone for them, those to five questions that were asked
twice: unlike silence or a refusal they ask for nothing."""


class RateLimiter:
    """The way to one service. `path` is the file in which all processes keep what they know of it together.

    In the `background` nobody waits for a single answer: others go first, and the last of a day's budget is theirs.
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
        """Wait for the right to send one request to `part` of the service and hold it; `moment` is the deadline on
        the loop's clock.

        Raises at once, without waiting, `QuotaExhausted` or `RateLimited` when the service is to be left alone beyond
        the deadline, and `DeadlineExceeded` when the queue is longer than that.
        """
        held = await self._begun(moment, part)
        try:
            yield
        finally:
            self._note(lambda pace, now: pace.ended(held[-1], self._rate_limit, now, part))
            self._give_back(held)

    def succeeded(self) -> None:
        """A good reply: the service works again."""
        self._note(lambda pace, now: pace.succeeded(now))

    def slowed(self, gap: float, part: str) -> None:
        """A reply said how many seconds it wants between two requests to `part`; kept where it exceeds the rule."""
        self._note(lambda pace, now: pace.slowed(gap, part))

    def scarce(self, until: datetime) -> None:
        """A reply said that little of the budget is left `until` then: nothing more is asked in the background."""
        if self._background:
            why = f"has little of its budget left until {until:%Y-%m-%d %H:%M} UTC, which is kept for searches"
            self._spared = QuotaExhausted(self._source, f"{why}; go on after that.", until)

    def failed(self, error: SourceError, resumption: datetime | None = None, part: str = WHOLE) -> None:
        """A bad reply or none: count it, and leave the service alone when it asks for it or keeps failing.

        What `error` itself says is of the whole service; what else was `resumption` in the reply, of the `part` asked.
        """
        until = error.until or resumption
        concerned = part if resumption and not error.until else WHOLE
        failure = Failure(error.sentence, isinstance(error, QuotaExhausted))
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
        """The places that are held, the last of which is that of a request under way from now on."""
        while True:
            held = await self._taken(moment, part)
            try:
                if await self._waited(held, moment, part):
                    return held
            except BaseException:
                self._give_back(held)
                raise
            self._give_back(held)

    async def _taken(self, moment: float, part: str) -> list[int]:
        """One of the service's places, and before it the one that none holds beside another where that is due."""
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
                    if held := self._free(pace, now):
                        return held
                    announce()
                await asyncio.sleep(_POLL)

    @contextmanager
    def _queued(self, moment: float) -> Iterator[Callable[[], bool]]:
        """A place in this process's line, by what has to be done when; gives whether it is the first one."""
        mine = (moment, next(self._numbers))
        insort(self._line, mine)
        try:
            yield lambda: self._line[0] == mine
        finally:
            self._line.remove(mine)

    @contextmanager
    def _announced(self) -> Iterator[Callable[[], None]]:
        """Gives what tells processes in the background that a person waits here, until the end of the block."""
        held = False

        def announce() -> None:
            nonlocal held
            held = held or (not self._background and self._notes.take(_WAITED_FOR))

        try:
            yield announce
        finally:
            if held:
                self._notes.give_back(_WAITED_FOR)

    def _is_waited_for(self) -> bool:
        """Whether a person waits for a turn, in any process."""
        if free := self._notes.take(_WAITED_FOR):
            self._notes.give_back(_WAITED_FOR)
        return not free

    def _free(self, pace: Pace, now: float) -> list[int]:
        """The places taken, as in `_taken`; none while others hold what is needed."""
        alone = [] if pace.is_sure(now) else [_ALONE]
        if not alone or self._notes.take(_ALONE):
            for slot in pace.places_by_rest(self._rate_limit):
                if self._notes.take(slot):
                    return [*alone, slot]
            self._give_back(alone)
        return []

    def _give_back(self, held: list[int]) -> None:
        for slot in held:
            self._notes.give_back(slot)

    async def _waited(self, held: list[int], moment: float, part: str) -> bool:
        """Wait for a moment that nobody else has and begin; False if something was said meanwhile that forbids it."""
        await asyncio.sleep(self._reserved(held[-1], moment, part))
        began = False

        def begun(pace: Pace, now: float) -> Pace:
            nonlocal began
            began = now >= pace.circuit(part).open_until and (_ALONE in held or pace.is_sure(now))
            return pace.begun(held[-1]) if began else pace

        self._note(begun)
        return began

    def _reserved(self, slot: int, moment: float, part: str) -> float:
        """The seconds to the next moment at which a request may start from `slot`, for nobody else now."""
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
        """Raises what asking before `end` would only confirm."""
        if self._spared and self._spared.until and time.time() < self._spared.until.timestamp():
            raise self._spared
        circuit = pace.circuit(part)
        if circuit.reason is None or not circuit.is_open(end):
            return
        until = datetime.fromtimestamp(circuit.open_until, UTC)
        kind = QuotaExhausted if circuit.reason.quota_exhausted else RateLimited
        raise kind(self._source, f"left alone until {until:%Y-%m-%d %H:%M:%S} UTC; it {circuit.reason.sentence}", until)

    def _note(self, change: Callable[[Pace, float], Pace]) -> None:
        """Note what `change` makes of what is noted, as of now."""
        now = time.time()

        def changed(pace: Pace) -> Pace:
            after = change(pace.as_of(now, self._rate_limit), now)
            return pace if after == pace else replace(after, noted=now)

        self._notes.change(changed)
