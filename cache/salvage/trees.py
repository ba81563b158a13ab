"""The b-trees of a damaged database, read past what is damaged.

A page that does not fit where it stands (another kind, another table's columns, keys out of order) is damaged. Which
keys may be missing for it is kept as a gap, so that nothing else is ever filled in from elsewhere.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cache.salvage.pages import INNER, INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE, Cell, Page, PageFile, Value

Key = tuple[tuple[int, int | float | str | bytes], ...]
"""A key that Python orders as SQLite does: each value after the rank of its type."""
LOWEST: Key = ()
HIGHEST: Key = ((9, 0),)


class Column(NamedTuple):
    """What a field of a record may hold. `name` is "" for an expression of an index; no `types` means any."""

    name: str
    types: tuple[type, ...] = ()
    nocase: bool = False


@dataclass
class Tree:
    """A table or an index: its first page (0 where that is unknown) and the columns of its records.

    The first `keys` columns order the records; 0 stands for a table that the rowid orders."""

    name: str
    columns: tuple[Column, ...]
    keys: int
    root: int = 0
    gaps: list[tuple[Key, Key]] = field(default_factory=list)
    """Between which keys, themselves excluded, something may be missing; in ascending order after `Trees.cells`."""
    misplaced: list[Cell] = field(default_factory=list)
    """Records on its pages whose keys belong to other pages: the page above is of another state of the file."""
    misfits: list[Cell] = field(default_factory=list)
    """Records of the right length on its pages that hold what they cannot, for example text that is no UTF-8."""

    def key(self, cell: Cell) -> Key:
        """By what the record is ordered."""
        if not self.keys:
            return ((1, cell.rowid),)
        return tuple(map(ordered, cell.values[: self.keys], self.columns))

    def may_miss(self, key: Key) -> bool:
        """Whether the key lies in a gap."""
        at = bisect_left(self.gaps, (key,)) - 1
        return at >= 0 and self.gaps[at][0] < key < self.gaps[at][1]

    def fits(self, cell: Cell) -> bool:
        """Whether the record holds what this tree's records hold. No text of a library has a NUL."""
        return len(cell.values) == len(self.columns) and all(map(_suits, cell.values, self.columns))


class Trees:
    """The trees of one file; each page belongs to the first tree that reaches it."""

    def __init__(self, pages: PageFile) -> None:
        self._pages, self._reached = pages, set[int]()

    def cells(self, tree: Tree) -> Iterator[Cell]:
        """The records of `tree` in their order, as far as it can be followed; notes its gaps."""
        yield from self._below(tree.root, tree, LOWEST, HIGHEST)

    def strays(self, trees: Sequence[Tree]) -> Iterator[tuple[list[Tree], Cell]]:
        """The records of pages that no tree reaches, each with those of `trees` to which they may belong.

        A tree with a gap for them goes first. One without a gap may have lost pages too, if an older state of the page
        above them was written back; then the freelist has to be whole, or they may have been deleted. All trees must
        have been read before."""
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
        """The records of page `number` and of all below it, whose keys lie between `low` and `high`."""
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
    """A value as a part of a `Key`."""
    if value is None:
        return 0, 0
    if isinstance(value, str):
        return 2, _lowered(value) if column.nocase else value
    return (3, value) if isinstance(value, bytes) else (1, value)


def _lowered(text: str) -> str:
    """As `NOCASE` compares: the case of ASCII letters alone does not count."""
    return text.encode().lower().decode()


def _suits(value: Value, column: Column) -> bool:
    return not column.types or (isinstance(value, column.types) and not (isinstance(value, str) and "\0" in value))


def _kind_fits(page: Page, tree: Tree) -> bool:
    return page.kind in ((INNER_INDEX, LEAF_INDEX) if tree.keys else (INNER_TABLE, LEAF_TABLE))


def _stands(page: Page, cell: Cell, tree: Tree, low: Key, high: Key) -> bool:
    """Whether a cell may be where it is."""
    return (
        (page.kind == INNER_TABLE or _fits(page, cell, tree)) and _kind_fits(page, tree) and low < tree.key(cell) < high
    )


def _fits(page: Page, cell: Cell, tree: Tree) -> bool:
    return _kind_fits(page, tree) and tree.fits(cell)
