"""What the papers that are shown share with those of the history that they rest on: words, keywords and links.

Every candidate is told what it rests on when it is weighed; to find the words that stand in both papers takes a hundred
times as long, so that is done for those that somebody will read.
"""

import asyncio
from dataclasses import replace

from agents.recommendation.events import Ground, GroundsLookedUp
from agents.recommendation.session import RecommendationSession
from agents.taste.comparison import Comparison
from agents.taste.fit import ground_of
from agents.taste.grounds import ground
from connectors.paper import Paper, WorkId


async def look_up_grounds(session: RecommendationSession) -> None:
    """Post what each paper that is shown shares with what it rests on, unless that is on the board."""
    aligned = session.state.aligned
    shown = [placed.work for placed in session.state.shown if placed.work in aligned]
    due = [work for work in shown if any(not one.looked_up for one in aligned[work].grounds)]
    if due:
        comparison = await session.comparison()
        session.post(*await asyncio.to_thread(_looked_up, session, comparison, due))


def _looked_up(session: RecommendationSession, comparison: Comparison, due: list[WorkId]) -> list[GroundsLookedUp]:
    return [
        GroundsLookedUp(
            work, tuple(_shared(session, comparison, one, work) for one in session.state.aligned[work].grounds)
        )
        for work in due
    ]


def _shared(session: RecommendationSession, comparison: Comparison, rests_on: Ground, work: WorkId) -> Ground:
    """A ground with what the two share; as it is for a paper that left the library meanwhile."""
    if rests_on.looked_up:
        return rests_on
    paper = session.papers[work]
    if rests_on.line:
        return replace(ground(0, rests_on.support, paper, Paper(rests_on.line)), line=rests_on.line)
    return ground_of(comparison, rests_on.number, rests_on.support, paper, session.number(work)) or rests_on
