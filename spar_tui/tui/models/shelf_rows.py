"""What of the shelf is shown in its table: filtered and ordered. No clock and no terminal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from cache.shelf import ShelfRow
from connectors.records.build import is_generation

Order = Literal["saved", "year", "title", "author", "rating"]
ORDERS: tuple[Order, ...] = ("saved", "year", "title", "author", "rating")


@dataclass(frozen=True, slots=True)
class Entry:
    """A saved paper and the words by which it is found, in small letters."""

    row: ShelfRow
    words: str
    tags: frozenset[str]


def entries(rows: Sequence[ShelfRow]) -> list[Entry]:
    """An entry for each row."""
    return [_entry(row) for row in rows]


_NO_TAGS: frozenset[str] = frozenset()


def _entry(row: ShelfRow) -> Entry:
    words = f"{row.title} {' '.join(row.authors)} {row.venue} {row.year or ''} {' '.join(row.tags)}"
    words = f"{words} retracted" if row.retracted else words
    return Entry(row, words.casefold(), frozenset(tag.casefold() for tag in row.tags) if row.tags else _NO_TAGS)


def filtered(among: Sequence[Entry], text: str) -> Sequence[Entry]:
    """Those of `among` that `text` asks for: every word must occur, `tag:x` be a tag or the beginning of one, and
    `unread` and `read` mean what they say."""
    for word in text.casefold().split():
        if word == "unread":
            among = [one for one in among if not one.row.read]
        elif word == "read":
            among = [one for one in among if one.row.read]
        elif word.startswith(("tag:", "#")):
            wanted = word.removeprefix("tag:").removeprefix("#")
            among = [one for one in among if any(tag.startswith(wanted) for tag in one.tags)]
        else:
            among = [one for one in among if word in one.words]
    return among


def ordered(among: Sequence[Entry], order: Order) -> list[Entry]:
    """`among` by `order`: the newest, the best first; titles and authors from A on, and who has none last."""
    by_age = sorted(among, key=lambda one: (one.row.saved, one.row.number), reverse=True)
    return by_age if order == "saved" else sorted(by_age, key=_KEYS[order])


def author(row: ShelfRow) -> str:
    """`One`, `One & Two`, or `One et al.`: by their family names, as far as a display name tells them."""
    words = ([word for word in name.split() if not is_generation(word)] for name in row.authors[:3])
    families = [name[-1] for name in words if name]
    return f"{families[0]} et al." if len(families) > 2 or (families and row.et_al) else " & ".join(families)


_KEYS: dict[Order, Callable[[Entry], tuple[str | int, ...]]] = {
    "year": lambda one: (-(one.row.year or 0),),
    "title": lambda one: (one.row.title.casefold(),),
    "author": lambda one: (not one.row.authors, author(one.row).casefold(), -(one.row.year or 0)),
    "rating": lambda one: (-one.row.rating,),
}
