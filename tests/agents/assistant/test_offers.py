"""Other readings of a message are offered where it has them, and taking one does exactly what it says."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.assistant.state import ConversationState
from agents.assistant.wording.readings import offers_lines
from cache.conditions.filters import asked
from cache.conditions.library import matching
from cache.store import Store
from tests.agents.assistant.talking import filled, said, talk
from tests.requests import world


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with filled(tmp_path) as opened:
        yield opened


DIALOG = ("papers by Bengio", "sort by citations")


def test_dropping_the_last_one_can_be_taken_for_going_back(store: Store) -> None:
    before = asyncio.run(talk(store, *DIALOG))
    dropped = asyncio.run(talk(store, *DIALOG, "drop the last one"))
    assert dropped.candidates == tuple(one for one in before.candidates or () if one != before.shown[-1])
    assert offers_lines(dropped.turns[-1]) == [
        "It could also mean (to take that, type 1):",
        "1. go back to the list before",
    ]
    undone = asyncio.run(talk(store, *DIALOG, "undo"))
    for choice in ("1", "go back to the list before"):
        taken = asyncio.run(talk(store, *DIALOG, "drop the last one", choice))
        assert (taken.candidates, taken.shown, taken.earlier) == (undone.candidates, undone.shown, undone.earlier)
        assert not offers_lines(taken.turns[-1])


def test_what_none_of_the_papers_spoken_of_is_can_be_looked_for_in_the_whole_library(store: Store) -> None:
    dialog = ("papers about query expansion", "only those before 1950")
    assert not matching(store, asked(words=("query expansion",), until="1949"))
    messages = ("papers since 2020", "only the ones by Salton")
    none = asyncio.run(talk(store, *messages))
    assert none.candidates == ()
    assert "1. papers that are by Salton" in offers_lines(none.turns[-1])
    taken = asyncio.run(talk(store, *messages, "1"))
    assert list(taken.candidates or ()) == matching(store, asked(authors=("Salton",)))
    assert not asyncio.run(talk(store, *dialog)).offers


def test_every_offer_begins_where_the_message_began_and_does_the_steps_that_it_told(store: Store) -> None:
    before = asyncio.run(talk(store, *DIALOG, "drop the last one"))
    after = asyncio.run(talk(store, *DIALOG, "drop the last one", "1"))
    [offer] = before.offers
    assert after.turns[-1].plan is not None
    assert after.turns[-1].plan.steps == offer.steps
    assert after.turns[-1].plan.by == "person"
    assert after.turns[-1].began == before.turns[-1].began
    assert after.turns[-1].shown_before == before.turns[-1].shown_before


def test_a_number_means_a_paper_again_once_something_else_was_said(store: Store) -> None:
    state = asyncio.run(talk(store, *DIALOG, "drop the last one", "sort them by date", "1"))
    assert state.turns[-1].plan is not None
    assert state.turns[-1].plan.by == "built-in"
    assert not state.turns[-1].plan.instead


def test_an_offer_that_changes_something_is_asked_about_like_any_change(store: Store) -> None:
    kept = world.state(store)
    messages = ("saving BERT on the shelf",)
    state = asyncio.run(talk(store, *messages))
    [place] = [place for place, offer in enumerate(state.offers, start=1) if offer.steps[0].tool == "save"]
    taken = asyncio.run(talk(store, *messages, str(place)))
    assert taken.proposal is not None
    assert world.state(store) == kept


def test_a_message_that_is_taken_for_another_wording_is_answered_with_that_and_can_be_taken_back(store: Store) -> None:
    before = asyncio.run(talk(store, *DIALOG))
    state = asyncio.run(talk(store, *DIALOG, "verily ungimmick open access, only the open access papers of these"))
    [turn] = state.turns[-1:]
    assert turn.plan is not None
    assert turn.answer is not None
    found = re.match("I took this for “(.+?)”\\.", turn.answer.text)
    assert found is not None
    plain = asyncio.run(talk(store, *DIALOG, found[1]))
    assert plain.turns[-1].plan is not None
    assert (turn.plan.steps, state.candidates) == (plain.turns[-1].plan.steps, plain.candidates)
    back = asyncio.run(talk(store, *DIALOG, turn.message, "undo"))
    assert back.candidates == before.candidates


@pytest.mark.parametrize("message", ["papers by Bengio", "how many papers do I have?", "papers on dense retrieval"])
def test_where_the_reading_is_certain_nothing_is_offered(store: Store, message: str) -> None:
    state: ConversationState = asyncio.run(talk(store, message))
    assert state.offers == ()


def test_what_would_find_nothing_is_not_offered(tmp_path: Path) -> None:
    with Store.open(tmp_path / "empty.db") as empty:
        assert asyncio.run(talk(empty, "papers since 2020")).offers == ()


def test_a_list_without_one_paper_is_said_to_be_without_it(store: Store) -> None:
    before = asyncio.run(talk(store, *DIALOG))
    assert before.candidates is not None
    dropped = asyncio.run(talk(store, *DIALOG, "drop the last one"))
    left = len(before.candidates) - 1
    assert said(dropped).splitlines()[0] == f"Without number {len(before.shown)} there are {left} papers."
