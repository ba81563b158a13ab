"""The Item Ranker (ARAG §2.2.5): a permutation of the recall set, with a word on why."""

from collections.abc import Sequence

from agents.recommendation.events import CandidatesRanked, Placed
from agents.recommendation.session import RecommendationSession
from connectors.paper import WorkId

COMMON = 0.3
"""How much of what a candidate shares with all accepted ones is taken off, in standard deviations."""
FIRST = 5
"""Each subject of the person is among the first few, if anything on it was accepted."""
LEAST_SHARE = 0.15
"""The part of the history that a subject has at least for that."""


async def rank(session: RecommendationSession) -> None:
    """Post π."""
    works = session.state.candidates
    scores = final_scores(session, works)
    order = sorted(works, key=lambda work: (-scores[work], work))
    order, raised = _with_every_subject(session, order)
    session.post(CandidatesRanked(tuple(Placed(work, round(scores[work], 6), raised.get(work, "")) for work in order)))


def final_scores(session: RecommendationSession, works: Sequence[WorkId]) -> dict[WorkId, float]:
    """The alignment of each candidate, less what it has in common with all; what contradicts the history comes last."""
    import numpy as np

    state = session.state
    assert state.summarized is not None
    scores = np.array([state.aligned[work].score for work in works])
    common = dict(state.summarized.common)
    shared = np.array([common.get(work, 0.0) for work in works])
    spread = float(shared.std())
    if spread:
        odds = np.log(np.clip(scores, 1e-6, 1 - 1e-6) / (1 - np.clip(scores, 1e-6, 1 - 1e-6)))
        scores = 1 / (1 + np.exp(-(odds - COMMON * float(odds.std()) * (shared - shared.mean()) / spread)))
    return {work: float(score) for work, score in zip(works, scores, strict=True)}


def _with_every_subject(session: RecommendationSession, order: list[WorkId]) -> tuple[list[WorkId], dict[WorkId, str]]:
    """`order` with the best of each weighty subject among the first few, and why some were raised to there."""
    context, aligned = session.state.context, session.state.aligned
    assert context is not None
    weights = {paper.number: paper.weight for paper in context.history}
    total = sum(weights.values()) or 1.0
    subject_of = {number: index for index, group in enumerate(context.groups) for number in group}
    weighty = [
        index
        for index, group in enumerate(context.groups)
        if sum(weights.get(number, 0.0) for number in group) / total >= LEAST_SHARE
    ]

    def subject(work: WorkId) -> int:
        grounds = aligned[work].grounds
        return subject_of.get(grounds[0].number, -1) if grounds else -1

    raised: dict[WorkId, str] = {}
    first = order[:FIRST]
    for wanted in weighty:
        if any(subject(work) == wanted for work in first):
            continue
        best = next((work for work in order[FIRST:] if subject(work) == wanted), None)
        spare = [
            work for work in reversed(first)
            if work not in raised and sum(subject(other) == subject(work) for other in first) > 1
        ]  # fmt: skip
        if best is None or not spare or aligned[best].alignment == "contradicts":
            continue
        first = [work for work in first if work != spare[0]] + [best]
        raised[best] = "it stands among the first because it is the best on another of your subjects"
    return [*first, *(work for work in order if work not in first)], raised
