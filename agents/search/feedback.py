"""Meet a person's requests while a search is under way: feedback at once, links at the same time as other steps."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from agents.run.control import FollowLinks, GiveFeedback, Request, Say
from agents.search.events import FeedbackWithdrawn, PaperJudged, StageChanged
from agents.search.pool import assessed
from agents.search.refchain import follow_links_of
from agents.search.session import Session
from connectors.paper import WorkId

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
    met = RequestsMet(1 + max([session.limits.rounds, *(event.round for event in session.state.followed)]))
    task = asyncio.create_task(_meet_each(session, met))

    async def all_met() -> RequestsMet:
        waiting = asyncio.create_task(session.control.requests.all_met())
        try:
            await asyncio.wait({waiting, task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if task.done():
            await task
        return met

    try:
        yield all_met
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _meet_each(session: Session, met: RequestsMet) -> None:
    requests = session.control.requests
    while True:
        request = await requests.next()
        try:
            work = None if isinstance(request, Say) else session.state.work(request.work)
            if work is not None and work in session.state.found:
                await _meet(session, request, work, met)
                await assessed(session)
        finally:
            requests.met()


async def _meet(session: Session, request: Request, work: WorkId, met: RequestsMet) -> None:
    match request:
        case FollowLinks(_, link) if await session.control.ready():
            met.followed = True
            if session.state.finished:
                session.post(StageChanged("references", met.round))
            await follow_links_of(session, work, link, met.round)
        case GiveFeedback(_, relevant) if relevant is not None:
            if session.state.called_relevant.get(work) is not relevant:  # a decision may have posted it already
                session.post(PaperJudged(work, float(relevant), _REASONS[relevant], by="person"))
        case GiveFeedback():
            if work in session.state.feedback:
                session.post(FeedbackWithdrawn(work))
            if work not in session.state.judged:
                met.unjudged.append(work)
