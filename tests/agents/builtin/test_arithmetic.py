"""What the processor's flags say of numbers nobody asked for is no fault of a search; medians are as numpy has them."""

import numpy as np
import pytest

from agents.builtin.arithmetic import medians, reckons


def test_a_flag_raised_while_reckoning_ends_nothing() -> None:
    """Every warning is an error here, as it is where a person asks Python for that."""

    def overflows(by: float) -> float:
        return float((np.float32(3e38) * np.array([by], np.float32))[0])

    with pytest.raises(RuntimeWarning):
        overflows(10)
    assert reckons(overflows)(10) == float("inf")
    with pytest.raises(RuntimeWarning):  # outside of it nothing has changed
        overflows(10)


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_medians_are_those_of_numpy(count: int) -> None:
    rows = np.random.default_rng(count).normal(size=(count, 3))
    assert (medians(rows) == np.median(rows, axis=0)).all()
