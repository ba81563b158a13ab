"""Copying by whatever works here, and ringing for whoever is elsewhere."""

import os
from pathlib import Path

import pytest

from spar_tui.tui import base_app
from spar_tui.tui.base_app import copy_text
from tests.spar_tui.running import wait_until
from tests.spar_tui.tui.real_terminal import opened
from tests.spar_tui.tui.world import SPARSE, GatedSource, Hand, play, resources

TEXT = "10.1000/ä [/x]\n\\cite{one}"


def program(folder: Path, name: str, script: str = 'cat > "$COPIED"') -> None:
    """A program called `name` that does `script`."""
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {"PATH": f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin", "COPIED": str(folder / "copied"), **more}


@pytest.mark.parametrize(
    ("name", "variable"),
    [("wl-copy", "WAYLAND_DISPLAY"), ("xclip", "DISPLAY"), ("xsel", "DISPLAY"), ("pbcopy", ""), ("tmux", "TMUX")],
)
def test_the_program_of_the_system_gets_the_text_as_it_is(name: str, variable: str, tmp_path: Path) -> None:
    program(tmp_path, name)
    assert copy_text(TEXT, {**environment(tmp_path), **({variable: "x"} if variable else {})}) == name
    assert (tmp_path / "copied").read_text("utf-8") == TEXT


def test_where_one_program_fails_the_next_is_tried(tmp_path: Path) -> None:
    program(tmp_path, "wl-copy", "exit 1")
    program(tmp_path, "xclip")
    assert copy_text(TEXT, environment(tmp_path, WAYLAND_DISPLAY="x", DISPLAY="x")) == "xclip"


def test_a_program_that_hangs_is_not_waited_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_app, "COPY_SECONDS", 0.2)
    program(tmp_path, "xclip", "exec sleep 30")
    assert copy_text(TEXT, environment(tmp_path, DISPLAY="x")) is None


def test_without_a_display_no_program_is_started(tmp_path: Path) -> None:
    for name in ("wl-copy", "xclip", "xsel", "tmux"):
        program(tmp_path, name)
    assert copy_text(TEXT, environment(tmp_path)) is None
    assert not (tmp_path / "copied").exists()


def test_a_search_that_ends_rings_for_whoever_is_in_another_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spar_tui.tui.research_app.WATCH_SECONDS", 0.1)
    rung: list[bool] = []
    slow = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        monkeypatch.setattr(hand.app, "bell", lambda: rung.append(True))
        live = await hand.ask()
        await hand.until(lambda: bool(hand.app._watched))
        hand.app.app_focus = False
        slow.gate.set()
        await hand.until(lambda: live.status == "finished" and bool(rung) and "6 relevant papers for" in hand.told)

    play(tmp_path, scene, resources(slow))


def test_nothing_rings_for_whoever_looks_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spar_tui.tui.research_app.WATCH_SECONDS", 0.1)
    rung: list[bool] = []
    slow = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        monkeypatch.setattr(hand.app, "bell", lambda: rung.append(True))
        await hand.ask()
        await hand.until(lambda: bool(hand.app._watched))
        slow.gate.set()
        await hand.until(lambda: not hand.app._watched)
        await hand.until_shown("✔ finished")
        assert not rung
        assert not hand.told

    play(tmp_path, scene, resources(slow))


def test_in_a_real_terminal_a_copy_goes_by_escape_code_and_by_program(tmp_path: Path) -> None:
    program(tmp_path, "xclip")
    more = environment(tmp_path, DISPLAY="x")
    with opened(tmp_path, more=more) as terminal:
        terminal.until_open()
        terminal.until(b"hat do you want to know?")
        terminal.type("copied words")
        terminal.until(b"words")
        terminal.rest()
        terminal.type("\x1b[1;2H")  # shift+home
        terminal.rest()
        terminal.type("\x03")
        terminal.until(b"\x1b]52;c;")
        copied = tmp_path / "copied"
        wait_until(lambda: copied.exists() and copied.read_text() != "")
        terminal.type("\x11")
        assert terminal.ended() == 0
    assert copied.read_text() == "copied words"
