"""The relevance of a paper by itself: it does not change with the other papers that a search found."""

from dataclasses import replace

from agents.builtin.ranking.relevance import ENOUGH
from agents.builtin.ranking.topic_coverage import coverage
from agents.search.filters import conditions_of
from agents.search.pool import subject_words
from agents.search.state import THRESHOLD, SearchState
from cache.conditions.subjects import chosen, subject_of
from connectors.paper import Paper, WorkId


def judged_alone(state: SearchState) -> SearchState:
    """Return a finished search with the works that meet every condition of its question, each judged by itself.

    A search compares papers with each other, so its verdict on one depends on which sources answered. Here the label of
    a model counts, which saw the paper alone, or else the share of the question's words that the paper has, weighted by
    their rarity in science; `ENOUGH` of them is the threshold.
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
