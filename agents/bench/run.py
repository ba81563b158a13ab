"""Run every system on every question, one question after another, so that finished questions can be compared."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any

from agents.bench.closed_world import Case, Half
from agents.bench.judges import SimulatedJudge
from agents.bench.measures import (
    DIGITS,
    Measures,
    averages,
    comparisons,
    kept_measures,
    ranked_measures,
    relevant,
    share_found,
)
from agents.builtin.ranking.relevance import probability_of
from agents.search.events import Ranked
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import Mode, SearchOptions
from agents.search.state import THRESHOLD, SearchState
from connectors.paper import WorkId
from connectors.source import Query

SEMANTIC = "spar+semantic"
"""The search that also compares meanings, by the person's encoder."""
BASELINE = "bm25"
RIVAL = "rm3+links"
PLAIN = (BASELINE, RIVAL)
"""The systems without a judge, which rank the whole collection; every other system is compared with them at its own
depth."""
WITHOUT: Mapping[str, Mapping[str, Any]] = {
    "spar": {},
    "spar-refchain": {"refchain": False},
    "spar-evolution": {"evolution": False},
    "spar-understanding": {"understanding": False},
    "spar-rerank": {"rerank": False},
    "spar-dates": {"any_date": True},
    "spar-facets": {"facets": False},
    "spar+facets": {"facets": True},
    SEMANTIC: {},
}
"""The options of each system that differ from the defaults."""
SYSTEMS = (*PLAIN, *(system for system in WITHOUT if system != SEMANTIC))
"""The systems that need only the collection."""


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """A document in a system's answer, and its probability of relevance; None if it was not judged. Judges that are
    not built in report relevance as this probability."""

    document: str
    score: float
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class SystemAnswer:
    """The result of a system for one question: its answer, best first, and everything it retrieved.

    `kept` are the documents judged relevant, None for a system without a judge; `requests` counts requests to sources,
    `calls` those to a language model.
    """

    ranking: tuple[RankedDocument, ...]
    retrieved: tuple[str, ...]
    kept: tuple[str, ...] | None
    requests: int
    calls: int
    seconds: float


async def answer(system: str, case: Case, options: SearchOptions, judge: SimulatedJudge | None = None) -> SystemAnswer:
    """Return the answer of `system` to the question of `case`; `judge` replaces the search's own judge."""
    start = time.perf_counter()
    if system in PLAIN:
        ranking = plain(case, options.limit, system)
        return SystemAnswer(
            ranking, tuple(entry.document for entry in ranking), None, 1, 0, time.perf_counter() - start
        )
    board = SEARCH.board()
    asked_before = _request_count(board.state, case)
    embeddings = case.resources.embeddings if system == SEMANTIC else None
    resources = replace(case.resources, judge=judge, embeddings=embeddings)
    options = replace(options, **WITHOUT[system])
    async for _ in search(case.question.text, resources, options, board, today=case.today):
        pass
    requests = _request_count(board.state, case) - asked_before
    return _outcome(board.state, case, requests, time.perf_counter() - start)


def _request_count(state: SearchState, case: Case) -> int:
    return case.world.requests if case.world else sum(tally.asked for tally in state.sources.values())


def plain(case: Case, depth: int, system: str = BASELINE) -> tuple[RankedDocument, ...]:
    """Return the first `depth` documents of the whole collection by a plain system; () in live search."""
    if case.world is None:
        return ()
    if system == RIVAL:
        return tuple(RankedDocument(*pair) for pair in case.world.rival_ranking(case.question.text, depth))
    return tuple(RankedDocument(*pair) for pair in case.world.ranking(Query(case.question.text, limit=depth)))


def _outcome(state: SearchState, case: Case, requests: int, seconds: float) -> SystemAnswer:
    documents = _documents(dict.fromkeys([*(ranked.work for ranked in state.ranking), *state.found]), state, case)
    ranking = [
        RankedDocument(documents[ranked.work], ranked.score, _probability(state, ranked)) for ranked in state.ranking
    ]
    relevant_documents = [documents[ranked.work] for ranked in state.ranking if ranked.relevance >= THRESHOLD]
    return SystemAnswer(
        tuple(ranking), tuple(documents.values()), tuple(relevant_documents), requests, state.cost.calls, seconds
    )


def _probability(state: SearchState, ranked: Ranked) -> float:
    judgement = state.judgement(ranked.work)
    by_rule = judgement is None or judgement.by == "built-in"
    return probability_of(ranked.relevance) if by_rule else ranked.relevance


def _documents(works: Iterable[WorkId], state: SearchState, case: Case) -> dict[WorkId, str]:
    """Map works to documents; a known paper found twice counts once, at its best rank."""
    documents: dict[WorkId, str] = {}
    used_names: set[str] = set()
    for work in works:
        document = case.document_of(state.found[work].paper)
        if document is None or document in used_names:
            document = f"work {work}"
        used_names.add(document)
        documents[work] = document
    return documents


TENTHS = 10

Judgement = tuple[float, bool]
"""The probability of relevance given to a paper, and whether people's labels call it relevant."""


@dataclass(frozen=True, slots=True)
class Tenth:
    """The papers whose probability lies in one tenth: their number, their mean probability, and the relevant share.
    `low` is the lower end of the tenth."""

    low: float
    papers: int
    judged: float
    relevant: float


def reliability(judgements: Iterable[Judgement]) -> list[Tenth]:
    """Return the non-empty tenths, lowest first; 1 belongs to the last."""
    within: dict[int, list[Judgement]] = {}
    for probability, is_relevant in judgements:
        within.setdefault(min(int(probability * TENTHS + 1e-9), TENTHS - 1), []).append((probability, is_relevant))
    return [
        Tenth(
            number / TENTHS,
            len(papers),
            fmean(probability for probability, _ in papers),
            fmean(is_relevant for _, is_relevant in papers),
        )
        for number, papers in sorted(within.items())
    ]


def calibration_error(tenths: Sequence[Tenth]) -> float:
    """Return the expected calibration error over the papers."""
    papers = sum(tenth.papers for tenth in tenths)
    return sum(tenth.papers * abs(tenth.judged - tenth.relevant) for tenth in tenths) / papers if papers else 0.0


@dataclass(frozen=True, slots=True)
class SearchMeasures:
    """A system's measures for one question, and those of each plain system given the same number of papers.

    Measures without a meaning for the system are missing: plain systems judge and keep nothing. A plain system is
    compared with those before it.
    """

    question: str
    system: str
    measures: Measures
    plain: Mapping[str, Measures]
    judged: tuple[Judgement, ...] = ()
    """Every judged paper."""


async def run(
    cases: Iterable[Case], systems: Sequence[str], options: SearchOptions, error: float | None = None, seed: int = 0
) -> AsyncIterator[list[SearchMeasures]]:
    """Yield the rows of each question once every system has answered it. With `error`, a simulated judge that errs
    with this probability replaces the search's own."""
    for case in cases:
        judge = None if error is None else case.judge(error, seed)
        outcomes = {system: await answer(system, case, options, judge) for system in systems}
        deepest = max([options.limit, *(len(outcome.retrieved) for outcome in outcomes.values())])
        targets = relevant(case.grades)
        methods = [method for method in PLAIN if case.world and (method == BASELINE or method in systems)]
        orders = {method: [entry.document for entry in plain(case, deepest, method)] for method in methods}
        await asyncio.sleep(0)  # a closed world never waits, and a run can only be stopped at a wait
        yield [
            SearchMeasures(
                case.question.id,
                system,
                _measured(outcome, case.grades, options.limit),
                {
                    method: _at_same_depth(orders[method], outcome, case.grades, options.limit)
                    for method in (methods[: methods.index(system)] if system in methods else methods)
                },
                tuple(
                    (entry.probability, entry.document in targets)
                    for entry in outcome.ranking
                    if entry.probability is not None
                ),
            )
            for system, outcome in outcomes.items()
        ]


def _measured(outcome: SystemAnswer, grades: Mapping[str, int], limit: int) -> Measures:
    measures = _qualities(
        [entry.document for entry in outcome.ranking][:limit], outcome.retrieved, outcome.kept, grades
    )
    count = {} if outcome.kept is None else {"kept": len(outcome.kept)}
    cost = {"asked": outcome.requests, "calls": outcome.calls, "seconds": outcome.seconds}
    return {**measures, "papers": len(outcome.retrieved), **count, **cost}


def _at_same_depth(order: Sequence[str], outcome: SystemAnswer, grades: Mapping[str, int], limit: int) -> Measures:
    """Return the measures of a plain system's `order` of the collection, cut off so that as many papers count as
    retrieved and as kept as in `outcome`."""
    first_documents = None if outcome.kept is None else order[: len(outcome.kept)]
    return _qualities(order[:limit], order[: len(outcome.retrieved)], first_documents, grades)


def _qualities(
    ranking: Sequence[str], retrieved: Sequence[str], kept_documents: Sequence[str] | None, grades: Mapping[str, int]
) -> dict[str, float]:
    measures = {**ranked_measures(ranking, grades), "raw_recall": share_found(retrieved, grades)}
    return measures if kept_documents is None else {**measures, **kept_measures(kept_documents, grades)}


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings of a benchmark, for repeating it."""

    half: Half = "all"
    seed: int = 0
    limit: int = 100
    mode: Mode = "fast"
    judge: str | None = None


def summary(name: str, rows: Sequence[SearchMeasures], terms: Terms) -> dict[str, Any]:
    """Return the `--json` object of one collection: macro averages by system over the questions in `rows`.

    A system's `vs_bm25` and, if measured, `vs_rm3+links` have for each shared measure the plain system's mean at the
    same depth, the difference with its 95 % interval, and the ratio. A judging system has its `reliability` in tenths
    of the probability, over the papers of all questions.
    """
    by_system: dict[str, list[SearchMeasures]] = {}
    for row in rows:
        by_system.setdefault(row.system, []).append(row)
    questions = {row.question for row in rows}
    systems = {system: _system(of_system, terms.seed) for system, of_system in by_system.items()}
    return {"collection": name, "queries": len(questions), **asdict(terms), "arms": systems}


def _system(rows: Sequence[SearchMeasures], seed: int) -> dict[str, Any]:
    measures = [row.measures for row in rows]
    plain = {
        f"vs_{method}": comparisons(measures, [row.plain[method] for row in rows], names, seed)
        for method, names in rows[0].plain.items()
    }
    return averages(measures, rows[0].measures) | plain | _reliability(rows)


def _reliability(rows: Sequence[SearchMeasures]) -> dict[str, Any]:
    tenths = reliability(judgement for row in rows for judgement in row.judged)
    if not tenths:
        return {}
    rows_of_tenths = [{name: round(value, DIGITS) for name, value in asdict(tenth).items()} for tenth in tenths]
    return {"calibration_error": round(calibration_error(tenths), DIGITS), "reliability": rows_of_tenths}
