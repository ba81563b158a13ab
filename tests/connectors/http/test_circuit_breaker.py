"""When a service that fails is left alone, and when it is asked again."""

from hypothesis import given
from hypothesis import strategies as st

from connectors.http.pace import Circuit

NEW: Circuit[str] = Circuit()


def after(failures: int, *, limit: int = 3, now: float = 100.0) -> Circuit[str]:
    circuit = NEW
    for number in range(failures):
        circuit = circuit.failed(f"failure {number + 1}", now, limit=limit, rest=60.0)
    return circuit


def test_a_service_is_asked_until_it_has_failed_so_many_times_in_a_row() -> None:
    assert not after(2).is_open(100.0)
    assert after(3).is_open(100.0)
    assert after(3).reason == "failure 3"


def test_it_is_asked_again_when_it_has_rested() -> None:
    assert after(3).is_open(159.9)
    assert not after(3).is_open(160.0)


def test_after_the_rest_failures_are_counted_anew() -> None:
    rested = after(3).failed("again", 160.0, limit=3, rest=60.0)
    assert not rested.is_open(160.0)
    assert rested.failures == 1


def test_a_good_answer_makes_the_failures_before_it_forgotten() -> None:
    circuit = after(2).succeeded().failed("once more", 100.0, limit=3, rest=60.0)
    assert not circuit.is_open(100.0)


def test_a_good_answer_does_not_cut_a_rest_short() -> None:
    """It may belong to a request that was sent before the service asked for the rest."""
    assert after(3).succeeded().is_open(100.0)


def test_the_time_a_service_names_itself_is_kept_at_once() -> None:
    circuit = NEW.failed("slow down", 100.0, limit=3, rest=60.0, until=500.0)
    assert circuit.is_open(499.9)
    assert not circuit.is_open(500.0)
    assert circuit.reason == "slow down"


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_the_longer_of_two_rests_holds_and_says_why(first: float, second: float) -> None:
    circuit = NEW.opened("first", first).opened("second", second)
    assert circuit.open_until == max(first, second)
    assert circuit.reason == ("second" if second > first else "first" if first > 0 else None)
