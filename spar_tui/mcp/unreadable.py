"""Answer invalid lines on standard input with errors, where the SDK sends nothing."""

import json
from types import TracebackType
from typing import Self

import mcp_types as types
from anyio import EndOfStream
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
NO_ID = "Invalid request: the id must be a string or an integer."


class AnsweringStream:
    """The valid messages of `lines`; invalid ones get an error over `replies`.

    JSON may contain an escaped lone surrogate, half of an emoji, and some clients send it; the SDK's parser refuses it.
    Such a message is read with U+FFFD in its place.
    """

    def __init__(self, lines: ReadStream[SessionMessage | Exception], replies: WriteStream[SessionMessage]) -> None:
        self._lines, self._replies = lines, replies

    async def receive(self) -> SessionMessage | Exception:
        while True:
            item = await self._lines.receive()
            if isinstance(item, Exception):
                item = SessionMessage(_read(_line_of(item)))
                if not isinstance(item.message, types.JSONRPCError):
                    return item
                await self._replies.send(item)
            elif _is_request_without_id(item.message):
                await self._replies.send(SessionMessage(_error(None, INVALID_REQUEST, NO_ID)))
            else:
                return item

    async def aclose(self) -> None:
        await self._lines.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _is_request_without_id(message: types.JSONRPCMessage) -> bool:
    """Whether the SDK took a request for a notification, because it has no id, or an object, a list or null as one.

    Every notification of MCP has a method that begins with `notifications/`."""
    return isinstance(message, types.JSONRPCNotification) and not message.method.startswith("notifications/")


def _line_of(error: Exception) -> str:
    first = error.errors()[0]["input"] if isinstance(error, ValidationError) else ""
    return first if isinstance(first, str) else json.dumps(first, default=str)


def _read(line: str) -> types.JSONRPCMessage:
    """Parse a line that the SDK could not read; return its message, or the error to answer with."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, "Parse error: this line is not JSON, or nested too deeply.")
    whole = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    try:
        return types.jsonrpc_message_adapter.validate_json(whole, by_name=False)
    except ValidationError:
        number = value.get("id") if isinstance(value, dict) else None
        number = number if isinstance(number, str | int) else None
        return _error(number, INVALID_REQUEST, "Invalid request: this is not a JSON-RPC 2.0 message.")


def _error(number: str | int | None, code: int, sentence: str) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=types.ErrorData(code=code, message=sentence))
