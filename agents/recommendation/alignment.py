"""NLI alignment (ARAG §2.2.2): does a candidate support what the person cares for, or contradict it?"""

import asyncio
from collections.abc import Mapping, Sequence

from agents.builtin.question_parsing import Reading, read
from agents.recommendation.embedding import nearness_of
from agents.recommendation.events import Alignment, CandidateAligned, Ground
from agents.recommendation.session import RecommendationSession
from agents.run.retrieval.queries import within
from agents.taste.comparison import Comparison
from agents.taste.grounds import ground
from agents.taste.scoring import AGAINST, Scored, scored
from cache import papers
from connectors.paper import Paper, WorkId

NEUTRAL = 0.25
"""Below this a candidate says little to the person."""
_GROUNDS = 3


async def align(session: RecommendationSession) -> None:
    """Post s(i, u) for every candidate that has none on the board."""
    due = [work for work in session.state.candidates if work not in session.state.aligned]
    if not due:
        return
    comparison, places = await session.comparison(), await session.places()
    near = await nearness_of(session, comparison, {work: places[work] for work in due if work in places})
    by_rule = await asyncio.to_thread(_by_rule, session, comparison, places, due, near)
    session.post(*by_rule.values())


def _by_rule(
    session: RecommendationSession,
    comparison: Comparison,
    places: Mapping[WorkId, int],
    due: Sequence[WorkId],
    near: Mapping[WorkId, float] | None,
) -> dict[WorkId, CandidateAligned]:
    there = [work for work in due if work in places]
    by_vectors = None if near is None else [near[work] for work in there]
    found = dict(zip(there, scored(comparison, [places[work] for work in there], _GROUNDS, by_vectors), strict=True))
    expected = [read(line.text, session.started.today) for line in session.context.lines if line.facet == "expect"]
    return {work: _aligned(session, comparison, work, found.get(work, Scored(0.0, ())), expected) for work in due}


def _aligned(
    session: RecommendationSession, comparison: Comparison, work: WorkId, score: Scored, expected: Sequence[Reading]
) -> CandidateAligned:
    paper = session.papers[work]
    grounds = tuple(
        found for place, share in score.shares if (found := _ground(session, comparison, place, share, paper))
    )
    against = None if score.against is None else _ground(session, comparison, score.against, 0.0, paper)
    unmet = next((sentence for bounds in expected if (sentence := _unmet(paper, bounds))), "")
    value = score.score * (AGAINST if unmet else 1.0)
    alignment: Alignment = "neutral"
    if score.against is not None:
        alignment = "contradicts"
    elif value >= session.options.threshold and grounds:
        alignment = "supports"
    return CandidateAligned(work, round(value, 6), alignment, grounds, against, unmet)


def _ground(
    session: RecommendationSession, comparison: Comparison, place: int, share: float, candidate: Paper
) -> Ground | None:
    """What the candidate shares with the paper of the history at a place; None for a line of the person's own."""
    number = comparison.number(place)
    known = papers.by_ids(session.reader.store, [number]) if number is not None else []
    return ground(number or 0, share, candidate, known[0]) if known else None


def _unmet(paper: Paper, bounds: Reading) -> str:
    """Which expectation a paper does not meet, "" if none; what is not known of it is not held against it."""
    if paper.date and not within(paper, bounds.since, bounds.until):
        return f"it is of {paper.year}, and you expect other years"
    if bounds.min_citations and paper.citation_count is not None and paper.citation_count < bounds.min_citations:
        return f"it is cited {paper.citation_count:,} times, and you expect {bounds.min_citations:,}"
    return ""
