"""Which questions are measured."""

from datetime import date
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from agents.bench.closed_world import answerable, chosen, closed_cases
from agents.bench.collections import Question
from tests.agents.bench import tiny

QUESTIONS = st.sets(st.text(max_size=6), max_size=30).map(lambda names: [Question(name, "?") for name in sorted(names)])


def test_only_questions_with_a_relevant_document_can_be_measured(tmp_path: Path) -> None:
    assert [one.id for one in answerable(tiny.collection(tmp_path))] == ["coral"]


def test_a_question_is_asked_on_its_own_day_and_else_at_the_end_of_the_collections_time(tmp_path: Path) -> None:
    collection = tiny.collection(tmp_path)
    days = [case.today for case in closed_cases(collection, collection.questions[:2])]
    assert days == [date(2020, 12, 31), date(2014, 6, 30)]


def test_a_question_with_a_day_of_its_own_is_asked_then(tmp_path: Path) -> None:
    collection = tiny.collection(tmp_path)
    asked = Question("coral", "?", before=date(2014, 6, 30), asked=date(2013, 2, 1))
    assert [case.today for case in closed_cases(collection, [asked])] == [date(2013, 2, 1)]


@given(QUESTIONS, st.integers(0, 9))
def test_every_question_is_in_exactly_one_half(questions: list[Question], seed: int) -> None:
    tune, report = (chosen(questions, half, seed=seed) for half in ("tune", "report"))
    assert {one.id for one in tune} | {one.id for one in report} == {one.id for one in questions}
    assert not {one.id for one in tune} & {one.id for one in report}


def test_the_halves_are_about_as_large() -> None:
    questions = [Question(f"q{number}", "?") for number in range(1_000)]
    assert 450 < len(chosen(questions, "tune")) < 550


@given(QUESTIONS, st.data())
def test_a_question_keeps_its_half_and_its_place_whatever_stands_beside_it(
    questions: list[Question], data: st.DataObject
) -> None:
    some = [question for question in questions if data.draw(st.booleans())]
    kept = {one.id for one in some}
    whole = chosen(questions, "tune", seed=3)
    assert chosen(some, "tune", seed=3) == [one for one in whole if one.id in kept]


@given(QUESTIONS, st.integers(1, 10))
def test_fewer_questions_are_the_first_of_the_shuffle(questions: list[Question], most: int) -> None:
    assert chosen(questions, most=most, seed=7) == chosen(questions, seed=7)[:most]
