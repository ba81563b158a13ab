"""Arrange the papers of a citation map: a column for each year, with rows chosen so that few links cross.

Sweeping alternately left to right and back, each column is sorted by the mean row of the papers linked to its papers
(the barycenter heuristic of layered drawings); the order with the fewest crossings wins. The result is deterministic.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from connectors.paper import WorkId
from connectors.records.visible import visible
from spar_tui.citation_map.known_links import CitationMap, MapPaper
from spar_tui.citation_map.phrases import map_sentences

SWEEPS = 8
MOST_COUNTED = 400
"""Maximum number of links for which crossings are counted, pair by pair; with more, the last order is used."""


@dataclass(frozen=True, slots=True)
class YearColumn:
    """The papers of a year from top to bottom; `year` is None for those without a date."""

    year: int | None
    works: tuple[WorkId, ...]


Columns = tuple[YearColumn, ...]
Orders = Sequence[Sequence[WorkId]]


def laid_out(citation_map: CitationMap) -> Columns:
    """Return the columns by year, the undated papers last; in each, linked papers come first."""
    years = sorted({paper.paper.year or 0 for paper in citation_map.papers}, key=lambda year: (year == 0, year))
    linked = {work for link in citation_map.links for work in link}
    orders = [
        [paper.work for is_linked in (True, False) for paper in citation_map.papers
         if (paper.paper.year or 0) == year and (paper.work in linked) is is_linked]
        for year in years
    ]  # fmt: skip
    best = _fewest_crossings(orders, citation_map, linked)
    return tuple(YearColumn(year or None, tuple(works)) for year, works in zip(years, best, strict=True))


def places(columns: Columns) -> dict[WorkId, tuple[int, int]]:
    """Return the column and the row of each work, from 0."""
    return _places([column.works for column in columns])


def crossings(columns: Columns, citation_map: CitationMap) -> int:
    """Return the number of pairs of links that cross when drawn as straight lines."""
    return _crossings([column.works for column in columns], citation_map)


def _fewest_crossings(orders: Orders, citation_map: CitationMap, linked: set[WorkId]) -> Orders:
    neighbors: dict[WorkId, list[WorkId]] = {work: [] for works in orders for work in works}
    for citing, cited in citation_map.links:
        neighbors[citing].append(cited)
        neighbors[cited].append(citing)
    is_countable = len(citation_map.links) <= MOST_COUNTED
    best, least = orders, _crossings(orders, citation_map) if is_countable else 0
    for sweep in range(SWEEPS if linked else 0):
        orders = _swept(orders, neighbors, linked, backwards=bool(sweep % 2))
        if not is_countable or (now := _crossings(orders, citation_map)) < least:
            best, least = orders, now if is_countable else 0
    return best


def _swept(
    orders: Orders, neighbors: dict[WorkId, list[WorkId]], linked: set[WorkId], backwards: bool
) -> list[list[WorkId]]:
    """Sort each column by the mean row of its papers' neighbors on the side from which the sweep comes."""
    now = [list(works) for works in orders]
    at = _places(now)
    for column in reversed(range(len(now))) if backwards else range(len(now)):
        rows = {}
        for row, work in enumerate(now[column]):
            positions = [at[neighbor][1] for neighbor in neighbors[work]
                         if (at[neighbor][0] > column if backwards else at[neighbor][0] < column)]  # fmt: skip
            rows[work] = (work not in linked, sum(positions) / len(positions) if positions else row, row)
        now[column].sort(key=rows.__getitem__)
        at.update({work: (column, row) for row, work in enumerate(now[column])})
    return now


def _places(orders: Orders) -> dict[WorkId, tuple[int, int]]:
    return {work: (column, row) for column, works in enumerate(orders) for row, work in enumerate(works)}


def _crossings(orders: Orders, citation_map: CitationMap) -> int:
    at = _places(orders)
    lines = [tuple(sorted((at[link.citing], at[link.cited]))) for link in citation_map.links]
    return sum(_cross(*line, *second_line) for line, second_line in combinations(lines, 2))


Point = tuple[int, int]


def _cross(start: Point, end: Point, other_start: Point, other_end: Point) -> bool:
    """Whether two line segments cross; segments that share an end do not."""

    def side(first: Point, second: Point, third: Point) -> int:
        return (second[0] - first[0]) * (third[1] - first[1]) - (second[1] - first[1]) * (third[0] - first[0])

    return (
        side(start, end, other_start) * side(start, end, other_end) < 0
        and side(other_start, other_end, start) * side(other_start, other_end, end) < 0
    )


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Picture:
    """The laid-out map of the search `run`."""

    run: str
    drawn: CitationMap
    columns: Columns

    @property
    def caption(self) -> str:
        """The title of the map, and how complete it is."""
        return " ".join([f"Who cites whom: “{visible(self.drawn.question)}”.", *map_sentences(self.drawn)])

    @property
    def in_columns(self) -> list[tuple[int | None, list[MapPaper]]]:
        """The papers of each year, from top to bottom."""
        by_work = self.drawn.by_work
        return [(column.year, [by_work[work] for work in column.works]) for column in self.columns]


def node(work: WorkId) -> str:
    """Return the id of a paper within a picture."""
    return f"w{work}"


def xml_text(text: str) -> str:
    """Return `text` without characters that XML documents cannot contain in any form."""
    return _NO_XML.sub("", visible(text))
