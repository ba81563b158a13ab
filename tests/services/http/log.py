"""What was asked, in order of arrival."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable
from typing import Any

from tests.services.http.message import Request


class Log:
    """The requests of all services. `told` is called with each request that is over and done with."""

    def __init__(self, told: Callable[[Request], None] = lambda request: None) -> None:
        self._requests: dict[int, Request] = {}
        self._told = told

    def opened(self, request: Request) -> None:
        self._requests[request.number] = request

    def closed(self, request: Request, status: int | None) -> None:
        if known := self._requests.get(request.number):
            over = dataclasses.replace(known, status=status, ended=time.monotonic())
            self._requests[request.number] = over
            self._told(over)

    def clear(self) -> None:
        self._requests = {}

    @property
    def requests(self) -> list[Request]:
        return list(self._requests.values())


def as_json(requests: list[Request]) -> str:
    rows: list[dict[str, Any]] = [
        {**dataclasses.asdict(request), "body": request.body.decode("utf-8", "replace")} for request in requests
    ]
    return json.dumps(rows)
