"""Ask sources: all planned queries in parallel, each with its own deadline, merging the answers as they arrive."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from agents.builtin.question_parsing.sources import only_for_named_papers
from agents.run.events import (
    AbstractFilled,
    FoundBy,
    PaperFound,
    QueryPlanned,
    SourceAnswered,
    SourceState,
    WorksJoined,
)
from agents.run.findings import LEFT_OUT, Findings, outcome_of
from agents.run.resources import Resources
from agents.run.session import RunSession
from connectors.batches import in_batches
from connectors.capability import Capability
from connectors.errors import NotAskable, NotConfigured, NotFound, SourceError
from connectors.http.deadline import deadline
from connectors.identifiers import Identifier, parse_identifier, sole_identifier
from connectors.opening import ClosedSource
from connectors.paper import Paper, WorkId
from connectors.query.dialects import asked_in
from connectors.records.grouping import Works
from connectors.records.matching import same_work
from connectors.records.merging import merge
from connectors.registry import SOURCES
from connectors.source import ANY, Answer, Preferred, Query, Source, usable_names

NAMES_A_BATCH = 100
"""Identifiers per look-up."""
LOOKUP_SECONDS = 5.0
PATIENCE_SECONDS = 0.5
"""Seconds to wait for abstracts once every source has answered; they help to rank and read, but are not essential."""


class AbstractRefill:
    """Looks up works without an abstract, each once, at the sources that have not described them yet."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = [source for source in sources.values() if Capability.LOOKUP in source.capabilities]
        self._asked: set[Identifier] = set()
        self._lookups: list[asyncio.Task[tuple[Paper, ...]]] = []

    def start(self, papers: Sequence[Paper], answering: Collection[str]) -> None:
        """Ask the `answering` sources for the missing abstracts of `papers`, unless they were asked for before."""
        bare = [paper for paper in papers if not paper.abstract and not self._asked & set(paper.identifiers)]
        self._asked |= {name for paper in bare for name in paper.identifiers}
        for source in (source for source in self._sources if source.name in answering):
            if names := _names_for(source, bare):
                self._lookups.append(asyncio.create_task(_looked_up(source, names)))

    async def finish(self, papers: Mapping[WorkId, Paper], patience: float = PATIENCE_SECONDS) -> dict[WorkId, Paper]:
        """Wait at most `patience` seconds; return the papers that got an abstract, merged with their earlier data."""
        if not self._lookups:
            return {}
        done, late = await asyncio.wait(self._lookups, timeout=patience)
        for lookup in late:
            lookup.cancel()
        names = {name: work for work, paper in papers.items() if not paper.abstract for name in paper.identifiers}
        filled: dict[WorkId, Paper] = {}
        for with_abstract in (paper for lookup in done for paper in lookup.result() if paper.abstract):
            for work in {names[name] for name in with_abstract.identifiers if name in names}:
                earlier = filled.get(work, papers[work])
                if same_work(earlier, with_abstract):
                    filled[work] = merge(earlier, with_abstract)
        return filled

    def stop(self) -> None:
        """Cancel all look-ups."""
        for lookup in self._lookups:
            lookup.cancel()


def _names_for(source: Source, papers: Sequence[Paper]) -> list[Identifier]:
    """Return the identifiers to look up at `source`, leaving out papers that it described itself."""
    strangers = [paper for paper in papers if source.name not in {origin.source for origin in paper.provenance}]
    names = [name for paper in strangers for name in usable_names(paper.identifiers, source.schemes)[:1]]
    return names[:NAMES_A_BATCH]


async def _looked_up(source: Source, names: Sequence[Identifier]) -> tuple[Paper, ...]:
    try:
        async with deadline(source.name, LOOKUP_SECONDS):
            return (await source.lookup(names)).papers
    except SourceError:
        return ()  # a missing abstract is no reason to report a failed source


IN_TURN = 1.0
"""Seconds between two requests from which a source's queries are sent one after another."""


@dataclass(frozen=True, slots=True)
class QueryBounds:
    """Limits for every query: dates, number of records, seconds per source, and preferred papers."""

    since: date | None
    until: date | None
    records: int
    seconds: float
    preferred: Preferred = ANY


async def ask(
    session: RunSession[Any, Any],
    planned: Sequence[QueryPlanned],
    sources: Mapping[str, Source],
    bounds: QueryBounds,
    refill: AbstractRefill,
) -> None:
    """Send the `planned` queries that have no answer yet, and merge the papers that arrive."""
    due = [plan for plan in planned if (plan.source, plan.query) not in session.findings.answered]
    if not await session.control.ready():
        return
    tasks: list[asyncio.Task[Fetched]] = []
    last: dict[str, asyncio.Task[Fetched]] = {}
    for plan in due:
        before = last.get(plan.source) if gap_of(plan.source) >= IN_TURN else None
        last[plan.source] = asyncio.create_task(_ask(sources[plan.source], plan, bounds, before))
        tasks.append(last[plan.source])
    async for outcome in session.control.as_done(tasks):
        # The answer is posted after its papers: a run that breaks off between them repeats the query and loses nothing.
        session.post(*taken_in(session.works, records_of(outcome)), answered(outcome))
        refill.start(list(session.papers.values()), session.answering.keys())
    if session.control.stopping:
        why = "was stopped before it answered."
        unanswered = [plan for plan in due if (plan.source, plan.query) not in session.findings.answered]
        session.post(*(SourceAnswered(plan.source, plan.query, "stopped", error=why) for plan in unanswered))


async def look_up(
    session: RunSession[Any, Any], names: Sequence[Identifier], seconds: float
) -> list[tuple[str, tuple[Paper, ...]]]:
    """Return the papers called `names`, by source; each name is looked up once, at a source that supports it. Each
    batch has `seconds`; a source that fails causes a warning."""
    return await asyncio.gather(*(_lookup(session, source, some, seconds) for source, some in _batches(session, names)))


def _batches(session: RunSession[Any, Any], names: Sequence[Identifier]) -> list[tuple[Source, Sequence[Identifier]]]:
    """Assign each name to the first source that supports it."""
    remaining = list(names)
    batches = []
    for source in session.answering.values():
        if Capability.LOOKUP in source.capabilities:
            mine = usable_names(remaining, source.schemes)
            remaining = [name for name in remaining if name not in set(mine)]
            batches += [(source, batch) for batch in in_batches(mine, NAMES_A_BATCH)]
    return batches


async def _lookup(
    session: RunSession[Any, Any], source: Source, names: Sequence[Identifier], seconds: float
) -> tuple[str, tuple[Paper, ...]]:
    try:
        async with deadline(source.name, seconds):
            return source.name, (await source.lookup(names)).papers
    except SourceError as error:
        session.warn(f"References could not be looked up: {source.name} {error.sentence}")
        return source.name, ()


@asynccontextmanager
async def filling_abstracts(
    session: RunSession[Any, Any], sources: Mapping[str, Source]
) -> AsyncIterator[AbstractRefill]:
    """Look up missing abstracts during the block, and post those that arrived by its end."""
    refill = AbstractRefill(sources)
    refill.start(list(session.papers.values()), session.answering.keys())
    try:
        yield refill
        filled = await refill.finish(session.papers)
        for work, paper in filled.items():
            session.works.learn(work, paper)
        session.post(*(AbstractFilled(work, paper) for work, paper in filled.items()))
    finally:
        refill.stop()


def left_out(
    session: RunSession[Any, Any], query: str, names_of_sources: Collection[str], built_in: bool = True
) -> list[SourceAnswered]:
    """Return a skip event, with its reason, for each live source that is not in `names_of_sources`, those chosen for
    the query; `built_in` says whether rules chose them or a model did."""
    accounted = {*names_of_sources, *session.findings.sources}
    unable = "cannot look up such identifiers." if sole_identifier(query) else ""
    return [
        SourceAnswered(name, query, "skipped", error=unable or _why_left_out(source, built_in), asked=False)
        for name, source in session.resources.live.items()
        if name not in accounted
    ]


def _why_left_out(source: Source, built_in: bool) -> str:
    if isinstance(source, ClosedSource):
        return source.why
    why = "it was not chosen for this question"
    if built_in:
        of_names = only_for_named_papers(source.name)
        why = (
            "it only looks up named papers, and the question names none"
            if of_names
            else "it does not suit the question's field"
        )
    return f"{LEFT_OUT}{why}."


def found_by_any(findings: Findings, sources: Iterable[str]) -> bool:
    """Whether one of `sources` has returned a paper."""
    return any(findings.sources[name].found for name in sources if name in findings.sources)


def why_fallback(resources: Resources, findings: Findings) -> str:
    """Say why the built-in starter shelf is asked."""
    shelf = f"the {', '.join(resources.fallback)} shelf"
    local_sources = f"the library and {shelf}" if resources.local else shelf
    outcomes = {outcome_of(findings.sources[name]) for name in resources.live if name in findings.sources}
    if not outcomes - {"not asked"}:
        return f"No live source asked: searched {local_sources} only."
    if outcomes <= {"failed", "stopped", "not asked"}:
        return f"No live source answered: searched {local_sources} only."
    return f"No live source found a paper: searched {shelf} too."


def gap_of(source: str) -> float:
    """Return the minimum number of seconds between two requests to a source."""
    return SOURCES[source].rate_limit.gap if source in SOURCES else 0.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """A source's answer to a planned query, or its failure; `spared` if it was not asked because it had failed."""

    plan: QueryPlanned
    seconds: float
    answer: Answer | None
    error: SourceError | None
    spared: bool = False


async def _ask(
    source: Source, plan: QueryPlanned, bounds: QueryBounds, before: "asyncio.Task[Fetched] | None"
) -> Fetched:
    """Return the answer to a query. If the source failed on the query `before`, skip this one."""
    if before is not None:
        earlier = await before
        if earlier.error is not None and not isinstance(earlier.error, NotAskable):
            return Fetched(plan, 0.0, None, earlier.error, spared=True)
    if name := parse_identifier(plan.words) if plan.form == "name" else None:
        return await fetched(plan, partial(_named, source, name), bounds.seconds)
    reports_additions = Capability.SEARCH_ADDED in source.capabilities
    since = max((day for day in (bounds.since, None if reports_additions else plan.since) if day), default=None)
    first_day_added = plan.since if reports_additions else None
    query = Query(plan.words, since, bounds.until, bounds.records, bounds.preferred, plan.form, first_day_added)
    return await fetched(plan, partial(source.search, asked_in(source.name, query)), bounds.seconds)


async def _named(source: Source, name: Identifier) -> Answer:
    """Return the paper called `name`, or no paper if the source does not know it."""
    try:
        return await source.lookup([name])
    except NotFound:
        return Answer(total=0)


async def fetched(plan: QueryPlanned, request: Callable[[], Awaitable[Answer]], seconds: float) -> Fetched:
    """Send the request for `plan`, and wait for at most `seconds`."""
    start = time.monotonic()
    try:
        async with deadline(plan.source, seconds):
            answer = await request()
    except SourceError as error:
        return Fetched(plan, time.monotonic() - start, None, error)
    return Fetched(plan, time.monotonic() - start, answer, None)


def answered(outcome: Fetched) -> SourceAnswered:
    """Return the event of an answer or a failure."""
    name, query, seconds = outcome.plan.source, outcome.plan.query, round(outcome.seconds, 2)
    if outcome.answer is None:
        assert outcome.error is not None
        off = outcome.spared or isinstance(outcome.error, NotConfigured | NotAskable)
        state: SourceState = "skipped" if off else "failed"
        counts = outcome.error.request_sent and not outcome.spared
        return SourceAnswered(name, query, state, seconds=seconds, error=outcome.error.sentence, asked=counts)
    answer = outcome.answer
    return SourceAnswered(
        name,
        query,
        "partial" if answer.partial else "ok",
        found=len(answer.papers),
        seconds=seconds,
        error=" ".join(answer.notes) if answer.partial else None,
        total=answer.total,
        sent=answer.sent,
        notes=answer.notes,
    )


def records_of(outcome: Fetched) -> list[tuple[Paper, FoundBy]]:
    """Return the papers of an answer with how each was found."""
    papers: Sequence[Paper] = outcome.answer.papers if outcome.answer else ()
    plan = outcome.plan
    return [
        (paper, FoundBy(plan.source, plan.query, rank, record=record_name(paper, plan.source)))
        for rank, paper in enumerate(papers, start=1)
    ]


def record_name(paper: Paper, source: str) -> str:
    """Return the name of a record within `source`: its own identifier, else the paper's id."""
    own = SOURCES[source].own_schemes if source in SOURCES else ()
    return next((f"{scheme}:{value}" for scheme in own if (value := paper.identifier(scheme))), paper.id)


def taken_in(works: Works, papers: Iterable[tuple[Paper, FoundBy]]) -> list[PaperFound | WorksJoined]:
    """Merge arriving records into `works` and return the events."""
    events: list[PaperFound | WorksJoined] = []
    for paper, found_by in papers:
        work, merged, absorbed = works.add(paper)
        events.append(PaperFound(work, merged, found_by))
        events += [WorksJoined(work, duplicate) for duplicate in absorbed]
    return events
