"""What the app says of itself, made from what it has and from what was done."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from textual.screen import Screen

from cache.store import Store
from spar_tui.health.location import location_warning
from spar_tui.settings import load_settings
from spar_tui.tui.app import SparApp
from tests.spar_tui.tui.world import Hand, play, resources, settings_at


@pytest.mark.parametrize(("key", "named"), [("", False), ("serper-key", True)])
def test_the_ask_line_names_only_sources_that_can_be_asked(
    key: str, named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"SPAR_HOME": str(tmp_path), "SERPER_API_KEY": key}
    monkeypatch.setattr("tests.spar_tui.tui.world.settings_at", lambda home: load_settings(settings))

    async def scene(hand: Hand) -> None:
        await hand.until_shown("Sources: arxiv, openalex")
        assert ("google" in hand.app.resources_sentence) is named

    play(tmp_path, scene, resources())


def test_a_line_to_write_in_may_be_begun_before_its_screen_is_shown(tmp_path: Path) -> None:
    """From Python 3.12 on Textual's tasks begin at once, and the first screen is made before it is on the stack."""
    settings = settings_at(tmp_path)
    with Store.open(settings.places.database) as store:
        SparApp(settings, store).clear_selection()


def test_a_screen_is_arranged_for_its_size_before_it_is_drawn(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        mounted = hand.app.push_screen(screen := Screen[None]())
        assert screen.has_class("-medium", "-tall")
        await mounted

    play(tmp_path, scene, resources(), size=(110, 30))


def test_a_library_in_a_synced_folder_is_warned_of_once(tmp_path: Path) -> None:
    (tmp_path / ".stfolder").mkdir()

    async def warned(hand: Hand) -> None:
        await hand.until(lambda: "Syncthing syncs the library's folder" in hand.told)

    play(tmp_path, warned, resources())
    with Store.open(settings_at(tmp_path).places.database) as store:
        assert location_warning(store) == ""


@pytest.mark.parametrize("end", ["SIGTERM", "SIGHUP"])
def test_a_signal_to_end_ends_an_editor_that_is_just_being_opened(end: str, tmp_path: Path) -> None:
    """It may come before the app knows the process that it has begun."""

    async def scene(hand: Hand) -> None:
        os.kill(os.getpid(), getattr(signal, end))
        with subprocess.Popen(["sleep", "3600"]) as editor:
            hand.app.lend_to(editor)
            assert editor.wait() == -signal.SIGTERM

    play(tmp_path, scene, resources())


def test_all_that_reads_a_question_is_loaded_while_it_is_typed() -> None:
    code = """
import sys
from agents.reading.cues import cues_by_word
from spar_tui.tui.app import load_engine
load_engine()
modules = set(sys.modules)
from spar_tui.tui.named_paper import is_reference_list, reads_as_title
is_reference_list("a line\\nand another")
reads_as_title("which papers by Ada Lovelace since 2020 are open?")
print(set(sys.modules) - modules, cues_by_word.cache_info().misses)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set() 1\n"
