"""Compressed text in a cell of the library."""

import zlib

MOST = 1 << 28
"""Bytes of a text: a cell of somebody else's library could stand for any number of them."""
LONG = 1 << 16
"""Bytes from which on a text repeats itself over more than zlib looks back."""
_XZ = b"\xfd7zXZ"
_XZ_MEMORY = 1 << 26


def compress(text: str) -> bytes:
    """Compress a text of up to `MOST` bytes; of JSON a twentieth to a third is left. Raises `ValueError`."""
    plain = text.encode()
    if len(plain) > MOST:
        raise ValueError("it is too long")
    if len(plain) < LONG:
        return zlib.compress(plain)
    from lzma import compress as compress_long

    return compress_long(plain, preset=2)  # higher ones take several times as long, for a tenth


def decompress(cell: bytes) -> str:
    """The text that `compress` made a cell of. Raises `ValueError` for anything else."""
    from lzma import LZMADecompressor, LZMAError

    try:
        stream = LZMADecompressor(memlimit=_XZ_MEMORY) if cell[: len(_XZ)] == _XZ else zlib.decompressobj()
        plain = stream.decompress(cell, MOST)
    except (zlib.error, LZMAError, TypeError) as error:
        raise ValueError(str(error)) from None
    if not stream.eof:
        raise ValueError("it is cut off or too long")
    return plain.decode()
