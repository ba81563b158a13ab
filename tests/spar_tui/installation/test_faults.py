"""What is wrong with an installation is said before anything of it is used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.spar_tui.installation.installed import ROOT, Site
from tests.spar_tui.running import environment


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def shadow(folder: Path) -> Path:
    """A folder with a file that has the name of one of our packages."""
    folder.mkdir()
    (folder / "cache.py").write_text("raise RuntimeError('somebody else runs')\n")
    return folder


def installation(ran: subprocess.CompletedProcess[str]) -> list[str]:
    """What doctor says of the installation."""
    assert "Traceback" not in ran.stderr
    return [one["sentence"] for one in json.loads(ran.stdout)["findings"] if one["subject"] == "installation"]


def test_a_whole_installation_has_no_fault(site: Site) -> None:
    ran = site.spar("doctor", "--offline", "--json")
    assert (ran.returncode, installation(ran)) == (0, []), ran.stderr


@pytest.mark.parametrize("arguments", [["history"], ["search", "word embeddings", "--offline"], ["--help"]])
def test_a_file_on_the_path_with_the_name_of_our_package_is_named_with_the_way_out(
    arguments: list[str], site: Site, tmp_path: Path
) -> None:
    folder = shadow(tmp_path / "scripts")
    ran = site.spar(*arguments, more={"PYTHONPATH": str(folder)})
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith(f"spar: {folder / 'cache.py'} hides spar's own package 'cache'")
    assert f"remove {folder} from PYTHONPATH" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_doctor_names_what_hides_a_package_and_says_that_it_looked_at_nothing_else(site: Site, tmp_path: Path) -> None:
    folder = shadow(tmp_path / "scripts")
    ran = site.spar("doctor", more={"PYTHONPATH": str(folder)})
    assert ran.returncode == 1
    assert ran.stdout.startswith("problem  installation")
    assert "nothing else was checked" in ran.stderr
    (told,) = installation(site.spar("doctor", "--json", more={"PYTHONPATH": str(folder)}))
    assert "cache.py" in told


def test_what_lies_in_the_folder_a_person_is_in_hides_nothing(site: Site, tmp_path: Path) -> None:
    here = shadow(tmp_path / "here")
    (here / "agents").mkdir()
    (here / "agents" / "__init__.py").write_text("raise RuntimeError\n")
    assert site.spar("config", "path", cwd=here).returncode == 0
    as_module = subprocess.run(
        [sys.executable, "-m", "spar_tui", "config", "path"],
        env=environment(tmp_path, {"PYTHONPATH": str(site.folder)}),
        capture_output=True,
        text=True,
        cwd=here,
    )
    assert (as_module.returncode, as_module.stderr) == (0, "")


def test_a_package_that_is_not_there_is_named(site: Site) -> None:
    (site.folder / "connectors").rename(site.home / "elsewhere")
    ran = site.spar("history", python=("-S",))  # without the libraries, among which spar may lie as well
    assert ran.returncode == 1
    assert "'connectors' is missing from" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_what_another_distribution_wrote_over_is_named_with_its_owner(site: Site) -> None:
    (site.folder / "cache" / "__init__.py").write_text("raise ImportError('another cache')\n")
    site.note("simple-cache", files={"cache/__init__.py": b""})
    (told,) = installation(site.spar("doctor", "--json"))
    assert "changed or removed by simple-cache (cache/__init__.py)" in told
    assert "reinstall spar in its own environment" in told
    search = site.spar("search", "word embeddings", "--offline")
    assert search.returncode == 1
    assert "simple-cache" in search.stderr
    assert "fault of spar" not in search.stderr


def test_a_library_that_is_too_old_is_named_with_the_version_and_the_command(site: Site) -> None:
    site.note("typer", files={}, version="0.1")
    (told,) = installation(site.spar("doctor", "--json"))
    assert told.startswith("spar needs typer>=")
    assert "(installed: 0.1)" in told
    assert f"{sys.executable} -m pip install 'typer>=" in told


def test_without_any_library_there_is_a_sentence_and_no_traceback(site: Site) -> None:
    for arguments in (["doctor"], ["search", "word embeddings", "--offline"]):
        ran = site.spar(*arguments, python=("-S",))
        assert ran.returncode == 1
        assert "spar needs packaging (installed: none)" in ran.stdout + ran.stderr
        assert "Traceback" not in ran.stderr


def test_the_installation_is_judged_without_loading_what_is_judged(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from spar_tui.installation.faults import faults\n"
        "assert not faults(), faults()\n"
        "print(*sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = {module.partition(".")[0] for module in ran.stdout.split()}
    assert not loaded & {"agents", "cache", "connectors", "typer", "textual", "httpx", "pydantic", "rich"}
