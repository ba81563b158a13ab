"""What was done with a paper says as much as stands of it, the less the longer ago."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.taste.context import AGAINST, SESSION, WORTH, TasteStanding
from tests.rows import each

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
ACTS = (*WORTH, *AGAINST, "unsaved", "unrated")
histories = st.lists(
    st.tuples(st.sampled_from(ACTS), st.integers(-5_000, 100).map(lambda days: NOW + timedelta(days=days))), max_size=12
)


def standing(*acts: tuple[str, datetime]) -> TasteStanding:
    made = TasteStanding()
    for act, at in sorted(acts, key=lambda done: done[1]):
        made.take(act, at)
    return made


@given(histories)
def test_what_a_paper_says_for_and_against_itself_is_from_0_to_1(acts: list[tuple[str, datetime]]) -> None:
    of = standing(*acts)
    assert 0 <= of.weight(NOW) <= 1
    assert 0 <= of.against(NOW) <= 1


@given(histories, st.sampled_from(list(WORTH)))
def test_one_more_act_that_speaks_for_a_paper_never_makes_it_say_less(
    acts: list[tuple[str, datetime]], act: str
) -> None:
    later = max((at for _, at in acts), default=NOW)
    assert standing(*acts, (act, later)).weight(later) >= standing(*acts).weight(later)


@given(histories, st.integers(0, 4_000))
def test_an_older_history_says_no_more_than_it_did(acts: list[tuple[str, datetime]], days: int) -> None:
    of, later = standing(*acts), NOW + timedelta(days=days)
    assert of.weight(later) <= of.weight(NOW)
    assert of.against(later) <= of.against(NOW)


@each("act", [*WORTH, *AGAINST])
def test_an_act_says_half_as_much_after_its_half_life(act: str) -> None:
    kind = WORTH.get(act) or AGAINST[act]
    then = NOW + timedelta(days=kind.half_life)
    of = standing((act, NOW))
    assert of.weight(NOW) + of.against(NOW) == pytest.approx(kind.worth)
    assert of.weight(then) + of.against(then) == pytest.approx(kind.worth / 2)


@each(
    ("acts", "left"),
    [
        (["saved", "unsaved"], []),
        (["liked", "unrated"], []),
        (["disliked", "unrated"], []),
        (["disliked", "liked"], ["liked"]),
        (["liked", "disliked"], ["disliked"]),
        (["dismissed", "saved"], ["saved"]),
        (["saved", "opened", "unsaved"], ["opened"]),
        (["unsaved", "saved"], ["saved"]),
    ],
)
def test_what_is_taken_back_does_not_count(acts: list[str], left: list[str]) -> None:
    of = standing(*((act, NOW + timedelta(minutes=minute)) for minute, act in enumerate(acts)))
    assert list(of.acts) == left


def test_the_acts_say_the_more_the_more_they_are_meant() -> None:
    worths = [WORTH[act].worth for act in ("liked", "saved", "read", "opened", "viewed")]
    assert worths == sorted(worths, reverse=True)
    assert all(kind.why for kind in (*WORTH.values(), *AGAINST.values()))


def test_a_paper_is_of_the_session_for_two_hours_and_not_by_what_speaks_against_it() -> None:
    assert standing(("viewed", NOW - SESSION)).in_session(NOW)
    assert not standing(("viewed", NOW - SESSION - timedelta(seconds=1))).in_session(NOW)
    assert not standing(("dismissed", NOW)).in_session(NOW)
