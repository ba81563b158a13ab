"""Reading foreign text in a thread, so that the event loop goes on; the thread ends soon after nobody waits for it.

A thread cannot be ended from outside, and a program ends only when all its threads have: what cleans text looks between
its steps whether it is still wanted.
"""

import asyncio
from collections.abc import Callable
from threading import Event
from typing import TypeVar

from connectors.records.clean import UNWANTED

Result = TypeVar("Result")


async def in_thread(read: Callable[[], Result]) -> Result:
    """What `read` returns or raises, run in a thread; after a cancellation its next text raises `ReadingAbandoned`."""
    unwanted = Event()
    token = UNWANTED.set(unwanted)
    try:
        return await asyncio.to_thread(read)  # which runs in a copy of this context
    except asyncio.CancelledError:
        unwanted.set()
        raise
    finally:
        UNWANTED.reset(token)
