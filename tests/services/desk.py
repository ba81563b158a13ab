"""One service at its port: the service's answer, the log, the faults, the latency, and the control routes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace

from tests.services.faults.faults import Fault, Faults
from tests.services.http.log import Log, as_json
from tests.services.http.message import Reply, Request, json_reply
from tests.services.http.server import Sender, Server, send_plainly
from tests.services.rules import TOLERANCE
from tests.services.service import Service

CONTROL = "/_sim/"


class Desk:
    """An application for `Server`. `reset` is what `POST /_sim/reset` does; the log and the faults are shared."""

    def __init__(self, service: Service, log: Log, faults: Faults, latency: float, reset: Callable[[], None]) -> None:
        self.service = service.name
        self._service, self._log, self._faults = service, log, faults
        self._latency, self._reset = latency, reset
        self._struck: dict[int, Fault] = {}
        self.server = Server(self)

    async def arrived(self, request: Request) -> None:
        if request.path.startswith(CONTROL):
            return
        fault = self._faults.strike(request)
        self._log.opened(replace(request, fault=fault.kind if fault else None))
        if fault:
            self._struck[request.number] = fault
        if self._service.one_connection and self._service.terms.enforced and self.server.others(request):
            await asyncio.sleep(TOLERANCE)  # a connection that was just closed may not have been noticed yet
            if self.server.others(request):
                self._service.breach(f"a second connection beside an open one ({request.target[:300]})")

    async def answer(self, request: Request) -> Reply:
        if request.path.startswith(CONTROL):
            return self._control(request)
        if self._latency:
            await asyncio.sleep(self._latency)
        return self._service.answer(request)

    def sending(self, request: Request) -> Sender:
        return self._faults.sender(self._struck.get(request.number))

    def finished(self, request: Request, status: int | None) -> None:
        self._struck.pop(request.number, None)
        self._log.closed(request, status)

    def _control(self, request: Request) -> Reply:
        match request.method, request.path.removeprefix(CONTROL):
            case "GET", "log":
                return Reply(body=as_json(self._log.requests).encode())
            case "GET", "violations":
                return json_reply(self._service.violations)
            case "POST", "faults":
                return self._replace_faults(request)
            case "POST", "reset":
                self._reset()
                return json_reply({})
            case _:
                return json_reply({"error": "GET log or violations; POST faults or reset"}, 404)

    def _replace_faults(self, request: Request) -> Reply:
        try:
            faults = [Fault(**row) for row in json.loads(request.body)]
        except (ValueError, TypeError) as reason:
            return json_reply({"error": str(reason)}, 400)
        self._faults.clear()
        for fault in faults:
            self._faults.add(fault)
        return json_reply({"faults": len(faults)})


class Canary:
    """An application nobody may ever ask: it counts who did."""

    service = "canary"

    def __init__(self) -> None:
        self.hits: list[Request] = []
        self.server = Server(self)

    async def arrived(self, request: Request) -> None:
        self.hits.append(request)

    async def answer(self, request: Request) -> Reply:
        return json_reply({"canary": True})

    def sending(self, request: Request) -> Sender:
        return send_plainly

    def finished(self, request: Request, status: int | None) -> None:
        self.hits = [replace(hit, status=status) if hit.number == request.number else hit for hit in self.hits]
