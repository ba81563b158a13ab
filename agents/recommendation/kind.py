"""Recommendations as a kind of run."""

from dataclasses import replace

from agents.recommendation.events import (
    CandidateAligned,
    CandidatesRanked,
    CandidatesRecalled,
    ContextRead,
    ContextSummarized,
    GroundsLookedUp,
    InterestsUnderstood,
    RecommendationEvent,
    RecommendationFinished,
    RecommendationState,
)
from agents.recommendation.options import RecommendOptions
from agents.run.errors import NothingToBeginWith
from agents.run.events import EventCodec, stored_events
from agents.run.kinds import Result, RunKind, later
from agents.run.resources import Resources
from agents.run.runner import Runner
from agents.taste.context import ReaderContext, read_context
from cache import runs, shelf
from cache.store import Store
from cache.timestamps import utc_now
from connectors.starter import FIELDS

NAME = "recommendation"
_AGENTS = {
    ContextRead: "user context",
    CandidatesRecalled: "recall",
    InterestsUnderstood: "user understanding",
    CandidateAligned: "nli",
    ContextSummarized: "context summary",
    CandidatesRanked: "item ranker",
    GroundsLookedUp: "nli",
}


def _score(event: RecommendationEvent) -> float | None:
    match event:
        case CandidateAligned():
            return event.score
        case CandidatesRanked(ranking) if ranking:
            return ranking[0].score
    return None


EVENTS: EventCodec[RecommendationEvent] = EventCodec(NAME, stored_events(RecommendationEvent), _score, roles=_AGENTS)
"""The events of a recommendation by stored name, each posted by one of the agents."""


def with_reader(resources: Resources, store: Store, options: RecommendOptions) -> Resources:
    """Return `resources` with the person's context. Raises `NothingToBeginWith` for a tag without papers and if
    nothing says what the person likes, and `CacheError`."""
    now = utc_now()
    context = read_context(store, now, options.start, options.tag)
    if options.tag is not None and context.empty:
        if not shelf.rows(store, tag=options.tag):
            raise NothingToBeginWith(f"No saved paper has the tag {options.tag!r}; `spar tag` lists the tags.")
        subject = f"What you did with the papers with the tag {options.tag!r}"
        raise NothingToBeginWith(f"{subject} does not say that you like them.")
    if context.empty and options.field not in FIELDS:
        raise NothingToBeginWith(
            "spar does not know yet what you like: save or import papers first (`spar save @1`, `spar import"
            " refs.bib`), or start with the landmarks of a field: spar recommend --field FIELD, of "
            f"{', '.join(FIELDS)}."
        )
    return replace(resources, reader=ReaderContext(store, context, now, runs.last_end(store, NAME)))


def begins_with_nothing(store: Store) -> bool:
    """Whether nothing says yet what the person likes, so that a field is needed. Raises `CacheError`."""
    return read_context(store, utc_now()).empty


def _result(state: RecommendationState) -> Result:
    papers = state.findings.papers
    ranks = [runs.StoredRank(papers[entry.work], {"score": entry.score}) for entry in state.shown]
    return Result({"candidates": len(state.candidates), "known": state.recalled.known if state.recalled else 0}, ranks)


RecommendationRun = Runner[RecommendationState, RecommendationEvent, RecommendOptions]
RECOMMENDATION: RunKind[RecommendationState, RecommendationEvent, RecommendOptions] = RunKind(
    name=NAME,
    verb="recommend",
    codec=EVENTS,
    blank=RecommendationState,
    options=RecommendOptions,
    finishing=RecommendationFinished,
    carry_on=lambda question, *arguments: later("agents.recommendation.loop:recommend")(*arguments),
    result=_result,
    passed_on=lambda state: [state.findings.papers[placed.work] for placed in state.shown],
    prepared=with_reader,
)
