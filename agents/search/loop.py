"""The search: one question in, a stream of events out (SPAR §3).

Understand the question; then in rounds retrieve, judge, follow references, judge, evolve queries; at last rank, and
reorder by the person's taste if requested. Every step reads the board and posts only what the board lacks, so an
interrupted run resumes at any point.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial

from agents.run.control import Control, FollowLinks, GiveFeedback, Request, Say
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.search.events import Event, FeedbackWithdrawn, Finished, PaperJudged, RunStarted, Stage, StageChanged
from agents.search.evolution import evolve
from agents.search.judgement import check_support, judge, judge_works, read_best, tell_unread
from agents.search.options import SearchOptions
from agents.search.pool import assessed, follow_up_works, related_pool, surely_relevant
from agents.search.ranking.personal import rank_personally
from agents.search.ranking.reranking import rerank
from agents.search.refchain import follow_links_of, follow_references
from agents.search.retrieval import queries_of, retrieve
from agents.search.session import Session
from agents.search.state import SearchState
from agents.search.understanding import understand
from cache.local_source import Library
from connectors.capability import OF_PAPERS, Capability
from connectors.identifiers import sole_identifier
from connectors.paper import WorkId
from connectors.query.expression import expression_of

NAMED_ALONE = "it is the paper that you named"


def search(
    question: str,
    resources: Resources,
    options: SearchOptions,
    board: Board[SearchState, Event] | None = None,
    control: Control | None = None,
    today: date | None = None,
) -> AsyncGenerator[Event, None]:
    """Yield the events of a search, or of the rest of the one on `board`; closing the iterator stops it at once."""
    resources, board = _within_library(question, resources, options), board or Board(SearchState())
    session = Session(question, resources, options, board, control or Control(options.seconds))
    return session.stream(partial(_run, today=today or date.today()))


def _within_library(question: str, resources: Resources, options: SearchOptions) -> Resources:
    """Return `resources` with the library as it was before the run, or without it if the person excluded it.

    If live services can be asked, only they give references and citing papers: each person's library knows different
    ones, so others could not repeat the search.
    """
    if not options.library:
        return replace(resources, local={}, full_texts=None)
    ability = Capability.LOOKUP if sole_identifier(question) else Capability.SEARCH
    able = frozenset({ability}) if resources.live else OF_PAPERS
    local = {
        name: source.before(resources.run, able) if isinstance(source, Library) and resources.run else source
        for name, source in resources.local.items()
    }
    return replace(resources, local=local)


async def _run(session: Session, today: date) -> None:
    again = session.state.finished is not None
    if again and not session.control.requests.open:
        return
    async with meeting_requests(session) as all_met:
        if not again:
            await _rounds(session, today)
            await read_best(session)
        requests = await all_met()
    if requests.followed:
        await _judge(session, requests.round, "references", REQUESTED)
    await judge_works(session, requests.unjudged)
    if requests.followed or requests.unjudged:
        await read_best(session)
    tell_unread(session)
    await check_support(session)
    await rerank(session)
    if session.options.personal:
        await rank_personally(session)
    session.count_broken_off()
    session.post(Finished(session.state.counts, session.seconds, session.ending))


async def _rounds(session: Session, today: date) -> None:
    if not session.state.started:
        session.post(_started(session, today))
    await understand(session)
    if sole_identifier(session.question):
        await retrieve(session, 1)
        session.post(*(PaperJudged(work, 1.0, NAMED_ALONE) for work in session.state.found))
        return
    for round in range(1, session.limits.rounds + 1):
        await retrieve(session, round)
        await _judge(session, round, "retrieving")
        if session.options.refchain and not session.control.stopping:
            await follow_references(session, round)
            await _judge(session, round, "references")
        if not await _goes_on(session, round):
            break
    if session.state.found and not session.control.stopping and not follow_up_works(session):
        _tell_of_no_follow_up(session)


def _tell_of_no_follow_up(session: Session) -> None:
    """Warn which steps were skipped because only the starter shelf, or nothing, had relevant papers."""
    options, left_out = session.options, []
    if options.refchain:
        left_out.append("no references were followed")
    in_other_words = options.evolution and options.later_queries is None and expression_of(session.question) is None
    if in_other_words and not queries_of(session.state, 2):
        left_out.append("no further queries were sent")
    if left_out:
        why = "Only the starter shelf has relevant papers" if related_pool(session.state) else "No relevant paper found"
        session.warn(f"{why}, so {' and '.join(left_out)}.")


def _started(session: Session, today: date) -> RunStarted:
    options = session.options
    return RunStarted(
        session.question,
        (*session.resources.local, *session.resources.live),
        options.since,
        options.until,
        options.limit,
        options.mode,
        options.seed,
        today,
        session.model_name,
    )


async def _judge(session: Session, round: int, after: Stage, more: int = 0) -> None:
    stage: Stage = "judging" if after == "retrieving" else "judging references"
    if session.enter(stage, round) and not session.control.stopping:
        await judge(session, round, after, more)


async def _goes_on(session: Session, round: int) -> bool:
    """Evolve queries unless there is enough, nothing new came, or the time is up; return whether a round follows."""
    if not session.options.evolution or session.control.stopping or round >= session.limits.rounds:
        return False
    if expression_of(session.question) is not None:
        return False  # a question with operators is sent in no other words
    if queries_of(session.state, round + 1):
        return True  # an earlier session evolved queries already
    if session.options.later_queries is not None:
        await evolve(session, round)
        return bool(queries_of(session.state, round + 1))
    related = related_pool(session.state)
    facets_to_come = session.options.asks_facets and round == 1
    enough = len(surely_relevant(session.state)) >= session.limits.cache and not facets_to_come
    if enough or (round > 1 and not _brought_anything(session.state, round, related)):
        return False
    if session.resources.model is None and not follow_up_works(session):
        return False
    await evolve(session, round)
    return bool(queries_of(session.state, round + 1))


def _brought_anything(state: SearchState, round: int, related: Sequence[WorkId]) -> bool:
    """Whether a relevant paper was found by the queries of `round` and by no earlier one."""
    earlier = {plan.query for plan in state.planned if plan.round < round}
    methods = (state.found[work].found_by for work in related)
    return any(
        all(found_by.query not in earlier and found_by.link is None for found_by in findings) for findings in methods
    )


REQUESTED = 20
"""Number of papers, found at a person's request, that a model may judge beyond the search's own budget."""
_REASONS = {True: "You asked for more like this", False: "You said that it is not relevant"}


@dataclass(slots=True)
class RequestsMet:
    """The requests met: whether links were followed, and the round in which their papers are judged; `unjudged` are
    papers without a judgement since the person withdrew theirs."""

    round: int
    followed: bool = False
    unjudged: list[WorkId] = field(default_factory=list)


@asynccontextmanager
async def meeting_requests(session: Session) -> AsyncIterator[Callable[[], Awaitable[RequestsMet]]]:
    """Meet requests as they come; the yielded function waits until all are met, and returns what they were."""
    requests = RequestsMet(1 + max([session.limits.rounds, *(event.round for event in session.state.followed)]))
    task = asyncio.create_task(_meet_each(session, requests))

    async def all_met() -> RequestsMet:
        waiting = asyncio.create_task(session.control.requests.all_met())
        try:
            await asyncio.wait({waiting, task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if task.done():
            await task
        return requests

    try:
        yield all_met
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _meet_each(session: Session, summary: RequestsMet) -> None:
    requests = session.control.requests
    while True:
        request = await requests.next()
        try:
            work = None if isinstance(request, Say) else session.state.work(request.work)
            if work is not None and work in session.state.found:
                await _meet(session, request, work, summary)
                await assessed(session)
        finally:
            requests.met()


async def _meet(session: Session, request: Request, work: WorkId, summary: RequestsMet) -> None:
    match request:
        case FollowLinks(_, link) if await session.control.ready():
            summary.followed = True
            if session.state.finished:
                session.post(StageChanged("references", summary.round))
            await follow_links_of(session, work, link, summary.round)
        case GiveFeedback(_, relevant) if relevant is not None:
            if session.state.called_relevant.get(work) is not relevant:  # a decision may have posted it already
                session.post(PaperJudged(work, float(relevant), _REASONS[relevant], by="person"))
        case GiveFeedback():
            if work in session.state.feedback:
                session.post(FeedbackWithdrawn(work))
            if work not in session.state.judged:
                summary.unjudged.append(work)
