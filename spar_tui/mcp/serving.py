"""The transports of the server: standard input and output, and HTTP on this machine only."""

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
"""An ASGI application, with the types of its arguments."""


async def over_stdio(server: SparServer) -> bool:
    """Serve the one client on standard input and output until it closes them or a signal arrives; return True in the
    latter case, in which a thread still reads standard input and only the end of the process can stop it."""
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
        await server.end_calls()  # nobody reads their answers any more
    return False


async def over_http(server: SparServer, port: int, report: Callable[[str], None]) -> None:
    """Serve any number of clients on this machine until a signal arrives. `report` gets the address.

    It listens only on the loopback interface and refuses requests with another Host or Origin, so that no web page can
    reach the server through a name that it points here. Raises `Failure` if the port is taken.
    """
    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        raise Failure(
            f"port {port} of this machine cannot be used ({error.strerror}); choose another with --port."
        ) from None
    with listening:
        port = listening.getsockname()[1]
        web = web_server(server, port)
        report(f"http://{HOST}:{port}{PATH}")
        await web.serve(sockets=[listening])


def web_server(server: SparServer, port: int) -> uvicorn.Server:
    """Return the server for requests to this machine's own names at `port`."""
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
    """Sets an event in a request's scope when its client disconnects. For the older protocol, the SDK would let the
    call go on although nobody can receive its answer."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        disconnected = asyncio.Event()

        async def listening() -> Message:
            message = await receive()
            if message["type"] == "http.disconnect":
                disconnected.set()
            return message

        await self._app({**scope, GONE: disconnected} if scope["type"] == "http" else scope, listening, send)
