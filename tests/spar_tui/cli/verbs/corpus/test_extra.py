"""`spar corpus build` where what it needs is not installed."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.spar_tui.in_process import spar


@pytest.mark.skipif(find_spec("isal") is not None, reason="the extra `corpus` is installed")
def test_building_a_corpus_names_the_extra_and_the_command_that_installs_it(tmp_path: Path) -> None:
    ran = spar(tmp_path, "corpus", "build", "works.gz")
    assert ran.returncode == 1
    assert "spar corpus needs an extra package" in ran.stderr
    assert "isal" in ran.stderr
