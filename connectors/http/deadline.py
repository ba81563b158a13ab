"""The deadline of one question to a source, visible to all code below it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from connectors.errors import DeadlineExceeded, SourceError

HEADSTART = 0.05
"""Seconds by which inner code gives up before the outer code, because it knows better what it was waiting for."""


@dataclass(slots=True)
class _Deadline:
    """The deadline of a question, and the failure of its last request."""

    moment: float
    fault: SourceError | None = None


_deadline: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


@asynccontextmanager
async def deadline(source: str, seconds: float) -> AsyncIterator[None]:
    """End everything inside within `seconds`, or raise `DeadlineExceeded` in the name of `source`.

    Code inside can see how much time is left (`deadline_at`) and give up at once if waiting is pointless. If the source
    did answer, but with an error (`note_fault`), that error is raised instead.
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
    """Record how the last request failed, for when no time is left for a retry; None if it was answered."""
    if around := _deadline.get():
        around.fault = fault


def deadline_at(seconds: float) -> float:
    """Return the loop's time in `seconds`, or just before the outer deadline if that is sooner."""
    own = asyncio.get_running_loop().time() + seconds
    outer = _deadline.get()
    return own if outer is None else min(own, outer.moment - HEADSTART)
