"""How saved papers are put in order, by names that are shown."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol, TypeVar, get_args

from connectors.records.build import is_generation

Order = Literal["saved", "year", "title", "author", "rating", "citations", "found"]
ORDERS: tuple[Order, ...] = get_args(Order)
TITLES: dict[Order, str] = {
    "saved": "last saved first",
    "year": "by year",
    "title": "by title",
    "author": "by author",
    "rating": "best rated first",
    "citations": "by citations",
    "found": "newest found first",
}

T = TypeVar("T")


class Listed(Protocol):
    """What a saved paper is put in order by."""

    @property
    def number(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def authors(self) -> Sequence[str]: ...
    @property
    def et_al(self) -> bool: ...
    @property
    def year(self) -> int | None: ...
    @property
    def citations(self) -> int | None: ...
    @property
    def rating(self) -> int: ...
    @property
    def saved(self) -> str: ...
    @property
    def found(self) -> str: ...


def ordered(among: Iterable[T], order: Order, row: Callable[[T], Listed]) -> list[T]:
    """`among` by `order`: the newest, the best, the most cited first; titles and authors from A on. Who has none comes
    last, and of equals the last saved comes first."""
    by_age = sorted(among, key=lambda one: (row(one).saved, row(one).number), reverse=True)
    if order == "saved":
        return by_age
    key = _KEYS[order]
    return sorted(by_age, key=lambda one: key(row(one)), reverse=order == "found")


def author(row: Listed) -> str:
    """`One`, `One & Two`, or `One et al.`: by their family names, as far as a display name tells them."""
    words = ([word for word in name.split() if not is_generation(word)] for name in row.authors[:3])
    families = [name[-1] for name in words if name]
    return f"{families[0]} et al." if len(families) > 2 or (families and row.et_al) else " & ".join(families)


_KEYS: dict[Order, Callable[[Listed], tuple[str | int, ...]]] = {
    "year": lambda one: (-(one.year or 0),),
    "title": lambda one: (one.title.casefold(),),
    "author": lambda one: (not one.authors, author(one).casefold(), -(one.year or 0)),
    "rating": lambda one: (-one.rating,),
    "citations": lambda one: (one.citations is None, -(one.citations or 0)),
    "found": lambda one: (one.found,),
}
