"""A line whose delay is never the same: each connection to a service reaches it a little, or a lot, later."""

from __future__ import annotations

import asyncio
import random
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class Jitter:
    """A relay to `url` while the `with` block lasts: what a client sends arrives up to `most` seconds later."""

    def __init__(self, url: str, most: float, seed: int = 7) -> None:
        self._host, self._port = urlsplit(url).hostname, urlsplit(url).port
        self._most, self._random = most, random.Random(seed)

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="jitter", daemon=True)
        self._thread.start()
        started = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._relay, "127.0.0.1", 0), self._loop)
        self._server = started.result(timeout=60)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(timeout=60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _stop(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self._host, self._port)
        try:
            with suppress(asyncio.CancelledError):
                await asyncio.gather(self._carry(reader, back, self._most), self._carry(there, writer, 0.0))
        finally:
            for end in (back, writer):
                end.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: float) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                await asyncio.sleep(self._random.uniform(0.0, most))
                writer.write(data)
                await writer.drain()
        with suppress(OSError, RuntimeError):
            writer.write_eof()
