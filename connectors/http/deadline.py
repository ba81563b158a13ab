"""The time that one question to a source may take, known to everything below it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from connectors.errors import DeadlineExceeded, SourceError

HEADSTART = 0.05
"""Seconds by which what is inside gives up before what is around it: it knows better what it was waiting for."""


@dataclass(slots=True)
class _Deadline:
    """When a question has to have ended, and how the last request for it failed."""

    moment: float
    fault: SourceError | None = None


_deadline: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


@asynccontextmanager
async def deadline(source: str, seconds: float) -> AsyncIterator[None]:
    """Everything inside ends within `seconds`, or `DeadlineExceeded` is raised in the name of `source`.

    Waits inside can see how much is left (`deadline_at`) and give up at once where waiting would be in vain. A source
    that did answer, if only with a fault, is not said to be silent: the fault (`note_fault`) is raised in its place.
    """
    around = _Deadline(deadline_at(seconds))
    token = _deadline.set(around)
    try:
        async with asyncio.timeout_at(around.moment):
            yield
    except TimeoutError:
        raise around.fault or DeadlineExceeded(source, f"did not answer within {seconds:g} s.") from None
    finally:
        _deadline.reset(token)


def note_fault(fault: SourceError | None) -> None:
    """Remember how the last request failed, for when no time is left to ask again; None: it was answered."""
    if around := _deadline.get():
        around.fault = fault


def deadline_at(seconds: float) -> float:
    """The loop's time in `seconds`, or just before the deadline around this call when that is sooner."""
    own = asyncio.get_running_loop().time() + seconds
    outer = _deadline.get()
    return own if outer is None else min(own, outer.moment - HEADSTART)
