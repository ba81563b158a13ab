"""What the shelf's list shows of a saved paper."""

import pytest

from cache.shelf import ShelfRow
from spar_tui.tui.models.shelf_rows import author


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
    row = ShelfRow(1, "T", authors, 2020, "", "", False, 0, (), False, et_al=et_al)
    assert author(row) == shown
