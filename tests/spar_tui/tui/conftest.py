"""What tests of the app share."""

from pathlib import Path

import pytest

from spar_tui.tui.command_line import commanding, running
from spar_tui.tui.screens import document_check
from tests.spar_tui.running import forked


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The home and the folder of this test for the processes that the app starts."""
    monkeypatch.setenv("SPAR_HOME", str(tmp_path))
    monkeypatch.setenv("SPAR_MANNERS", str(tmp_path / "manners"))
    monkeypatch.chdir(tmp_path)
    for module in (commanding, running, document_check):
        monkeypatch.setattr(module, "verb_command", lambda words: forked(*words))
