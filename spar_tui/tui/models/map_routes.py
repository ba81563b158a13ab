"""The lines between the papers of a citation map, cell by cell, so that none crosses a paper. No terminal here.

A paper takes two lines of a row of three; the third is free for passing lines. Beside each column is a gutter. A line
from a citing paper follows its gutter to the free line below the cited paper, then that line, then goes up.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise

from connectors.paper import WorkId
from spar_tui.citation_map.known_links import CitationLink

COLUMN, GUTTER = 21, 4
"""Widths in cells: three columns fit into eighty."""
STRIDE = COLUMN + GUTTER
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_DRAWN = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""The character for each sum of the directions in which lines leave a cell."""
Cells = Mapping[tuple[int, int], str]
Places = Mapping[WorkId, tuple[int, int]]


def left_of(column: int) -> int:
    """Return where the papers of a column begin; a gutter precedes each column, and one follows the last."""
    return GUTTER + column * STRIDE


def routes(links: Iterable[CitationLink], places: Places, row: int) -> Cells:
    """Return the characters of the lines for `links` by (x, y), with `row` lines for each paper; an arrow points to the
    cited paper."""
    grid: dict[tuple[int, int], int] = defaultdict(int)
    heads: dict[tuple[int, int], str] = {}
    for link in links:
        (from_column, from_row), (to_column, to_row) = places[link.citing], places[link.cited]
        start, end = from_row * row, to_row * row
        backwards = to_column < from_column
        if to_column == from_column:
            lane = left_of(from_column) - 3
            corners = [(left_of(from_column) - 1, start), (lane, start), (lane, end), (left_of(to_column) - 1, end)]
        else:
            outside = left_of(from_column) - 1 if backwards else left_of(from_column) + COLUMN
            inside = left_of(to_column) + COLUMN if backwards else left_of(to_column) - 1
            lane, last = (outside - 1, inside + 1) if backwards else (outside + 1, inside - 1)
            if abs(to_column - from_column) == 1:
                corners = [(outside, start), (lane, start), (lane, end), (inside, end)]
            else:
                free = end + row - 1
                corners = [(outside, start), (lane, start), (lane, free), (last, free), (last, end), (inside, end)]
        for begin, finish in pairwise(corners):
            _draw(grid, begin, finish)
        heads[corners[-1]] = "◀" if backwards else "▶"
    return {at: _DRAWN[ways] for at, ways in grid.items()} | heads


def _draw(grid: dict[tuple[int, int], int], start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw a straight line from one cell to another."""
    (x, y), (to_x, to_y) = sorted((start, end))
    while (x, y) != (to_x, to_y):
        across = x < to_x
        grid[x, y] |= _RIGHT if across else _DOWN
        x, y = (x + 1, y) if across else (x, y + 1)
        grid[x, y] |= _LEFT if across else _UP
