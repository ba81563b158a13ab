"""Times in words, counted from Friday 20 November 2026."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from agents.reading.dates import dated
from agents.reading.tokens import tokens_of
from tests.rows import each

TODAY = date(2026, 11, 20)


@each(
    ("text", "since", "until"),
    [
        ("2020", "2020", "2020"),
        ("since 2020", "2020", None),
        ("after 2020", "2021", None),
        ("before 2015", None, "2014"),
        ("until 2015", None, "2015"),
        ("from 2015 to 2018", "2015", "2018"),
        ("between 2015 and 2018", "2015", "2018"),
        ("from 2015 up to and including 2018", "2015", "2018"),
        ("2015-2018", "2015", "2018"),
        ("from 2016 on", "2016", None),
        ("2016 or later", "2016", None),
        ("in the 1990s", "1990", "1999"),
        ("the nineties", "1990", "1999"),
        ("before the turn of the century", None, "1999"),
        ("this millennium", "2000", None),
        ("last century", "1900", "1999"),
        ("last night", "2026-11-19", "2026-11-19"),
        ("this morning", "2026-11-20", "2026-11-20"),
        ("last year", "2025", "2025"),
        ("this month", "2026-11", "2026-11"),
        ("last week", "2026-11-09", "2026-11-15"),
        ("yesterday", "2026-11-19", "2026-11-19"),
        ("the last five years", "2021-11-20", None),
        ("in March 2021", "2021-03", "2021-03"),
        ("in May", "2026-05", "2026-05"),
        ("since 5 March 2021", "2021-03-05", None),
        ("before May 2020", None, "2020-04"),
        ("older than 10 years", None, "2016-11-19"),
        ("2021-05-03", "2021-05-03", "2021-05-03"),
        ("the second half of 2016", "2016-07", "2016-12"),
        ("H1 2019", "2019-01", "2019-06"),
        ("Q1 2021", "2021-01", "2021-03"),
        ("the last quarter of 2022", "2022-10", "2022-12"),
        ("3rd quarter 2022", "2022-07", "2022-09"),
        ("the fall of 2020", "2020-09", "2020-11"),
        ("late 2016", "2016-09", "2016-12"),
        ("since the late 1990s", "1996", None),
        ("not before 2015", "2015", None),
        ("2015 until now", "2015", None),
        ("2003 or 2004", "2003", "2004"),
        ("in 2019, 2020 or 2021", "2019", "2021"),
    ],
)
def test_a_time_in_words(text: str, since: str | None, until: str | None) -> None:
    tokens = tokens_of(text)
    time = dated(tokens, 0, TODAY)
    assert time is not None
    assert time.period == (since, until)
    assert time.end == len(tokens)


@each("text", ["hydrogen", "may help", "the first two", "five papers", "in Nature", "third half of 2020"])
def test_other_words_are_no_time(text: str) -> None:
    assert dated(tokens_of(text), 0, TODAY) is None


@each(
    ("text", "years"), [("in 2015 or 2020", ["2015", "2020"]), ("from 2014, 2016 and 2021", ["2014", "2016", "2021"])]
)
def test_years_apart_are_a_list(text: str, years: list[str]) -> None:
    time = dated(tokens_of(text), 0, TODAY)
    assert time is not None
    assert [*time.years] == years
    assert time.period == (years[0], years[-1])


@given(
    st.lists(st.sampled_from("since in 2020 - last five years the may 5 of to and before decade older than".split()))
)
def test_any_words_are_read_without_an_error(words: list[str]) -> None:
    tokens = tokens_of(" ".join(words))
    for place in range(len(tokens)):
        time = dated(tokens, place, TODAY)
        assert time is None or place < time.end <= len(tokens)
