"""How soon `spar mcp` answers, what it holds, and how soon a search ends that is called off:
`python -m tests.benchmarks.serving`."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.services import Services
from tests.spar_tui.mcp.world import furnish, http_server, library, line_client, post_client, state_of_last_run

RUNS = 7
BUSY = 0.5
"""Seconds into a search after which it is called off."""
SEARCH: dict[str, Any] = {
    "name": "search",
    "arguments": {"question": "sparse retrieval"},
    "_meta": {"progressToken": "p"},
}


def told(name: str, seconds: list[float]) -> None:
    print(f"{name:<44} median {statistics.median(seconds):6.3f} s, worst {max(seconds):6.3f} s")


async def begun_and_held(home: Path) -> tuple[float, float]:
    """Seconds from the start of the process to its answer to the first request; megabytes that it held at most."""
    start = time.perf_counter()
    async with line_client(home, "--offline") as client:
        taken = time.perf_counter() - start
        await client.call("search_library")
        status = Path(f"/proc/{client.process.pid}/status").read_text()
    return taken, int(status.partition("VmHWM:")[2].split()[0]) / 1024


async def calls(home: Path) -> None:
    async with line_client(home, "--offline") as client:
        taken = []
        for _ in range(50):
            start = time.perf_counter()
            await client.call("search_library", where='"sea birds"')
            taken.append(time.perf_counter() - start)
    told("a call of filter", taken)


async def until_ended(home: Path, call_off: Callable[[], Awaitable[object]]) -> float:
    """Seconds from calling a search off until its end stands in the library."""
    assert (state := state_of_last_run(home))[1] == "running", state
    start = time.perf_counter()
    await call_off()
    while state_of_last_run(home)[1] == "running":
        await asyncio.sleep(0.005)
    return time.perf_counter() - start


async def called_off(home: Path, more: dict[str, str]) -> tuple[float, float, float]:
    """The same after a cancellation over standard input, over HTTP, and after hanging up over HTTP."""
    async with line_client(home / "lines", "--no-model", more=more) as client:
        number = await client.send("tools/call", **SEARCH)
        while (await client.next()).get("method") != "notifications/progress":
            pass
        await asyncio.sleep(BUSY)
        over_lines = await until_ended(
            home / "lines", partial(client.send, "notifications/cancelled", False, requestId=number)
        )
    return over_lines, await _over_http(home / "http", more, False), await _over_http(home / "gone", more, True)


async def _over_http(home: Path, more: dict[str, str], hanging_up: bool) -> float:
    with http_server(home, "--no-model", more=more) as url:
        async with post_client(url) as client:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": SEARCH}
            request = client.web.build_request("POST", url, headers=client.headers, json=body)
            reply = await client.web.send(request, stream=True)
            lines = reply.aiter_lines()  # as long as it is there, the connection stays
            async for line in lines:
                if "notifications/progress" in line:
                    break
            await asyncio.sleep(BUSY)
            note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
            cancel = partial(client.web.post, url, headers=client.headers, json=note)
            taken = await until_ended(home, reply.aclose if hanging_up else cancel)
            await reply.aclose()
    return taken


def main() -> None:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        furnish(home)
        with library(home):  # the schema is there before anything is timed
            begun = [asyncio.run(begun_and_held(home)) for _ in range(RUNS)]
            told("start to the first answer", [taken for taken, _ in begun])
            print(f"{'memory at most, after a first call':<44} {begun[-1][1]:.0f} MB")
            asyncio.run(calls(home))
    with Services(latency=60, rules=False) as services:
        rows = []
        for _ in range(RUNS):  # each with sources that nobody has turned his back on
            with TemporaryDirectory() as folder:
                rows.append(asyncio.run(called_off(Path(folder), services.environment)))
    for name, taken in zip(
        ("cancelled over standard input", "cancelled over HTTP", "hung up over HTTP"),
        zip(*rows, strict=True),
        strict=True,
    ):
        told(f"{name}, run ended", list(taken))


if __name__ == "__main__":
    main()
