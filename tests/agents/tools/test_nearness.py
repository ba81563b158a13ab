"""Papers by how near they are to words and to other papers."""

import pytest

from agents.taste.comparison import TasteComparison
from agents.taste.context import UserContext
from agents.tools.nearness import Likeness, alike, by_words, nearest_first
from cache import papers
from cache.store import PaperId, Store
from tests.cache.conftest import make_paper

TITLES = ("Coral reefs", "Coral tides", "Desert wind", "Tides of sand", "Wind over sand")


@pytest.fixture
def numbers(store: Store) -> list[PaperId]:
    return papers.remember(store, [make_paper(title, f"10.1000/{place}") for place, title in enumerate(TITLES)])


def test_the_nearest_to_words_come_first(store: Store, numbers: list[PaperId]) -> None:
    order = nearest_first(store, Likeness(words="tides of coral"), numbers)
    assert order[0] == numbers[1]
    assert {*order[1:3]} == {numbers[0], numbers[3]}


def test_papers_and_words_count_alike(store: Store, numbers: list[PaperId]) -> None:
    near = alike(store, Likeness((numbers[2],), "coral reefs"), None, 0.01)
    assert numbers[2] not in near
    assert {numbers[0], numbers[4]} <= set(near)


def test_what_is_nearer_to_unwanted_words_is_left_out(store: Store, numbers: list[PaperId]) -> None:
    assert numbers[3] not in alike(store, Likeness(words="sand", unlike_words="tides of sand"), numbers, 0.1)
    assert numbers[4] in alike(store, Likeness(words="sand", unlike_words="tides of sand"), numbers, 0.1)


def test_words_are_compared_without_reading_the_library_anew(store: Store, numbers: list[PaperId]) -> None:
    before = TasteComparison(store, UserContext()).catalogue
    nearest_first(store, Likeness(words="coral", unlike_words="sand"), numbers)
    assert TasteComparison(store, UserContext()).catalogue is before


def test_an_empty_library_has_nothing_near(store: Store) -> None:
    assert alike(store, Likeness(words="coral"), None, 0.3) == []


def test_papers_are_found_by_the_words_that_they_have_the_rarer_the_more(store: Store, numbers: list[PaperId]) -> None:
    found = by_words(store, "coral reefs of zyzzyva")
    assert found.order == [numbers[0], numbers[1]]
    assert found.known == ["coral", "reefs"]
    assert found.unknown == ["zyzzyva"]
    assert found.share[numbers[0]] == pytest.approx(1.0)
    assert 0 < found.share[numbers[1]] < 0.5
    assert by_words(store, "coral", [numbers[1], numbers[2]]).order == [numbers[1]]


def test_words_that_no_paper_has_find_none(store: Store, numbers: list[PaperId]) -> None:
    assert by_words(store, "zyzzyva").order == []
    assert nearest_first(store, Likeness(words="zyzzyva"), numbers) == numbers
