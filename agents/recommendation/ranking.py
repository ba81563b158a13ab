"""The Item Ranker (ARAG §2.2.5): a permutation of the recall set, with reasons."""

from collections.abc import Mapping, Sequence
from statistics import median

from pydantic import BaseModel

from agents.builtin import lazy_numpy as np
from agents.builtin.taste.tokens import LARGE_SHARE, LEAST_SHARE, share_of, subjects_of, weighty, with_shares
from agents.builtin.text.remarks import checked_remark
from agents.llm.prompt import Prompt, data
from agents.recommendation.context_summary import CANDIDATES, facts_about, in_words, interests
from agents.recommendation.events import CandidatesRanked, RankedCandidate
from agents.recommendation.recall import RecommendationSession
from agents.run.step import ask_about, numbered
from connectors.paper import WorkId

COMMON = 0.4
"""Penalty for what a candidate shares with all accepted ones, relative to its own score, in standard deviations."""
LEAST_ODDS = 0.1
"""Share of the median candidate's odds that is added to all odds, so that none is zero in the division."""


async def rank(session: RecommendationSession) -> None:
    """Post π: the best candidates in the model's order, then the others in the built-in order."""
    works, aligned = session.state.candidates, session.state.aligned
    scores = final_scores(session, works)
    order = sorted(works, key=lambda work: (aligned[work].alignment == "contradicts", -scores[work], work))
    reasons = await _by_model(session, order) if session.by_model else None
    if reasons:
        order = [*reasons, *(work for work in order if work not in reasons)]
        # Scores stay in descending order: the model's first candidate gets the best one.
        scores = dict(zip(order, sorted((scores[work] for work in order), reverse=True), strict=True))
    order, reasons_to_raise = _with_shares(session, order, bool(reasons))
    by_model = reasons or {}
    entries = [
        RankedCandidate(
            work,
            round(scores[work], 6),
            reasons_to_raise.get(work) or by_model.get(work, ""),
            unproven=bool(by_model.get(work)) and work not in reasons_to_raise,
        )
        for work in order
    ]
    session.post(CandidatesRanked(tuple(entries), "model" if reasons else "built-in"))


# By rule


def final_scores(session: RecommendationSession, works: Sequence[WorkId]) -> dict[WorkId, float]:
    """Return the alignment score of each candidate, less what it has in common with all accepted ones."""
    state = session.state
    assert state.summarized is not None
    common = dict(state.summarized.common)
    scores = less_common([state.aligned[work].score for work in works], [common.get(work, 0.0) for work in works])
    return dict(zip(works, scores, strict=True))


def less_common(scores: Sequence[float], common: Sequence[float]) -> list[float]:
    """Adjust scores from 0 to 1 by what candidates have in `common` with all accepted ones, relative to their own
    score: a paper that is similar to every candidate may be similar to everything."""
    chances = np.clip(np.array(scores), 1e-6, 1 - 1e-6)
    odds = chances / (1 - chances)
    beside = np.array(common) / (odds + LEAST_ODDS * median(odds.tolist())) if len(odds) else odds
    spread = float(beside.std()) if len(odds) else 0.0
    if not spread:
        return list(scores)
    logits = np.log(odds)
    logits -= COMMON * float(logits.std()) * (beside - beside.mean()) / spread
    return [float(score) for score in 1 / (1 + np.exp(-logits))]


def _with_shares(
    session: RecommendationSession, order: list[WorkId], by_model: bool
) -> tuple[list[WorkId], dict[WorkId, str]]:
    """Return `order` with a share of the first ranks for each large subject of the history, and why papers were raised.

    The subjects are the interests that the model named, else groups of similar papers; of these, an order `by_model`
    needs only the largest.
    """
    context, aligned = session.state.context, session.state.aligned
    assert context is not None
    interests = _interests(session)
    least = LARGE_SHARE if by_model and not interests else LEAST_SHARE
    weights = {paper.number: paper.weight for paper in context.history}
    groups = weighty(interests or context.groups, weights, least)
    shares = [share_of(group, weights) for group in groups]
    barred = {work for work in order if aligned[work].alignment == "contradicts"}
    subjects = subjects_of(session.state.supports, groups)
    order, works_raised = with_shares(order, subjects, shares, session.options.limit, barred)
    return order, dict.fromkeys(works_raised, "for variety: it is the best on another of your subjects")


def _interests(session: RecommendationSession) -> list[list[int]]:
    """Return the papers of each interest that the model named; a paper of several interests belongs to the first."""
    profile, in_lines, groups = session.state.understood, set[int](), list[list[int]]()
    for line in profile.lines if profile else ():
        if line.by == "model" and line.facet == "like":
            groups.append([number for number in line.papers if number not in in_lines])
            in_lines.update(line.papers)
    return groups


# By the model


class Explained(BaseModel):
    """A candidate at its rank, and the reason for the rank."""

    id: str
    explanation: str = ""


class Ranking(BaseModel):
    """The requested answer of the model: a permutation."""

    ranking: list[Explained]


_SYSTEM = """\
You are the Item Ranker agent of a paper recommender. Rank the candidate papers for a researcher:
1. Consider the person's behaviour in earlier sessions: the papers of their history and what they did with each.
2. Consider which part of that history matters now: papers marked "now", and what they are "After now".
3. Examine the candidates, each by the words of its title and abstract in no order, with what other agents said of \
them: "fits" from 0 to 1, the themes and the summary.
4. Rank them in descending order of how likely the person reads them next.
ranking: every candidate's id exactly once, c…, the likeliest first, each with an explanation of its place: one \
English sentence of at most 20 words on this person and this paper, without ids.
Name no paper that is not listed. Answer with one JSON object that has "ranking"."""
_LONGEST = 200


async def _by_model(session: RecommendationSession, order: Sequence[WorkId]) -> dict[WorkId, str] | None:
    """Return the best of `order` as the model ranks them, with explanations, then those that the model left out. None
    if no answer came."""
    aligned = session.state.aligned
    best = [work for work in order if aligned[work].alignment != "contradicts"][:CANDIDATES]
    works_by_id = numbered(best, "c", session.secret)
    rows = await ask_about(
        session, works_by_id, lambda works: _prompt(session, works), Ranking, lambda answer: answer.ranking
    )
    if rows is None:
        return None
    if len(rows) < len(best):
        session.warn("The model left out candidates it was asked to rank; those follow in the built-in order.")
    assert session.state.context is not None
    context = facts_about(session.state.context, session.secret)
    titles = {**context.titles, **{name: session.papers[work].title for name, work in works_by_id.items()}}
    texts = [
        *context.texts,
        *(text for work in best for text in (session.papers[work].title, session.papers[work].about)),
    ]
    reasons = {work: checked_remark(row.explanation, _LONGEST, titles, texts) for work, row in rows.items()}
    return {**reasons, **{work: "" for work in best if work not in reasons}}


def _prompt(session: RecommendationSession, works: Mapping[str, WorkId]) -> Prompt:
    state = session.state
    assert state.context is not None
    assert state.understood is not None
    assert state.summarized is not None
    context = facts_about(state.context, session.secret)
    ids = {work: name for name, work in works.items()}
    themes = [
        {
            "name": theme.name,
            "salience": theme.salience,
            "candidates": [ids[work] for work in theme.works if work in ids],
        }
        for theme in state.summarized.themes
        if ids.keys() & {*theme.works}
    ]
    rows = [
        {**in_words(name, session.papers[work], session.secret), "fits": round(state.aligned[work].score, 2)}
        for name, work in works.items()
    ]
    user = (
        f"{context.listed}\n\n{interests(context, state.understood)}\n\nSummary:\n{data(state.summarized.text)}\n\n"
        f"Themes:\n{data(themes)}\n\nCandidates:\n{data(rows)}"
    )
    return Prompt("item-ranker", 3, _SYSTEM, user, 60 * len(works) + 300)
