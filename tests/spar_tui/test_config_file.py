"""Changing one setting, as `spar config` does it: `set`, `get`, `unset` and `edit`."""

import subprocess
from pathlib import Path

import pytest

from tests.spar_tui.in_process import spar
from tests.spar_tui.running import environment, forked, spar_in_terminal


def config_of(home: Path) -> Path:
    return Path(spar(home, "config", "path").stdout.strip())


@pytest.mark.parametrize(
    ("key", "value", "printed"),
    [
        ("limit", "7", "7"),
        ("offline", "yes", "true"),
        ("sources", "arxiv, pubmed", "arxiv,pubmed"),
        ("theme", "light", "light"),
    ],
)
def test_what_is_set_is_got_as_it_is_set_again(key: str, value: str, printed: str, tmp_path: Path) -> None:
    assert spar(tmp_path, "config", "set", key, value).returncode == 0
    assert spar(tmp_path, "config", "get", key).stdout == f"{printed}\n"
    assert spar(tmp_path, "config", "set", key, printed).returncode == 0
    assert spar(tmp_path, "config", "get", key).stdout == f"{printed}\n"


def test_a_setting_taken_out_has_its_default_again_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    file = config_of(tmp_path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# mine\ntheme = 'light'\nlimit = 3  # few\n", "utf-8")
    assert spar(tmp_path, "config", "unset", "theme").returncode == 0
    assert file.read_text("utf-8") == "# mine\nlimit = 3  # few\n"
    assert spar(tmp_path, "config", "get", "theme").stdout != "light\n"


def test_taking_out_what_is_not_set_says_so(tmp_path: Path) -> None:
    ran = spar(tmp_path, "config", "unset", "theme")
    assert (ran.returncode, "does not set theme" in ran.stderr) == (3, True)
    assert not config_of(tmp_path).exists()


@pytest.mark.parametrize("verb", ["get", "unset"])
def test_an_unknown_setting_is_named_with_those_there_are(verb: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "config", verb, "colour")
    assert ran.returncode == 2
    assert "unknown setting 'colour'; choose from" in ran.stderr


def test_the_file_is_edited_in_the_persons_editor_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    script = tmp_path / "edit.sh"
    script.write_text('#!/bin/sh\nprintf "theme = \\"blue\\"\\n" > "$1"\n', "utf-8")
    script.chmod(0o755)
    assert "`spar config set KEY VALUE` changes a setting" in spar(tmp_path, "config", "edit").stderr
    ran = spar_in_terminal(tmp_path, str(script), "config", "edit")
    assert config_of(tmp_path).read_text("utf-8") == 'theme = "blue"\n'
    assert (ran.returncode, "theme" in ran.stderr) == (2, True)


def test_settings_that_processes_set_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    wanted = {"limit": "7", "mode": "deep", "theme": "light", "source_seconds": "12.0", "model_seconds": "33.0"}
    begun = [
        subprocess.Popen(forked("config", "set", key, value), env=environment(tmp_path), stdout=subprocess.DEVNULL)
        for key, value in wanted.items()
    ]
    assert [process.wait() for process in begun] == [0] * len(wanted)
    assert {key: spar(tmp_path, "config", "get", key).stdout.strip() for key in wanted} == wanted


def test_a_file_that_is_a_link_stays_one_and_what_it_leads_to_has_the_new_setting(tmp_path: Path) -> None:
    file, mine = config_of(tmp_path), tmp_path / "dotfiles.toml"
    mine.write_text("limit = 3\n", "utf-8")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(mine)
    assert spar(tmp_path, "config", "set", "limit", "7").returncode == 0
    assert file.is_symlink()
    assert mine.read_text("utf-8") == "limit = 7\n"


def test_a_new_file_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    assert spar(tmp_path, "config", "set", "limit", "7").returncode == 0
    assert config_of(tmp_path).stat().st_mode & 0o077 == 0
