"""The report of a search for reviewers: PRISMA-S (Rethlefsen et al. 2021) and PRISMA 2020's flow of records.

The log is made from the run's events only, and contains everything needed to repeat the search.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any

from agents.run.events import PaperFound, QueryPlanned, SourceAnswered, adapter
from agents.run.findings import SourceTally, outcome_of, tally_of
from agents.search.events import Event, Finished, ReferencesFollowed
from agents.search.kind import SEARCH
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from cache.runs import Event as Row
from cache.runs import Run
from connectors.paper import WorkId
from connectors.query.dialects import translated
from connectors.query.expression import ExpressionError
from connectors.registry import SOURCES, is_searchable
from spar_tui import __version__
from spar_tui.recommendation_phrases import personal_line, personal_text
from spar_tui.reports.json_objects import json_fields
from spar_tui.reports.search_flow import Reasons, search_flow
from spar_tui.reports.search_items import prisma_s, strategies
from spar_tui.screening import MARKS, ScreenedRecords, ranked_first, screening, selection, works_decided
from spar_tui.source_phrases import source_text


def search_log(run: Run, rows: Sequence[Row]) -> dict[str, Any]:
    """Return the log of `run` with the events `rows`: JSON values only."""
    events = [(row.timestamp, event) for row in rows if (event := SEARCH.codec.decode(row.kind, row.content))]
    messages = [event for _, event in events]
    state = SEARCH.folded(messages)
    records = selection(state)
    log: dict[str, Any] = {
        "run": run.id,
        "spar": __version__,
        "question": run.question,
        "state": run.state,
        "started": _moment(run.started),
        "finished": _moment(_ended(events) or run.finished),
        "wishes": {**run.parameters, "later_queries": _later_queries(state)},
        "model": state.started.model if state.started else None,
        "compared": {"papers": state.compared, "by": state.compared_by or None},
        "prompts": {spent.step: spent.prompt_version for spent in state.spent if spent.prompt_version is not None},
        "understanding": _understanding(state),
        "sources": _sources(state),
        "searches": _searches(events, state),
        "links": _links(state),
        "flow": search_flow(state, messages, records),
        "screening": _screening(state),
        "personal": _personal(state),
        "kept_by_program": [state.found[work].paper.id for work in records.kept_by_program],
        "included": _included(state, records),
        "excluded": _excluded(state, records, Reasons(state, messages, records)),
        "opinions": {state.found[work].paper.id: relevant for work, relevant in state.called_relevant.items()},
        "cost": {**asdict(state.cost), "step": None, "prompt_version": None},
        "failures": state.failed_sources,
        "warnings": list(state.warnings),
        "limits": _limits(run, state),
        "report": {str(item): answer for item, answer in state.report.items()},
    }
    return {**log, "prisma_s": prisma_s(log)}


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")


def _later_queries(state: SearchState) -> list[list[dict[str, Any]]]:
    """Return the queries of the second and later rounds, in the form of `SearchOptions`."""
    queries = {
        after.round: [
            {"query": query.query, "direction": query.direction, "chosen": True, "keywords": query.keywords}
            for query in after.queries
            if query.chosen
        ]
        for after in state.evolved
    }
    return [queries.get(round, []) for round in range(1, max(queries, default=0) + 1)]


def _understanding(state: SearchState) -> dict[str, Any] | None:
    reading = state.understood
    if reading is None:
        return None
    return {
        "by": reading.by,
        "intent": reading.intent,
        "domain": reading.domain,
        **json_fields(reading, "since until authors"),
        "venue": " or ".join(reading.all_venues) or None,
        "meaning": reading.meaning,
        **json_fields(reading, "needs min_citations open_access others"),
        "sources": {name: dict(reading.source_reasons).get(name, "") for name in reading.sources},
    }


def _sources(state: SearchState) -> dict[str, dict[str, Any]]:
    """Return the result of every source: those planned, those left out, and all others."""
    planned = dict.fromkeys(plan.source for plan in state.planned)
    tallies = {name: state.sources.get(name) for name in (*planned, *state.sources)}
    elsewhere = SourceTally("skipped", error="this search was made without it")
    others = [name for name in SOURCES if name not in tallies and is_searchable(name)]
    tallies |= dict.fromkeys(others, elsewhere) if state.understood else {}
    return {
        name: {
            "outcome": outcome_of(tally),
            "asked": tally.asked if tally else 0,
            "found": tally.found if tally else 0,
            "sentence": source_text(tally),
            "title": SOURCES[name].title if name in SOURCES else name,
            "interface": SOURCES[name].interface if name in SOURCES else "",
            "search_page": SOURCES[name].search_page if name in SOURCES else "",
        }
        for name, tally in tallies.items()
    }


def _limits(run: Run, state: SearchState) -> dict[str, Any] | None:
    reading = state.understood
    if reading is None:
        return None
    options: SearchOptions = adapter(SearchOptions).validate_python(dict(run.parameters))
    limits, rounds = options.limits, {plan.round for plan in state.planned}
    return {
        "conditions": list(reading.limits),
        "records": max(limits.records, options.limit),
        "mode": options.mode,
        "queries": limits.queries,
        "rounds": limits.rounds if options.evolution else 1,
        "held": len(rounds),
        "seconds": options.source_seconds,
    }


def _searches(events: Sequence[tuple[datetime, Event]], state: SearchState) -> list[dict[str, Any]]:
    """Return every query to a source: its text, the text as sent, the time, and the result."""
    answers = {(plan.source, plan.query): (at, plan) for at, plan in events if isinstance(plan, SourceAnswered)}
    origins = {query.query: query.direction for after in state.evolved for query in after.queries if query.chosen}
    return [
        _search(plan, origins.get(plan.query), *answers.get((plan.source, plan.query), (None, None)))
        for plan in state.planned
    ]


def _search(
    plan: QueryPlanned, direction: str | None, at: datetime | None, answer: SourceAnswered | None
) -> dict[str, Any]:
    tally, texts = tally_of(answer), list(answer.sent) if answer and answer.sent else [_as_written(plan)]
    return {
        "source": plan.source,
        "round": plan.round,
        "query": plan.query,
        "direction": direction,
        "by_person": plan.form == "verbatim",
        "sent": texts,
        "strategies": strategies(plan.source, texts),
        "answered": _moment(at),  # or the time at which it failed or was left out
        "state": answer.state if answer else "not answered",
        "outcome": outcome_of(tally),
        "sentence": source_text(tally, answer.total if answer else None),
        "found": answer.found if answer else 0,
        "total": answer.total if answer else None,
        "notes": list(answer.notes) if answer else [],
        "error": answer.error if answer else None,
    }


def _as_written(plan: QueryPlanned) -> str:
    """Return the text sent to a source that did not answer, as far as it is known without the reply."""
    if plan.form == "expression":
        with suppress(ExpressionError):
            return translated(plan.source, plan.words).text or plan.words
    return plan.words


def _links(state: SearchState) -> list[dict[str, Any]]:
    """Return the papers whose references or citing papers were followed."""
    return [
        {
            "of": state.found[state.work(expansion.seed)].paper.id,
            **json_fields(expansion, "link listed new sources error"),
        }
        for expansion in state.followed
        if expansion.listed or expansion.error
    ]


def _screening(state: SearchState) -> dict[str, Any] | None:
    counts = screening(state)
    if not counts.seen:
        return None
    return {
        "records": counts.every,
        "screened": counts.screened,
        "included": counts.included,
        "excluded": counts.excluded,
        "reasons": dict(counts.reasons),
        "later": counts.later,
        "papers": [
            {"id": paper.id, "title": paper.title, "decision": decision, "reason": state.screened[work].reason}
            for decision in MARKS
            for work in works_decided(state, decision)
            for paper in [state.found[work].paper]
        ],
    }


def _included(state: SearchState, records: ScreenedRecords) -> list[dict[str, Any]]:
    ranked, by_person = {candidate.work: candidate for candidate in state.ranking}, set(records.included)
    return [
        {
            "rank": rank,
            **_judgement(state, work),
            "included_by": "person" if work in by_person else None,
            "relevance": ranked[work].relevance if work in ranked else state.relevance(work),
            "score": ranked[work].score if work in ranked else None,
        }
        for rank, work in enumerate(ranked_first(state, records.relevant), start=1)
    ]


def _personal(state: SearchState) -> dict[str, Any] | None:
    """Return the effect of the person's taste on the order, if it was used."""
    if state.personal is None:
        return None
    moved = [rank for rank in state.personal.places if rank.before != rank.after]
    return {
        "sentence": personal_line(state.personal),
        "moved": [
            {
                "id": state.found[state.work(rank.work)].paper.id,
                "from": rank.before,
                "to": rank.after,
                "taste": rank.taste,
                "because": personal_text(state, rank.work),
            }
            for rank in sorted(moved, key=lambda rank: rank.after)
        ],
    }


def _excluded(state: SearchState, records: ScreenedRecords, reasons: Reasons) -> list[dict[str, Any]]:
    out = (*records.excluded, *records.dismissed, *records.ineligible)
    by_person = set(records.excluded)
    return [
        {
            **_judgement(state, work),
            "relevance": state.relevance(work),
            "excluded_by": "person" if work in by_person else None,
            "excluded_because": reasons.of(work),
        }
        for work in sorted(out, key=lambda work: (-state.relevance(work), state.found[work].paper.id))
    ]


def _ended(events: Sequence[tuple[datetime, Event]]) -> datetime | None:
    """Return when the search ended; a person's later decisions, and a new order, do not count."""
    end, searching = None, True
    for at, event in events:
        if isinstance(event, QueryPlanned | SourceAnswered | PaperFound | ReferencesFollowed):
            searching = True
        elif isinstance(event, Finished) and searching:
            end, searching = at, False
    return end


def _judgement(state: SearchState, work: WorkId) -> Mapping[str, Any]:
    paper, judgement = state.found[work].paper, state.judgement(work)
    return {
        **json_fields(paper, "id title year"),
        "judged_by": judgement.by if judgement else None,
        "reason": judgement.reason if judgement else "",
        "proven": judgement.proven if judgement and judgement.reason else None,
    }
