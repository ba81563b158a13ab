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

from tests.services import Fault, Services
from tests.spar_tui.running import UNREACHABLE


def search(more: Mapping[str, str], *arguments: str) -> None:
    """One search in a new home; prints what it took."""
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
    print(
        f"  exit {ran.returncode}, process {taken:.2f} s, search {found['cost']['seconds']:.2f} s, slowest source "
        f"{slowest:.2f} s, {len(found['papers'])} papers, failed: {', '.join(failed) or 'none'}"
    )


if __name__ == "__main__":
    print("services answer after 1 s:")
    with Services(latency=1.0) as services:
        search(services.environment)
    print("one service hangs:")
    with Services(faults=[Fault("hang", service="openalex", seconds=60.0)]) as services:
        search(services.environment)
    print("nothing within reach:")
    search(UNREACHABLE)
