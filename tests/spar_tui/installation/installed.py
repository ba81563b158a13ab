"""spar as an installer puts it into an environment: files in a folder, notes beside them, a script that starts it."""

import shutil
import subprocess
import sys
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from spar_tui.installation.metadata import DISTRIBUTION
from spar_tui.installation.packages import PACKAGES
from tests.spar_tui.running import PATIENCE, environment

ROOT = Path(__file__).parents[3]
_SCRIPT = """import sys
libraries = [path for path in sys.path if path.endswith("site-packages")]
before = sys.path.index(libraries[0]) if libraries else len(sys.path)
sys.path[before:] = [{folder!r}, *libraries]
from spar_tui.__main__ import main
main()
"""


class Site:
    """An environment of its own under `home`, beside the libraries of this one."""

    def __init__(self, home: Path) -> None:
        self.home, self.folder, self.script = home, home / "site", home / "bin" / "spar"
        for package in PACKAGES:
            shutil.copytree(ROOT / package, self.folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        files = {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in self.folder.rglob("*.py")}
        with (ROOT / "pyproject.toml").open("rb") as described:
            project = tomllib.load(described)["project"]
        needed = [*project["dependencies"], *(f"{one}; extra == 'bench'" for one in extras(project, "bench"))]
        self.note(DISTRIBUTION, *(f"Requires-Dist: {one}" for one in needed), files=files)
        self.script.parent.mkdir()
        self.script.write_text(_SCRIPT.format(folder=str(self.folder)))

    def note(self, name: str, *lines: str, files: Mapping[str, bytes], version: str = "1.0") -> None:
        """Note that the distribution `name` installed `files`."""
        notes = self.folder / f"{name.replace('-', '_')}-{version}.dist-info"
        notes.mkdir()
        head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (notes / "METADATA").write_text(head + "".join(f"{line}\n" for line in lines))
        rows = [f"{path},sha256={_hash(data)},{len(data)}\n" for path, data in files.items()]
        (notes / "RECORD").write_text("".join(rows))

    def spar(
        self,
        *arguments: str,
        python: tuple[str, ...] = (),
        cwd: Path | None = None,
        more: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run the installed spar, by default in an empty folder."""
        empty = self.home / "empty"
        empty.mkdir(exist_ok=True)
        return subprocess.run(
            [sys.executable, *python, str(self.script), *arguments],
            env=environment(self.home, more),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=cwd or empty,
        )


def extras(project: dict[str, dict[str, list[str]]], name: str) -> list[str]:
    return project["optional-dependencies"][name]


def _hash(data: bytes) -> str:
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
