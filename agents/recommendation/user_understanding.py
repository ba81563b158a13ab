"""User Understanding (ARAG §2.2.4): what the person likes, dislikes and expects, and what they are after now."""

import asyncio

from agents.recommendation.events import InterestsUnderstood, ProfileLine
from agents.recommendation.session import RecommendationSession
from agents.taste.comparison import Comparison
from agents.taste.profile import name_of, understood_lines
from cache import papers


async def understand(session: RecommendationSession) -> None:
    """Post S_user, unless it is on the board."""
    if session.state.understood is None:
        comparison = await session.comparison()
        session.post(await asyncio.to_thread(_by_rule, session, comparison))


def _by_rule(session: RecommendationSession, comparison: Comparison) -> InterestsUnderstood:
    context = session.state.context
    assert context is not None
    store = session.reader.store
    lines = tuple(
        ProfileLine(line.facet, line.text, line.papers) for line in understood_lines(store, comparison, context.groups)
    )
    now = papers.by_ids(store, context.session)
    rest = papers.by_ids(store, [paper.number for paper in context.history])
    return InterestsUnderstood((*context.lines, *lines), name_of(now, rest) if now and len(now) < len(rest) else "")
