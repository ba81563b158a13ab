"""What it takes to have the program: its wheel, its installation, `make run` to the first result. Packages come from
the registry, or from what pip has kept of it."""

import io
import os
import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.scorecard.figures import Figure, of_pairs
from tests.benchmarks.scorecard.measure import Bench, Measure
from tests.benchmarks.scorecard.processes import ROOT
from tests.services import Services

PACKAGES = ("agents", "cache", "connectors", "spar_tui")


def wheel(bench: Bench) -> Figure:
    """Its size beside that of the sources, packed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in subprocess.check_output(["git", "ls-files", *PACKAGES], cwd=ROOT, text=True).split():
            archive.write(ROOT / name, name)
    with TemporaryDirectory() as folder:
        return of_pairs([(_wheel(Path(folder)).stat().st_size / 1e6, len(packed.getvalue()) / 1e6)], "MB")


def installed(bench: Bench) -> Figure:
    """The wheel installed beside its libraries alone, each in an environment of its own."""
    with TemporaryDirectory() as folder:
        built = str(_wheel(Path(folder)))
        return of_pairs([(_installing([built], Path(folder) / "ours"), _libraries(Path(folder) / "bare"))])


def run(bench: Bench) -> Figure:
    """`make run` in a fresh copy until the first paper is printed, beside installing the libraries."""
    with TemporaryDirectory() as folder, Services() as services:
        copy, home = _copy(Path(folder)), Path(folder) / "home"
        own = {"SPAR_HOME": str(home), "SPAR_MANNERS": str(home), "PYTHON": sys.executable, **services.environment}
        began = time.perf_counter()
        with subprocess.Popen(["make", "run"], cwd=copy, env={**os.environ, **own}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as making:  # fmt: skip
            assert making.stdout
            first = next((line for line in making.stdout if line.lstrip().startswith("1.")), None)
            taken = time.perf_counter() - began
            making.communicate()
        assert first, "make run printed no paper"
        return of_pairs([(taken, _libraries(Path(folder) / "bare"))])


def _copy(folder: Path) -> Path:
    """What is committed, without what has been made beside it."""
    copy = folder / "copy"
    copy.mkdir()
    packed = subprocess.check_output(["git", "archive", "HEAD"], cwd=ROOT)
    subprocess.run(["tar", "-x", "-C", str(copy)], input=packed, check=True)
    return copy


def _wheel(folder: Path) -> Path:
    building = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder), str(_copy(folder))]
    subprocess.run(building, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


def _libraries(environment: Path) -> float:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return _installing(project["dependencies"], environment)


def _installing(wanted: Sequence[str], environment: Path) -> float:
    """Seconds for an environment with what is wanted, in the versions that are tested."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--constraint", str(ROOT / "constraints.txt"), *wanted], check=True, capture_output=True)
    return time.perf_counter() - began


INSTALLING = (
    Measure("wheel", "the wheel", "the package files, compressed", 1.1, wheel, "bytes"),
    Measure("install", "installing spar", "installing its libraries", 1.2, installed, "clock"),
    Measure("make-run", "`make run` in a fresh clone, until the first paper is printed", "installing its libraries",
            1.5, run, "clock"),
)  # fmt: skip
