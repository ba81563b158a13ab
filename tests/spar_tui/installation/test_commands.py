"""The commands that spar tells are those that work where it is installed."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from spar_tui.installation import commands, metadata
from spar_tui.installation.metadata import DISTRIBUTION
from spar_tui.installation.packages import PLACE


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the environment in which spar runs, as its installer left it."""
    folder = tmp_path / DISTRIBUTION
    folder.mkdir()
    monkeypatch.setattr(sys, "prefix", str(folder))
    return folder


def receipt(prefix: Path, *requirements: str, more: str = "") -> None:
    rows = ",\n    ".join(requirements)
    (prefix / "uv-receipt.toml").write_text(f"[tool]\nrequirements = [\n    {rows},\n]\n{more}entrypoints = []\n")


def test_in_pipx_an_extra_is_injected(prefix: Path) -> None:
    (prefix / "pipx_metadata.json").write_text("{}")
    assert commands.adding("keyring>=25.6") == f"pipx inject {DISTRIBUTION} 'keyring>=25.6'"
    assert commands.again() == f"pipx reinstall {DISTRIBUTION}"


def test_with_uv_the_tool_is_installed_anew_with_all_that_it_had(prefix: Path) -> None:
    receipt(
        prefix,
        f'{{ name = "{DISTRIBUTION}", extras = ["bench"], directory = "/src/spar" }}',
        '{ name = "keyring", extras = ["x"], specifier = ">=25,<99" }',
        more='python = "3.12"\n',
    )
    assert shlex.split(commands.adding("rich>=14")) == [
        *("uv", "tool", "install", "--python", "3.12", "--with", "keyring[x]>=25,<99", "--with", "rich>=14"),
        f"{DISTRIBUTION}[bench] @ file:///src/spar",
    ]


@pytest.mark.parametrize(
    ("noted", "words"),
    [
        ('editable = "/src/spar"', ["--editable", "/src/spar"]),
        ('path = "/src/spar.whl"', [f"{DISTRIBUTION} @ file:///src/spar.whl"]),
        ('git = "https://example.org/spar?rev=main"', [f"{DISTRIBUTION} @ git+https://example.org/spar@main"]),
        ('specifier = ">=0.1"', [f"{DISTRIBUTION}>=0.1"]),
    ],
)
def test_with_uv_the_tool_comes_from_where_it_came_from(noted: str, words: list[str], prefix: Path) -> None:
    receipt(prefix, f'{{ name = "{DISTRIBUTION}", {noted} }}')
    assert shlex.split(commands.again()) == ["uv", "tool", "install", "--reinstall", *words]


def test_in_another_environment_its_own_interpreter_installs(prefix: Path) -> None:
    assert shlex.split(commands.adding("keyring")) == [sys.executable, "-m", "pip", "install", "keyring"]
    assert shlex.split(commands.again()) == ["pipx", "install", PLACE]


def test_no_command_asks_the_registry_for_spar_which_is_another_program_there(prefix: Path) -> None:
    told = [commands.adding("keyring"), commands.again()]
    (prefix / "pipx_metadata.json").write_text("{}")
    told += [commands.adding("keyring"), commands.again()]
    receipt(prefix, f'{{ name = "{DISTRIBUTION}", directory = "/src/spar" }}')
    told += [commands.adding("keyring"), commands.again()]
    assert not [one for one in told if {"spar", "spar[bench]", "spar[keyring]"} & set(shlex.split(one))]


def wheel(folder: Path, name: str) -> None:
    """A distribution `name` with one module, as pip takes it from a folder."""
    notes = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as file:
        file.writestr(f"{name}.py", "")
        file.writestr(f"{notes}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        file.writestr(f"{notes}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{notes}/RECORD", f"{name}.py,,\n{notes}/METADATA,,\n{notes}/WHEEL,,\n{notes}/RECORD,,\n")


@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_the_command_installs_to_where_spar_runs(installer: str, tmp_path: Path) -> None:
    if installer == "uv" and not shutil.which("uv"):
        pytest.skip("uv is not installed here")
    # One without pip of its own is what uv makes; the other finds that of the interpreter it was made from.
    flags = ["--without-pip", *(["--system-site-packages"] if installer == "pip" else [])]
    subprocess.run([sys.executable, "-m", "venv", *flags, str(tmp_path / "it is here")], check=True)
    python = str(next((tmp_path / "it is here").glob("*/python")))
    wheel(tmp_path, "sparprobe")
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "UV_NO_INDEX": "1", "UV_FIND_LINKS": str(tmp_path)}
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "VIRTUAL_ENV"))}
    environment = {**clean, **offline, "PYTHONPATH": PLACE}
    script = "from spar_tui.installation import commands; print(commands.adding('sparprobe>=1'))"
    asked = subprocess.run([python, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert (f"{installer} pip" if installer == "uv" else "-m pip") in asked.stdout
    done = subprocess.run(asked.stdout, shell=True, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    subprocess.run([python, "-c", "import sparprobe"], check=True)


def noted(folder: Path, origin: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let spar be installed in `folder` from `origin`."""
    notes = folder / f"{DISTRIBUTION.replace('-', '_')}-1.0.dist-info"
    notes.mkdir(parents=True)
    (notes / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: 1.0\nRequires-Dist: rich>=1\n"
        "Requires-Dist: keyring>=999; extra == 'keyring'\n"
    )
    (notes / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(metadata, "PLACE", str(folder))


@pytest.mark.parametrize(
    ("origin", "source"),
    [
        ({"url": "file:///src/my%20spar", "dir_info": {}}, "/src/my spar"),
        ({"url": "https://a.org/spar", "vcs_info": {"vcs": "git"}}, "git+https://a.org/spar"),
        (
            {"url": "https://a.org/spar", "vcs_info": {"vcs": "git", "requested_revision": "v1"}},
            "git+https://a.org/spar@v1",
        ),
        ({"url": "https://example.org/spar.whl", "archive_info": {}}, "https://example.org/spar.whl"),
    ],
)
def test_spar_can_be_installed_again_from_where_it_came_from(
    origin: dict[str, object], source: str, tmp_path: Path, prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted(tmp_path / "site", origin, monkeypatch)
    assert commands.again() == shlex.join(["pipx", "install", source])


def test_what_an_extra_needs_is_told_by_what_the_installer_noted(
    tmp_path: Path, prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted(tmp_path / "site", {}, monkeypatch)
    assert commands.adding_extra("keyring").endswith("pip install 'keyring>=999'")
    assert metadata.unmet() == {}
