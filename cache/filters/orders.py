"""How saved papers are put in order, by names that are shown."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
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
    age = attrgetter("saved", "number")
    by_age = sorted(among, key=lambda one: age(row(one)), reverse=True)
    if order == "saved":
        return by_age
    key = _KEYS[order]
    return sorted(by_age, key=lambda one: key(row(one)), reverse=order == "found")


def author(row: Listed) -> str:
    """`One`, `One & Two`, or `One et al.`: by their family names, as far as a display name tells them."""
    return _named(tuple(row.authors[:3]), row.et_al)


@lru_cache(maxsize=20_000)  # asked for at each ordering, and at each drawing
def _named(authors: tuple[str, ...], et_al: bool) -> str:
    words = ([word for word in name.split() if not is_generation(word)] for name in authors)
    families = [name[-1] for name in words if name]
    return f"{families[0]} et al." if len(families) > 2 or (families and et_al) else " & ".join(families)


_KEYS: dict[Order, Callable[[Listed], tuple[str | int, ...]]] = {
    "year": lambda one: (-(one.year or 0),),
    "title": lambda one: (one.title.casefold(),),
    "author": lambda one: (not one.authors, author(one).casefold(), -(one.year or 0)),
    "rating": lambda one: (-one.rating,),
    "citations": lambda one: (one.citations is None, -(one.citations or 0)),
    "found": lambda one: (one.found,),
}
