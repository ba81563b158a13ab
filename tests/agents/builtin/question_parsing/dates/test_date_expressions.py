"""Points in time as people write them, and the days that they stand for."""

import re
from datetime import date

import pytest

from agents.builtin.question_parsing.dates.date_expressions import DATE, date_range


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("the second half of 2016", date(2016, 7, 1), date(2016, 12, 31)),
        ("first half of 2020", date(2020, 1, 1), date(2020, 6, 30)),
        ("H1 2019", date(2019, 1, 1), date(2019, 6, 30)),
        ("Q1 2021", date(2021, 1, 1), date(2021, 3, 31)),
        ("the last quarter of 2022", date(2022, 10, 1), date(2022, 12, 31)),
        ("3rd quarter 2022", date(2022, 7, 1), date(2022, 9, 30)),
        ("summer 2018", date(2018, 6, 1), date(2018, 8, 31)),
        ("the fall of 2020", date(2020, 9, 1), date(2020, 11, 30)),
        ("late 2016", date(2016, 9, 1), date(2016, 12, 31)),
        ("May 2019", date(2019, 5, 1), date(2019, 5, 31)),
    ],
)
def test_a_part_of_a_year_is_its_days(said: str, first: date, last: date) -> None:
    assert re.fullmatch(DATE, said, re.IGNORECASE)
    assert date_range(said) == (first, last)


@pytest.mark.parametrize("said", ["third half of 2020", "fourth half of 2020"])
def test_a_year_has_no_more_parts_than_it_has(said: str) -> None:
    assert date_range(said) is None
