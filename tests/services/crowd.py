"""Several processes in several homes of one person, which all ask the same sources as fast as their manners let them.

What they did is read from what the service saw, and from nothing else.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.services.http.message import Request
from tests.spar_tui.running import ROOT, forked_python

_ASKING = """
import asyncio, sys, time
from connectors.errors import SourceError
from connectors.http.pool import ConnectionPool
from connectors.opening import open_sources
from connectors.source import Query
from spar_tui.settings import load_settings

async def main(names, seconds, tasks, number):
    settings, first, over = load_settings(), asyncio.Event(), asyncio.Event()
    async with ConnectionPool("spar/crowd") as connections:
        sources = open_sources(names, settings.access, connections, settings.places.gates)
        async def ask(source, task):
            while not over.is_set():
                try:
                    await source.search(Query(f"retrieval {number} {task} {time.monotonic():.3f}", limit=5))
                    await asyncio.sleep(0.05)  # more often than any limit allows, and less work than without a pause
                except SourceError:
                    await asyncio.sleep(0.2)
                first.set()
        asking = [asyncio.create_task(ask(source, task)) for source in sources.values() for task in range(tasks)]
        await first.wait()  # on a busy machine it takes long to load what a source needs
        await asyncio.sleep(seconds)
        over.set()  # what is under way ends by itself: an answer that nobody heard would bind nobody
        await asyncio.gather(*asking)

asyncio.run(main(sys.argv[1].split(), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
"""


def crowd(
    sources: str,
    folder: Path,
    more: Mapping[str, str],
    *,
    seconds: float,
    homes: int = 2,
    each: int = 2,
    tasks: int = 3,
) -> None:
    """Let `each` processes in each of `homes` homes under `folder` ask all `sources`, `tasks` at once, for `seconds`
    from the first answer on.

    `sources` are names with blanks between, `more` is the environment besides the homes. Returns when all are done.
    """
    places = [folder / f"home{number % homes}" for number in range(homes * each)]
    running = [start(sources, home, more, seconds, tasks) for home in places]
    for process in running:
        _, said = process.communicate(timeout=seconds + 60.0)
        assert process.returncode == 0, said


def start(sources: str, home: Path, more: Mapping[str, str], seconds: float, tasks: int) -> subprocess.Popen[str]:
    """One process of the crowd."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SPAR_")}
    return subprocess.Popen(
        forked_python("-c", _ASKING, sources, str(seconds), str(tasks), home.name),
        env={**kept, "PYTHONPATH": str(ROOT), **more, "SPAR_HOME": str(home)},
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )


def pauses(requests: Iterable[Request], told: Mapping[int, float]) -> list[tuple[float, float]]:
    """The spans in which nobody may ask: `told` gives the seconds that a reply of that status names."""
    return [
        (request.ended, request.ended + told[request.status])
        for request in requests
        if request.ended is not None and request.status is not None and request.status in told
    ]


def broken(requests: Sequence[Request], spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Those of `spans` in which somebody asked."""
    return [(since, until) for since, until in spans if any(since < one.time < until for one in requests)]


def busiest(requests: Iterable[Request], seconds: float = 1.0) -> int:
    """The most requests that arrived in any window of so many seconds."""
    times = sorted(request.time for request in requests)
    return max((sum(start <= time < start + seconds for time in times) for start in times), default=0)
