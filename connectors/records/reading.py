"""Parse foreign text in a thread, so that the event loop stays responsive; stop soon after cancellation.

A thread cannot be stopped from outside, and a program ends only after all of its threads. So the cleaning functions
check between steps whether a caller still waits for the result.
"""

import asyncio
from collections.abc import Callable
from threading import Event
from typing import TypeVar

from connectors.records.clean import UNWANTED

Result = TypeVar("Result")


async def in_thread(read: Callable[[], Result]) -> Result:
    """Run `read` in a thread and return its result. After a cancellation its next text raises `ReadingAbandoned`."""
    unwanted = Event()
    token = UNWANTED.set(unwanted)
    try:
        return await asyncio.to_thread(read)  # which runs in a copy of this context
    except asyncio.CancelledError:
        unwanted.set()
        raise
    finally:
        UNWANTED.reset(token)
