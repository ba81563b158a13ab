"""Line 6: no failure is told as an empty result, no part as the whole, and neither is kept: every fault, every
source."""

import asyncio
import json
from pathlib import Path

import httpx

from agents.run.resources import Resources
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from cache.cached_source import CachedSource
from cache.packing import decompress
from cache.store import Store
from connectors.http.pool import ConnectionPool
from connectors.opening import open_sources
from spar_tui.settings import load_settings
from tests.agents.run.retrieval.test_fetching import HONEST, ONE_ROUND
from tests.reliability.line import SEARCHED, Figure, Line, Trial, harm
from tests.services import KINDS, Fault, Services, Terms

QUESTION = "learning"
FEW = ("503", "truncated", "login_as_json", "error_in_200", "chunk_cut")
PATIENT = SearchOptions(source_seconds=60.0, understanding=False, refchain=False, evolution=False, choose_sources=False)
HASTY = SearchOptions(
    source_seconds=ONE_ROUND.source_seconds, understanding=False, refchain=False, evolution=False, choose_sources=False
)


def measure(trial: Trial) -> Line:
    kinds = sorted(KINDS - HONEST) if trial.full else FEW
    whole, answers = searched((), trial.folder / "whole", PATIENT)
    count = {name: tally.found for name, tally in whole.sources.items()}
    assert all(count[name] for name in SEARCHED), count
    empty, part, unnamed, cached = list[str](), list[str](), list[str](), list[str]()
    for kind in kinds:
        found, kept = searched([Fault(kind, seconds=30.0)], trial.folder / kind, HASTY)
        for name in SEARCHED:
            tally = found.sources[name]
            case = f"{kind} of {name}"
            empty += [case] * (tally.state == "ok" and not tally.found)
            part += [case] * (tally.state == "ok" and 0 < tally.found < count[name])
            unnamed += [case] * (tally.state != "ok" and not tally.error)
        cached += [f"{kind}: {request}" for request, papers in kept.items() if papers < answers.get(request, 0)]
    naive = sum(taken_for_empty(kind) for kind in kinds)
    return Line(
        6, "failures that look like empty results",
        f"each of {len(kinds)} faults (status, body, transport, redirects) on every request to {len(SEARCHED)} "
        f"sources: {len(kinds) * len(SEARCHED)} searches",
        (
            Figure("failures reported as “no results”", len(empty)),
            Figure("partial answers reported as complete", len(part)),
            Figure("failures without a message", len(unnamed)),
            Figure("partial answers cached for the next search", len(cached)),
        ),
        (harm("faults that a plain client, which reads `results`, takes for no results", naive),),
        tests=("tests/agents/run/retrieval/test_fetching.py", "tests/connectors/http/test_client.py"),
    )  # fmt: skip


def searched(faults: object, folder: Path, options: SearchOptions) -> tuple[SearchState, dict[str, int]]:
    """What a search of every source comes to, and how many papers are kept for the next one, by what was asked."""
    with Services(rules=False, faults=faults) as services:  # type: ignore[arg-type]
        told = {**services.environment, "SERPER_API_KEY": Terms().serper_key, "SPAR_HOME": str(folder)}
        settings = load_settings(told)

        async def run(store: Store) -> SearchState:
            async with ConnectionPool() as connections:
                sources = open_sources(SEARCHED, settings.access, connections, folder / "gates")
                kept = {name: CachedSource(source, store) for name, source in sources.items()}
                return SEARCH.folded([event async for event in search(QUESTION, Resources(kept), options)])

        with Store.open(folder / "spar.db") as store:
            state = asyncio.run(run(store))
            with store.reading() as db:
                rows = db.execute("SELECT source || ' ' || key, answer FROM answers").fetchall()
    return state, {request: len(json.loads(decompress(answer))["papers"]) for request, answer in rows}


def taken_for_empty(kind: str) -> bool:
    """Whether everyday code takes the fault for an empty list."""
    with Services(rules=False, faults=[Fault(kind, seconds=30.0)]) as services:
        address = f"{services.url('openalex')}/works?search=learning&select=id"
        try:
            return not httpx.get(address, trust_env=False, timeout=0.5).json().get("results", [])
        except Exception:  # noqa: BLE001  # named by an exception, of whichever kind
            return False
