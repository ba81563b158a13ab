"""Assess the papers found so far with the built-in judge: the order in which to judge them, and the answer without a
model."""

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from functools import partial

from agents.builtin import lazy_numpy as np
from agents.builtin.query_expansion import vocabulary
from agents.builtin.ranking.features import Pool, features
from agents.builtin.ranking.reasons import MET
from agents.builtin.ranking.relevance import DOUBTED, Assessment, assess, probability_of, to_compare, weights
from agents.builtin.ranking.topic_coverage import ENOUGH, coverage
from agents.builtin.text.languages import is_english, telling_words
from agents.builtin.text.terms import terms
from agents.run.retrieval.meaning import meanings_of, pool_of
from agents.search.events import PapersAssessed
from agents.search.filters import admitted, conditions_of
from agents.search.question.matching import is_no_match
from agents.search.question.wanted import reading
from agents.search.session import Session
from agents.search.state import THRESHOLD, SearchState, is_relevant
from cache.conditions.filters import chosen, subject_of
from connectors.identifiers import parse_identifier
from connectors.paper import Paper, WorkId
from connectors.query.expression import expression_of, has_operators
from connectors.query.expression import subject_words as words_of_subject
from connectors.records.matching import title_key

MEANWHILE_SECONDS = 1.0
"""Seconds between two assessments while sources are asked."""
NAMED = 1.0
"""Probability that a paper named by the person is relevant."""


@asynccontextmanager
async def assessing_meanwhile(session: Session) -> AsyncIterator[None]:
    """Show an assessment of the works that have arrived, each time some have: a source may take long. It is not stored,
    the next step replaces it, and it takes a small share of the time."""

    async def assess_again() -> None:
        assessed_state, seconds = session.state.found, 0.0
        while True:
            await asyncio.sleep(max(MEANWHILE_SECONDS, 5 * seconds))
            if session.state.found is not assessed_state:
                assessed_state, start = session.state.found, time.monotonic()
                await assessed(session, meanwhile=True)
                seconds = time.monotonic() - start

    task = asyncio.create_task(assess_again())
    try:
        yield
    finally:
        task.cancel()


async def assessed(
    session: Session, but: Collection[int] = (), *, at_last: bool = False, meanwhile: bool = False
) -> dict[WorkId, Assessment]:
    """Assess every work within the person's bounds, post the assessments, and return them, best first.

    The assessment learns from all judgements except those of the works `but`. Set `at_last` to report bounds that no
    work meets: earlier, matching works may still arrive. `meanwhile` compares no meanings and stores nothing.
    """
    works, sentences = admitted(_on_topic(session), session.understood)
    for sentence in sentences if at_last else ():
        session.warn(sentence)
    feedback = session.state.called_relevant
    # Papers that the person called relevant are in the answer, whatever the question's conditions.
    works |= {
        work: session.state.found[work].paper for work in feedback if feedback[work] and work in session.state.found
    }
    works = {work: works[work] for work in sorted(works, key=lambda work: works[work].id)}
    found_by = {work: session.state.found[work].found_by for work in works}
    intent = session.wanted
    pool = pool_of(session.question, works, found_by, _judged(session.state, but), intent.words)
    subject = intent.meaning or subject_words(session.question, session.started.today)
    weigh = partial(_weighed, pool, subject, _alone(session))
    # In a thread while sources are asked: the app must stay responsive, even with many papers.
    rows, assessments = await asyncio.to_thread(weigh) if meanwhile else weigh()
    before = session.state
    cosines = {} if meanwhile else await meanings_of(session, intent.words, works, to_compare(assessments))
    if cosines:
        if session.state is not before:  # events that arrived meanwhile are not assessed yet
            return await assessed(session, but, at_last=at_last)
        assessments = assess(replace(pool, cosines=cosines), subject, rows)
    by_work = dict(zip(works, assessments, strict=True))
    if not intent.meaning and not is_english(session.question):
        by_work = {work: _read(session.question, works[work], assessment) for work, assessment in by_work.items()}
    if _only_limits(session):
        keep = weights().keep  # they all are relevant, and keep their order
        by_work = {work: Assessment(keep + (1 - keep) * of.probability, (MET,)) for work, of in by_work.items()}
    titles = {title_key(name) for name in session.understood.papers}
    names = {identifier for name in session.understood.papers if (identifier := parse_identifier(name))}
    for work, paper in works.items():
        if title_key(paper.title) in titles or names & set(paper.identifiers):
            by_work[work] = Assessment(NAMED, ("named", *by_work[work].top_features))
    by_work = dict(sorted(by_work.items(), key=lambda entry: (-entry[1].probability, works[entry[0]].id)))
    scores = tuple((work, assessment.relevance) for work, assessment in by_work.items())
    encoder = session.resources.embeddings.encoder.label if session.resources.embeddings and cosines else ""
    (session.tell if meanwhile else session.post)(PapersAssessed(scores, len(cosines), encoder))
    return by_work


def _weighed(pool: Pool, subject: str, alone: bool) -> "tuple[np.Floats32, list[Assessment]]":
    """Return the features and the assessment of each paper of `pool`."""
    rows = features(pool)
    return rows, assess(pool, subject, rows, alone=alone)


def _alone(session: Session) -> bool:
    """Whether only built-in rules have contributed so far. A model that never answers must not change the answer."""
    if session.resources.judge is not None:
        return False
    model_answered = session.understood.by == "model" or any(
        judgement.by == "model" for judgement in session.state.judged.values()
    )
    return session.resources.model is None or not model_answered


def subject_words(question: str, today: date) -> str:
    """Return the topic of `question` without its conditions. For a question in another language return its words: an
    English paper that shares one of them by chance does not answer it."""
    if (tree := expression_of(question)) is not None:
        return " ".join(words_of_subject(tree))
    return reading(question, today).topic if is_english(question) else telling_words(question)


def _only_limits(session: Session) -> bool:
    """Whether the question only has conditions, such as authors or a venue: then every paper that meets them answers
    it."""
    if (tree := expression_of(session.question)) is not None:
        return not words_of_subject(tree)
    parsed = reading(session.question, session.started.today)
    return not session.wanted.meaning and not parsed.subject and not parsed.papers


def _read(question: str, paper: Paper, assessment: Assessment) -> Assessment:
    """Lower the assessment for a question in another language if the paper has none of the question's own words."""
    if set(terms(telling_words(question))) & vocabulary(paper):
        return assessment
    return Assessment(0.9 * assessment.probability * weights().keep, (DOUBTED,))


def related_pool(state: SearchState) -> list[WorkId]:
    """Return the works within bounds that count as relevant, best first: SPAR's Related Pool."""
    return [work for work in in_order(state) if is_relevant(state.relevance(work))]


def follow_up_works(session: Session) -> list[WorkId]:
    """Return the relevant works to follow up, best first; empty if there are none."""
    return found_by_sources(session, related_pool(session.state))


def found_by_sources(session: Session, works: Iterable[WorkId]) -> list[WorkId]:
    """Return `works` without those that only the starter shelf, the last resort, has."""
    fallback, candidates = session.resources.fallback.keys(), session.state.found
    return [
        work
        for work in works
        if any(finding.link or finding.source not in fallback for finding in candidates[work].found_by)
    ]


def surely_relevant(state: SearchState) -> list[WorkId]:
    """Return the works within bounds that a judge called relevant, or that built-in rules consider more likely
    relevant than not. Less likely ones, which built-in rules keep too, are no reason to stop searching."""

    def is_sure(work: WorkId) -> bool:
        judgement = state.judgement(work)
        by_judge = judgement is not None and judgement.by != "built-in"
        return by_judge or probability_of(state.relevance(work)) >= 0.5

    return [work for work in related_pool(state) if is_sure(work)]


def in_order(state: SearchState) -> list[WorkId]:
    """Return the works within bounds by relevance, then by the built-in assessment, then by name."""
    return sorted(
        (work for work in state.assessed if work in state.found),
        key=lambda work: (-state.relevance(work), -state.assessed[work], state.found[work].paper.id),
    )


def _on_topic(session: Session) -> Mapping[WorkId, Paper]:
    """Return the works found for the question itself or by a link, and those that share a term with the question. With
    operators in the question, return the works that may match it.

    Refined queries may have words that the question never meant. If a model read the question, all works count, because
    it may have translated them.
    """
    candidates = session.state.found
    if has_operators(session.question):
        return {
            work: candidate.paper
            for work, candidate in candidates.items()
            if not is_no_match(session.question, candidate)
        }
    if session.understood.by == "model":
        return session.papers
    question_terms = set(terms(session.question))
    return {
        work: candidates[work].paper
        for work in session.state.works
        if any(record.link or record.query == session.question for record in candidates[work].found_by)
        or question_terms & vocabulary(candidates[work].paper)
    }


def _judged(state: SearchState, but: Collection[int]) -> dict[WorkId, float]:
    """Return the scores given by a person or a model, without the model's for the works `but`."""
    judgements = {work: state.judgement(work) for work in (*state.judged, *state.feedback)}
    return {
        work: judgement.score
        for work, judgement in judgements.items()
        if judgement and (judgement.by == "person" or (judgement.by != "built-in" and work not in but))
    }


def judged_alone(state: SearchState) -> SearchState:
    """Return a finished search with the works that meet every condition of its question, each judged independently.

    A search compares papers with each other, so its judgement of one depends on which sources answered. Here a model's
    label counts, because the model saw the paper alone; otherwise the share of the question's words in the paper,
    weighted by their rarity in science, with `ENOUGH` as the threshold.
    """
    assert state.started
    assert state.understood
    subject = subject_words(state.started.question, state.started.today)
    conditions = conditions_of(state.understood)
    papers = {entry.work: state.found[entry.work].paper for entry in state.ranking}
    meeting = chosen(list(papers), conditions, lambda work: subject_of(papers[work]))
    relevance = {work: _relevance(state, work, papers[work], subject) for work in meeting}
    ranking = [
        replace(entry, score=relevance[entry.work], relevance=relevance[entry.work], why="")
        for entry in state.ranking
        if entry.work in relevance
    ]
    assessed = state.assessed
    for work, value in relevance.items():
        assessed = assessed.insert(work, value)
    ranking.sort(key=lambda entry: -entry.relevance)
    return replace(state, ranking=tuple(ranking), assessed=assessed)


def _relevance(state: SearchState, work: WorkId, paper: Paper, subject: str) -> float:
    judgement = state.judgement(work)
    if judgement and judgement.by != "built-in":
        return judgement.score
    share = coverage(subject, [paper])
    if share < ENOUGH:
        return round(THRESHOLD * share / ENOUGH, 6)
    return round(THRESHOLD + (1 - THRESHOLD) * (share - ENOUGH) / (1 - ENOUGH), 6)
