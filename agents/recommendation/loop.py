"""The recommendation: a person's reading history in, a stream of events out (ARAG §2).

The user context is read and the recall set chosen; then the agents work on the blackboard: User Understanding and NLI
alignment at the same time, Context Summary attending to both, and the Item Ranker. Every agent reads the board and
posts to it, and does only what the board does not hold yet: so a run that was cut off anywhere goes on where it was.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

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
from agents.run.resources import Resources


def recommend(
    resources: Resources,
    options: RecommendOptions,
    board: Board[RecommendationState, RecommendationEvent] | None = None,
    control: Control | None = None,
) -> AsyncGenerator[RecommendationEvent, None]:
    """The events of a recommendation, or of what is left of the one on `board`, for the person that the resources
    name; closing the iterator stops it at once. Raises `CacheError`."""
    board = board or Board(RecommendationState())
    return RecommendationSession(resources, options, board, control or Control(options.seconds)).stream(_run)


def carry_on(question: str, *arguments: Any) -> AsyncGenerator[RecommendationEvent, None]:
    """As `recommend`, which is asked no question."""
    return recommend(*arguments)


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
    session.post(RecommendationFinished(session.seconds, session.ending))


def _started(session: RecommendationSession) -> RecommendationStarted:
    options = session.options
    return RecommendationStarted(
        tuple(session.resources.live),
        options.limit,
        options.seed,
        session.now.astimezone().date(),
        session.model_name,
        options.start,
        options.tag,
        options.field if session.context.empty else None,
        session.reader.last if options.only_new else None,
    )
