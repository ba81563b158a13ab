"""Read a reply's body: decompressed within a limit, complete or not at all."""

import zlib

import httpx

from connectors.errors import BadResponse, SourceUnavailable, UnusableResponse


async def read_body(source: str, response: httpx.Response, cap: int) -> bytes:
    """Return the whole decompressed body. Raises `BadResponse` if it exceeds `cap` bytes or its compression is damaged,
    `SourceUnavailable` if it is cut off.

    It reads the raw bytes: a client that decompresses by itself would inflate a zip bomb before anyone counts.
    """
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise UnusableResponse(source, "sent a reply in a compression that was not requested; try again later.")
    unpacker = None if packing in ("", "identity") else zlib.decompressobj(zlib.MAX_WBITS | 32)
    parts, size = [], 0
    async for chunk in response.aiter_raw():
        try:
            part = unpacker.decompress(chunk, cap + 1 - size) if unpacker else chunk
        except zlib.error:
            raise BadResponse(source, "sent a reply with damaged compression; try again later.") from None
        size += len(part)
        if size > cap:
            raise UnusableResponse(
                source, f"sent more than {cap // 1_000_000} MB for one request, which is refused; ask for less."
            )
        parts.append(part)
    if unpacker and not unpacker.eof:
        raise SourceUnavailable(source, "broke off in the middle of its reply; try again later.")
    return b"".join(parts)
