"""Reading foreign text in a thread, so that the event loop goes on; the thread ends soon after nobody waits for it.

A thread cannot be ended from outside, and a program ends only when all its threads have. What cleans text calls
`check_wanted` between its steps.
"""

from collections.abc import Callable
from contextvars import ContextVar
from threading import Event
from typing import TypeVar

Result = TypeVar("Result")

_unwanted: ContextVar[Event | None] = ContextVar("unwanted", default=None)


class ReadingAbandoned(Exception):
    """Nobody waits for what is being read any more."""


async def in_thread(read: Callable[[], Result]) -> Result:
    """What `read` returns or raises, run in a thread; after a cancellation it stops at its next `check_wanted`."""
    import asyncio  # here: what only cleans text loads no event loop

    unwanted = Event()
    token = _unwanted.set(unwanted)
    try:
        return await asyncio.to_thread(read)  # which runs in a copy of this context
    except asyncio.CancelledError:
        unwanted.set()
        raise
    finally:
        _unwanted.reset(token)


def check_wanted() -> None:
    """Raise `ReadingAbandoned` in a thread whose result nobody waits for any more."""
    unwanted = _unwanted.get()
    if unwanted is not None and unwanted.is_set():
        raise ReadingAbandoned
