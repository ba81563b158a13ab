"""Calls of an MCP server that changes the library while the app is open."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from tests.reliability.company.verbs import VerbHome, doi, title
from tests.reliability.company.writes import Write, WriteLog
from tests.spar_tui.mcp.world import LineClient, line_client

FIRST, MOST = 20_000, 500
"""Number of the first paper that a call saves, and the maximum number of such papers."""
CALLS_PER_SERVER = 10
PAUSE = 0.5
"""Seconds between calls."""


def remember(home: VerbHome) -> None:
    """Add the papers that calls save to the library."""
    home.remember(range(FIRST, FIRST + MOST))


def count_failures(home: VerbHome, log: WriteLog, goes_on: Callable[[], bool]) -> tuple[int, int]:
    """Start servers and call them, one after the other, while `goes_on`. Return the numbers of all and of failed
    calls."""
    return asyncio.run(_call(home, log, goes_on))


async def _call(home: VerbHome, log: WriteLog, goes_on: Callable[[], bool]) -> tuple[int, int]:
    calls = failed = 0
    while goes_on():
        flags = ("--allow-changes", "--no-model", "--offline")
        async with line_client(home.folder, *flags, more=home.services) as client:
            for _ in range(CALLS_PER_SERVER):
                if not goes_on():
                    break
                failed += not await _is_saved(client, FIRST + calls, log)
                calls += 1
                await asyncio.sleep(PAUSE)
    return calls, failed


async def _is_saved(client: LineClient, number: int, log: WriteLog) -> bool:
    """Whether the server reports that it saved and tagged the paper `number`."""
    tag = f"mcp{number}"
    try:
        answer: dict[str, Any] = await client.call("save_papers", papers=[doi(number)], tags=[tag])
    except (TimeoutError, AssertionError, KeyError) as error:
        print(f"no answer of the MCP server: {error!r}", file=sys.stderr)
        return False
    if answer.get("isError"):
        print(f"the MCP server did not save: {answer['content']}", file=sys.stderr)
        return False
    words = str(answer["content"])
    log.acknowledged("spar mcp", words, Write("saved", title(number)), Write("tagged", title(number), tag))
    return True
