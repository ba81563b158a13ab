"""`python -m tests.benchmarks.quality COLLECTIONS [--queries N] [--write]`: measure, print the page, or write it."""

import argparse
import json
import os
import sys
import tempfile
from datetime import date
from pathlib import Path

from tests.benchmarks.quality.page import page
from tests.benchmarks.quality.runs import calls, measured

DOCS = Path(__file__).parents[3] / "docs"
DATA, PAGE = DOCS / "quality.json", DOCS / "quality.md"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.quality", description=__doc__)
    parser.add_argument("collections", type=Path, help="the folder of the collections")
    parser.add_argument("--queries", type=int, default=30, help="questions of a collection at most")
    parser.add_argument("--write", action="store_true", help="keep what was measured, and write docs/quality.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "SPAR_HOME": home, "OPENBLAS_NUM_THREADS": "1"}
        runs = []
        for call in calls(arguments.queries):
            print("spar bench", call.collection, *call.arguments, file=sys.stderr, flush=True)
            runs.append(measured(call, arguments.collections, environment))
    data = {"date": f"{date.today():%Y-%m-%d}", "queries": arguments.queries, "runs": runs}
    if arguments.write:
        DATA.write_text(json.dumps(data, separators=(",", ":")) + "\n", "utf-8")
        PAGE.write_text(page(data), "utf-8")
    else:
        print(page(data))


if __name__ == "__main__":
    main()
