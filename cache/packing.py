"""Compressed text in a cell of the library."""

import zlib

MOST = 1 << 28
"""Bytes of a text: a cell of somebody else's library could stand for any number of them."""


def compress(text: str) -> bytes:
    """Compress a text of up to `MOST` bytes; of JSON a tenth to a third is left. Raises `ValueError`."""
    plain = text.encode()
    if len(plain) > MOST:
        raise ValueError("it is too long")
    return zlib.compress(plain)


def decompress(cell: bytes) -> str:
    """The text that `compress` made a cell of. Raises `ValueError` for anything else."""
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(cell, MOST)
    except (zlib.error, TypeError) as error:
        raise ValueError(str(error)) from None
    if not stream.eof:
        raise ValueError("it is cut off or too long")
    return plain.decode()
