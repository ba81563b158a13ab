"""The table of orders: one row for each order of papers, with its names, its SQL column and the data that it needs.

Papers without a value for an order come last, in both directions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from cache.conditions.names import folded
from cache.conditions.table import CITED, OPEN, TAGS
from connectors.paper import Paper
from connectors.records.build import is_generation

Needs = Literal["record", "library", "shelf", "words", "taste"]
"""The data that an order needs: the paper's record, the time when the library got it, the person's shelf, words to
compare papers with, or the person's taste."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order of papers. `first` names the papers at its beginning, `last` those at the beginning of the reverse
    order.

    `column` is an SQL expression, NULL for an unknown value; "" if no column can sort by this order. `others` are other
    names of the order, each with whether it means the reverse.
    """

    name: str
    first: str
    last: str
    column: str
    needs: Needs
    descending: bool = True
    others: tuple[tuple[str, bool], ...] = ()

    def title(self, reverse: bool = False) -> str:
        """Return the label below a list in this order."""
        return (self.last if reverse else self.first).removeprefix("the ")

    def sql(self, reverse: bool = False) -> str:
        """Return the expression after ORDER BY."""
        return f"({self.column}) IS NULL, {self.column} {'DESC' if self.descending is not reverse else 'ASC'}"


ROWS = (
    Order("relevance", "the most relevant first", "the least relevant first", "", "words",
          others=(("nearest", False),)),
    Order("saved", "the last saved first", "the first saved first", "s.saved", "shelf",
          others=(("last_saved", False), ("first_saved", True))),
    Order("year", "the newest first", "the oldest first", "p.date", "record",
          others=(("newest", False), ("oldest", True))),
    Order("title", "by title", "by title, from Z to A", "p.title COLLATE NOCASE", "record", descending=False),
    Order("author", "by author", "by author, from Z to A", "nullif(p.first_author, '')", "record", descending=False),
    Order("venue", "by venue", "by venue, from Z to A", "nullif(p.venue, '') COLLATE NOCASE", "record",
          descending=False),
    Order("rating", "the best rated first", "the worst rated first", "s.rating", "shelf"),
    Order("citations", "the most cited first", "the least cited first", CITED, "record",
          others=(("cited", False), ("fewest_citations", True))),
    Order("read", "the last read first", "the first read first", "s.read", "shelf"),
    Order("key", "by citation key", "by citation key, from Z to A",
          "(SELECT key FROM citation_keys k WHERE k.paper = p.id ORDER BY k.rowid LIMIT 1) COLLATE NOCASE", "shelf",
          descending=False),
    Order("tags", "by tags", "by tags, from Z to A", f"{TAGS} COLLATE NOCASE", "shelf", descending=False),
    Order("pdf", "those with a PDF first", "those with a PDF last", f"(s.pdf IS NOT NULL) + ({OPEN})", "shelf"),
    Order("found", "the newest found first", "the oldest found first", "p.first_seen", "library"),
    Order("similarity", "the nearest first", "the farthest first", "", "words"),
    Order("preference", "the best for your taste first", "the worst for your taste first", "", "taste"),
)  # fmt: skip
ORDERS: Mapping[str, Order] = {row.name: row for row in ROWS}
OF_RECORDS = tuple(row.name for row in ROWS if row.needs == "record")
OF_SHELF = tuple(row.name for row in ROWS if row.needs in ("record", "library", "shelf"))
OF_LIBRARY = ("relevance", *OF_SHELF)
_NAMES = {row.name: (row, False) for row in ROWS} | {
    name: (row, reverse) for row in ROWS for name, reverse in row.others
}


class NamedOrder(NamedTuple):
    """An order and its direction."""

    order: Order
    reverse: bool

    @property
    def words(self) -> str:
        """The papers that come first, in words."""
        return self.order.last if self.reverse else self.order.first

    @property
    def sql(self) -> str:
        """The expression after ORDER BY."""
        return self.order.sql(self.reverse)


def named(name: str, reverse: bool = False) -> NamedOrder:
    """Return the order of this name, reversed with `reverse`. Raises `KeyError`."""
    order, turned = _NAMES[name.strip().lower()]
    return NamedOrder(order, turned is not reverse)


class Sortable(NamedTuple):
    """Sort keys of a paper, each named like its order; None if unknown."""

    title: str = ""
    author: str | None = None
    year: str | None = None
    citations: int | None = None
    rating: int | None = None
    saved: tuple[str, int] | None = None
    found: str | None = None
    venue: str | None = None
    read: str | None = None
    key: str | None = None
    tags: tuple[str, ...] | None = None
    pdf: int | None = None


def sortable(paper: Paper) -> Sortable:
    """Return the sort keys in the record of a paper."""
    authors = short_names([author.name for author in paper.authors], paper.et_al)
    venue = folded(paper.venue) or None
    return Sortable(folded(paper.title), folded(authors) or None, paper.date, paper.citation_count, venue=venue)


T = TypeVar("T")


def ordered(among: Iterable[T], by: str, of: Callable[[T], Sortable], reverse: bool = False) -> list[T]:
    """Sort `among` by an order. Equal items, and those without a value, keep their sequence. Raises `KeyError`."""
    order, turned = named(by, reverse)
    keyed = [(getattr(of(item), order.name), item) for item in among]
    with_value = [pair for pair in keyed if pair[0] is not None]
    with_value.sort(key=lambda pair: pair[0], reverse=order.descending is not turned)
    return [item for _, item in with_value] + [item for key, item in keyed if key is None]


def short_names(authors: Sequence[str], et_al: bool = False) -> str:
    """Return `One`, `One & Two`, or `One et al.`, from the last words of the displayed names."""
    return _short_names(tuple(authors[:3]), et_al)


@lru_cache(maxsize=20_000)  # called for each sort and each redraw
def _short_names(authors: tuple[str, ...], et_al: bool) -> str:
    words = ([word for word in name.split() if not is_generation(word)] for name in authors)
    families = [name[-1] for name in words if name]
    return f"{families[0]} et al." if len(families) > 2 or (families and et_al) else " & ".join(families)
