"""What the app says of itself, made from what it has and from what was done."""

from pathlib import Path

import pytest

from spar_tui.settings import load_settings
from tests.spar_tui.tui.world import Hand, play, resources


@pytest.mark.parametrize(("key", "named"), [("", False), ("serper-key", True)])
def test_the_ask_line_names_only_sources_that_can_be_asked(
    key: str, named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"SPAR_HOME": str(tmp_path), "SERPER_API_KEY": key}
    monkeypatch.setattr("tests.spar_tui.tui.world.settings_at", lambda home: load_settings(settings))

    async def scene(hand: Hand) -> None:
        await hand.until_shown("asks what suits of arxiv, openalex")
        assert ("google" in hand.app.resources_sentence) is named

    play(tmp_path, scene, resources())
