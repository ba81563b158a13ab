"""Meeting what a person asks of a search while it goes on: opinions at once, links beside whatever else it does."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from agents.run.events import FeedbackWithdrawn, PaperJudged, StageChanged
from agents.run.requests import FollowLinks, Opinion, Request
from agents.search.pool import assessed
from agents.search.refchain import follow_links_of
from agents.search.session import Session

REQUESTED = 20
"""How many of the papers that a person asked to be fetched a model may judge beyond the search's own."""
_SAID = {True: "You asked for more like this", False: "You said that it is not relevant"}


@dataclass(slots=True)
class FeedbackMet:
    """What was asked for: whether links were followed, and the round in which what they brought is judged."""

    round: int
    followed: bool = False


@asynccontextmanager
async def heeding(session: Session) -> AsyncIterator[Callable[[], Awaitable[FeedbackMet]]]:
    """Meet requests as they come; the function given waits until all are met and tells what they were."""
    heeded = FeedbackMet(_next_round(session))
    task = asyncio.create_task(_heed(session, heeded))

    async def all_met() -> FeedbackMet:
        met = asyncio.create_task(session.control.requests.all_met())
        try:
            await asyncio.wait({met, task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            met.cancel()
        if task.done():
            await task
        return heeded

    try:
        yield all_met
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _heed(session: Session, heeded: FeedbackMet) -> None:
    requests = session.control.requests
    while True:
        request = await requests.next()
        try:
            work = session.state.work(request.work)
            if work in session.state.found:
                await _meet(session, request, work, heeded)
                assessed(session)
        finally:
            requests.met()


async def _meet(session: Session, request: Request, work: int, heeded: FeedbackMet) -> None:
    match request:
        case FollowLinks(_, link) if await session.control.ready():
            heeded.followed = True
            if session.state.finished:
                session.post(StageChanged("references", heeded.round))
            await follow_links_of(session, work, link, heeded.round)
        case Opinion(_, wanted) if wanted is not None:
            session.post(PaperJudged(work, float(wanted), _SAID[wanted], by="person"))
        case Opinion() if work in session.state.opinions:
            session.post(FeedbackWithdrawn(work))


def _next_round(session: Session) -> int:
    """The round after all that a search may have, and after earlier requests."""
    earlier = [one.round for one in session.state.followed]
    return max(session.limits.rounds, *earlier, 0) + 1
