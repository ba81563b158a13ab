"""Decode the pages of a SQLite file without SQLite, which stops at the first damaged one.

Source: https://www.sqlite.org/fileformat2.html (1.3 header, 1.5 freelist, 1.6 b-tree pages, 1.8 pointer maps, 2.1
records).
"""

import struct
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

Value = int | float | str | bytes | None

MAGIC = b"SQLite format 3\x00"
HEADER = 100
PAGE_SIZE = 4096
"""Page size in bytes if the header is damaged: SQLite's default since 2016."""
INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
INNER = (INNER_INDEX, INNER_TABLE)
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


class Broken(ValueError):
    """Bytes that SQLite would not have written."""


class Cell(NamedTuple):
    """A cell of a page: the child page of an inner page, the rowid of a table, and the record if there is one.

    Text with invalid UTF-8 is kept as bytes.
    """

    child: int
    rowid: int
    values: tuple[Value, ...]


class Page(NamedTuple):
    """A page of a b-tree. `right` is the rightmost child of an inner page; `whole`: every cell could be read."""

    kind: int
    cells: list[Cell]
    right: int
    whole: bool


class PageFile:
    """A database file, open for reading, as a context manager. `page_size` applies if the header is damaged."""

    def __init__(self, path: Path, page_size: int = PAGE_SIZE) -> None:
        self._file = path.open("rb")
        header = self._file.read(HEADER)
        self.headed = len(header) == HEADER and header.startswith(MAGIC)
        size = int.from_bytes(header[16:18], "big") if self.headed else page_size
        self.size = 65_536 if size == 1 else size
        self.usable = self.size - (header[20] if self.headed else 0)
        if self.size < 512 or self.size & (self.size - 1) or self.usable < 480:
            self.size = self.usable = page_size
        self.version = int.from_bytes(header[60:64], "big") if self.headed else 0
        """The `user_version`; 0 if it cannot be read."""
        self._first_free, self._free_count = struct.unpack_from(">2I", header, 32) if self.headed else (0, -1)
        self._mapped = self.headed and header[52:56] != bytes(4)
        self.count = path.stat().st_size // self.size

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def page(self, number: int) -> Page | None:
        """Return page `number`, counted from 1; None if it is not a page of a b-tree."""
        data = self._bytes(number)
        start = HEADER if number == 1 else 0
        if not data or self._is_map(number) or data[start] not in (*INNER, LEAF_INDEX, LEAF_TABLE):
            return None
        kind = data[start]
        count = int.from_bytes(data[start + 3 : start + 5], "big")
        pointers = start + (12 if kind in INNER else 8)
        if pointers + 2 * count > self.usable:
            return None
        cells = []
        for at in struct.unpack_from(f">{count}H", data, pointers):
            try:
                cells.append(self._cell(data, kind, at))
            except (Broken, IndexError, struct.error):
                continue
        right = int.from_bytes(data[start + 8 : start + 12], "big") if kind in INNER else 0
        return Page(kind, cells, right, len(cells) == count)

    def _is_map(self, number: int) -> bool:
        """Whether page `number` only says where other pages are referred to (1.8: pointer maps)."""
        return self._mapped and number > 1 and (number - 2) % (self.usable // 5 + 1) == 0

    def free(self) -> tuple[set[int], bool]:
        """Return the pages of the freelist, which hold deleted rows, and whether the list is complete."""
        pages: set[int] = set()
        trunk = self._first_free
        while 0 < trunk <= self.count and trunk not in pages:
            data = self._bytes(trunk)
            following, count = struct.unpack_from(">2I", data)
            if count > self.usable // 4 - 2:
                break
            leaves = struct.unpack_from(f">{count}I", data, 8)
            if not all(0 < leaf <= self.count for leaf in leaves):
                break
            pages |= {trunk, *leaves}
            trunk = following
        return pages, len(pages) == self._free_count

    def _bytes(self, number: int) -> bytes:
        """Return the bytes of a page; empty if there is none."""
        if not 0 < number <= self.count:
            return b""
        self._file.seek((number - 1) * self.size)
        return self._file.read(self.size)

    def _cell(self, data: bytes, kind: int, at: int) -> Cell:
        child = rowid = 0
        if kind in INNER:
            [child] = struct.unpack_from(">I", data, at)
            at += 4
        if kind == INNER_TABLE:
            return Cell(child, _rowid(data, at)[0], ())
        length, at = _varint(data, at)
        if kind == LEAF_TABLE:
            rowid, at = _rowid(data, at)
            most = self.usable - 35
        else:
            most = (self.usable - 12) * 64 // 255 - 23
        return Cell(child, rowid, _record(self._payload(data, at, length, most)))

    def _payload(self, data: bytes, at: int, length: int, most: int) -> bytes:
        """Return the `length` bytes of a record, at most `most` of which are on the page itself."""
        room, here = self.usable - 4, length
        if length > most:
            least = (self.usable - 12) * 32 // 255 - 23
            here = least + (length - least) % room
            here = least if here > most else here
        if length > self.count * room or at + here > self.usable:
            raise Broken
        parts, left, following = [data[at : at + here]], length - here, 0
        if left:
            [following] = struct.unpack_from(">I", data, at + here)
        while left > 0:
            page = self._bytes(following)
            if not page.strip(b"\0"):  # on a page of a record's rest are never zeros alone
                raise Broken
            parts.append(page[4 : 4 + min(left, room)])
            left -= room
            [following] = struct.unpack_from(">I", page)
        if following:
            raise Broken
        return b"".join(parts)


def _record(data: bytes) -> tuple[Value, ...]:
    header, at = _varint(data, 0)
    values: list[Value] = []
    body = header
    while at < header:
        serial, at = _varint(data, at)
        if serial in _INTEGER_BYTES:
            size = _INTEGER_BYTES[serial]
            values.append(int.from_bytes(data[body : body + size], "big", signed=True))
        elif serial >= 12:
            size = (serial - 12) // 2
            content = data[body : body + size]
            values.append(_text(content) if serial % 2 else content)
        elif serial == 7:
            size = 8
            values.append(struct.unpack_from(">d", data, body)[0])
        elif serial in (0, 8, 9):
            size = 0
            values.append(serial - 8 if serial else None)
        else:
            raise Broken
        body += size
    if at != header or body != len(data):
        raise Broken
    return tuple(values)


def _text(content: bytes) -> str | bytes:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


def _rowid(data: bytes, at: int) -> tuple[int, int]:
    number, at = _varint(data, at)
    return (number - (1 << 64) if number >> 63 else number), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a variable-length number (1 to 9 bytes, big-endian) and the offset after it."""
    number = data[at]
    if number < 0x80:
        return number, at + 1
    number &= 0x7F
    for step in range(1, 8):
        byte = data[at + step]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + step + 1
    return number << 8 | data[at + 8], at + 9
