"""ISBNs: both forms of a number are one, and a wrong check digit is told from a right one."""

import pytest

from connectors.isbn import isbn, isbns


@pytest.mark.parametrize(
    "written",
    ["9783161484100", "978-3-16-148410-0", "3-16-148410-X", "316148410x", "ISBN: 978 3 16 148410 0",
     "urn:isbn:316148410X", "ISBN-13: 978-3-16-148410-0", "ISBN 3-16-148410-X"],
)  # fmt: skip
def test_every_spelling_of_a_number_is_one(written: str) -> None:
    assert isbn(written) == "9783161484100"


@pytest.mark.parametrize(
    "written",
    ["", "9783161484101", "3-16-148410-0", "10.1000/978-3", "12345678", "X161484100", "978316148410", "x" * 99],
)
def test_what_has_no_right_check_digit_is_none(written: str) -> None:
    assert isbn(written) == ""


def test_a_field_can_name_several() -> None:
    told = "978-3-16-148410-0 (hbk.), 0-306-40615-2; 1234"
    assert isbns(told) == {"9783161484100", "9780306406157"}
