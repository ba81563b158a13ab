"""A message with other readings offers them, and choosing one does exactly what it says."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.assistant.state import ConversationState
from agents.assistant.wording.readings import offers_lines
from cache.conditions.filters import filter_by
from cache.conditions.library import matching
from cache.store import Store
from tests.agents.assistant.talking import filled, said, talk
from tests.library import copied
from tests.requests import world


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with filled(tmp_path) as opened:
        yield opened


DIALOG = ("papers by Bengio", "sort by citations")
NARROWED = ("papers since 2020", "only the ones by Salton")


def test_what_none_of_the_papers_spoken_of_is_can_be_looked_for_in_the_whole_library(store: Store) -> None:
    dialog = ("papers about query expansion", "only those before 1950")
    assert not matching(store, filter_by(words=("query expansion",), until="1949"))
    none = asyncio.run(talk(store, *NARROWED))
    assert none.candidates == ()
    assert "1. papers that are by Salton" in offers_lines(none.turns[-1])
    taken = asyncio.run(talk(store, *NARROWED, "1"))
    assert list(taken.candidates or ()) == matching(store, filter_by(authors=("Salton",)))
    assert not asyncio.run(talk(store, *dialog)).offers


def test_every_offer_begins_where_the_message_began_and_does_the_steps_that_it_told(store: Store) -> None:
    before = asyncio.run(talk(store, *NARROWED))
    after = asyncio.run(talk(store, *NARROWED, "1"))
    [offer] = before.offers
    assert after.turns[-1].plan is not None
    assert after.turns[-1].plan.steps == offer.steps
    assert after.turns[-1].plan.by == "person"
    assert after.turns[-1].began == before.turns[-1].began
    assert after.turns[-1].shown_before == before.turns[-1].shown_before


def test_a_number_means_a_paper_again_once_something_else_was_said(store: Store) -> None:
    state = asyncio.run(talk(store, *NARROWED, "papers by Bengio", "1"))
    assert state.turns[-1].plan is not None
    assert state.turns[-1].plan.by == "built-in"
    assert not state.turns[-1].plan.instead


def test_an_offer_that_changes_something_is_asked_about_like_any_change(store: Store) -> None:
    kept = world.state(store)
    messages = ("save BERT zzyx",)
    state = asyncio.run(talk(store, *messages))
    [place] = [place for place, offer in enumerate(state.offers, start=1) if offer.steps[0].tool == "save"]
    taken = asyncio.run(talk(store, *messages, str(place)))
    assert taken.proposal is not None
    assert world.state(store) == kept


@pytest.mark.parametrize("message", ["papers by Bengio", "how many papers do I have?", "saved papers on rag"])
def test_where_the_reading_is_certain_nothing_is_offered(store: Store, message: str) -> None:
    state: ConversationState = asyncio.run(talk(store, message))
    assert state.offers == ()


def test_what_would_find_nothing_is_not_offered(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "empty.db")) as empty:
        assert asyncio.run(talk(empty, "papers since 2020")).offers == ()


def test_a_list_without_one_paper_is_said_to_be_without_it(store: Store) -> None:
    before = asyncio.run(talk(store, *DIALOG))
    assert before.candidates is not None
    dropped = asyncio.run(talk(store, *DIALOG, "drop the last one"))
    left = len(before.candidates) - 1
    assert said(dropped).splitlines()[0] == f"Without number {len(before.shown)} there are {left} papers."
