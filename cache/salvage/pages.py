"""Decode the pages of a SQLite file without SQLite, which stops at the first damaged one.

Source: https://www.sqlite.org/fileformat2.html (1.3 header, 1.5 freelist, 1.6 b-tree pages, 1.8 pointer maps, 2.1
records).
"""

import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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


class PageCell(NamedTuple):
    """A cell of a page: the child page of an inner page, the rowid of a table, and the record if there is one.

    Text with invalid UTF-8 is kept as bytes.
    """

    child: int
    rowid: int
    values: tuple[Value, ...]


class TreePage(NamedTuple):
    """A page of a b-tree. `right` is the rightmost child of an inner page; `whole`: every cell could be read."""

    kind: int
    cells: list[PageCell]
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

    def page(self, number: int) -> TreePage | None:
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
        return TreePage(kind, cells, right, len(cells) == count)

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

    def _cell(self, data: bytes, kind: int, at: int) -> PageCell:
        child = rowid = 0
        if kind in INNER:
            [child] = struct.unpack_from(">I", data, at)
            at += 4
        if kind == INNER_TABLE:
            return PageCell(child, _rowid(data, at)[0], ())
        length, at = _varint(data, at)
        if kind == LEAF_TABLE:
            rowid, at = _rowid(data, at)
            most = self.usable - 35
        else:
            most = (self.usable - 12) * 64 // 255 - 23
        return PageCell(child, rowid, _record(self._payload(data, at, length, most)))

    def _payload(self, data: bytes, at: int, length: int, most: int) -> bytes:
        """Return the `length` bytes of a record, at most `most` of which are on the page itself."""
        capacity, local_size = self.usable - 4, length
        if length > most:
            least = (self.usable - 12) * 32 // 255 - 23
            local_size = least + (length - least) % capacity
            local_size = least if local_size > most else local_size
        if length > self.count * capacity or at + local_size > self.usable:
            raise Broken
        parts, remaining, following = [data[at : at + local_size]], length - local_size, 0
        if remaining:
            [following] = struct.unpack_from(">I", data, at + local_size)
        while remaining > 0:
            page = self._bytes(following)
            if not page.strip(b"\0"):  # overflow pages are never all zeros
                raise Broken
            parts.append(page[4 : 4 + min(remaining, capacity)])
            remaining -= capacity
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


Key = tuple[tuple[int, int | float | str | bytes], ...]
"""A key that Python orders as SQLite does: each value follows the rank of its type."""
LOWEST: Key = ()
HIGHEST: Key = ((9, 0),)


class RecordColumn(NamedTuple):
    """The allowed values of a field of a record. `name` is "" for an expression of an index; without `types` any value
    fits."""

    name: str
    types: tuple[type, ...] = ()
    nocase: bool = False


@dataclass
class Tree:
    """A table or an index: its first page (0 if unknown) and the columns of its records.

    The first `keys` columns order the records; 0 means that the rowid does.
    """

    name: str
    columns: tuple[RecordColumn, ...]
    keys: int
    root: int = 0
    gaps: list[tuple[Key, Key]] = field(default_factory=list)
    """Ranges of keys, ends excluded, in which rows may be missing; in ascending order after `Trees.cells`."""
    misplaced: list[PageCell] = field(default_factory=list)
    """Records whose keys belong on other pages, because the parent page is from another state of the file."""
    misfits: list[PageCell] = field(default_factory=list)
    """Records of the right length with invalid values, for example text that is not UTF-8."""

    def key(self, cell: PageCell) -> Key:
        """Return the key that orders the record."""
        if not self.keys:
            return ((1, cell.rowid),)
        return tuple(map(ordered, cell.values[: self.keys], self.columns))

    def may_miss(self, key: Key) -> bool:
        """Whether the key lies in a gap."""
        at = bisect_left(self.gaps, (key,)) - 1
        return at >= 0 and self.gaps[at][0] < key < self.gaps[at][1]

    def fits(self, cell: PageCell) -> bool:
        """Whether the record holds valid values for this tree. No text of a library contains NUL."""
        return len(cell.values) == len(self.columns) and all(map(_suits, cell.values, self.columns))


class Trees:
    """The trees of one file. Each page belongs to the first tree that reaches it."""

    def __init__(self, pages: PageFile) -> None:
        self._pages, self._reached = pages, set[int]()

    def cells(self, tree: Tree) -> Iterator[PageCell]:
        """Yield the records of `tree` in order, as far as it can be followed, and record its gaps."""
        yield from self._below(tree.root, tree, LOWEST, HIGHEST)

    def strays(self, trees: Sequence[Tree]) -> Iterator[tuple[list[Tree], PageCell]]:
        """Yield the records of pages that no tree reaches, each with those of `trees` to which it may belong.

        Prefers trees with a gap for the records. A tree without a gap may have lost pages too, if an older state of
        their parent page was written back; those count only if the freelist is complete, because otherwise they may
        have been deleted. Read all trees before calling this.
        """
        free, all_free_known = self._pages.free()
        for number in range(1, self._pages.count + 1):
            page = None if number in self._reached or number in free else self._pages.page(number)
            if page is None or page.kind == INNER_TABLE:
                continue
            fitting = [[cell for cell in page.cells if _fits(page, cell, tree)] for tree in trees]
            missed = [
                [cell for cell in cells if tree.may_miss(tree.key(cell))]
                for tree, cells in zip(trees, fitting, strict=True)
            ]
            most = max(map(len, missed), default=0)
            owners = [at for at, cells in enumerate(missed) if len(cells) == most > 0]
            if not most and all_free_known and page.whole and page.cells:
                owners = [at for at, cells in enumerate(fitting) if len(cells) == len(page.cells)]
            for cell in (fitting if all_free_known else missed)[owners[0]] if owners else ():
                yield [trees[owner] for owner in owners], cell

    def _below(self, number: int, tree: Tree, low: Key, high: Key) -> Iterator[PageCell]:
        """Yield the records of page `number` and of all pages below it, with keys between `low` and `high`."""
        page = None if number in self._reached else self._pages.page(number)
        cells = [cell for cell in page.cells if _stands(page, cell, tree, low, high)] if page else []
        keys = [tree.key(cell) for cell in cells]
        whole = (
            page is not None
            and page.whole
            and len(cells) == len(page.cells)
            and all(map(Key.__lt__, keys, keys[1:]))
            and (keys or number == tree.root)
        )
        if not whole:
            tree.gaps.append((low, high))
        if page is None or not (cells or whole) or (page.kind in INNER and not whole):
            return
        self._reached.add(number)
        for cell in () if page.kind == INNER_TABLE or whole else page.cells:
            if tree.fits(cell):
                tree.misplaced += [cell] if not low < tree.key(cell) < high else []
            elif len(cell.values) == len(tree.columns):
                tree.misfits.append(cell)
        if page.kind not in INNER:
            yield from cells
            return
        for cell, key in zip(cells, keys, strict=True):
            # The page below a table's cell ends with the cell's own rowid, that below an index's before its record.
            yield from self._below(cell.child, tree, low, key if tree.keys else ((1, cell.rowid + 1),))
            if tree.keys:
                yield cell
            low = key
        yield from self._below(page.right, tree, low, high)


def ordered(value: Value, column: RecordColumn) -> tuple[int, int | float | str | bytes]:
    """Convert a value to a part of a `Key`."""
    if value is None:
        return 0, 0
    if isinstance(value, str):
        return 2, _lowered(value) if column.nocase else value
    return (3, value) if isinstance(value, bytes) else (1, value)


def _lowered(text: str) -> str:
    """Normalize like SQLite's `NOCASE`, which ignores the case of ASCII letters only."""
    return text.encode().lower().decode()


def _suits(value: Value, column: RecordColumn) -> bool:
    return not column.types or (isinstance(value, column.types) and not (isinstance(value, str) and "\0" in value))


def _kind_fits(page: TreePage, tree: Tree) -> bool:
    return page.kind in ((INNER_INDEX, LEAF_INDEX) if tree.keys else (INNER_TABLE, LEAF_TABLE))


def _stands(page: TreePage, cell: PageCell, tree: Tree, low: Key, high: Key) -> bool:
    """Whether a cell fits its position."""
    return (
        (page.kind == INNER_TABLE or _fits(page, cell, tree)) and _kind_fits(page, tree) and low < tree.key(cell) < high
    )


def _fits(page: TreePage, cell: PageCell, tree: Tree) -> bool:
    return _kind_fits(page, tree) and tree.fits(cell)
