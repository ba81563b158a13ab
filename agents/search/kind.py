"""Searches as a kind of run."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from agents.run.errors import RunError
from agents.run.events import EventCodec, stored_events
from agents.run.kinds import Result, RunKind, later
from agents.run.resources import Resources
from agents.run.runner import Runner
from agents.search.events import (
    CandidatesChosen,
    Event,
    FeedbackWithdrawn,
    Finished,
    PaperJudged,
    PapersRanked,
    PersonallyRanked,
    Ranked,
)
from agents.search.options import SearchOptions
from agents.search.state import SearchState, is_relevant
from cache import runs
from cache.store import Store
from cache.timestamps import utc_now
from connectors.paper import Paper
from connectors.query.expression import ExpressionError, expression_of

POSSIBLE = 0.25
"""Least relevance at which a paper is passed on to a run made from this one, if at least `ENOUGH` papers reach it."""
ENOUGH = 10


def _first_score(event: Event) -> float | None:
    return event.ranking[0].score if isinstance(event, PapersRanked | PersonallyRanked) and event.ranking else None


EVENTS: EventCodec[Event] = EventCodec(
    "search",
    stored_events(Event, OpinionWithdrawn=FeedbackWithdrawn),
    _first_score,
    stored_fields={CandidatesChosen: {"step": "round"}},
)
"""The events of a search by stored name."""


def with_reader(resources: Resources, store: Store, options: SearchOptions) -> Resources:
    """Return `resources` with the person's context, if the search ranks by their taste. Raises `CacheError`."""
    if not options.personal:
        return resources
    from agents.taste.context import ReaderContext, read_context

    now = utc_now()
    return replace(resources, reader=ReaderContext(store, read_context(store, now), now))


def _result(state: SearchState) -> Result:
    ranks = [
        runs.StoredRank(
            state.found[entry.work].paper,
            {"score": entry.score, "relevance": entry.relevance, **_support_of(state.judgement(entry.work))},
        )
        for entry in state.shown
    ]
    figures = asdict(state.counts)
    figures["relevant"] = figures.pop("included")  # by the program or a person
    return Result(figures, ranks)


def _support_of(judgement: PaperJudged | None) -> dict[str, Any]:
    """Return the reason of a judgement if it is supported, the quote, and its page if it is from the PDF."""
    if judgement is None:
        return {}
    support = {"reason": judgement.proven and judgement.reason, "quote": judgement.quote, "page": judgement.page}
    return {name: value for name, value in support.items() if value}


def _passed_on(state: SearchState) -> Sequence[Paper]:
    """Return the papers that are relevant or possibly so, or the whole ranking if these are few.

    Papers that a model or the person judged not relevant are left out.
    """
    entries = [entry for entry in state.ranking if not _is_refused(state.judgement(entry.work))]
    possible = [entry for entry in entries if entry.relevance >= POSSIBLE]
    return [state.found[entry.work].paper for entry in (possible if len(possible) >= ENOUGH else entries)]


def _is_refused(judgement: PaperJudged | None) -> bool:
    return judgement is not None and judgement.by != "built-in" and not is_relevant(judgement.score)


def ranking_so_far(state: SearchState) -> PapersRanked:
    """Return the ranking of an interrupted search, so that its papers can be named by rank."""
    if state.assessed:
        from agents.search.ranking.reranking import ranked

        return PapersRanked(ranked(state))
    works = sorted(state.found, key=lambda work: (min(record.rank for record in state.found[work].found_by), work))
    return PapersRanked(tuple(Ranked(work, 0.0, 0.0) for work in works))


def check_question(question: str) -> None:
    """Raise `RunError` if the question has operators but cannot be parsed."""
    try:
        expression_of(question)
    except ExpressionError as error:
        raise RunError(f"The query cannot be read: {error}.") from None


SearchRun = Runner[SearchState, Event, SearchOptions]
SEARCH: RunKind[SearchState, Event, SearchOptions] = RunKind(
    name="search",
    verb="search",
    codec=EVENTS,
    blank=SearchState,
    options=SearchOptions,
    finishing=Finished,
    carry_on=later("agents.search.loop:search"),
    result=_result,
    passed_on=_passed_on,
    meaning=lambda state: state.understood.meaning if state.understood else "",
    cut_off=lambda state: (ranking_so_far(state),),
    prepared=with_reader,
    check=check_question,
)
