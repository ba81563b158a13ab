"""Read the b-trees of a damaged database, and continue after damaged pages.

A page that does not fit its position (wrong kind, columns of another table, keys out of order) counts as damaged. The
range of keys that may be missing because of it is recorded as a gap, so that nothing outside gaps is ever restored from
elsewhere.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cache.salvage.pages import INNER, INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE, Cell, Page, PageFile, Value

Key = tuple[tuple[int, int | float | str | bytes], ...]
"""A key that Python orders as SQLite does: each value follows the rank of its type."""
LOWEST: Key = ()
HIGHEST: Key = ((9, 0),)


class Column(NamedTuple):
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
    columns: tuple[Column, ...]
    keys: int
    root: int = 0
    gaps: list[tuple[Key, Key]] = field(default_factory=list)
    """Ranges of keys, ends excluded, in which rows may be missing; in ascending order after `Trees.cells`."""
    misplaced: list[Cell] = field(default_factory=list)
    """Records whose keys belong on other pages, because the parent page is from another state of the file."""
    misfits: list[Cell] = field(default_factory=list)
    """Records of the right length with invalid values, for example text that is not UTF-8."""

    def key(self, cell: Cell) -> Key:
        """Return the key that orders the record."""
        if not self.keys:
            return ((1, cell.rowid),)
        return tuple(map(ordered, cell.values[: self.keys], self.columns))

    def may_miss(self, key: Key) -> bool:
        """Whether the key lies in a gap."""
        at = bisect_left(self.gaps, (key,)) - 1
        return at >= 0 and self.gaps[at][0] < key < self.gaps[at][1]

    def fits(self, cell: Cell) -> bool:
        """Whether the record holds valid values for this tree. No text of a library contains NUL."""
        return len(cell.values) == len(self.columns) and all(map(_suits, cell.values, self.columns))


class Trees:
    """The trees of one file. Each page belongs to the first tree that reaches it."""

    def __init__(self, pages: PageFile) -> None:
        self._pages, self._reached = pages, set[int]()

    def cells(self, tree: Tree) -> Iterator[Cell]:
        """Yield the records of `tree` in order, as far as it can be followed, and record its gaps."""
        yield from self._below(tree.root, tree, LOWEST, HIGHEST)

    def strays(self, trees: Sequence[Tree]) -> Iterator[tuple[list[Tree], Cell]]:
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

    def _below(self, number: int, tree: Tree, low: Key, high: Key) -> Iterator[Cell]:
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


def ordered(value: Value, column: Column) -> tuple[int, int | float | str | bytes]:
    """Convert a value to a part of a `Key`."""
    if value is None:
        return 0, 0
    if isinstance(value, str):
        return 2, _lowered(value) if column.nocase else value
    return (3, value) if isinstance(value, bytes) else (1, value)


def _lowered(text: str) -> str:
    """Normalize like SQLite's `NOCASE`, which ignores the case of ASCII letters only."""
    return text.encode().lower().decode()


def _suits(value: Value, column: Column) -> bool:
    return not column.types or (isinstance(value, column.types) and not (isinstance(value, str) and "\0" in value))


def _kind_fits(page: Page, tree: Tree) -> bool:
    return page.kind in ((INNER_INDEX, LEAF_INDEX) if tree.keys else (INNER_TABLE, LEAF_TABLE))


def _stands(page: Page, cell: Cell, tree: Tree, low: Key, high: Key) -> bool:
    """Whether a cell fits its position."""
    return (
        (page.kind == INNER_TABLE or _fits(page, cell, tree)) and _kind_fits(page, tree) and low < tree.key(cell) < high
    )


def _fits(page: Page, cell: Cell, tree: Tree) -> bool:
    return _kind_fits(page, tree) and tree.fits(cell)
