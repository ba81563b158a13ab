"""A whole session in tmux at 80x24, with a model: ask, watch, read, keep, find again, export, quit."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.search.options import LIMITS
from tests.services import Services
from tests.services.model.server import ScriptedModel
from tests.spar_tui.overlap_model import overlap_script
from tests.spar_tui.running import wait_until
from tests.spar_tui.tui.real_terminal import ask_only
from tests.spar_tui.tui.tmux import in_tmux

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services() as running:
        yield running


def test_a_sitting_from_the_question_to_the_bibliography(services: Services, tmp_path: Path) -> None:
    ask_only(tmp_path, "openalex")
    with (
        ScriptedModel(overlap_script) as model,
        in_tmux(tmp_path, {**services.environment, **model.environment}) as tmux,
    ):
        tmux.until("What do you want to know?")
        tmux.type("dense retrieval of scientific passages")
        tmux.press("Enter")
        tmux.until("✔ finished")
        tmux.press("Enter")
        assert "judged by the model" in tmux.until("Found by")
        tmux.press("Escape")
        tmux.until("Papers")
        tmux.press("s")
        tmux.until("★")
        tmux.press("2")
        tmux.until("Shelf 1")
        tmux.type(":")
        tmux.until("tab complete")
        tmux.type("edit")
        tmux.press("Enter")
        tmux.until("[Enter returns to the app]")
        tmux.press("Enter")
        tmux.until("Shelf 1")
        tmux.press("X")
        tmux.until("Export 1 paper")
        tmux.press("Enter")
        wait_until((tmp_path / "papers.bib").exists)
        tmux.press("C-q")
        assert "ended with 0" in tmux.until("ended with")
    assert (tmp_path / "papers.bib").read_text().count("@") == 1
    assert 0 < model.calls <= LIMITS["fast"].calls


def test_quitting_in_the_middle_keeps_the_run_and_the_next_start_goes_on(services: Services, tmp_path: Path) -> None:
    ask_only(tmp_path, "openalex")
    slow = Services(latency=60)
    with slow:
        with in_tmux(tmp_path, slow.environment) as tmux:
            tmux.until("What do you want to know?")
            tmux.type("dense retrieval")
            tmux.press("Enter")
            tmux.until("● ")
            tmux.press("C-q")
            assert "ended with 0" in tmux.until("ended with")
        with in_tmux(tmp_path, services.environment) as tmux:
            tmux.until("interrupted")
            tmux.press("Down")
            tmux.press("Enter")
            tmux.until("✔ finished")
            tmux.press("C-q")
            tmux.until("ended with 0")


def test_a_question_is_wrapped_for_each_size_of_the_terminal(tmp_path: Path) -> None:
    thrice = "retrieval of passages retrieval of passages retrieval of passages"
    with in_tmux(tmp_path, {}, columns=95) as tmux:
        tmux.until("What do you want to know?")
        tmux.type(f"{thrice} retrieval of passages retrieval of passages")
        for columns, line in (("80", thrice), ("95", f"{thrice} retrieval of")):
            tmux.run("resize-window", "-t", "desk", "-x", columns, "-y", "24")
            tmux.until(f"│ {line}  ")
