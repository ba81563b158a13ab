"""Authority and timeliness of papers, by their records alone."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from agents.search.ranking.reranking import UNKNOWN, authority, citations_a_year, timeliness
from connectors.paper import Paper, WorkId
from tests.agents.scripted import paper

YEAR = 2025
ONE, TWO, THREE, FOUR = WorkId(1), WorkId(2), WorkId(3), WorkId(4)


def one(number: int, citations: int | None = None, year: int | None = 2020, venue: str = "", author: str = "") -> Paper:
    date = str(year) if year else None
    name = author or f"A Author{number}"
    return paper(f"T{number}", f"10.1000/{number}", citation_count=citations, date=date, venue=venue, author=name)


def test_citations_count_for_the_papers_age() -> None:
    assert citations_a_year(one(1, 60, 2020), YEAR) == 10
    assert citations_a_year(one(1, 60, 2025), YEAR) == 60
    assert citations_a_year(one(1, 60, 2031), YEAR) == 60  # a date in the future is no age below nothing
    assert citations_a_year(one(1, None, 2020), YEAR) is None
    assert citations_a_year(one(1, 60, None), YEAR) is None


def test_the_newer_a_paper_the_timelier_and_seven_years_are_half() -> None:
    worth = [timeliness(one(1, year=year), YEAR) for year in range(1990, 2026)]
    assert worth == sorted(worth)
    assert timeliness(one(1, year=2018), YEAR) == 0.5
    assert timeliness(one(1, year=None), YEAR) == UNKNOWN


def test_the_better_cited_has_more_authority() -> None:
    worth = authority({ONE: one(1, 900), TWO: one(2, 30), THREE: one(3, 0)}, YEAR)
    assert worth[ONE] > worth[TWO] > worth[THREE]


def test_a_young_paper_is_not_outdone_by_age() -> None:
    worth = authority({ONE: one(1, 50, 2025), TWO: one(2, 100, 1995)}, YEAR)
    assert worth[ONE] > worth[TWO]


def test_a_venue_of_well_cited_papers_lends_authority() -> None:
    papers = {
        ONE: one(1, 900, venue="Nature"),
        TWO: one(2, 5, venue="Nature"),
        THREE: one(3, 5),
        FOUR: one(4, 1, venue="Letters"),
    }
    worth = authority(papers, YEAR)
    assert worth[TWO] > worth[THREE]


def test_authors_of_well_cited_papers_lend_authority() -> None:
    papers = {ONE: one(1, 900, author="Ada Lovelace"), TWO: one(2, 5, author="A. Lovelace"), THREE: one(3, 5)}
    worth = authority(papers, YEAR)
    assert worth[TWO] > worth[THREE]


def test_what_is_not_known_counts_as_the_middle() -> None:
    worth = authority({ONE: one(1), TWO: one(2, 900), THREE: one(3, 0)}, YEAR)
    assert worth[ONE] == UNKNOWN
    assert authority({ONE: one(1, 5)}, YEAR) == {ONE: UNKNOWN}
    assert authority({}, YEAR) == {}


@given(st.lists(st.tuples(st.none() | st.integers(0, 10**8), st.none() | st.integers(1, 9999)), max_size=12))
def test_authority_and_timeliness_stay_within_0_and_1(records: list[tuple[int | None, int | None]]) -> None:
    papers = {
        WorkId(n): paper(f"T{n}", citation_count=c, date=f"{y:04}" if y else None, venue="V")
        for n, (c, y) in enumerate(records)
    }
    assert all(0 <= worth <= 1 for worth in authority(papers, YEAR).values())
    assert all(0 <= timeliness(paper, YEAR) <= 1 for paper in papers.values())


@given(
    st.lists(st.tuples(st.integers(0, 400), st.integers(1990, YEAR), st.sampled_from("VW")), max_size=9),
    st.randoms(use_true_random=False),
)
def test_authority_does_not_depend_on_the_order_in_which_the_papers_came(
    records: list[tuple[int, int, str]], dice: Random
) -> None:
    papers = {WorkId(n): one(n, citations, year, venue) for n, (citations, year, venue) in enumerate(records)}
    shuffled = dict(dice.sample(list(papers.items()), len(papers)))
    assert authority(shuffled, YEAR) == authority(papers, YEAR)
