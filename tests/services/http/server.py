"""A raw HTTP/1.1 server on loopback.

It is written on bare streams because a polite framework cannot reset in mid-body, lie about a length or cut a chunk.
It knows nothing of any service: `Application` answers, and may pick a fault that spoils the sending.
"""

from __future__ import annotations

import asyncio
import itertools
import time
import zlib
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Protocol

from tests.services.http.message import Reply, Request

MAXIMUM_BODY = 16 << 20
_numbers = itertools.count(1)


class Gone(Exception):
    """The connection must be dropped at once, without another byte."""


class Application(Protocol):
    """What a server needs to know about the service it carries."""

    service: str

    async def arrived(self, request: Request) -> None: ...

    async def answer(self, request: Request) -> Reply: ...

    def sending(self, request: Request) -> Sender: ...

    def finished(self, request: Request, status: int | None) -> None: ...


class Connection:
    """One client connection: an identity, the two streams, and the status line sent last."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.number = next(_numbers)
        self.reader, self.writer = reader, writer
        self.status: int | None = None

    @property
    def open(self) -> bool:
        return not (self.reader.at_eof() or self.writer.is_closing())

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def send_head(self, status: int, headers: dict[str, str]) -> None:
        self.status = status
        phrase = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"
        lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        await self.send("\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n")

    async def wait(self, seconds: float | None) -> None:
        """Wait so long, or for ever. Raises Gone when the client leaves meanwhile."""
        if seconds == 0:
            return
        try:
            await asyncio.wait_for(self.reader.read(1), seconds)
        except TimeoutError:
            return
        raise Gone

    def reset(self) -> Gone:
        """Drop the connection with RST instead of FIN; raise what this returns."""
        self.writer.transport.abort()
        return Gone()


Sender = Callable[[Connection, Request, Reply], Awaitable[bool]]
"""Sends a reply; says whether the connection may be used again."""


def headers_of(request: Request, reply: Reply) -> tuple[dict[str, str], bytes]:
    """The headers to send and the body as it goes over the wire (gzip if the client takes it and it pays)."""
    body, headers = reply.body, {"Server": "stand-in", "Content-Type": reply.content_type, **reply.headers}
    if "Content-Encoding" not in headers and "gzip" in request.headers.get("accept-encoding", "") and len(body) > 512:
        body = gzipped(body)
        headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(body))
    return headers, body


def gzipped(body: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(body) + packer.flush()


async def send_plainly(connection: Connection, request: Request, reply: Reply) -> bool:
    headers, body = headers_of(request, reply)
    keep = request.headers.get("connection", "").lower() != "close"
    await connection.send_head(reply.status, {**headers, "Connection": "keep-alive" if keep else "close"})
    await connection.send(b"" if request.method == "HEAD" else body)
    return keep


class Server:
    """One port of 127.0.0.1 for one application."""

    def __init__(self, application: Application, port: int = 0) -> None:
        self.application, self.port = application, port
        self.connections: set[Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port, limit=1 << 17)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def others(self, request: Request) -> list[Connection]:
        """ConnectionPool open beside the one the request came by."""
        return [one for one in self.connections if one.number != request.connection and one.open]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        connection = Connection(reader, writer)
        self.connections.add(connection)
        try:
            while await self._exchange(connection):
                pass
        except (Gone, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the client left, or a fault wants it so
        except asyncio.CancelledError:
            writer.transport.abort()  # the server stops: not an error of this connection
        finally:
            self.connections.discard(connection)
            self._tasks.discard(task)
            writer.close()

    async def _exchange(self, connection: Connection) -> bool:
        request = await read_request(connection, self.application.service)
        if request is None:
            return False
        connection.status = None
        await self.application.arrived(request)
        try:
            reply = await self.application.answer(request)
            return await self.application.sending(request)(connection, request, reply)
        finally:
            self.application.finished(request, connection.status)


async def read_request(connection: Connection, service: str) -> Request | None:
    """The next request of the connection; None when it is closed or does not speak HTTP."""
    try:
        head = await connection.reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3:
        return None
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    if headers.get("expect", "").lower() == "100-continue":
        await connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")
    try:
        body = await _read_body(connection.reader, headers)
    except ValueError:
        return None
    path, _, query = parts[1].partition("?")
    return Request(
        time.monotonic(), service, connection.number, parts[0], path, query, headers, body, number=next(_numbers)
    )


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "chunked" not in headers.get("transfer-encoding", ""):
        return await reader.readexactly(min(int(headers.get("content-length") or 0), MAXIMUM_BODY))
    body = b""
    while size := int((await reader.readline()).split(b";")[0], 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    return body
