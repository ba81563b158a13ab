"""The reliability of a judge, worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.bench.run import calibration_error, reliability

SOME = [(0.31, True), (0.39, False), (0.3, False), (1.0, True), (0.05, False)]


def test_papers_are_told_by_tenths_of_what_they_were_judged() -> None:
    tenths = [(tenth.low, tenth.papers, tenth.judged, tenth.relevant) for tenth in reliability(SOME)]
    assert tenths == [
        pytest.approx((0.0, 1, 0.05, 0.0)),
        pytest.approx((0.3, 3, 1 / 3, 1 / 3)),
        pytest.approx((0.9, 1, 1.0, 1.0)),
    ]


def test_the_error_is_how_far_judgement_and_labels_are_apart_for_a_paper() -> None:
    assert calibration_error(reliability(SOME)) == pytest.approx(0.05 / 5)
    assert calibration_error([]) == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans())))
def test_every_paper_lies_in_one_tenth(judged: list[tuple[float, bool]]) -> None:
    tenths = reliability(judged)
    assert sum(tenth.papers for tenth in tenths) == len(judged)
    assert sum(tenth.papers * tenth.relevant for tenth in tenths) == pytest.approx(sum(is_one for _, is_one in judged))
    assert 0 <= calibration_error(tenths) <= 1
