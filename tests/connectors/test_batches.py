from hypothesis import given
from hypothesis import strategies as st

from connectors.batches import in_batches


@given(st.lists(st.integers()), st.integers(1, 50))
def test_batches_are_full_but_for_the_last_and_hold_every_item_in_its_order(items: list[int], size: int) -> None:
    batches = in_batches(items, size)
    assert [item for batch in batches for item in batch] == items
    assert all(len(batch) == size for batch in batches[:-1])
    assert all(0 < len(batch) <= size for batch in batches)
