"""What the processor's flags say of numbers nobody asked for is no fault of a search."""

import numpy as np
import pytest

from agents.builtin.arithmetic import reckons


def test_a_flag_raised_while_reckoning_ends_nothing() -> None:
    """Every warning is an error here, as it is where a person asks Python for that."""

    def overflows(by: float) -> float:
        return float((np.float32(3e38) * np.array([by], np.float32))[0])

    with pytest.raises(RuntimeWarning):
        overflows(10)
    assert reckons(overflows)(10) == float("inf")
    with pytest.raises(RuntimeWarning):  # outside of it nothing has changed
        overflows(10)
