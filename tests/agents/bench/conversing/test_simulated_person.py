"""What a simulated person says."""

from agents.bench.collections import Document
from agents.bench.conversing.simulated_person import AT_ONCE, NO_MORE, TURNS, Fact, SimulatedPerson, phrase
from tests.rows import each

SAVED = [Document(f"d{number}", f"Saved paper {number}") for number in range(6)]
FACTS = [
    Fact("word", "coral"), Fact("keyword", "marine biology"), Fact("like", "Saved paper 3"),
    Fact("word", "lagoon"), Fact("year", "2004"), Fact("author", "Lovelace"),
]  # fmt: skip


@each("draw", range(12))
def test_they_begin_with_what_they_saved_and_say_nothing_of_the_paper(draw: int) -> None:
    first = SimulatedPerson(SAVED, FACTS[:2] + FACTS[3:], draw).message(1)
    assert not [fact for fact in FACTS if fact.kind != "like" and fact.text in first]
    if "“" in first:
        assert first.count("“") == 3


@each("draw", range(12))
def test_each_message_tells_two_facts_that_were_not_told_before(draw: int) -> None:
    person = SimulatedPerson(SAVED, FACTS, draw)
    for turn in range(2, TURNS):
        message = person.message(turn)
        new = FACTS[AT_ONCE * (turn - 2) : AT_ONCE * (turn - 1)]
        later = FACTS[AT_ONCE * (turn - 1) :]
        assert all(fact.text in message for fact in new)
        assert not any(fact.text in message for fact in later)
        assert message.startswith(("No", "These are not", "Still not"))


def test_who_has_told_everything_asks_for_others() -> None:
    assert SimulatedPerson(SAVED, FACTS[:1], 0).message(3) == NO_MORE
    assert SimulatedPerson(SAVED, [], 0).message(2) == NO_MORE


def test_they_word_it_in_several_ways_and_always_in_the_same() -> None:
    for turn in range(1, TURNS + 1):
        said = [SimulatedPerson(SAVED, FACTS, draw).message(turn) for draw in range(40)]
        assert said == [SimulatedPerson(SAVED, FACTS, draw).message(turn) for draw in range(40)]
        assert len(set(said)) > 2 or set(said) == {NO_MORE}


def test_facts_are_said_as_a_person_would() -> None:
    assert phrase(FACTS) == "about coral, marine biology and lagoon by Lovelace from 2004 like “Saved paper 3”"
    assert phrase(FACTS[:1]) == "about coral"
