"""Apply a write-ahead log to a copy of its database, as SQLite would.

SQLite itself does so only if the first page of the database is intact. Source: https://www.sqlite.org/fileformat2.html
(4.1 WAL file format).
"""

import struct
from pathlib import Path
from typing import BinaryIO

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""Magic number of a log, and the byte order of its checksums."""
_MASK = 0xFFFFFFFF


def apply_log(database: Path, log: Path) -> None:
    """Write the finished transactions of `log` into `database`, up to the first damaged frame.

    Raises `OSError`.
    """
    with log.open("rb") as frames, database.open("r+b") as file:
        for number, at, size in _committed(frames):
            frames.seek(at)
            file.seek((number - 1) * size)
            file.write(frames.read(size))


def _committed(file: BinaryIO) -> list[tuple[int, int, int]]:
    """Return the number, the offset in the log, and the size of each page that finished transactions wrote."""
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return []
    magic, _, size, _, *salts = _HEADER.unpack(header)[:6]
    order = _MAGIC.get(magic, "<")
    sums = _checksum(header[:24], order, (0, 0))
    if sums != _HEADER.unpack(header)[6:]:
        return []
    frames: list[tuple[int, int, int]] = []
    finished = 0
    while True:
        frame, page = file.read(_FRAME.size), file.read(size)
        if len(page) < size:
            break
        number, pages, *proofs = _FRAME.unpack(frame)
        sums = _checksum(page, order, _checksum(frame[:8], order, sums))
        if proofs != [*salts, *sums]:
            break
        frames.append((number, file.tell() - size, size))
        finished = len(frames) if pages else finished
    return frames[:finished]


def _checksum(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = first + even + second & _MASK
        second = second + odd + first & _MASK
    return first, second
