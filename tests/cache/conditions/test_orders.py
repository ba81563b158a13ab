"""Sorting of saved papers."""

import pytest

from cache.conditions.orders import OF_SHELF, ORDERS, named, ordered, short_names
from cache.conditions.orders import ROWS as TABLE
from cache.shelf import ShelfRow
from tests.rows import each


def row(number: int, title: str, year: int | None, author: str, **more: object) -> ShelfRow:
    return ShelfRow(number, title, (author,) if author else (), year, "", f"2026-0{number}", False,
                    **{"rating": 0, "tags": (), "noted": False, "date": str(year or ""), **more})  # type: ignore[arg-type]  # fmt: skip


ROWS = [
    row(1, "b", 2020, "Ada Zebra", citations=3, first_seen="2026-05", rating=-1),
    row(2, "C", None, "", citations=None, first_seen="2026-01"),
    row(3, "a", 2021, "Bo Adams", citations=0, first_seen="2026-03", rating=1),
]


@each(
    ("order", "numbers"),
    [
        ("saved", [3, 2, 1]),
        ("year", [3, 1, 2]),
        ("title", [3, 1, 2]),
        ("author", [3, 1, 2]),
        ("rating", [3, 2, 1]),
        ("citations", [1, 3, 2]),
        ("found", [1, 3, 2]),
    ],
)
def test_papers_are_ordered_and_those_of_which_it_is_not_known_come_last(order: str, numbers: list[int]) -> None:
    saved = ordered(ROWS, "saved", lambda one: one.sortable)
    assert [one.number for one in ordered(saved, order, lambda one: one.sortable)] == numbers
    assert order in OF_SHELF


@each("order", OF_SHELF)
def test_the_other_way_round_what_is_not_known_still_comes_last(order: str) -> None:
    there = ordered(ROWS, order, lambda one: one.sortable)
    back = ordered(ROWS, order, lambda one: one.sortable, reverse=True)
    known = [getattr(one.sortable, order) for one in there if getattr(one.sortable, order) is not None]
    assert [getattr(one.sortable, order) for one in back][: len(known)] == known[::-1]
    assert all(getattr(one.sortable, order) is None for one in back[len(known) :])


def test_the_names_of_before_are_still_names_of_orders() -> None:
    before = {
        "newest": ("year", False), "oldest": ("year", True), "fewest_citations": ("citations", True),
        "last_saved": ("saved", False), "first_saved": ("saved", True), "nearest": ("relevance", False),
    }  # fmt: skip
    assert {name: (named(name).order.name, named(name).reverse) for name in before} == before
    assert named("oldest", reverse=True) == named("newest")
    assert set(ORDERS) == {row.name for row in TABLE}
    with pytest.raises(KeyError):
        named("colour")


@each(
    ("authors", "et_al", "shown"),
    [
        (("Ann One",), False, "One"),
        (("Ann One",), True, "One et al."),
        (("Ann One", "Bo Two"), True, "One et al."),
        (("Ann One", "Bo Two"), False, "One & Two"),
        (("Martin Luther King Jr.",), False, "King"),
        ((), True, ""),
    ],
)
def test_authors_are_named_by_their_families_and_never_as_all_where_they_are_not(
    authors: tuple[str, ...], et_al: bool, shown: str
) -> None:
    listed = ShelfRow(1, "T", authors, 2020, "", "", False, 0, (), False, et_al=et_al)
    assert short_names(listed.authors, listed.et_al) == shown
