"""A wire to a stand-in service, without the waits that politeness asks for elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from connectors.errors import SourceError
from connectors.http.client import Wire
from connectors.http.limits import Policy
from connectors.http.pool import Connections
from connectors.http.rate_limiter import Gate
from connectors.http.responses import Explain, Reply, fault_of_status
from connectors.http.secret import Secret

Result = TypeVar("Result")
QUICK = Policy(gap=0.03, deadline=60.0, tries=1, failures=100)
"""Slow enough for a stand-in whose seconds are hundredths, and every failure is seen at once."""
UNHURRIED = Policy(gap=0.0, in_flight=4, deadline=60.0, tries=2)
"""The manners of a service that minds nothing, for tests of the wire itself."""


@asynccontextmanager
async def wired(
    source: str, url: str, explain: Explain, folder: Path, secrets: Sequence[Secret] = (), policy: Policy = QUICK
) -> AsyncIterator[Wire]:
    """A wire whose gate is kept in `folder`."""
    async with Connections() as connections:
        gate = Gate(source, policy, folder / f"{source}.json")
        yield Wire(source, url, policy=policy, gate=gate, connections=connections, explain=explain, secrets=secrets)


def with_wire(
    work: Callable[[Wire], Awaitable[Result]],
    url: str,
    folder: Path,
    *,
    explain: Explain | None = None,
    secrets: Sequence[Secret] = (),
    **changes: Any,
) -> Result:
    """What `work` makes of an unhurried wire to `url`; `changes` are of its policy."""

    def by_status(reply: Reply) -> SourceError | None:
        return fault_of_status("openalex", reply)

    async def run() -> Result:
        policy = replace(UNHURRIED, **changes)
        async with wired("openalex", url, explain or by_status, folder, secrets, policy) as wire:
            return await work(wire)

    return asyncio.run(run())
