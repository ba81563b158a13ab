"""How close a search comes to the shortest time it could take: `python -m tests.benchmarks.critical_path`.

The stand-in services answer after one second, a scripted model after two. The critical path is read off the run's own
events: in each stage the slowest source, or the batches that the model was asked one after another because no more fit
side by side; stages follow each other. Prints both times and the number of calls, fast and deep.
"""

import asyncio
import tempfile
import time
from collections import Counter
from math import ceil
from pathlib import Path
from typing import get_args

from agents.llm.model import Model
from agents.run.events import SourceAnswered, Spent
from agents.run.resources import Resources
from agents.search.events import Event, StageChanged
from agents.search.loop import search
from agents.search.options import Mode, SearchOptions
from connectors.http.pool import ConnectionPool
from connectors.opening import open_sources
from connectors.spec import Access
from tests.agents.llm.use import access
from tests.agents.search.world import HONEST
from tests.services import Services
from tests.services.model.server import ScriptedModel, by_prompt

SERVICE_SECONDS, MODEL_SECONDS = 1.0, 2.0
LIVE = ("arxiv", "openalex", "semanticscholar", "pubmed")


async def timed(mode: Mode, services: Services, model: Model, home: Path) -> list[tuple[float, Event]]:
    """The events of a search, each with the second it came in."""
    urls = {name: services.url("semantic_scholar" if name == "semanticscholar" else name) for name in LIVE}
    start, events = time.monotonic(), []
    async with ConnectionPool() as connections:
        sources = open_sources(LIVE, Access(urls=urls), connections, home)
        async for event in search(
            "dense retrieval of scientific documents", Resources(sources, model=model), SearchOptions(mode=mode)
        ):
            events.append((time.monotonic() - start, event))
    await model.close()
    return events


def critical_path(events: list[tuple[float, Event]], side_by_side: int) -> list[tuple[str, float, float]]:
    """Each stage with the seconds it took and the least it could take."""
    starts = [(at, one) for at, one in events if isinstance(one, StageChanged)]
    ends = [at for at, _ in starts[1:]] + [events[-1][0]]
    stages = []
    for (start, stage), end in zip(starts, ends, strict=True):
        inside = [one for at, one in events if start <= at <= end]
        sources = [one.seconds for one in inside if isinstance(one, SourceAnswered)]
        calls = sum(one.calls for one in inside if isinstance(one, Spent))
        least = max(sources, default=0.0) + ceil(calls / side_by_side) * MODEL_SECONDS
        if stage.stage == "references":
            least = SERVICE_SECONDS  # one layer: every reference is asked about at the same time
        stages.append((f"{stage.stage} {stage.round}", end - start, least))
    return stages


def searched(mode: Mode) -> tuple[ScriptedModel, list[tuple[str, float, float]]]:
    """The model as it was asked, and the stages of one search."""
    script = by_prompt(HONEST)
    with Services(latency=SERVICE_SECONDS) as services, ScriptedModel(script, MODEL_SECONDS) as endpoint:
        known = access(endpoint)
        with tempfile.TemporaryDirectory() as home:
            events = asyncio.run(timed(mode, services, Model(known), Path(home)))
        return endpoint, critical_path(events, known.concurrency)


def in_all(stages: list[tuple[str, float, float]]) -> tuple[float, float]:
    """Seconds of all stages, and the least that they could take."""
    return sum(took for _, took, _ in stages), sum(least for _, _, least in stages)


def main() -> None:
    for mode in get_args(Mode):
        endpoint, stages = searched(mode)
        steps = Counter(request.name for request in endpoint.requests)
        print(f"\n{mode}: {endpoint.calls} calls to the model {dict(steps)}, at most {endpoint.peak} at once")
        for name, took, least in stages:
            print(f"  {name:<24} {took:6.2f} s  of at least {least:5.2f} s")
        wall, path = in_all(stages)
        print(f"  {'all':<24} {wall:6.2f} s  of at least {path:5.2f} s: {wall / path:.2f} times")


if __name__ == "__main__":
    main()
