"""The cursor stays on its row by key, whatever comes, goes or moves around it."""

from hypothesis import given
from hypothesis import strategies as st

from spar_tui.tui.widgets.row_list import followed

KEYS = st.lists(st.integers(0, 30), unique=True)


@given(before=KEYS, after=KEYS, data=st.data())
def test_the_cursor_stays_on_its_row_or_goes_to_the_nearest_that_is_left(
    before: list[int], after: list[int], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, max(len(before) - 1, 0)))
    at = followed(before, place, after)
    below = [key for key in before[place:] if key in after]
    above = [key for key in before[:place] if key in after]
    nearest = below[0] if below else above[-1] if above else None
    assert at == (after.index(nearest) if nearest is not None else 0)


@given(rows=KEYS, data=st.data())
def test_one_change_after_the_other_leaves_the_cursor_on_a_row_that_stays(rows: list[int], data: st.DataObject) -> None:
    kept = 99
    before = [*rows, kept]
    place = len(rows)
    for _ in range(5):
        after = [*data.draw(KEYS), kept]
        data.draw(st.randoms()).shuffle(after)
        place, before = followed(before, place, after), after
        assert before[place] == kept
