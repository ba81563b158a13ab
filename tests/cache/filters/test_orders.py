"""How saved papers are put in order."""

import pytest

from cache.filters.orders import ORDERS, TITLES, author, ordered
from cache.shelf import ShelfRow


def row(number: int, title: str, year: int | None, author: str, **more: object) -> ShelfRow:
    return ShelfRow(number, title, (author,) if author else (), year, "", f"2026-0{number}", False,
                    **{"rating": 0, "tags": (), "noted": False, **more})  # type: ignore[arg-type]  # fmt: skip


ROWS = [
    row(1, "b", 2020, "Ada Zebra", citations=3, found="2026-05", rating=-1),
    row(2, "C", None, "", citations=None, found="2026-01"),
    row(3, "a", 2021, "Bo Adams", citations=0, found="2026-03", rating=1),
]


@pytest.mark.parametrize(
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
    assert [one.number for one in ordered(ROWS, order, lambda one: one)] == numbers  # type: ignore[arg-type]
    assert set(TITLES) == set(ORDERS)


@pytest.mark.parametrize(
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
    assert author(listed) == shown
