"""A search that takes its time says how it gets on, and stops when nobody wants it any more: kept, and resumable."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from tests.services import Services
from tests.spar_tui.in_process import spar
from tests.spar_tui.mcp.world import (
    ACCEPTING,
    Transport,
    http_here,
    http_server,
    line_client,
    post_client,
    sdk_client,
    state_of_last_run,
    until,
)
from tests.spar_tui.running import PATIENCE, environment, forked, forked_python

QUESTION = {"question": "sparse retrieval of passages"}
ASKING: dict[str, Any] = {"name": "search_sources", "arguments": QUESTION, "_meta": {"progressToken": "p"}}


@pytest.fixture
def slow() -> Iterator[dict[str, str]]:
    """Sources that answer so late that nobody waits for them."""
    with Services(latency=60, rules=False) as services:
        yield services.environment


def interrupted(home: Path) -> bool:
    return state_of_last_run(home)[1] == "interrupted"


@pytest.mark.parametrize(("transport", "mode"), [("here", "legacy"), ("http here", "auto")])
def test_a_search_that_takes_seconds_says_what_was_found_and_who_answered(
    tmp_path: Path, transport: Transport, mode: str
) -> None:
    told: list[tuple[float, str]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message or ""))

    async def scene(more: dict[str, str]) -> None:
        async with sdk_client(transport, tmp_path, "--no-model", more=more, mode=mode) as client:
            result = await client.call_tool("search_sources", QUESTION, progress_callback=note)
            assert not result.is_error

    with Services(latency=0.4, rules=False) as services:
        asyncio.run(scene(services.environment))
    run, _ = state_of_last_run(tmp_path)
    numbers = [number for number, _ in told]
    assert numbers == sorted(set(numbers))
    assert told[0][1] == f"Started the search {run}."
    assert all(run in sentence for _, sentence in told)
    assert any("screened" in sentence and "openalex" in sentence for _, sentence in told)


@pytest.mark.parametrize(("transport", "mode"), [("here", "auto"), ("http here", "legacy"), ("http here", "auto")])
def test_a_search_that_is_cancelled_ends_at_once_and_can_be_resumed(
    tmp_path: Path, transport: Transport, mode: str, slow: dict[str, str]
) -> None:
    async def scene() -> None:
        async with sdk_client(transport, tmp_path, "--no-model", more=slow, mode=mode) as client:
            begun = asyncio.Event()

            async def note(progress: float, total: float | None, message: str | None) -> None:
                begun.set()

            search = asyncio.create_task(client.call_tool("search_sources", QUESTION, progress_callback=note))
            await asyncio.wait_for(begun.wait(), PATIENCE)
            search.cancel()
            await asyncio.wait([search])
            await until(lambda: interrupted(tmp_path))
            assert (await client.call_tool("list_past_runs", {})).structured_content["facts"]["found"] == 1

    asyncio.run(scene())
    resumed = spar(tmp_path, "search", "--resume", "last", "--offline", "--no-model", "--json")
    assert json.loads(resumed.stdout)["run"] == state_of_last_run(tmp_path)[0]
    assert state_of_last_run(tmp_path)[1] == "finished"


def test_a_client_that_closes_its_end_in_the_middle_stops_the_search_and_the_server(
    tmp_path: Path, slow: dict[str, str]
) -> None:
    async def scene() -> None:
        async with line_client(tmp_path, "--no-model", more=slow) as client:
            await client.send("tools/call", **ASKING)
            assert (await client.next())["method"] == "notifications/progress"
        assert client.process.returncode == 0

    asyncio.run(scene())
    assert interrupted(tmp_path)


def test_a_client_that_is_killed_in_the_middle_leaves_a_run_that_was_ended(
    tmp_path: Path, slow: dict[str, str]
) -> None:
    script = (
        "import subprocess, sys, time\n"
        f"server = subprocess.Popen({forked('mcp', '--no-model')!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "for line in sys.argv[1:]:\n"
        "    server.stdin.write(line.encode() + b'\\n'); server.stdin.flush()\n"
        "while b'notifications/progress' not in server.stdout.readline(): pass\n"
        "print('under way', flush=True); time.sleep(600)\n"
    )
    opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "doomed", "version": "0"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ASKING},
    ]
    client = subprocess.Popen(
        forked_python("-c", script, *map(json.dumps, lines)), env=environment(tmp_path, slow), stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert client.stdout is not None
    assert client.stdout.readline() == b"under way\n"
    os.kill(client.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    client.wait(PATIENCE)
    client.stdout.close()
    asyncio.run(until(lambda: interrupted(tmp_path)))


def test_a_client_that_reads_no_more_answers_ends_the_server_without_a_word(tmp_path: Path) -> None:
    opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "gone", "version": "0"}}
    server = subprocess.Popen(
        forked("mcp", "--no-model", "--offline"), env=environment(tmp_path), cwd=Path(__file__).parents[3],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdin
    assert server.stdout
    assert server.stderr
    say = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}
    print(json.dumps(say), file=server.stdin, flush=True)
    assert "result" in server.stdout.readline()
    server.stdout.close()
    print(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}), file=server.stdin, flush=True)
    server.stdin.close()
    assert (server.wait(PATIENCE), server.stderr.read()) == (0, "")
    server.stderr.close()


def test_a_client_over_http_that_hangs_up_in_the_middle_stops_its_search_alone(
    tmp_path: Path, slow: dict[str, str]
) -> None:
    async def scene() -> None:
        with http_here(tmp_path, "--no-model", more=slow) as url:
            async with post_client(url) as staying:
                async with post_client(url) as leaving:
                    body = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": ASKING}
                    async with leaving.web.stream("POST", url, headers=leaving.headers, json=body) as reply:
                        async for line in reply.aiter_lines():
                            if "notifications/progress" in line:
                                break
                await until(lambda: interrupted(tmp_path))
                answer = (await staying.ask("tools/call", name="list_past_runs", arguments={}))["result"]
                assert answer["structuredContent"]["facts"]["found"] == 1

    asyncio.run(scene())


def test_a_client_of_the_newer_protocol_that_hangs_up_stops_its_search(tmp_path: Path, slow: dict[str, str]) -> None:
    meta: dict[str, Any] = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "p",
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**ASKING, "_meta": meta}}
    headers = {
        **ACCEPTING,
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "search_sources",
    }

    async def scene() -> None:
        with http_here(tmp_path, "--no-model", more=slow) as url:
            async with (
                httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as web,
                web.stream("POST", url, headers=headers, json=body) as reply,
            ):
                async for line in reply.aiter_lines():
                    if "notifications/progress" in line:
                        break
            await until(lambda: interrupted(tmp_path))

    asyncio.run(scene())


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without asking it")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_ends_what_is_under_way(
    tmp_path: Path, slow: dict[str, str], how: signal.Signals
) -> None:
    async def scene() -> None:
        async with line_client(tmp_path, "--no-model", more=slow) as client:
            await client.send("tools/call", **ASKING)
            await client.next()
            client.process.send_signal(how)
            await asyncio.wait_for(client.process.wait(), PATIENCE)
            assert client.process.returncode == 0

    asyncio.run(scene())
    assert interrupted(tmp_path)


def test_a_server_over_http_that_is_told_to_stop_ends_what_is_under_way(tmp_path: Path, slow: dict[str, str]) -> None:
    async def scene() -> None:
        with ExitStack() as serving:
            url = serving.enter_context(http_server(tmp_path, "--no-model", more=slow))
            async with post_client(url) as client:
                body = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": ASKING}
                with suppress(httpx.HTTPError):  # for the server goes while it is listened to
                    async with client.web.stream("POST", url, headers=client.headers, json=body) as reply:
                        async for line in reply.aiter_lines():
                            if "notifications/progress" in line:
                                await asyncio.to_thread(serving.close)

    asyncio.run(scene())
    assert interrupted(tmp_path)
