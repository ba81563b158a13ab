"""The counters behind the rules, without clocks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.services.rules import TOLERANCE, Ledger, Window

GAPS = st.lists(st.floats(0, 3), max_size=30)


@given(GAPS, st.integers(1, 4))
def test_no_window_ever_holds_more_than_its_limit(gaps: list[float], limit: int) -> None:
    window, now, admitted = Window(limit, 1.0), 100.0, []
    for gap in gaps:
        now += gap
        if window.admit(now):
            admitted.append(now)
    for first, last in zip(admitted, admitted[limit:], strict=False):
        assert last - first >= 1.0 - TOLERANCE - 1e-9


@given(st.lists(st.floats(1.0, 3), max_size=30))
def test_requests_that_keep_the_gap_are_all_admitted(gaps: list[float]) -> None:
    window, now = Window(1, 1.0), 100.0
    for gap in gaps:
        now += gap
        assert window.admit(now)


def test_a_request_may_be_early_by_the_tolerance_and_no_more() -> None:
    window = Window(1, 1.0)
    assert [window.admit(now) for now in (0.0, 0.97, 0.985)] == [True, False, True]


def test_a_refused_request_does_not_start_a_new_wait() -> None:
    window = Window(1, 3.0)
    assert [window.admit(now) for now in (0.0, 2.9, 3.0)] == [True, False, True]


@given(st.lists(st.integers(0, 10), max_size=40))
def test_a_ledger_never_pays_more_than_it_holds(prices: list[int]) -> None:
    ledger = Ledger(100)
    paid = sum(price for price in prices if ledger.pay(price))
    assert paid == ledger.used <= 100
    assert ledger.remaining == 100 - paid
