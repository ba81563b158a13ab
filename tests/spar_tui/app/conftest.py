"""The app's tests press some thousand keys."""

import pytest


@pytest.fixture(autouse=True)
def _a_quick_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a key one waits until the process rests; that it does is noticed in steps of 4 ms, not of 20."""
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.004)
    monkeypatch.setattr("textual._wait.SLEEP_IDLE", 0.0002)
