"""A search as reviewers want it reported: PRISMA-S (Rethlefsen et al. 2021) and PRISMA 2020's flow of records.

The log is made from the run's events alone, and holds what is needed to run the search again.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from agents.run.events import QueryPlanned, SourceAnswered
from agents.run.findings import SourceTally
from agents.run.outcomes import outcome_of, tally_of
from agents.run.retrieval.queries import within
from agents.search.events import Event
from agents.search.kind import SEARCH
from agents.search.state import THRESHOLD, SearchState
from cache.runs import Event as Row
from cache.runs import Run
from connectors.paper import WorkId
from connectors.registry import SOURCES, is_searchable
from spar_tui import __version__
from spar_tui.personal_phrases import personal_line, personal_text
from spar_tui.phrases import source_text
from spar_tui.screening.decisions import MARKS, NO_REASON, screening, works_decided

_LINKS = {"references": "reference lists", "citations": "citing papers"}


def search_log(run: Run, rows: Sequence[Row]) -> dict[str, Any]:
    """The log of `run`, whose board is `rows`: JSON values only."""
    events = [(row.timestamp, event) for row in rows if (event := SEARCH.codec.decode(row.kind, row.content))]
    state = SEARCH.folded(event for _, event in events)
    return {
        "run": run.id,
        "spar": __version__,
        "question": run.question,
        "state": run.state,
        "started": _moment(run.started),
        "finished": _moment(run.finished),
        "wishes": dict(run.parameters),
        "model": state.started.model if state.started else None,
        "compared": {"papers": state.compared, "by": state.compared_by or None},
        "prompts": {one.step: one.prompt_version for one in state.spent if one.prompt_version is not None},
        "understanding": _understanding(state),
        "sources": _sources(state),
        "searches": _searches(events, state),
        "links": _links(state),
        "flow": _flow(state),
        "screening": _screening(state),
        "personal": _personal(state),
        "included": _included(state),
        "excluded": _excluded(state),
        "opinions": {state.found[work].paper.id: relevant for work, relevant in state.called_relevant.items()},
        "cost": {**asdict(state.cost), "step": None, "prompt_version": None},
        "failures": state.failed_sources,
        "warnings": list(state.warnings),
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")


def _understanding(state: SearchState) -> dict[str, Any] | None:
    read = state.understood
    if read is None:
        return None
    return {
        "by": read.by,
        "intent": read.intent,
        "domain": read.domain,
        "since": read.since and read.since.isoformat(),
        "until": read.until and read.until.isoformat(),
        "authors": list(read.authors),
        "venue": " or ".join(read.all_venues) or None,
        "meaning": read.meaning,
        "needs": list(read.needs),
        "min_citations": read.min_citations,
        "open_access": read.open_access,
        "sources": {name: dict(read.source_reasons).get(name, "") for name in read.sources},
    }


def _sources(state: SearchState) -> dict[str, dict[str, Any]]:
    """What came of every source: those that were planned to be asked, those left out, and those there are besides."""
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
        }
        for name, tally in tallies.items()
    }


def _searches(events: Sequence[tuple[datetime, Event]], state: SearchState) -> list[dict[str, Any]]:
    """Every question to a source: the query, the words as they were sent, when, and what came of it."""
    answers = {(one.source, one.query): (at, one) for at, one in events if isinstance(one, SourceAnswered)}
    origins = {one.query: one.direction for after in state.evolved for one in after.queries if one.chosen}
    return [
        _search(one, origins.get(one.query), *answers.get((one.source, one.query), (None, None)))
        for one in state.planned
    ]


def _search(
    plan: QueryPlanned, direction: str | None, at: datetime | None, answer: SourceAnswered | None
) -> dict[str, Any]:
    tally = tally_of(answer)
    return {
        "source": plan.source,
        "round": plan.round,
        "query": plan.query,
        "direction": direction,
        "sent": list(answer.sent) if answer and answer.sent else [plan.words],
        "answered": _moment(at),  # or failed, or was left out: then
        "state": answer.state if answer else "not answered",
        "outcome": outcome_of(tally),
        "sentence": source_text(tally, answer.total if answer else None),
        "found": answer.found if answer else 0,
        "total": answer.total if answer else None,
        "notes": list(answer.notes) if answer else [],
        "error": answer.error if answer else None,
    }


def _links(state: SearchState) -> list[dict[str, Any]]:
    """The papers whose references, or citing papers, were followed."""
    return [
        {
            "of": state.found[state.work(one.seed)].paper.id,
            "link": one.link,
            "listed": one.listed,
            "new": one.new,
            "sources": list(one.sources),
            "error": one.error,
        }
        for one in state.followed
        if one.listed or one.error
    ]


def _flow(state: SearchState) -> dict[str, Any]:
    counts = state.counts
    ways = Counter(way.source if way.link is None else _LINKS[way.link] for one in state.found.values()
                   for way in one.found_by)  # fmt: skip
    return {
        "identified": counts.identified,
        "by": dict(sorted(ways.items(), key=lambda entry: (entry[0] in _LINKS.values(), entry[0]))),
        "duplicates": counts.duplicates,
        "screened": counts.screened,
        "by_person": screening(state).screened,
        "excluded": dict(Counter(_why_out(state, work) for work in _out(state))),
        "included": counts.included,
        "included_by_person": sum(_included_by_person(state, one.work) for one in state.included),
    }


def _included_by_person(state: SearchState, work: WorkId) -> bool:
    decided = state.screened.get(work)
    return decided is not None and decided.decision == "included"


def _screening(state: SearchState) -> dict[str, Any] | None:
    """What a person decided of records one by one, if they did of any."""
    told = screening(state)
    if not told.seen:
        return None
    return {
        "records": told.every,
        "screened": told.screened,
        "included": told.included,
        "excluded": told.excluded,
        "reasons": dict(told.reasons),
        "later": told.later,
        "papers": [
            {"id": paper.id, "title": paper.title, "decision": decision, "reason": state.screened[work].reason}
            for decision in MARKS
            for work in works_decided(state, decision)
            for paper in [state.found[work].paper]
        ],
    }


def _out(state: SearchState) -> list[WorkId]:
    included = {one.work for one in state.included}
    return [work for work in state.works if work not in included]


def _why_out(state: SearchState, work: WorkId) -> str:
    read, decided = state.understood, state.screened.get(work)
    judged = state.judgement(work)
    if decided and decided.decision == "excluded" and judged == decided.judgement:
        return f"excluded by the person: {decided.reason or NO_REASON}"
    if read and not within(state.found[work].paper, read.since, read.until):
        return "outside the dates"
    if work not in state.assessed:
        return "does not meet the question's conditions or shares no word with it"
    if judged and judged.by == "person":
        return "called irrelevant by the person"
    return f"judged below {THRESHOLD} by {'the model' if judged and judged.by == 'model' else 'built-in rules'}"


def _included(state: SearchState) -> list[dict[str, Any]]:
    return [
        {"rank": place, **_judgement(state, one.work), "relevance": one.relevance, "score": one.score}
        for place, one in enumerate(state.included, start=1)
    ]


def _personal(state: SearchState) -> dict[str, Any] | None:
    """What the person's taste did to the order, if it was asked to."""
    if state.personal is None:
        return None
    moved = [place for place in state.personal.places if place.before != place.after]
    return {
        "sentence": personal_line(state.personal),
        "moved": [
            {
                "id": state.found[state.work(place.work)].paper.id,
                "from": place.before,
                "to": place.after,
                "taste": place.taste,
                "because": personal_text(state, place.work),
            }
            for place in sorted(moved, key=lambda place: place.after)
        ],
    }


def _excluded(state: SearchState) -> list[dict[str, Any]]:
    return [
        {**_judgement(state, work), "relevance": state.relevance(work), "excluded_because": _why_out(state, work)}
        for work in sorted(_out(state), key=lambda work: (-state.relevance(work), state.found[work].paper.id))
    ]


def _judgement(state: SearchState, work: WorkId) -> Mapping[str, Any]:
    paper, judged = state.found[work].paper, state.judgement(work)
    return {
        "id": paper.id,
        "title": paper.title,
        "year": paper.year,
        "judged_by": judged.by if judged else None,
        "reason": judged.reason if judged else "",
        "proven": judged.proven if judged and judged.reason else None,
    }
