"""The two ways to the server: standard input and output, and HTTP on this machine alone."""

import asyncio
import signal
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from spar_tui.errors import Failure
from spar_tui.mcp.server import GONE, SparServer

HOST = "127.0.0.1"
PATH = "/mcp"
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
"""An application of ASGI, and what it is called with."""


async def over_stdio(server: SparServer) -> bool:
    """Serve the one client at standard input and output until it closes them, or a signal says to stop; then True is
    returned, and reading from standard input goes on in a thread that nothing but the process's end can stop."""
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows
            asyncio.get_running_loop().add_signal_handler(name, stop.set)
    serving, stopping = asyncio.create_task(server.run_stdio_async()), asyncio.create_task(stop.wait())
    await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
    if stop.is_set():
        await server.end_calls()
        return True
    stopping.cancel()
    try:
        serving.result()
    except* BrokenPipeError:
        await server.end_calls()  # whose answers nobody reads any more
    return False


async def over_http(server: SparServer, port: int, report: Callable[[str], None]) -> None:
    """Serve any number of clients on this machine until a signal says to stop. `report` is told the address.

    Only the loopback interface is listened at, and a request whose Host or Origin is another's is refused: no page in
    a browser can reach the server by a name that it lets point here. Raises `Failure` for a port that is taken."""
    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        raise Failure(f"port {port} of this machine cannot be used ({error.strerror}); --port takes another.") from None
    with listening:
        port = listening.getsockname()[1]
        web = web_server(server, port)
        report(f"http://{HOST}:{port}{PATH}")
        await web.serve(sockets=[listening])


def web_server(server: SparServer, port: int) -> uvicorn.Server:
    """What answers whoever asks this machine at `port` by its own name, once it serves a socket there."""
    hosts = [f"{name}:{port}" for name in (HOST, "localhost")]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )
    config = uvicorn.Config(
        TellingWhoHungUp(app), log_level="critical", access_log=False, ws="none", timeout_graceful_shutdown=1
    )
    return uvicorn.Server(config)


class TellingWhoHungUp:
    """Notes in a request's scope when its client hung up. The SDK lets a call of the older protocol go on then, though
    its answer can reach nobody any more."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        gone = asyncio.Event()

        async def listening() -> Message:
            message = await receive()
            if message["type"] == "http.disconnect":
                gone.set()
            return message

        await self._app({**scope, GONE: gone} if scope["type"] == "http" else scope, listening, send)
