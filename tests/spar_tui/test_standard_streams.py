"""Daemons and cron close standard streams: `spar` works all the same, and never prints into a file of its own."""

import codecs
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from spar_tui.stand_ins import stand_in
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import command, environment

if os.name == "nt":
    pytest.skip("a shell of Unix closes the streams", allow_module_level=True)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_verb_works_with_closed_streams_and_the_library_stays_whole(closed: str, tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("@article{roe, title={Reeds}, author={Roe, A}, year=2001}\n")
    line = f"{shlex.join(command('import', str(tmp_path / 'in.bib')))} {closed}"
    ran = subprocess.run(["sh", "-c", line], env=environment(tmp_path), capture_output=True, cwd=Path.cwd())
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert "Reeds" in spar(tmp_path, "shelf").stdout


def test_a_file_that_would_go_to_a_closed_output_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("@article{roe, title={Reeds}, author={Roe, A}, year=2001}\n")
    assert spar(tmp_path, "import", str(tmp_path / "in.bib")).returncode == 0
    line = shlex.join(command("export", "--shelf"))
    for closed, code in ((">&-", 1), (">/dev/null", 0)):
        ran = subprocess.run(
            ["sh", "-c", f"{line} {closed}"], env=environment(tmp_path), capture_output=True, text=True, cwd=Path.cwd()
        )
        assert (ran.returncode, "standard output is closed" in ran.stderr) == (code, code == 1)


def test_a_file_that_is_named_is_written_whole_whatever_is_closed(tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("@article{roe, title={Reeds}, author={Roe, A}, year=2001}\n")
    spar(tmp_path, "import", str(tmp_path / "in.bib"))
    line = shlex.join(command("export", "--shelf", "-o", str(tmp_path / "out.bib")))
    ran = subprocess.run(
        ["sh", "-c", f"{line} >&-"], env=environment(tmp_path), capture_output=True, text=True, cwd=Path.cwd()
    )
    assert (ran.returncode, ran.stderr) == (0, f"spar: {tmp_path / 'out.bib'}: 1 entry written.\n")
    assert "Reeds" in (tmp_path / "out.bib").read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("told", ["2>/dev/full", "2> >(true)"])
def test_the_answer_counts_if_standard_error_cannot_be_written(told: str, tmp_path: Path) -> None:
    (tmp_path / "in.bib").write_text("@article{roe, title={Reeds}, author={Roe, A}}\n@misc{,}\n")
    for arguments, code in ((("import", str(tmp_path / "in.bib")), 0), (("export", "--shelf"), 0), (("unheard",), 2)):
        line = f"{shlex.join(command(*arguments))} {told}"
        ran = subprocess.run(
            ["bash", "-c", line], env=environment(tmp_path), capture_output=True, text=True, cwd=Path.cwd()
        )
        assert (ran.returncode, bool(ran.stdout), ran.stderr) == (code, code == 0, "")


def test_what_an_encoding_lacks_is_shown_by_plain_characters_of_the_same_width() -> None:
    codecs.register_error("stand-in of this test", stand_in)
    shown = "╭─┬│ Dvořák’s H₂O at 10⁻³ – “ok” … ✔ ↑ ▆ 漢 é ⅔ ≠".encode("latin-1", "stand-in of this test").decode(
        "latin-1"
    )
    assert shown == '+-+| Dvorák\'s H2O at 10-³ - "ok" . * ^ # ?? é ? *'
