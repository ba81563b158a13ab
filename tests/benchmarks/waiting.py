"""How long a person waits: `python -m tests.benchmarks.waiting`.

Services that answer after a second, one that hangs, and none within reach; wall time of the whole process and the
slowest source as the program saw it.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.services import Fault, Services
from tests.spar_tui.running import UNREACHABLE


class Waited(NamedTuple):
    """What a search took in seconds: the process, the search in it, the slowest source; and what came of it."""

    code: int
    process: float
    search: float
    slowest: float
    papers: int
    failed: list[str]


def search(more: Mapping[str, str], *arguments: str) -> Waited:
    """One search in a new home."""
    with tempfile.TemporaryDirectory() as home:
        start = time.monotonic()
        ran = subprocess.run(
            [sys.executable, "-m", "spar_tui", "search", "dense retrieval", "--json", *arguments],
            env={**os.environ, **more, "SPAR_HOME": home, "SPAR_MANNERS": home},
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        taken = time.monotonic() - start
    found = json.loads(ran.stdout)
    slowest = max(told["seconds"] for told in found["sources"].values())
    failed = [name for name, told in found["sources"].items() if told["state"] == "failed"]
    return Waited(ran.returncode, taken, found["cost"]["seconds"], slowest, len(found["papers"]), failed)


def told(waited: Waited) -> None:
    """Print it."""
    print(
        f"  exit {waited.code}, process {waited.process:.2f} s, search {waited.search:.2f} s, slowest source "
        f"{waited.slowest:.2f} s, {waited.papers} papers, failed: {', '.join(waited.failed) or 'none'}"
    )


if __name__ == "__main__":
    print("services answer after 1 s:")
    with Services(latency=1.0) as services:
        told(search(services.environment))
    print("one service hangs:")
    with Services(faults=[Fault("hang", service="openalex", seconds=60.0)]) as services:
        told(search(services.environment))
    print("nothing within reach:")
    told(search(UNREACHABLE))
