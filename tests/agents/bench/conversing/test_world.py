"""The desk at which simulated people talk to the assistant."""

from pathlib import Path

import pytest

from agents.bench.conversing.world import Desk
from agents.bench.recommending.world import Libraries, read_libraries
from tests.agents.bench.test_recommending import written


@pytest.fixture
def libraries(tmp_path: Path) -> Libraries:
    return read_libraries(written(tmp_path))


@pytest.fixture
def desk(libraries: Libraries, tmp_path: Path) -> Desk:
    return Desk(libraries.documents, tmp_path)


def test_the_assistant_answers_out_of_the_documents(desk: Desk) -> None:
    with desk.person() as person:
        reply = person.talk().say("papers about coral")
    assert set(reply.held) == {f"0-{number}" for number in range(12)}
    assert set(reply.shown) < set(reply.held)
    assert reply.understood
    assert reply.calls == 0


def test_each_person_has_their_own_shelf_and_no_other(desk: Desk) -> None:
    with desk.person(["1-3", "1-5"]) as person:
        assert set(person.talk().say("my shelf").shown) == {"1-3", "1-5"}
    with desk.person(["2-1"]) as person:
        assert person.talk().say("my shelf").shown == ("2-1",)


def test_a_conversation_goes_on_with_what_was_said_before(desk: Desk) -> None:
    with desk.person() as person:
        talk = person.talk()
        assert len(talk.say("papers about coral").held) == 12
        assert talk.say("which of these are about w0x1?").held
        assert len(person.talk().say("how many papers are there?").shown) == 0


def test_it_can_begin_with_papers_that_were_chosen(desk: Desk) -> None:
    chosen = ["0-1", "1-1", "2-1"]
    with desk.person(["1-3", "1-5"]) as person:
        reply = person.talk(about=chosen).say("sort these by title")
    assert sorted(reply.held) == chosen


def test_what_is_not_understood_is_counted_so(desk: Desk) -> None:
    with desk.person() as person:
        assert not person.talk().say("why is the sky blue").understood
