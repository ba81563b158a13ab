"""What is opened in a browser is handed over, and nothing stays behind."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from connectors.http.public_hosts import addresses_now, are_public
from spar_tui.browser import open_url
from spar_tui.errors import Failure
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import wait_until
from tests.spar_tui.tui.world import Hand, play, resources


def children() -> list[str]:
    """The states and names of this process's children."""
    own = ["ps", "-o", "stat=,comm=", "--ppid", str(os.getpid())]
    return subprocess.run(own, capture_output=True, text=True, check=False).stdout.splitlines()


def browser(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "browse"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(program))


def open_browser(folder: Path, code: object, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A browser that stays open as long as the returned file exists, and then ends with this code."""
    page = folder / "page"
    page.touch()
    browser(folder, f"while [ -e {page} ]; do sleep 0.1; done; exit {code}", monkeypatch)
    return page


def test_a_browser_that_ends_leaves_no_dead_process_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, f'echo "$1" >> {tmp_path}/asked', monkeypatch)
    for number in range(3):
        open_url(f"https://example.org/{number}")
    wait_until(lambda: not [one for one in children() if "browse" in one])
    assert sorted((tmp_path / "asked").read_text().split()) == [f"https://example.org/{number}" for number in range(3)]


def test_a_browser_that_stays_open_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = open_browser(tmp_path, 0, monkeypatch)
    open_url("https://example.org/")
    assert [one for one in children() if "browse" in one]
    page.unlink()


def test_a_browser_that_fails_at_once_has_opened_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, "exit 3", monkeypatch)
    with pytest.raises(Failure, match=r"code 3 and did not open https://example\.org/"):
        open_url("https://example.org/")


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:631", "localhost", "0x7f000001", "127.1", "[::1]", "[::ffff:127.0.0.1]", "192.168.1.1", "10.0.0.1",
             "169.254.169.254", "[fe80::1%25lo]", "[fc00::1]", "224.0.0.1", "router", "printer.local", "nas.home.arpa.",
             "vault.internal"],
)  # fmt: skip
def test_an_address_of_this_machine_or_its_network_is_not_opened(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser(tmp_path, f'echo "$1" >> {tmp_path}/asked', monkeypatch)
    with pytest.raises(Failure, match=r"is on this machine or its local network; spar opens only public addresses\."):
        open_url(f"http://{host}/admin?reboot=1")
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "/etc/passwd", "javascript:alert(1)", "https://a@example.org/", "smb://h/s", "-x", ""],
)
def test_what_is_no_web_address_is_not_opened(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(tmp_path, f'echo "$1" >> {tmp_path}/asked', monkeypatch)
    with pytest.raises(Failure, match="is not a web address; spar did not open it"):
        open_url(address)
    assert not (tmp_path / "asked").exists()


def test_a_browser_that_fails_later_says_so_and_one_that_ends_well_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    page = open_browser(tmp_path, "${1##*/}", monkeypatch)
    open_url("https://example.org/0", said.append)
    open_url("https://example.org/7", said.append)
    page.unlink()
    wait_until(lambda: not [one for one in children() if "browse" in one] and bool(said))
    (told,) = said
    assert re.search(r"browse ended with code 7 after \d+ s, so this may not have opened: https://example.org/7$", told)


def test_the_app_tells_of_a_browser_that_failed_after_it_was_taken_to_show_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_browser(tmp_path, 7, monkeypatch)

    async def scene(hand: Hand) -> None:
        hand.app.browse_address("https://example.org/7", page.unlink)
        await hand.until_shown("ended with code 7")
        assert any("ended with code 7" in failed.why for failed in hand.app.messages)

    play(tmp_path / "home", scene, resources())


def test_the_command_line_keeps_what_was_opened_and_nothing_else(tmp_path: Path) -> None:
    spar(tmp_path, "search", "attention is all you need", "--offline", "--limit", "1")
    program = tmp_path / "browse"
    for code in (3, 0):
        program.write_text(f"#!/bin/sh\nexit {code}\n")
        program.chmod(0o700)
        ran = spar(tmp_path, "open", "@1", "--offline", more={"BROWSER": str(program)})
        assert (ran.returncode, ran.stdout[:4]) == (1 if code else 0, "http")
        acts = spar(tmp_path, "history", "reading", "--json").stdout
        assert ('"opened"' in acts) is (code == 0)


def test_a_browser_that_cannot_be_started_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "browse"
    program.write_text("not a program")
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(program))
    with pytest.raises(Failure, match="could not be started"):
        open_url("https://example.org/")


def test_offline_no_host_is_looked_up_and_addresses_of_this_machine_are_refused_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser(tmp_path, f'echo "$1" >> {tmp_path}/asked', monkeypatch)
    for host in (
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "[::1]",
        "localhost",
        "app.localhost.",
        "127.0.0.1.",
        "localhost.localdomain",
        "[::127.0.0.1]",
        "[::ffff:10.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fec0::1]",
    ):
        with pytest.raises(Failure, match="is on this machine"):
            open_url(f"http://{host}/", offline=True)
    for host in ("8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::", "2606:4700::1111"):
        assert are_public(addresses_now(host, look_up=False))
    with pytest.raises(OSError, match=r".+"):
        addresses_now("example.org", look_up=False)
    open_url("https://example.org/", offline=True)
    wait_until((tmp_path / "asked").exists)
    assert (tmp_path / "asked").read_text() == "https://example.org/\n"
