"""Remembered answers of the model. A library that cannot be read or written costs the memory, never the answer."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from cache import reply_cache
from cache.errors import CacheError
from cache.reply_cache import Asked
from cache.store import Store


class ReplyCache:
    """What `store` remembers; nothing without one. With `fresh` it is only written."""

    def __init__(self, store: Store | None, fresh: bool, now: Callable[[], datetime]) -> None:
        self._store = store
        self._fresh = fresh
        self._now = now

    async def recall(self, asked: Asked) -> str | None:
        """The answer remembered for `asked`."""
        if self._store is None or self._fresh:
            return None
        try:
            return await asyncio.to_thread(reply_cache.recall, self._store, asked, self._now())
        except CacheError:
            return None

    async def keep(self, asked: Asked, answer: str) -> None:
        """Remember a good answer."""
        if self._store is not None:
            # What the sources answer goes into the same library, and says why it cannot be written.
            with suppress(CacheError):
                await asyncio.to_thread(reply_cache.keep, self._store, asked, answer, self._now())
