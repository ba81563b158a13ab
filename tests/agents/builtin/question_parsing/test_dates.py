"""The years a question asks for are read from words of time, and from nothing else."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.question_parsing.question import read
from tests.agents.builtin.question_parsing.questions import TODAY
from tests.rows import each

BOUNDS = [
    ("graph learning since 2020", "2020-01-01", None),
    ("graph learning after 2019", "2020-01-01", None),
    ("graph learning after March 2021", "2021-04-01", None),
    ("graph learning from 2015 to 2020", "2015-01-01", "2020-12-31"),
    ("graph learning between 2015 and 2020", "2015-01-01", "2020-12-31"),
    ("graph learning before 2010", None, "2009-12-31"),
    ("graph learning until 2015", None, "2015-12-31"),
    ("graph learning in 2021", "2021-01-01", "2021-12-31"),
    ("graph learning in the last three years", "2023-06-15", None),
    ("graph learning over the past decade", "2016-06-15", None),
    ("graph learning, recent five years", "2021-06-15", None),
    ("graph learning 2020-2023", "2020-01-01", "2023-12-31"),
    ("graph learning 2020–2023", "2020-01-01", "2023-12-31"),
    ("graph learning 2015-20", "2015-01-01", "2020-12-31"),
    ("graph learning since March 2021", "2021-03-01", None),
    ("graph learning since 2021-03-15", "2021-03-15", None),
    ("graph learning this year", "2026-01-01", None),
    ("graph learning last year", "2025-01-01", "2025-12-31"),
    ("graph learning in the 1990s", "1990-01-01", "1999-12-31"),
    ("graph learning in the late 1990s", "1996-01-01", "1999-12-31"),
    ("post-2020 graph learning", "2021-01-01", None),
    ("pre-2018 graph learning", None, "2017-12-31"),
    ("papers no older than 5 years on graph learning", "2021-06-15", None),
    ("graph learning published in the last 6 months", "2025-12-15", None),
    ("graph learning from 2018 onwards", "2018-01-01", None),
    ("graph learning 2018+", "2018-01-01", None),
    ("graph learning in 2019, 2020 or 2021", "2019-01-01", "2021-12-31"),
    ("papers from 2018 on graph learning", "2018-01-01", "2018-12-31"),
    ("graph learning from 2020 until now", "2020-01-01", None),
    ("the 2008 financial crisis since 2015", "2015-01-01", None),
    ("graph learning published after 2019", "2020-01-01", None),
    ("papers published before 2010 on graph learning", None, "2009-12-31"),
    ("graph learning no later than 2015", None, "2015-12-31"),
    ("graph learning, not after 2015", None, "2015-12-31"),
    ("graph learning 2015 and earlier", None, "2015-12-31"),
    ("graph learning no earlier than 2015", "2015-01-01", None),
    ("graph learning in Q2 2021", "2021-04-01", "2021-06-30"),
    ("graph learning at ACL 2022", "2022-01-01", "2022-12-31"),
    ("papers written before 1940 on set theory", None, "1939-12-31"),
]
SUBJECTS = [
    "COVID-19 and lung damage",
    "GPT-4 for program repair",
    "top 10 data mining algorithms",
    "ImageNet 2012 classification",
    "WMT 2014 English-German translation",
    "ISO 9001 in hospitals",
    "Agenda 2030 and education",
    "UN 2030 goals",
    "the 2008 financial crisis",
    "banks after the 2008 financial crisis",
    "1950s housewives",
    "the 2014-2016 Ebola outbreak",
    "protests in 2011 and social media",
    "Europe before 1914",
    "the trial was done in 2000 patients",
    "emissions by 2030",
    "sea level in 2100",
    "the last year of life",
    "children younger than 5 years",
    "temperature over the last 100 years",
    "5-year survival after transplantation",
    "classification from 2020 to 2015",
    "papers since 2020 until 2010",
]


@each(("question", "since", "until"), BOUNDS)
def test_words_of_time_bound_the_papers(question: str, since: str | None, until: str | None) -> None:
    reading = read(question, TODAY)
    assert (reading.since, reading.until) == (_day(since), _day(until))


@each("question", SUBJECTS)
def test_a_number_or_year_that_belongs_to_the_subject_is_no_bound(question: str) -> None:
    reading = read(question, TODAY)
    assert (reading.since, reading.until) == (None, None)


def test_the_words_of_a_bound_are_no_part_of_the_topic() -> None:
    assert read("transformers for speech published between 2018 and 2020", TODAY).topic == "transformers for speech"


def test_the_year_of_an_event_stays_in_the_topic() -> None:
    assert "2008 financial crisis" in read("bank lending after the 2008 financial crisis", TODAY).topic


def test_a_leap_day_has_an_anniversary() -> None:
    assert read("graph learning in the last 3 years", date(2024, 2, 29)).since == date(2021, 2, 28)


@each("question", ["the latest work on batteries", "batteries in recent years", "new trends in batteries"])
def test_a_wish_for_recent_work_names_no_date(question: str) -> None:
    reading = read(question, TODAY)
    assert (reading.recent, reading.since) == (True, None)


def test_a_named_year_says_more_than_recent() -> None:
    """Where a bound is given, `recent` is not set as well."""
    assert not read("recent work on batteries since 2024", TODAY).recent


@each("question", ["recent-onset diabetes", "electrical current in graphene", "recent immigrants in Spain"])
def test_recent_as_part_of_a_term_is_no_wish(question: str) -> None:
    assert not read(question, TODAY).recent


@given(st.integers(1950, 2026), st.integers(1950, 2026))
def test_any_two_years_in_order_bound_and_any_other_pair_does_not(first: int, last: int) -> None:
    reading = read(f"coral reefs from {first} to {last}", TODAY)
    if first > last:
        assert (reading.since, reading.until) == (None, None)
    else:
        assert reading.since == date(first, 1, 1)
        assert reading.until == (date(last, 12, 31) if last < 2026 else None)


@given(st.integers(1, 30), st.sampled_from(["years", "months", "weeks", "days"]), st.dates(date(1990, 1, 1)))
def test_the_last_so_many_years_begin_before_today(count: int, unit: str, today: date) -> None:
    since = read(f"coral reefs in the last {count} {unit}", today).since
    assert since is not None
    assert since < today


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
