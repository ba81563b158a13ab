"""The rows of the shelf's table: filtered and ordered. No clock and no terminal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from cache.conditions import filters, orders
from cache.conditions.filters import Filter, parsed
from cache.conditions.orders import NamedOrder
from cache.conditions.scopes import SHELF
from cache.conditions.table import CheckedPaper
from cache.shelf import ShelfRow


@dataclass(frozen=True, slots=True)
class SavedPaper:
    """A saved paper, and what filters check of it."""

    row: ShelfRow
    subject: CheckedPaper


def entries(rows: Sequence[ShelfRow], before: Sequence[SavedPaper] = ()) -> list[SavedPaper]:
    """Return an entry for each row; reuse the entry in `before` of an unchanged row."""
    by_number = {entry.row.number: entry for entry in before}
    return [
        entry if (entry := by_number.get(row.number)) and entry.row == row else SavedPaper(row, row.subject)
        for row in rows
    ]


def changed_rows(before: Sequence[SavedPaper], after: Sequence[SavedPaper]) -> set[int]:
    """Return the numbers of the new and changed rows. A first citation key is no change: any program that names a paper
    gives one."""
    rows = {entry.row.number: entry.row for entry in before}
    return {
        number
        for number, row in ((entry.row.number, entry.row) for entry in after)
        if (earlier := rows.get(number)) is None or earlier != (row if earlier.key else row._replace(key=""))
    }


def filtered(among: Sequence[SavedPaper], wanted: Filter) -> Sequence[SavedPaper]:
    """Return the entries of `among` that match `wanted`."""
    return filters.chosen(among, wanted, attrgetter("subject"))


def ordered(among: Sequence[SavedPaper], by: NamedOrder) -> list[SavedPaper]:
    """Sort `among` by an order, the last saved first among equals."""
    saved = orders.ordered(among, "saved", attrgetter("row.sortable"))
    return orders.ordered(saved, by.order.name, attrgetter("row.sortable"), by.reverse)


@dataclass(frozen=True, slots=True)
class KeptFilter:
    """A filter to choose: its `name`, its `text` for the filter line, and its number of papers; None if only the
    library can count them. A tag is indented by `level` steps; `kept` says whether the settings have the filter."""

    name: str
    text: str
    papers: int | None = None
    level: int = 0
    kept: bool = False


def kept_filters(among: Sequence[SavedPaper], kept: Mapping[str, str]) -> list[KeptFilter]:
    """Return all papers, then the person's filters, then the tags, each with its number of papers in `among`."""
    mine = [KeptFilter(name, text, _count(among, text), kept=True) for name, text in kept.items()]
    return [KeptFilter("all", "", len(among)), *mine, *_tags(among)]


def _count(among: Sequence[SavedPaper], text: str) -> int | None:
    wanted = parsed(text, SHELF)
    return None if wanted.needs_library else len(filtered(among, wanted))


def _tags(among: Sequence[SavedPaper]) -> list[KeptFilter]:
    """Return each tag and each level above it; a paper counts once per level, whatever number of its tags is below."""
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    for entry in among:
        levels = {level.casefold(): level for tag in entry.row.tags for level in _levels(tag)}
        counts.update(levels.keys())
        names = levels | names
    ordered = sorted(counts, key=lambda tag: tag.split("/"))
    return [
        KeptFilter(f"#{names[tag].rpartition('/')[2]}", _filter_of(names[tag]), counts[tag], tag.count("/"))
        for tag in ordered
    ]


def _levels(tag: str) -> list[str]:
    """Return the levels of a tag: `a`, `a/b` and `a/b/c` for `a/b/c`."""
    parts = tag.split("/")
    return ["/".join(parts[: end + 1]) for end in range(len(parts))] if all(parts) else [tag]


def _filter_of(tag: str) -> str:
    return f'tag:"{tag}"' if any(letter in tag for letter in ' |"') else f"tag:{tag}"
