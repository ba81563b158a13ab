"""`spar mcp` over a library of a few papers, and two clients that do not share a line: the SDK's, and a small one that
writes JSON-RPC by hand.

A process of its own takes two seconds to begin, so what is not said of the process is served in this one: the SDK's
client asks the same server directly, or both ask it over HTTP."""

import asyncio
import json
import os
import re
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal

import httpx

from agents.tools import shelf_actions
from cache import papers, runs
from cache.store import Store
from connectors.paper import Paper
from spar_tui.settings import load_settings
from spar_tui.workspace import open_workspace
from tests.agents.scripted import paper
from tests.spar_tui.running import PATIENCE, environment, forked

if TYPE_CHECKING:
    import uvicorn

    from spar_tui.mcp.server import SparServer

ROOT = Path(__file__).parents[3]
FAULTS = ROOT.parent / "shared" / "faults" / "bad-inputs.json"
BIRDS = [
    paper(
        f"Migration of sea birds, part {number}",
        f"doi:10.1000/b{number}",
        venue="Journal of Birds",
        abstract=f"We follow sea birds over harbours with means {number}.",
        date=str(2015 + number),
        citation_count=10 * number,
    )
    for number in range(1, 6)
]
ACCEPTING = {"accept": "application/json, text/event-stream"}
OPENING: dict[str, Any] = {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "by-hand", "version": "0"},
}  # fmt: skip
Transport = Literal["stdio", "http", "here", "http here"]
"""How a client reaches the server, and whether it runs in this process."""


def furnish(home: Path, found: Sequence[Paper] = tuple(BIRDS), saved: int = 2) -> None:
    """A library with papers in the home, the first of them on the shelf."""
    with library(home) as store:
        papers.remember(store, found)
        shelf_actions.save(store, found[:saved], ["birds"])


@contextmanager
def library(home: Path) -> Iterator[Store]:
    with Store.open(load_settings({"SPAR_HOME": str(home / "spar")}).places.database) as store:
        yield store


def kept_state(home: Path) -> str:
    """All that the person keeps, as one text: what no program may change that only reads."""
    tables = ("shelf", "tags", "acts", "profile", "profile_papers", "set_aside", "originals", "watches")
    with library(home) as store, store.reading() as db:
        return "\n".join(f"{name}: {list(map(tuple, db.execute(f'SELECT * FROM {name}')))}" for name in tables)


def state_of_last_run(home: Path) -> tuple[str, str]:
    """Id and state of the run that was begun last."""
    with library(home) as store:
        last = runs.recent(store, 1)[0]
    return last.id, last.state


@asynccontextmanager
async def server_here(home: Path, *flags: str, more: Mapping[str, str] | None = None) -> "AsyncIterator[SparServer]":
    """What `spar mcp` with such flags serves."""
    from spar_tui.mcp.server import SparServer

    settings = load_settings(environment(home, more))
    offline, model = "--offline" in flags, "--no-model" not in flags
    async with open_workspace(settings, settings.preferences.sources, offline, model) as workspace:
        yield SparServer(workspace.store, workspace.resources, "--allow-changes" in flags)


@contextmanager
def http_here(home: Path, *flags: str, more: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address of what `spar mcp --http` serves, in a thread of this process, while the block lasts."""
    from spar_tui.mcp.serving import HOST, PATH, web_server

    begun: list[uvicorn.Server] = []

    async def serve() -> None:
        async with server_here(home, *flags, more=more) as server:
            begun.append(web_server(server, port))
            await begun[0].serve(sockets=[listening])

    with socket.create_server((HOST, 0)) as listening:
        port = listening.getsockname()[1]
        thread = Thread(target=asyncio.run, args=(serve(),))
        thread.start()
        while not begun and thread.is_alive():
            time.sleep(0.01)
        try:
            yield f"http://{HOST}:{port}{PATH}"
        finally:
            begun[0].should_exit = True
            thread.join(PATIENCE)


@contextmanager
def http_server(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address of `spar mcp --http` while the block lasts."""
    process = subprocess.Popen(
        forked("mcp", "--http", "--port", "0", *arguments), env=environment(home, more), cwd=ROOT,
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:[0-9]+/mcp", line)
        assert found, line
        yield found[0]
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stderr.close()


@asynccontextmanager
async def sdk_client(
    transport: Transport, home: Path, *arguments: str, more: Mapping[str, str] | None = None, mode: str = "auto"
) -> AsyncIterator[Any]:
    """The SDK's own client, connected."""
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    if transport == "here":
        async with server_here(home, *arguments, more=more) as served, Client(served, mode=mode) as client:
            yield client
        return
    if transport != "stdio":
        serving = http_server if transport == "http" else http_here
        with serving(home, *arguments, more=more) as url:
            async with Client(url, mode=mode) as client:
                yield client
        return
    program, *rest = forked("mcp", *arguments)
    server = StdioServerParameters(command=program, args=rest, env=environment(home, more), cwd=ROOT)
    with open(os.devnull, "w") as nowhere:
        async with Client(stdio_client(server, errlog=nowhere), mode=mode) as client:
            yield client


@dataclass
class LineClient:
    """JSON-RPC, a line each, to a process's standard input, and whatever comes back."""

    process: asyncio.subprocess.Process
    told: list[dict[str, Any]] = field(default_factory=list)
    number: int = 0

    async def send(self, method: str, asking: bool = True, **params: Any) -> int:
        self.number += asking
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": self.number} if asking else {})
        await self.raw(json.dumps(message))
        return self.number

    async def raw(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        await self.process.stdin.drain()

    async def next(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)
        assert line, "the server has gone"
        message: dict[str, Any] = json.loads(line)
        return message

    async def reply(self, number: int) -> dict[str, Any]:
        """The reply to a request; what comes before it is kept in `told`."""
        while (message := await self.next()).get("id") != number:
            self.told.append(message)
        return message

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        return await self.reply(await self.send(method, **params))

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        reply = await self.ask("tools/call", name=tool, arguments=arguments)
        result: dict[str, Any] = reply["result"]
        return result


@asynccontextmanager
async def line_client(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> AsyncIterator[LineClient]:
    """A client by hand at the server's standard input and output, after the handshake."""
    process = await asyncio.create_subprocess_exec(
        *forked("mcp", *arguments), env=environment(home, more), cwd=ROOT, limit=2**24,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    client = LineClient(process)
    try:
        await client.ask("initialize", **OPENING)
        await client.send("notifications/initialized", asking=False)
        yield client
    finally:
        if process.returncode is None:
            assert process.stdin is not None
            process.stdin.close()
            await asyncio.wait_for(process.wait(), PATIENCE)


class PostClient:
    """JSON-RPC by hand over HTTP: one POST for each request."""

    def __init__(self, url: str, web: httpx.AsyncClient) -> None:
        self.url, self.web = url, web
        self.headers = dict(ACCEPTING)

    async def open(self) -> None:
        opened = await self.post("initialize", 0, OPENING)
        self.headers["mcp-session-id"] = opened.headers["mcp-session-id"]
        self.headers["mcp-protocol-version"] = OPENING["protocolVersion"]
        await self.web.post(
            self.url, headers=self.headers, json={"jsonrpc": "2.0", "method": "notifications/initialized"}
        )

    async def post(self, method: str, number: int, params: Mapping[str, Any], **headers: str) -> httpx.Response:
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        return await self.web.post(self.url, headers={**self.headers, **headers}, json=message)

    async def ask(self, method: str, number: int = 1, **params: Any) -> dict[str, Any]:
        return messages(await self.post(method, number, params))[-1]

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result: dict[str, Any] = (await self.ask("tools/call", name=tool, arguments=arguments))["result"]
        return result


@asynccontextmanager
async def post_client(url: str) -> AsyncIterator[PostClient]:
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as web:
        client = PostClient(url, web)
        await client.open()
        yield client


def messages(reply: httpx.Response) -> list[dict[str, Any]]:
    """The messages of a reply, be it one object or a stream of events."""
    if reply.headers["content-type"].startswith("application/json"):
        return [reply.json()]
    lines = reply.text.split("\n")  # and nowhere else: what is told may have other ends of lines within
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


async def until(what: Any) -> None:
    """Wait until `what()` is true."""
    async with asyncio.timeout(PATIENCE):
        while not what():
            await asyncio.sleep(0.02)
