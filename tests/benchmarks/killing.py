"""Searches killed with SIGKILL at random moments and gone on with: `python -m tests.benchmarks.killing [TIMES] [SEED]`.

Each time in a new home: `spar search` is killed at a random moment of its life, then `spar search --resume last` must
end with the list of a search that was left in peace, and nothing may be judged twice. Default 50 times, with and
without a model by turns. Exit code 1 if any list differs.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from agents.search.events import PaperJudged
from agents.search.kind import SEARCH
from cache import runs
from cache.store import Store
from tests.agents.search.world import scripted
from tests.services import Services
from tests.spar_tui.running import command, environment, spar

ASK = ("search", "dense retrieval", "--source", "openalex", "--source", "pubmed", "--limit", "15", "--json")


def listed(printed: str) -> list[str]:
    return [paper["id"] for paper in json.loads(printed)["papers"]]


def judged_twice(home: Path) -> list[str]:
    """The papers that a model judged more than once in the home's last run."""
    with Store.open(next(home.rglob("*.db"))) as store:
        rows = runs.events(store, runs.resolve(store, "last"))
    events = [event for row in rows if (event := SEARCH.codec.decode(row.kind, row.content))]
    state = SEARCH.folded(events)
    works = Counter(
        state.work(event.work) for event in events if isinstance(event, PaperJudged) and event.by == "model"
    )
    return [state.found[work].paper.title for work, times in works.items() if times > 1]


def kill(home: Path, more: Mapping[str, str], flags: Sequence[str], seconds: float) -> bool:
    """Start a search and kill it after `seconds`; whether it was still at work then."""
    process = subprocess.Popen(
        command(*ASK, *flags),
        env=environment(home, more),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
    )
    time.sleep(seconds)
    running = process.poll() is None
    process.kill()
    process.wait()
    return running


def main(times: int, seed: int) -> int:
    dice, results = Random(seed), Counter[str]()
    with Services(latency=0.1) as services, scripted() as model:
        modes: list[tuple[dict[str, str], tuple[str, ...]]] = [
            ({**services.environment, **model.environment}, ()),
            (services.environment, ("--no-model",)),
        ]
        whole = []
        for more, flags in modes:
            with tempfile.TemporaryDirectory() as home:
                start = time.monotonic()
                ran = spar(Path(home), *ASK, *flags, more=more)
                whole.append((listed(ran.stdout), time.monotonic() - start))
                print(f"in peace: {len(whole[-1][0])} papers in {whole[-1][1]:.1f} s {' '.join(flags)}")
        for number in range(times):
            (more, flags), (papers, seconds) = modes[number % 2], whole[number % 2]
            moment = dice.uniform(0, seconds)
            services.midnight()  # a day of OpenAlex without a key is soon used up by so many searches
            with tempfile.TemporaryDirectory() as home:
                running = kill(Path(home), more, flags, moment)
                ran = spar(Path(home), "search", "--resume", "last", "--json", *flags, more=more)
                if ran.returncode and "There is no run yet" in ran.stderr:
                    told = "killed before the run began"
                elif ran.returncode or listed(ran.stdout) != papers:
                    told = "DIFFERENT"
                    print(f"{moment:.2f} s: {ran.stderr.strip()[:300]}")
                elif twice := judged_twice(Path(home)):
                    told = "JUDGED TWICE"
                    print(f"{moment:.2f} s: {twice}")
                else:
                    told = "the same list" if running else "was over already, the same list"
            results[told] += 1
    for told, count in results.most_common():
        print(f"{count:>4}  {told}")
    return int(bool(results["DIFFERENT"] or results["JUDGED TWICE"]))


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:3]]
    sys.exit(main(given[0] if given else 50, given[1] if len(given) > 1 else 0))
