"""Line 4: a storm: every service fails in every way now and then, in a seeded order, while many searches go
on at once."""

import asyncio
import re
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from connectors.errors import SourceError
from connectors.http.pool import ConnectionPool
from connectors.opening import open_sources
from connectors.source import Query, Source
from spar_tui.settings import load_settings
from tests.reliability.line import SEARCHED, Figure, Line, Trial, harm
from tests.reliability.processes import Tell, started
from tests.services import KINDS, Fault, Services, Terms
from tests.spar_tui.running import PATIENCE

SHARE = 0.25
"""Of the requests that are spoiled."""
SLOW = frozenset({"hang", "stall", "stall_body", "drip", "drip_head", "delay"})
FINAL = frozenset({
    "400", "401", "403", "404", "418", "budget_gone", "plan_required", "query_timeout", "login_page", "login_as_json",
    "login_as_xml", "redirect_away", "redirect_loop", "gzip_bomb",
})  # fmt: skip
"""After which no source asks again, for it would only hear it again."""
QUIET = frozenset({"nothing", "stale", "bom"})
AT_ONCE = 4


def measure(trial: Trial) -> Line:
    wanted = trial.many(60, 1_000)
    told = storm(trial, wanted)
    answered = told.answered / max(1, told.answered + told.named)
    return Line(
        4, "failing services",
        f"{told.requests:,} requests to {len(SEARCHED)} services, {told.struck:,} of them hit by one of "
        f"{len(KINDS - QUIET)} faults, {len(FINAL)} of which allow no retry; {told.answered + told.named:,} "
        f"questions, {AT_ONCE} at once to each service; {told.unasked:,} more questions during a pause of a service, "
        "reported as skipped and not sent; rate limits apply",
        (
            Figure("unexpected exceptions", told.stray),
            Figure("failures without the service's name or a message", told.unnamed),
            Figure("questions answered within the allowed tries", round(100 * answered), 80, least=True, unit=" %"),
            Figure("requests to the target of a foreign redirect", told.canary),
            Figure("memory above idle", told.memory, 150, unit=" MiB"),
            Figure("longest block of the app's event loop",
                   round(told.stood * 1000), 100, unit=" ms"),
        ),
        (harm("requests hit by a fault", told.struck),),
        tests=("tests/agents/run/retrieval/test_fetching.py", "tests/connectors/http/test_client.py"),
    )  # fmt: skip


class Told:
    """What was seen."""

    def __init__(self) -> None:
        self.answered = self.named = self.unnamed = self.stray = self.canary = self.requests = self.struck = 0
        self.unasked = 0
        self.memory = 0
        self.stood = 0.0


def storm(trial: Trial, wanted: int) -> Told:
    """The services run in a process of their own, so that what they do costs the asking one nothing."""
    told, over = Told(), trial.folder / "over"
    process, ear = started(serve, weather(trial.dice, wanted), over)
    assert ear.poll(PATIENCE)
    settings = load_settings({**ear.recv(), "SERPER_API_KEY": Terms().serper_key, "SPAR_HOME": str(trial.folder)})

    async def run() -> None:
        ended = asyncio.Event()
        async with ConnectionPool() as connections:
            sources = list(open_sources(SEARCHED, settings.access, connections, trial.folder / "gates").values())
            for source in sources:  # what is imported and opened once is no part of the storm
                with suppress(SourceError):
                    await source.search(Query("learning", limit=1))
            before = memory()
            ticking = asyncio.create_task(ticks(told, ended))
            asking = [ask(source, told, wanted, number) for source in sources for number in range(AT_ONCE)]
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.gather(*asking), 100 if trial.full else 10)
            told.memory = max(0, memory() - before)
            ended.set()
            await ticking

    asyncio.run(run())
    over.touch()
    assert ear.poll(PATIENCE)
    told.requests, told.struck, told.canary = ear.recv()
    process.join(PATIENCE)
    return told


def serve(tell: Tell, faults: list[Fault], over: Path) -> None:
    with Services(rules=False, faults=faults) as services:
        tell(services.environment)
        while not over.exists():
            time.sleep(0.05)
        struck = sum(request.fault is not None for request in services.log)
        tell((len(services.log), struck, len(services.canary_hits)))


def weather(dice: Random, wanted: int) -> list[Fault]:
    """Which request of each service is spoiled, and how."""
    kinds = sorted(KINDS - QUIET)
    names = ("arxiv", "openalex", "semantic_scholar", "pubmed", "europepmc", "crossref", "google")
    return [
        Fault(kind := dice.choice(kinds), name, nth=number, seconds=0.5 if kind in SLOW else 1.0, value="1")
        for name in names
        for number in range(1, wanted)
        if dice.random() < SHARE
    ]


async def ask(source: Source, told: Told, wanted: int, number: int) -> None:
    """Ask until the storm is over."""
    question = 0
    while told.answered + told.named < wanted and question < wanted:
        question += 1
        try:
            await source.search(Query(f"learning {number} {question}", limit=5))
            told.answered += 1
        except SourceError as error:
            told.named += error.request_sent
            told.unasked += not error.request_sent
            told.unnamed += error.source != source.name or not re.search(r"[.?]$", error.sentence)
            await asyncio.sleep(0.02)
        except Exception:  # noqa: BLE001  # none may come, of whichever kind
            told.stray += 1


async def ticks(told: Told, over: asyncio.Event) -> None:
    """The processor's time that the loop takes at most from one tick to the next."""
    while not over.is_set():
        begun = time.thread_time()
        await asyncio.sleep(0.01)
        told.stood = max(told.stood, time.thread_time() - begun)


def memory() -> int:
    """MiB that this process holds, and has held at most."""
    return int(re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())[1]) // 1024  # type: ignore[index]
