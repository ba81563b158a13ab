"""A wire to a stand-in service, for tests of doors and of the wire itself."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from connectors.connections import Connections
from connectors.faults import Explain, Reply, fault_of_status
from connectors.gate import Gate
from connectors.policy import Policy
from connectors.secret import Secret
from connectors.wire import Wire

Result = TypeVar("Result")
QUICK = Policy(gap=0.0, in_flight=4, deadline=5.0, tries=2)


def plainly(source: str) -> Explain:
    """Reading faults by the status code alone."""

    def explain(reply: Reply) -> Any:
        return fault_of_status(source, reply)

    return explain


def with_wire(
    work: Callable[[Wire], Awaitable[Result]],
    url: str,
    folder: Path,
    *,
    source: str = "openalex",
    policy: Policy = QUICK,
    explain: Explain | None = None,
    secrets: tuple[Secret, ...] = (),
    **changes: Any,
) -> Result:
    """What `work` makes of a wire to `url` whose gate is kept in `folder`; `changes` are of the policy."""

    async def run() -> Result:
        async with Connections() as connections:
            manners = replace(policy, **changes)
            gate = Gate(source, manners, folder / f"{source}.json")
            return await work(
                Wire(
                    source,
                    url,
                    policy=manners,
                    gate=gate,
                    connections=connections,
                    explain=explain or plainly(source),
                    secrets=secrets,
                )
            )

    return asyncio.run(run())
