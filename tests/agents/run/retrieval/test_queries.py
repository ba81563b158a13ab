"""Which queries are the same question, and which papers are within the dates asked for."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.question_parsing.question import read
from agents.run.events import ReadQuery
from agents.run.retrieval.queries import OVERLAP, different, question_itself, within
from tests.agents.scripted import paper


def test_queries_that_are_nearly_the_same_words_are_one_query() -> None:
    queries = [
        ReadQuery(text) for text in ("sparse retrieval methods", "methods of sparse retrieval", "dense search", "?")
    ]
    kept = [query.text for query in different(queries, ["dense searches"], 5)]
    assert kept == ["sparse retrieval methods"]
    assert 0 < OVERLAP <= 1


@given(st.lists(st.text("ab c", max_size=9)), st.lists(st.text("ab c", max_size=9)), st.integers(0, 5))
def test_no_query_is_kept_twice_or_beyond_the_number_wanted(texts: list[str], before: list[str], most: int) -> None:
    kept = different(map(ReadQuery, texts), before, most)
    assert len(kept) <= most
    assert different(kept, before, most) == kept
    assert different(kept, [query.text for query in kept], most) == []


def test_sources_that_match_keywords_are_asked_for_the_topic_of_a_question_and_google_for_the_question() -> None:
    question = "What is known about sparse retrieval since 2020?"
    query = question_itself(question, read(question, date(2024, 1, 1)))
    assert query.text == query.text_for("google") == question
    assert query.text_for("openalex") == "sparse retrieval"


@pytest.mark.parametrize(
    ("known", "since", "until", "inside"),
    [
        ("2020", date(2020, 6, 1), None, True),
        ("2020", None, date(2020, 1, 31), True),
        ("2020-05", date(2020, 6, 1), None, False),
        ("2020-06", date(2020, 6, 30), None, True),
        ("2020-06-15", date(2020, 6, 16), None, False),
        ("2020-06-15", date(2020, 6, 15), date(2020, 6, 15), True),
        ("2019", date(2020, 1, 1), None, False),
        (None, date(2020, 1, 1), None, False),
        (None, None, None, True),
    ],
)
def test_a_paper_is_within_bounds_if_any_day_of_its_date_is(
    known: str | None, since: date | None, until: date | None, inside: bool
) -> None:
    assert within(paper("Any", date=known), since, until) is inside


@given(st.dates(), st.dates(), st.dates())
def test_a_full_date_is_compared_as_dates_are(day: date, since: date, until: date) -> None:
    assert within(paper("Any", date=day.isoformat()), since, until) is (since <= day <= until)
