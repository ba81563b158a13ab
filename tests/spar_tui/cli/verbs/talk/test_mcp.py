"""`spar mcp` as a person starts it: what is wrong with that is said, and nothing is served by mistake."""

import subprocess
import sys
from pathlib import Path

import pytest

from spar_tui.installation import metadata
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import PATIENCE, environment


def test_without_the_extra_a_sentence_says_how_to_add_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version_of = metadata.version_of
    monkeypatch.setattr(metadata, "version_of", lambda name: "" if name == "mcp" else version_of(name))
    ran = spar(tmp_path, "mcp")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "install it with: " in ran.stderr
    assert "mcp" in ran.stderr.split("install it with: ")[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "80"], "--port needs --http"),
        (["--http", "--port", "70000"], "from 0 to 65535"),
        (["--source", "nowhere"], "unknown source"),
    ],
)
def test_options_that_mean_nothing_are_refused(tmp_path: Path, arguments: list[str], said: str) -> None:
    ran = spar(tmp_path, "mcp", *arguments)
    assert ran.returncode == 2
    assert said in ran.stderr


def test_a_port_that_is_taken_is_said_to_be(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs the extra mcp")
    from tests.spar_tui.mcp.world import http_server

    with http_server(tmp_path, "--offline") as url:
        port = url.split(":")[2].split("/")[0]
        ran = spar(tmp_path, "mcp", "--http", "--port", port, "--offline")
    assert ran.returncode == 1
    assert f"port {port}" in ran.stderr


def test_no_other_verb_pays_for_the_protocol(tmp_path: Path) -> None:
    script = (
        "import sys; sys.argv = ['spar', 'shelf']\n"
        "from spar_tui.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([name for name in ('mcp', 'uvicorn', 'starlette', 'agents.tools.table') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], env=environment(tmp_path), capture_output=True, text=True, timeout=PATIENCE,
        cwd=Path(__file__).parents[5],
    )  # fmt: skip
    assert ran.stdout.splitlines()[-1] == "[]", ran.stderr
