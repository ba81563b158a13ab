"""The stand-in at a port of its own, in a thread of its own, while a `with` block lasts."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self

from tests.services.faults.faults import Fault, Faults
from tests.services.http.message import Reply, Request
from tests.services.http.server import Connection, Gone, Sender, Server
from tests.services.zotero.zotero import Refused, Zotero


class RunningZotero:
    """A Zotero that can be asked over HTTP; `zotero` is what it holds and how it is set.

    The body of a reply to a target that holds the text `endless` never ends.
    """

    service = "zotero"

    def __init__(self, faults: Iterable[Fault] = (), endless: str = "", **settings: Any) -> None:
        self.zotero = Zotero(**settings)
        self._endless = endless
        self.log: list[Request] = []
        self._faults = Faults("http://localhost:9")
        for fault in faults:
            self._faults.add(fault)
        self._struck: dict[int, Fault] = {}
        self._server = Server(self)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="stand-in Zotero", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._server.start(), self._loop).result(60)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._server.stop(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def environment(self) -> dict[str, str]:
        return {"SPAR_ZOTERO_URL": f"http://localhost:{self._server.port}"}

    def add_fault(self, fault: Fault) -> None:
        self._loop.call_soon_threadsafe(self._faults.add, fault)

    def call(self, work: Callable[[], None]) -> None:
        async def run() -> None:
            work()

        asyncio.run_coroutine_threadsafe(run(), self._loop).result(60)

    async def arrived(self, request: Request) -> None:
        self.log.append(request)
        if fault := self._faults.strike(request):
            self._struck[request.number] = fault

    async def answer(self, request: Request) -> Reply:
        try:
            wait = self.zotero.seconds_for_dialog(request)
            if wait:
                await asyncio.sleep(wait)
            return self.zotero.answer(request)
        except Refused:
            raise Gone from None

    def sending(self, request: Request) -> Sender:
        if self._endless and self._endless in request.target:
            return _send_without_end
        return self._faults.sender(self._struck.get(request.number))

    def finished(self, request: Request, status: int | None) -> None:
        self._struck.pop(request.number, None)


async def _send_without_end(connection: Connection, request: Request, reply: Reply) -> bool:
    await connection.send_head(200, {"Content-Type": "application/json", "Total-Results": "1"})
    await connection.send(b"[")
    while True:
        await connection.send(b" " * 65_536)
