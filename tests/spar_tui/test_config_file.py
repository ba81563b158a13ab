"""Changing one setting, as `spar config` does it: `set`, `get`, `unset` and `edit`."""

from pathlib import Path

import pytest

from tests.spar_tui.in_process import spar
from tests.spar_tui.running import spar_in_terminal


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
