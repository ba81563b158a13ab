"""What a conversation with a library cannot do at all."""

import pytest

from agents.builtin.requests.readings.elsewhere import of_everyday_life

EVERYDAY = """
book me a train to Porto for Friday|what weather is to be expected in Rome tomorrow?|flight booking wanted, to Oslo
who won the football match last night|order a pizza|remind me of my dentist appointment on monday|play some music
"""
OF_A_LIBRARY = """
papers about train scheduling tomorrow|weather forecasting|team science|music recommendation|stock prediction since 2018
the book by Manning|email classification|"Weather tomorrow"|match making in games|which team wrote the paper on BERT
search for hotel booking|what is expected of reviewers
"""


def messages(block: str) -> list[str]:
    return [message for line in block.strip().splitlines() for message in line.split("|")]


@pytest.mark.parametrize("message", messages(EVERYDAY))
def test_what_no_library_has_is_not_looked_for_in_one(message: str) -> None:
    assert of_everyday_life(message)


@pytest.mark.parametrize("message", messages(OF_A_LIBRARY))
def test_a_subject_is_looked_for_though_it_sounds_like_everyday_life(message: str) -> None:
    assert not of_everyday_life(message)
