"""Watches killed with SIGKILL at any moment from 0 ms on: `python -m tests.benchmarks.killing_watches [TIMES] [SEED]`.

Each time `spar watch` begins with many papers that it has not shown, and is killed at a random moment of its life: what
counts as shown afterwards must have been printed, all of it. In every second kill the home is new, and is opened by
`spar search` for the first time: what is left must be a library with all its tables, or be one at the next start,
without a word. Default 68 times. Exit code 1 if a paper counts as shown that was not, or a library is not mended.
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

from cache import papers
from cache.store import Store
from tests.services import Services
from tests.spar_tui.running import command, environment, spar

STORED = ("search", "dense retrieval", "--source", "openalex", "--watch", "dense")


def killed(home: Path, services: Services, seconds: float, *arguments: str) -> str:
    """What a process has printed that is killed after `seconds`."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            command(*arguments), env=environment(home, services.environment), stdout=out, stderr=subprocess.DEVNULL,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
        time.sleep(seconds)
        process.kill()
        process.wait()
        out.seek(0)
        return out.read().decode()


def kill_watch(services: Services, seconds: float) -> str:
    """Kill a watch after `seconds`; what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        spar(home, *STORED, more=services.environment)
        with Store.open(home / "spar" / "spar.db") as store:
            with store.writing() as db:
                db.execute("DELETE FROM watch_papers")
                db.execute("UPDATE watch_looks SET looked = '1900-01-01T00:00:00.000000Z'")
            before = shown(store)
            printed = killed(home, services, seconds, "watch", "dense", "--json")
            names = {paper["id"] for one in json.loads(printed or "{}").get("watches", ()) for paper in one["papers"]}
            counted = shown(store) - before
    if counted - names:
        return f"COUNTED AND NOT PRINTED: {len(counted - names)} papers"
    return "printed and counted" if counted else "printed, shown once more" if names else "killed before it printed"


def shown(store: Store) -> set[str]:
    """The ids of the papers that count as shown."""
    with store.reading() as db:
        numbers = [number for (number,) in db.execute("SELECT paper FROM watch_papers")]
    return {paper.id for paper in papers.by_ids(store, numbers)}


def kill_first_start(services: Services, seconds: float) -> str:
    """Kill the first start in a new home after `seconds`; what it left and whether the next start mends it."""
    with tempfile.TemporaryDirectory() as folder:
        home, file = Path(folder), Path(folder) / "spar" / "spar.db"
        killed(home, services, seconds, "search", "dense retrieval", "--offline")
        left = "a library" if tables(file) else "a file without tables" if file.exists() else "nothing"
        ran = spar(home, "history")
        silent = not ran.stderr.replace('spar: no runs yet; begin with: spar search "your question".', "").strip()
        return f"left {left}, " + ("whole at the next start" if tables(file) and silent else f"NOT MENDED {ran.stderr}")


def tables(file: Path) -> int:
    if not file.exists() or not file.stat().st_size:
        return 0
    with closing(sqlite3.connect(file)) as db:
        found: int = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    return found


def main(times: int, seed: int) -> int:
    dice, results = Random(seed), Counter[str]()
    with Services() as services, tempfile.TemporaryDirectory() as home:
        start = time.monotonic()
        spar(Path(home), *STORED, more=services.environment)
        seconds = time.monotonic() - start
        for number in range(times):
            services.midnight()  # a day of OpenAlex without a key is soon used up by so many searches
            if number % 2:
                results[kill_first_start(services, dice.uniform(0, 4))] += 1
            else:
                results[kill_watch(services, dice.uniform(0.5, 1.1) * seconds)] += 1
    for result, count in results.most_common():
        print(f"{count:>4}  {result}")
    return int(any("NOT" in result for result in results))


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:3]]
    sys.exit(main(given[0] if given else 68, given[1] if len(given) > 1 else 0))
