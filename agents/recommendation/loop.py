"""The recommendation: a person's reading history in, a stream of events out (ARAG §2).

The user context is read and the recall set chosen; then the agents work on the blackboard: User Understanding and NLI
alignment at the same time, Context Summary attending to both, and the Item Ranker. Every agent reads the board and
posts to it, and does only what the board does not hold yet: so a run that was cut off anywhere goes on where it was.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from agents.recommendation.alignment import align
from agents.recommendation.context_summary import sum_up
from agents.recommendation.events import RecommendationEvent, RecommendationFinished, RecommendationStarted
from agents.recommendation.grounding import look_up_grounds
from agents.recommendation.options import RecommendOptions
from agents.recommendation.ranking import rank
from agents.recommendation.recall import read_history, recall
from agents.recommendation.session import RecommendationSession
from agents.recommendation.state import RecommendationState
from agents.recommendation.user_understanding import understand
from agents.run.board import Board
from agents.run.control import Control
from agents.run.events import Ending
from agents.run.resources import Resources


async def recommend(
    resources: Resources,
    options: RecommendOptions,
    board: Board[RecommendationState, RecommendationEvent] | None = None,
    control: Control | None = None,
) -> AsyncGenerator[RecommendationEvent, None]:
    """The events of a recommendation, or of what is left of the one on `board`, for the person that the resources
    name. Failures of sources and of the model are events, never exceptions; closing the iterator stops everything at
    once. Raises `CacheError`."""
    board = board or Board(RecommendationState())
    session = RecommendationSession(resources, options, board, control or Control(options.seconds))
    async with aclosing(session.stream(_run(session))) as events:
        async for event in events:
            yield event


async def _run(session: RecommendationSession) -> None:
    if session.state.finished:
        return
    if not session.state.started:
        session.post(_started(session))
    if session.state.context is None:
        await read_history(session)
    if session.state.recalled is None:
        await recall(session)
    if session.state.candidates:
        await asyncio.gather(understand(session), align(session))
        if session.state.summarized is None:
            await sum_up(session)
        if session.state.ranked is None:
            await rank(session)
        await look_up_grounds(session)
    session.count_broken_off()
    session.post(RecommendationFinished(session.seconds, _ending(session)))


def _started(session: RecommendationSession) -> RecommendationStarted:
    model = session.resources.model.name if session.resources.model else None
    options = session.options
    return RecommendationStarted(
        tuple(session.resources.live),
        options.limit,
        options.seed,
        session.now.astimezone().date(),
        model,
        options.start,
        options.tag,
        options.field if session.context.empty else None,
        session.reader.last if options.only_new else None,
    )


def _ending(session: RecommendationSession) -> Ending:
    if session.control.out_of_time:
        return "budget"
    return "stopped" if session.control.stopping else "complete"
