"""The lines of the scorecard in short, with a fixed seed: what a full run measures still can be measured, and is met.

Lines that the rest of the suite holds in short are named on the page (docs/reliability.md) and not measured twice.
"""

import sys
from pathlib import Path

import pytest

from tests.reliability.line import Trial
from tests.reliability.lines import measured

if sys.platform != "linux":
    pytest.skip("processes are killed as Linux does it", allow_module_level=True)


@pytest.mark.parametrize("number", [1, 2, 3, 14, 15, 16])
def test_a_line_is_met_in_short(number: int, disk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    line = measured(number, Trial(False, 20261123, disk))
    assert line.missed == (), capfd.readouterr().err
