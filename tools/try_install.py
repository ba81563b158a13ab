"""Install spar as the README says and use it: `python tools/try_install.py pip|pipx|uv [--tests]`.

It is installed in a folder that is removed afterwards, with the newest libraries that pyproject.toml allows, or by pip
with those that `--constraint FILE` names, and used from a folder with a `cache.py` of its own; by uv with the newest
Python of those that the README names and this machine has. --tests also runs the tests in which the libraries do the
most work. The exit code is 1 if anything does not work. Packages come from the
registry: without one it fails.
"""

import argparse
import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.13", "3.12", "3.11")
"""The versions that the README says spar is tested with."""
NAME = "spar-research-desk"
TESTS = """
    tests/agents/llm tests/connectors/arxiv tests/connectors/openalex tests/connectors/pubmed
    tests/connectors/semantic_scholar tests/spar_tui/installation/test_commands.py tests/spar_tui/test_settings.py
    tests/spar_tui/cli/test_bad_input.py tests/spar_tui/cli/test_startup.py tests/spar_tui/tui/test_theme.py
    tests/test_docs.py
""".split()
NOT_FOR_IT = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
"""Of the environment: what would lead to another installation, and what would have each command compile it anew."""
_TAKES_KEYS, _QUIT = b"\x1b[?1004h", b"\x11"
_PATIENCE = 60.0
"""Seconds for the app to open and to quit."""
_IMPORT_ALL = """
import importlib, pkgutil
for package in ("agents", "cache", "connectors", "spar_tui"):
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        extras = ("spar_tui.mcp.", "spar_tui.lsp.", "cache.corpus.")
        if not module.name.endswith("__main__") and not module.name.startswith(extras):
            importlib.import_module(module.name)
"""


class Installed(NamedTuple):
    """What an installer made: the command, its interpreter, and the environment in which the installer is found."""

    spar: Path
    python: Path
    environment: dict[str, str]


class NotWorking(Exception):
    """One sentence on what does not work, with what it said."""


def main() -> int:
    """Try one way of installing."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("installer", choices=("pip", "pipx", "uv"))
    parser.add_argument("--constraint", type=Path)
    parser.add_argument("--tests", action="store_true")
    options = parser.parse_args()
    if options.constraint and options.installer != "pip":
        parser.error("--constraint goes with pip")
    with tempfile.TemporaryDirectory(prefix="try-install-") as folder:
        try:
            installed = install(options.installer, Path(folder), options.constraint)
            use(installed, Path(folder) / "used")
            if options.tests:
                test(installed)
            version = run([str(installed.python), "-V"], installed.environment).strip()
        except NotWorking as error:
            print(f"try_install: by {options.installer}: {error}", file=sys.stderr)
            return 1
    print(f"try_install: by {options.installer}, with {version}: works")
    return 0


def install(installer: str, folder: Path, constraint: Path | None) -> Installed:
    """Install the checkout in `folder`. pipx and uv are installed there first, whether this machine has them or not."""
    environment = {name: value for name, value in os.environ.items() if name not in NOT_FOR_IT}
    environment["PIP_NO_COMPILE"] = "0"  # which is to say no: most of what is installed is never used here
    venv = folder / "venv"
    own = () if installer == "pip" else ("--without-pip",)  # what is run there asks for none
    run([sys.executable, "-m", "venv", *own, str(venv)], environment)
    programs = venv / ("Scripts" if os.name == "nt" else "bin")
    environment["PATH"] = os.pathsep.join([str(programs), os.environ.get("PATH", "")])
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet"]
    if installer == "pip":
        limits = {"PIP_CONSTRAINT": str(constraint.resolve())} if constraint else {}
        run([*pip, *(word for file in limits.values() for word in ("--constraint", file)), str(ROOT)], environment)
        environment |= limits  # only now: what builds spar need not be that old
        return Installed(programs / "spar", programs / "python", environment)
    run([sys.executable, "-m", "pip", "--python", str(venv), "install", "--quiet", installer], environment)
    environment |= {"PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(folder / "bin"), "PIPX_MAN_DIR": str(folder)}
    environment |= {"UV_TOOL_DIR": str(folder / "uv"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    uv = ["uv", "tool", "install", "--python", newest_python(), str(ROOT)]
    run(["pipx", "install", str(ROOT)] if installer == "pipx" else uv, environment)
    home = folder / "pipx" / "venvs" if installer == "pipx" else folder / "uv"
    return Installed(folder / "bin" / "spar", next((home / NAME).glob("*/python")), environment)


def newest_python() -> str:
    """The interpreter of the newest version of `PYTHONS` that this machine has, on the path or kept by pyenv."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in PYTHONS:
        for path in (shutil.which(f"python{version}"), *sorted(kept.glob(f"{version}.*/bin/python"))):
            # A shim only promises one.
            if (
                path
                and subprocess.run([path, "-c", "import ssl, sqlite3"], capture_output=True, check=False).returncode
                == 0
            ):
                return str(path)
    return sys.executable


def use(installed: Installed, folder: Path) -> None:
    """What a person does first, and the command that spar tells for what it lacks."""
    folder.mkdir()
    (folder / "cache.py").write_text("raise RuntimeError('not the cache of spar')\n")
    environment = {**installed.environment, "SPAR_HOME": str(folder / "home")}
    spar = str(installed.spar)
    run([str(installed.python), "-P", "-c", _IMPORT_ALL], environment, folder)
    run([spar, "--help"], environment, folder)
    run([spar, "search", "--offline", "word embeddings"], environment, folder)
    run([spar, "save", "@1"], environment, folder)
    open_app(spar, environment, folder)
    if "@" not in run([spar, "export", "--shelf"], environment, folder):
        raise NotWorking("the exported bibliography is empty")
    wrong = [finding for finding in doctor(installed, environment, folder) if finding["state"] == "problem"]
    if wrong:
        raise NotWorking(f"doctor finds {wrong}")
    output = run([spar, "bench", "nowhere"], environment, folder, code=1)
    run(["sh", "-c", output.partition("install it with: ")[2]], environment, folder)
    run([spar, "bench", "nowhere"], environment, folder, code=2)


def open_app(spar: str, environment: dict[str, str], folder: Path) -> None:
    """Open the app in a terminal and quit: how it begins depends on the version of Python. Raises `NotWorking`."""
    ours, theirs = pty.openpty()
    app = subprocess.Popen(
        [spar], cwd=folder, env={**environment, "TERM": "xterm-256color"}, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    output, quit_sent, end = b"", False, time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            output += os.read(ours, 65_536)
        except OSError:  # how a terminal says that nobody writes to it any more
            break
        if _TAKES_KEYS in output and not quit_sent:
            quit_sent = os.write(ours, _QUIT) > 0
    os.close(ours)
    if app.poll() is None and time.monotonic() >= end:
        app.kill()
    if app.wait() or not quit_sent:
        raise NotWorking(f"the app ended with {app.returncode}: {output[-500:].decode('utf-8', 'replace')}")


def doctor(installed: Installed, environment: dict[str, str], folder: Path) -> list[dict[str, str]]:
    """What `spar doctor` finds."""
    output = run([str(installed.spar), "doctor", "--offline", "--json"], environment, folder)
    findings: list[dict[str, str]] = json.loads(output)["findings"]
    return findings


def test(installed: Installed) -> None:
    """The tests of the checkout, with the libraries of the installation."""
    python = str(installed.python)
    pip = [python, "-m", "pip", "install", "--quiet"]
    run([*pip, "pip>=25.1"], installed.environment)  # the first that knows groups
    run([*pip, "--group", "test"], installed.environment, ROOT)
    environment = {**installed.environment, "PYTHONPATH": str(ROOT)}
    command = [python, "-m", "pytest", "--numprocesses", "auto", "--maxprocesses", "4", "--dist", "loadfile", *TESTS]
    if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
        raise NotWorking("tests failed")


def run(words: Sequence[str], environment: dict[str, str], folder: Path = ROOT, code: int = 0) -> str:
    """What a command says, if it ends with `code`. Raises `NotWorking` otherwise."""
    ran = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    output = ran.stdout if code == 0 else ran.stderr
    if ran.returncode != code or "Traceback" in ran.stderr:
        raise NotWorking(
            f"`{' '.join(words)[:200]}` ended with {ran.returncode}: {ran.stdout[-500:]}{ran.stderr[-1500:]}"
        )
    return output


if __name__ == "__main__":
    sys.exit(main())
