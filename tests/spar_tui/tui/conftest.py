"""What tests of the app share."""

from pathlib import Path

import pytest


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The home and the folder of this test for the processes that the app starts."""
    monkeypatch.setenv("SPAR_HOME", str(tmp_path))
    monkeypatch.setenv("SPAR_MANNERS", str(tmp_path / "manners"))
    monkeypatch.chdir(tmp_path)
