"""NLI alignment (ARAG §2.2.2): does a candidate support what the person cares for, or contradict it?"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.builtin.question_parsing import Reading, read
from agents.recommendation.embedding import nearness_of
from agents.recommendation.events import Alignment, CandidateAligned, Ground, HistoryPaper
from agents.recommendation.session import RecommendationSession
from agents.run.retrieval.queries import within
from agents.taste.comparison import Comparison
from agents.taste.grounds import ground
from agents.taste.history import history_papers
from agents.taste.scoring import AGAINST, Scored, scored
from cache import papers
from cache.store import PaperId
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
        found for place, share in score.shares if (found := _ground(session, comparison, place, share, work))
    )
    against = None if score.against is None else _ground(session, comparison, score.against, 0.0, work)
    unmet = next((sentence for bounds in expected if (sentence := _unmet(paper, bounds))), "")
    value = score.score * (AGAINST if unmet else 1.0)
    alignment: Alignment = "neutral"
    if score.against is not None:
        alignment = "contradicts"
    elif value >= session.options.threshold and grounds:
        alignment = "supports"
    named = _not_named_yet(session, [*grounds, against] if against else grounds)
    return CandidateAligned(work, round(value, 6), alignment, grounds, against, unmet, named=named)


def _ground(
    session: RecommendationSession, comparison: Comparison, place: int, share: float, work: WorkId
) -> Ground | None:
    """What the candidate shares with the paper of the history at a place, or with the line of the person's own that
    stands there; None for a paper that left the library meanwhile."""
    store, candidate = session.reader.store, session.papers[work]
    number = comparison.number(place)
    if number is None:
        line = comparison.line(place)
        return replace(ground(0, share, candidate, Paper(line)), line=line)
    known = papers.by_ids(store, [number])
    mine = session.state.number(work)
    cited = papers.cited_names(store, mine) if mine is not None else ()
    return ground(number, share, candidate, known[0], cited, papers.cited_names(store, number)) if known else None


def _not_named_yet(session: RecommendationSession, grounds: Sequence[Ground]) -> tuple[HistoryPaper, ...]:
    """The papers of the history among `grounds` that the user context does not name: it names the weightiest only."""
    context, there = session.context, session.state.context
    told = {paper.number for paper in (*there.history, *there.unwanted)} if there else set()
    numbers = [PaperId(ground.number) for ground in grounds if ground.number and ground.number not in told]
    weights = {number: context.wanted.get(number) or context.unwanted.get(number, 0.0) for number in numbers}
    return tuple(history_papers(session.reader.store, numbers, weights, context.acts))


def _unmet(paper: Paper, bounds: Reading) -> str:
    """Which expectation a paper does not meet, "" if none; what is not known of it is not held against it."""
    if paper.date and not within(paper, bounds.since, bounds.until):
        return f"it is from {paper.year}, and you expect other years"
    if bounds.min_citations and paper.citation_count is not None and paper.citation_count < bounds.min_citations:
        return f"it is cited {paper.citation_count:,} times so far, and you expect at least {bounds.min_citations:,}"
    return ""
