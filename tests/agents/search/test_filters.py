"""The person's conditions hold for every paper of the answer, whatever a source made of them."""

from datetime import date

import pytest

from agents.search.events import QuestionUnderstood
from agents.search.filters import admitted, appeared_in, written_by
from agents.search.options import SearchOptions
from connectors.paper import Paper
from tests.agents.scripted import paper
from tests.agents.search.world import Library, made_up, searched, shelf

PAPERS = {
    1: paper("One", "10.1000/1", author="Omar Khattab", venue="SIGIR 2020", date="2020-07", citation_count=500),
    2: paper("Two", "10.1000/2", author="Jimmy Lin", venue="Journal of Machine Learning Research", date="2021"),
    3: paper("Three", "10.1000/3", author="Grace Hopper", date=None, pdf="https://example.org/3.pdf"),
}


def left(**conditions: object) -> tuple[set[int], list[str]]:
    works, dropped = admitted(PAPERS, QuestionUnderstood((), (), **conditions))  # type: ignore[arg-type]
    return set(works), dropped


def test_each_condition_is_insisted_on_where_papers_meet_it() -> None:
    assert left(authors=("Khattab",)) == ({1}, [])
    assert left(venue="SIGIR") == ({1}, [])
    assert left(min_citations=100) == ({1}, [])
    assert left(open_access=True) == ({3}, [])
    assert left(since=date(2021, 1, 1)) == ({2}, [])


def test_a_condition_that_no_paper_meets_is_dropped_and_said() -> None:
    works, dropped = left(authors=("Nobody",), venue="SIGIR")
    assert works == {1}
    assert dropped == ["No paper found is by Nobody, so that was not insisted on."]


def test_dates_are_never_dropped() -> None:
    assert left(since=date(2050, 1, 1)) == (set(), [])


@pytest.mark.parametrize(
    ("name", "is_author"),
    [("Khattab", True), ("Omar Khattab", True), ("O. Khattab", True), ("Otto Khattab", True), ("Ali Khattab", False),
     ("Kháttab", True), ("Lin", False), ("", False)],
)  # fmt: skip
def test_authors_are_known_by_family_name_and_first_letter(name: str, is_author: bool) -> None:
    assert written_by(PAPERS[1], [name]) is is_author


@pytest.mark.parametrize(("venue", "number"), [("JMLR", 2), ("journal of machine learning research", 2), ("SIGIR", 1)])
def test_venues_are_known_written_out_or_abbreviated(venue: str, number: int) -> None:
    assert [work for work, one in PAPERS.items() if appeared_in(one, venue)] == [number]


def test_bounds_hold_for_references_too() -> None:
    """A paper that came by a link is within the dates like any other."""
    bounds = SearchOptions(date(2000, 1, 1), date(2010, 12, 31), choose_sources=False, citing=True)
    found = searched(shelf(Library(made_up(80))), bounds)
    ranked: list[Paper] = [found.state.found[entry.work].paper for entry in found.state.ranking]
    assert any(found.state.found[entry.work].found_by[0].link for entry in found.state.ranking)
    assert all("2000" <= (one.date or "") <= "2010-12-31" for one in ranked)
