"""Context Summary (ARAG §2.2.3): what the accepted candidates are about, by the person's interests and by how well each
is aligned.

What all accepted candidates share tells none of them from the others, so each is told how much of that it is made of:
the ranker takes it off. That is worth a little on libraries whose next papers are known (`docs/recommendations.md`).
"""

import asyncio
from collections.abc import Sequence

from agents.recommendation.events import ContextSummarized, Theme
from agents.recommendation.session import RecommendationSession
from agents.taste.profile import name_of
from connectors.paper import WorkId

LEAST_ACCEPTED = 10
"""So many candidates are accepted, the best, where fewer reach the threshold."""
MOST_THEMES = 5


async def sum_up(session: RecommendationSession) -> None:
    """Post S_ctx."""
    accepted = accepted_works(session)
    common = await _common(session, accepted)
    session.post(ContextSummarized(tuple(accepted), session.options.threshold, _themes(session, accepted), common))


def accepted_works(session: RecommendationSession) -> list[WorkId]:
    """I⁺: the candidates whose alignment reaches θ, the best aligned first; a few of the best where that is too few."""
    aligned = session.state.aligned
    order = sorted(session.state.candidates, key=lambda work: (-aligned[work].score, work))
    order = [work for work in order if aligned[work].alignment != "contradicts"]
    reached = [work for work in order if aligned[work].score >= session.options.threshold]
    return reached if len(reached) >= LEAST_ACCEPTED else order[:LEAST_ACCEPTED]


async def _common(session: RecommendationSession, accepted: Sequence[WorkId]) -> tuple[tuple[WorkId, float], ...]:
    comparison, places = await session.comparison(), await session.places()
    works = [work for work in session.state.candidates if work in places]
    salient = [work for work in accepted if work in places]
    if not salient or not works:
        return ()
    saliences = {work: session.state.aligned[work].score for work in salient}

    def shared() -> tuple[tuple[WorkId, float], ...]:
        import numpy as np

        support = comparison.catalogue.support([places[work] for work in salient], [places[work] for work in works])
        for row, work in enumerate(salient):
            support[row, works.index(work)] = 0.0
        weights = np.array([saliences[work] for work in salient])
        common = (support * weights[:, None]).sum(axis=0) / max(weights.sum(), 1e-9)
        return tuple((work, round(float(share), 6)) for work, share in zip(works, common, strict=True))

    return await asyncio.to_thread(shared)


def _themes(session: RecommendationSession, accepted: Sequence[WorkId]) -> tuple[Theme, ...]:
    """The accepted candidates by the interest of the person that each rests on, the weightiest first."""
    context, aligned = session.state.context, session.state.aligned
    assert context is not None
    interest_of = {number: index for index, group in enumerate(context.groups) for number in group}
    by_interest: dict[int, list[WorkId]] = {}
    for work in accepted:
        grounds = aligned[work].grounds
        interest = interest_of.get(grounds[0].number, -1) if grounds else -1
        by_interest.setdefault(interest, []).append(work)
    papers = session.papers
    everyone = [papers[work] for work in session.state.candidates]
    total = sum(aligned[work].score for work in accepted) or 1.0
    themes = [
        Theme(
            name_of([papers[work] for work in works], everyone),
            tuple(works),
            round(sum(aligned[work].score for work in works) / total, 4),
        )
        for works in by_interest.values()
    ]
    return tuple(sorted(themes, key=lambda theme: -theme.salience)[:MOST_THEMES])
