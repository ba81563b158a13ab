"""Two `spar` processes that search as fast as they can, against services that judge every request.

`python -m tests.benchmarks.politeness [SECONDS]` (default 60). Prints requests and violations per service; exit code 1
if there is any violation.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.services import Services

QUESTIONS = ("dense retrieval", "graph neural networks", "cystic fibrosis therapy", "crispr screens", "citation graphs")
_LOOP = """
import subprocess, sys, time
end, number = time.monotonic() + float(sys.argv[1]), int(sys.argv[2])
while time.monotonic() < end:
    number += 2
    question = sys.argv[3].split("|")[number % 5] + f" {number}"
    subprocess.run([sys.executable, "-m", "spar_tui", "search", question], capture_output=True)
"""


def main(seconds: float) -> int:
    with Services() as services, tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **services.environment, "SPAR_HOME": home}
        start = time.monotonic()
        loops = [
            subprocess.Popen(
                [sys.executable, "-c", _LOOP, str(seconds), str(first), "|".join(QUESTIONS)],
                env=environment,
                cwd=Path(__file__).parents[2],
            )
            for first in (0, 1)
        ]
        for loop in loops:
            loop.wait()
        taken = time.monotonic() - start
        asked = Counter(request.service for request in services.log)
        broken = Counter(sentence.split()[0].strip(":") for sentence in services.violations)
        for service, requests in sorted(asked.items()):
            print(f"{service:<18} {requests:>5} requests in {taken:.0f} s")
        print(f"violations: {sum(broken.values())} {dict(broken) or ''}")
        for sentence in services.violations[:10]:
            print(f"  {sentence}")
        return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0))
