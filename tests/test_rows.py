"""A test of many rows tries every one and names those that fail."""

import pytest

from tests.rows import each


def test_every_row_is_tried_and_each_that_fails_is_named() -> None:
    tried: list[tuple[int, int]] = []

    @each(("one", "other"), [(1, 1), (1, 2), pytest.param(3, 3), (4, 5)], ids=["a", "b", "c", "d"])
    def test(one: int, other: int) -> None:
        tried.append((one, other))
        assert one == other

    with pytest.raises(ExceptionGroup, match="2 of 4 rows failed") as failed:
        test()
    assert tried == [(1, 1), (1, 2), (3, 3), (4, 5)]
    assert [error.__notes__ for error in failed.value.exceptions] == [["in row b"], ["in row d"]]


def test_one_row_that_fails_is_raised_itself_and_rows_are_crossed_where_there_are_two_lists() -> None:
    tried: list[str] = []

    @each("letter", "ab")
    @each("number", [1, 2])
    def test(letter: str, number: int) -> None:
        tried.append(f"{letter}{number}")
        if tried[-1] == "b1":
            raise ValueError(letter)

    with pytest.raises(ValueError, match="b") as failed:
        test()
    assert tried == ["a1", "a2", "b1", "b2"]
    assert failed.value.__notes__ == ["in row 1", "in row 'b'"]
