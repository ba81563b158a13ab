"""The time that one question to a source may take, known to everything below it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

from connectors.errors import DeadlineExceeded

HEADSTART = 0.05
"""Seconds by which what is inside gives up before what is around it: it knows better what it was waiting for."""

_moment: ContextVar[float | None] = ContextVar("deadline", default=None)


@asynccontextmanager
async def deadline(source: str, seconds: float) -> AsyncIterator[None]:
    """Everything inside ends within `seconds`, or `DeadlineExceeded` is raised in the name of `source`.

    Waits inside can see how much is left (`deadline_at`) and give up at once where waiting would be in vain.
    """
    end = deadline_at(seconds)
    token = _moment.set(end)
    try:
        async with asyncio.timeout_at(end):
            yield
    except TimeoutError:
        raise DeadlineExceeded(source, f"did not answer within {seconds:g} s.") from None
    finally:
        _moment.reset(token)


def deadline_at(seconds: float) -> float:
    """The loop's time in `seconds`, or just before the deadline around this call when that is sooner."""
    own = asyncio.get_running_loop().time() + seconds
    outer = _moment.get()
    return own if outer is None else min(own, outer - HEADSTART)
