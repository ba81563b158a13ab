"""Faults of the wire: the true reply, sent late, slowly, in part, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tests.services.http.message import Reply, Request
from tests.services.http.server import Connection, Sender, headers_of, send_plainly


def _delay(seconds: float) -> Sender:
    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await connection.wait(seconds)
        return await send_plainly(connection, request, reply)

    return send


def _hang(seconds: float) -> Sender:
    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await connection.wait(None)
        return False

    return send


def _reset(seconds: float) -> Sender:
    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        raise connection.reset()

    return send


def _garbage(seconds: float) -> Sender:
    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await connection.send(b"\x00\x01 this is no HTTP \xff\r\n\r\n")
        return False

    return send


def _drip_head(seconds: float) -> Sender:
    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        for letter in b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Slow: " + b"z" * 200:
            await connection.send(bytes([letter]))
            await asyncio.sleep(seconds)
        return False

    return send


def _drip(seconds: float) -> Sender:
    """One byte of the body after the other, `seconds` apart."""

    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await _head(connection, reply, {"Content-Length": str(len(reply.body))})
        for letter in reply.body:
            await connection.send(bytes([letter]))
            await asyncio.sleep(seconds)
        return False

    return send


def _stall(seconds: float) -> Sender:
    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await _head(connection, reply, {"Content-Length": str(len(reply.body))})
        await connection.wait(None)
        return False

    return send


def _stall_body(seconds: float) -> Sender:
    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await _head(connection, reply, {"Content-Length": str(len(reply.body))})
        await connection.send(reply.body[: len(reply.body) // 2])
        await connection.wait(None)
        return False

    return send


def _reset_body(seconds: float) -> Sender:
    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await _head(connection, reply, {"Content-Length": str(len(reply.body))})
        await connection.send(reply.body[: len(reply.body) // 2])
        await asyncio.sleep(0.01)  # let the first half reach the client before the RST overtakes it
        raise connection.reset()

    return send


def _long_length(seconds: float) -> Sender:
    """A Content-Length beyond the body, then an orderly close."""

    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await _head(connection, reply, {"Content-Length": str(len(reply.body) + 100)})
        await connection.send(reply.body)
        return False

    return send


def _chunk_cut(seconds: float) -> Sender:
    """A chunk that promises more than comes, then an orderly close."""

    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await _head(connection, reply, {"Transfer-Encoding": "chunked"})
        half = len(reply.body) // 2
        await connection.send(f"{len(reply.body):x}\r\n".encode() + reply.body[:half])
        return False

    return send


def _no_length_cut(seconds: float) -> Sender:
    """Half a body without any length, then an orderly close: only the text itself shows that it is cut."""

    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await _head(connection, reply, {})
        await connection.send(reply.body[: len(reply.body) // 2])
        return False

    return send


def _stale(seconds: float) -> Sender:
    """A good reply that promises to keep the connection, and breaks the promise."""

    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await send_plainly(connection, request, reply)
        return False

    return send


async def _head(connection: Connection, reply: Reply, length: dict[str, str]) -> None:
    headers = {"Content-Type": reply.content_type, **reply.headers, **length, "Connection": "close"}
    await connection.send_head(reply.status, headers)


def _header_flood(seconds: float) -> Sender:
    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        headers, body = headers_of(request, reply)
        await connection.send_head(reply.status, {**headers, "X-Flood": "z" * (256 << 10), "Connection": "close"})
        await connection.send(body)
        return False

    return send


SENDINGS: dict[str, Callable[[float], Sender]] = {
    "delay": _delay,
    "hang": _hang,
    "reset": _reset,
    "garbage": _garbage,
    "drip_head": _drip_head,
    "drip": _drip,
    "stall": _stall,
    "stall_body": _stall_body,
    "reset_body": _reset_body,
    "long_length": _long_length,
    "chunk_cut": _chunk_cut,
    "no_length_cut": _no_length_cut,
    "stale": _stale,
    "header_flood": _header_flood,
}
"""Faults by name, each made from its seconds."""
