"""Faults on demand: which request is spoiled, and how.

A fault either changes the reply (`REPLIES`, in `spoiled_replies`) or the way it is sent (`SENDINGS`, in
`spoiled_sendings`). `KINDS` lists all.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.services.faults.replies import REPLIES
from tests.services.faults.sendings import SENDINGS
from tests.services.http.message import Reply, Request
from tests.services.http.server import Connection, Sender, send_plainly

KINDS = frozenset(REPLIES) | frozenset(SENDINGS)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    It strikes requests of `service` (any when None) whose path with query contains `path`: all of them, or only the
    `nth` such (counted from 1). `seconds` is the wait of the kinds that wait, `after` a wait before any other kind.
    `value` is the Retry-After of the refusals: a text sent as it is, "date" for a date a minute ahead, None for no
    header.
    """

    kind: str
    service: str | None = None
    path: str = ""
    nth: int | None = None
    seconds: float = 1.0
    value: str | None = None
    after: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"unknown fault {self.kind!r}; there are: {', '.join(sorted(KINDS))}")

    def fits(self, request: Request) -> bool:
        return self.service in (None, request.service) and self.path in request.target


class Faults:
    """The faults in force, and how many requests each has seen. `canary` is an address nobody may ever ask."""

    def __init__(self, canary: str) -> None:
        self._canary = canary
        self._seen: dict[Fault, int] = {}

    def add(self, fault: Fault) -> None:
        self._seen[fault] = 0

    def clear(self) -> None:
        self._seen = {}

    def strike(self, request: Request) -> Fault | None:
        """The fault this request meets, if any; counts the request."""
        struck = None
        for fault in self._seen:
            if fault.fits(request):
                self._seen[fault] += 1
                if struck is None and fault.nth in (None, self._seen[fault]):
                    struck = fault
        return struck

    def sender(self, fault: Fault | None) -> Sender:
        """How a reply struck by `fault` is sent."""
        if fault is None:
            return send_plainly
        chosen = SENDINGS.get(fault.kind)
        plain = chosen(fault.seconds) if chosen else self._changed(fault)

        async def send(connection: Connection, request: Request, reply: Reply) -> bool:
            await connection.wait(fault.after)
            return await plain(connection, request, reply)

        return send

    def _changed(self, fault: Fault) -> Sender:
        change = REPLIES[fault.kind]

        async def send(connection: Connection, request: Request, reply: Reply) -> bool:
            return await send_plainly(connection, request, change(request, reply, fault.value, self._canary))

        return send
