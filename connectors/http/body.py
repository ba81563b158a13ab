"""Read a reply's body: decompressed within a limit, complete or not at all."""

import zlib
from collections.abc import AsyncIterator

import httpx

from connectors.errors import BadResponse, SourceUnavailable, UnusableResponse


async def read_body(source: str, response: httpx.Response, cap: int) -> bytes:
    """Return the whole decompressed body. Raises `BadResponse` if it exceeds `cap` bytes or its compression is damaged,
    `SourceUnavailable` if it is cut off.

    It reads the raw bytes: a client that decompresses by itself would inflate a zip bomb before anyone counts.
    """
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    raw = response.aiter_raw()
    if packing in ("", "identity"):
        body = await _plain(source, raw, cap)
    elif packing in ("gzip", "x-gzip", "deflate"):
        body = await _unpacked(source, raw, cap, zlib.MAX_WBITS | 32)
    else:
        raise UnusableResponse(source, "sent a reply in a compression that was not requested; try again later.")
    return body


async def _plain(source: str, raw: AsyncIterator[bytes], cap: int) -> bytes:
    parts, size = [], 0
    async for chunk in raw:
        size += len(chunk)
        if size > cap:
            raise _too_large(source, cap)
        parts.append(chunk)
    return b"".join(parts)


async def _unpacked(source: str, raw: AsyncIterator[bytes], cap: int, window: int) -> bytes:
    unpacker, parts, size = zlib.decompressobj(window), [], 0
    async for chunk in raw:
        try:
            part = unpacker.decompress(chunk, cap + 1 - size)
        except zlib.error:
            raise BadResponse(source, "sent a reply with damaged compression; try again later.") from None
        size += len(part)
        if size > cap:
            raise _too_large(source, cap)
        parts.append(part)
    if not unpacker.eof:
        raise SourceUnavailable(source, "broke off in the middle of its reply; try again later.")
    return b"".join(parts)


def _too_large(source: str, cap: int) -> UnusableResponse:
    return UnusableResponse(
        source, f"sent more than {cap // 1_000_000} MB for one request, which is refused; ask for less."
    )
