"""The rows of the shelf that another process has changed."""

from cache.shelf import ShelfRow
from spar_tui.tui.screens.shelf import changed_rows, entries

ROW = ShelfRow(1, "Of lakes", ("Anna Lake",), 1999, "J. Lakes", "2026-01-01", False, 0, (), False)


def test_new_and_changed_rows_are_marked_but_not_those_that_got_their_first_key() -> None:
    before = entries([ROW, ROW._replace(number=2, key="lake1999")])
    after = [ROW._replace(key="lake1999a"), ROW._replace(number=2, key="lakes"), ROW._replace(number=3)]
    assert changed_rows(before, entries(after)) == {2, 3}
    assert changed_rows(before, entries([ROW._replace(key="lake1999a", tags=("north",))])) == {1}
    assert changed_rows(before, before) == set()
