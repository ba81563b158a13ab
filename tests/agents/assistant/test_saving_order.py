"""Papers are sorted and chosen by the time when they were saved; the answer says how many are not saved."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from cache import papers, shelf
from cache.store import Store
from tests.agents.assistant.talking import talk
from tests.library import copied
from tests.requests import world


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db")) as filled:
        world.fill(filled)
        yield filled


def answer(store: Store, *messages: str) -> tuple[str, list[int]]:
    turn = asyncio.run(talk(store, *messages)).turns[-1]
    assert turn.answer is not None
    return turn.answer.text, [row.number for row in turn.answer.rows]


def test_the_last_saved_stand_first_and_the_order_is_named(store: Store) -> None:
    told, shown = answer(store, "sort my shelf by when I added things")
    assert "In this order: the last saved first." in told
    saved = {row.number: row.saved for row in shelf.rows(store)}
    assert shown[:3] == sorted(saved, key=lambda number: saved[number], reverse=True)[:3]


def test_papers_that_are_not_on_the_shelf_are_said_to_stand_at_the_end(store: Store) -> None:
    told, _ = answer(store, "all papers by Lewis", "sort these by date added")
    order = asyncio.run(talk(store, "all papers by Lewis", "sort these by date added")).candidates or ()
    saved = {row.number for row in shelf.rows(store)}
    beside = sum(number not in saved for number in order)
    assert 0 < beside < len(order)
    assert f"{beside} of them are not on your shelf and come last." in told
    assert all(number in saved for number in order[: len(order) - beside])


def test_of_papers_none_of_which_is_saved_the_order_says_nothing(store: Store) -> None:
    told, _ = answer(store, "papers by Salton that are not on my shelf", "sort these by date added")
    assert "None of them is on your shelf, so this order changes nothing." in told


def test_days_of_saving_are_told_apart_from_those_of_the_papers(store: Store) -> None:
    told, shown = answer(store, "papers published before 2020 that were saved before September")
    assert "saved on 2026-08 or earlier" in told
    assert "from 2019 or earlier" in told
    days = {row.number: row.saved for row in shelf.rows(store)}
    assert shown
    assert all(days[number] < "2026-09" for number in shown)
    assert all((paper.date or "") < "2020" for paper in papers.by_ids(store, shown))
