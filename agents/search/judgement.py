"""Judge which papers are relevant to the question (SPAR §3.2 and A.3), most promising first, within a budget.

A model first judges papers by their words as they are found, and at last reads the texts of the best.
"""

import asyncio
from collections.abc import Mapping, Sequence
from heapq import nsmallest
from itertools import takewhile
from math import ceil

from agents.builtin.ranking.reasons import why
from agents.builtin.ranking.relevance import Assessment
from agents.evidence.choosing import best_quote
from agents.run.step import reason
from agents.search.events import CandidatesChosen, PaperJudged, Stage
from agents.search.pool import assessed
from agents.search.ranking.reranking import ranked
from agents.search.session import Session
from agents.search.state import UNREAD, SearchState, is_relevant
from agents.search.verdicts import SCORES, by_text, by_words
from connectors.identifiers import sole_identifier
from connectors.paper import Paper, WorkId

HOPELESS = 0.005
"""The model does not see candidates whose probability is below this fraction of the highest one."""
_FEW = 4
"""Number of judgements that may be alike by chance."""
_FIRST_SHARE = 3
_READ = 1.5
"""Papers whose texts are read, per shown paper: the label of the text sometimes differs from that of the words. With a
careful reader as the model, who differed in three of ten, 1 lost .007 of nDCG@10 and 1.5 lost nothing."""


async def judge(session: Session, round: int, after: Stage, more: int = 0) -> None:
    """Assess all works, then judge the best unjudged ones; `after` is the stage that found them.

    `more` is the number of works that may be judged beyond this step's budget, because the person asked for them.
    """
    step = round * 2 + (after == "references")
    # After an interruption, what this step has judged already must not change its choice of papers.
    assessments = await assessed(session, _chosen(session, step))
    if session.resources.judge is None and session.resources.model is None:
        most = max(session.limits.judged, 2 * session.options.limit)
        await _judge_all(session, list(assessments)[:most], assessments)
    else:
        candidates = _candidates(session, step, assessments, more)
        await _judge_all(session, candidates, assessments, beyond=more > 0)


async def judge_works(session: Session, works: Sequence[WorkId]) -> None:
    """Judge the works without a judgement, beyond the search's budget."""
    works = _unjudged(session, list(dict.fromkeys(map(session.state.work, works))))
    if works:
        assessments = await assessed(session)
        await _judge_all(session, [work for work in works if work in assessments], assessments, beyond=True)


async def read_best(session: Session) -> None:
    """Let the model read the texts of the best papers (in deep mode, of all) that their words did not rule out, as many
    as the budget of the search allows. Papers that move up meanwhile are read too."""
    if session.resources.judge is not None or session.resources.model is None or sole_identifier(session.question):
        return
    queued: set[WorkId] = set()

    async def read(work: WorkId) -> None:
        if judgement := await by_text(session, work):
            session.post(judgement)

    most = max(session.limits.read, int(_READ * session.options.limit))
    while not session.control.stopping:
        works = [work for work in _unread(session, most) if work not in queued][: session.questions_planned]
        if not works:
            break
        queued.update(works)
        async for _ in session.control.as_done([asyncio.create_task(read(work)) for work in works]):
            pass


def _unread(session: Session, most: int) -> list[WorkId]:
    """Return the papers among the best `most` that are not ruled out and whose texts the model has not read."""
    best = ranked(session.state, session.options.rerank)[:most]
    return [entry.work for entry in best if _may_be_read(session.state, entry.work)]


def _may_be_read(state: SearchState, work: WorkId) -> bool:
    judgement = state.judgement(work)
    if judgement is None:
        return False
    if judgement.by == "built-in":
        return not judgement.reason.startswith(UNREAD)
    return judgement.by_words and judgement.score > SCORES[0]


def tell_unread(session: Session) -> None:
    """Warn of the number of papers without a usable answer of the model, of shown papers that it judged by words alone,
    and of chosen papers that it was not asked about."""
    by_rule = [judgement for judgement in session.state.judged.values() if judgement.by == "built-in"]
    unread = sum(judgement.reason.startswith(UNREAD) for judgement in by_rule)
    unanswered = len(by_rule) - unread
    if unanswered and session.state.model_has_judged:
        subject = f"{unanswered:,} of the papers" if unanswered > 1 else "one of the papers"
        session.warn(f"The model gave no usable answer on {subject}; built-in rules judged those.")
    if by_words := sum(session.state.read_by_model(work) for work in _unread(session, session.options.limit)):
        papers = f"{by_words:,} of the papers shown" if by_words > 1 else "one of the papers shown"
        reads_more = not session.questions_planned and not session.model_has_failed
        more = f" A deep search or more than {session.calls} calls read more." if reads_more else ""
        session.warn(f"The model judged {papers} by words alone, without reading the text.{more}")
    if unread:
        session.warn(
            f"The model was not asked about {unread:,} of the papers chosen for it, because it called none of the "
            f"{session.limits.batch} before them relevant. They count as not relevant."
        )


async def check_support(session: Session) -> None:
    """Warn of positive judgements without a quote from the paper. If no paper that the model read has a quote, and all
    labels are the same, built-in rules judge these papers instead."""
    by_model = {work: judgement for work, judgement in session.state.judged.items() if judgement.by == "model"}
    read = [judgement for judgement in by_model.values() if not judgement.by_words]
    good = [judgement for judgement in read if judgement.unsupported or is_relevant(judgement.score)]
    unsupported = sum(judgement.unsupported for judgement in good)
    scores = {judgement.score for judgement in by_model.values()}
    if len(read) >= _FEW and unsupported == len(read) and len(scores) == 1:
        session.warn(
            f"The model's labels tell none of the {len(by_model)} papers apart and it quoted none of them, so built-in "
            "reasoning judged them. Another model may do better (SPAR_MODEL)."
        )
        assessments, best = await assessed(session, by_model), _best(session)
        session.post(*(_by_rule(session, work, assessments[work], best) for work in by_model if work in assessments))
    elif unsupported:
        session.warn(
            f"For {unsupported} of the {len(good)} relevant papers that the model read, it gave no exact quote; "
            "their texts count less."
        )


async def _judge_all(
    session: Session, works: Sequence[WorkId], assessments: Mapping[WorkId, Assessment], *, beyond: bool = False
) -> None:
    """Judge `works`, best first, by the judge of this search; `beyond` its budget if the person asked for them."""
    if session.resources.judge is not None:
        score_of = session.resources.judge.score
        session.post(*(PaperJudged(work, score_of(session.papers[work]), by="simulated")
                       for work in _unjudged(session, works)))  # fmt: skip
    elif session.resources.model is None:
        best = _best(session)
        session.post(*(_by_rule(session, work, assessments[work], best) for work in works))
    else:
        if beyond:
            session.grant(-(-len(_unjudged(session, works)) // session.limits.batch))
        await _judge_in_batches(session, works, assessments)


def _unjudged(session: Session, works: Sequence[WorkId]) -> list[WorkId]:
    return [work for work in works if session.state.judgement(work) is None]


async def _judge_in_batches(
    session: Session, works: Sequence[WorkId], assessments: Mapping[WorkId, Assessment]
) -> None:
    """Let the model judge the words of `works`, until as many as a batch has were all irrelevant."""
    batch, best = session.limits.batch, _best(session)
    while (unjudged := _unjudged(session, works)) and not session.control.stopping:
        if _without_relevant(session.state, works) >= batch:
            session.post(*(_by_rule(session, work, assessments[work], best, UNREAD) for work in unjudged))
            break
        await reason(
            session,
            [unjudged[:batch]],
            lambda some: by_words(session, some),
            lambda work: _by_rule(session, work, assessments[work], best),
        )


def _without_relevant(state: SearchState, works: Sequence[WorkId]) -> int:
    """Count the works that the model has judged since the last relevant one."""
    scores = [judgement.score for work in works if (judgement := state.judged.get(work)) and judgement.by == "model"]
    return sum(1 for _ in takewhile(lambda score: not is_relevant(score), reversed(scores)))


def _chosen(session: Session, step: int) -> tuple[WorkId, ...]:
    """Return the candidates already chosen for `step`, by their current names."""
    state = session.state
    return tuple(
        dict.fromkeys(state.work(work) for event in state.candidates if event.step == step for work in event.works)
    )


def _candidates(session: Session, step: int, assessments: Mapping[WorkId, Assessment], more: int) -> tuple[WorkId, ...]:
    """Return the works that `step` judges: as many as its budget allows, including what earlier steps left over."""
    state = session.state
    if all(event.step != step for event in state.candidates):
        candidates = sum(len(event.works) for event in state.candidates)
        capacity = max(_allowed(session, step) - candidates, 0) + more
        least = HOPELESS * max((assessment.probability for assessment in assessments.values()), default=0.0)
        fresh = [
            work for work in assessments if state.judgement(work) is None and assessments[work].probability >= least
        ]
        session.post(CandidatesChosen(tuple(fresh[:capacity]), step))
    return tuple(work for work in _chosen(session, step) if work in assessments)


def _allowed(session: Session, step: int) -> int:
    """Return how many papers may be judged up to `step`: the first step gets the largest share of the budget."""
    rounds = session.limits.rounds if session.options.evolution else 1
    later = [other for other in range(3, 2 * rounds + 2) if session.options.refchain or other % 2 == 0]
    share = (_FIRST_SHARE + sum(other <= step for other in later)) / (_FIRST_SHARE + len(later))
    return ceil(session.limits.judged * share)


_LINKED = 50
"""Number of best papers in which a link to the judged one is looked for."""


def _best(session: Session) -> dict[WorkId, Paper]:
    """Return the best papers so far, and one more, because a paper is not compared with itself."""
    assessed, candidates = session.state.assessed, session.state.found
    best = nsmallest(_LINKED + 1, assessed, lambda work: (-assessed[work], work))
    return {work: candidates[work].paper for work in best if work in candidates}


def _by_rule(
    session: Session, work: WorkId, assessment: Assessment, best: Mapping[WorkId, Paper], before: str = ""
) -> PaperJudged:
    paper = session.papers[work]
    others = {other: best[other] for other in [other for other in best if other != work][:_LINKED]}
    relevant = [other for other_work, other in others.items() if is_relevant(session.state.assessed[other_work])]
    beside = relevant if is_relevant(assessment.relevance) else []
    reason = why(session.wanted.words, paper, assessment.top_features, [*others.values()], beside)
    quote = best_quote(session.wanted.words, paper.title, paper.abstract)
    return PaperJudged(work, assessment.relevance, before + reason, quote)
