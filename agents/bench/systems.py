"""The ways of answering that are measured against each other.

`bm25` is the collection's own order for the plain question, `rm3+links` the strongest plain way (`rival`). `spar` is
the whole search, `spar-X` the search without X, `spar+X` the search with X.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agents.bench.closed_world import Case
from agents.bench.judges import SimulatedJudge
from agents.builtin.ranking.relevance import probability_of
from agents.search.events import Ranked
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import THRESHOLD, SearchState
from connectors.paper import WorkId
from connectors.source import Query

SEMANTIC = "spar+semantic"
"""The search that compares meanings, too, by whatever makes vectors for the person."""
BASELINE = "bm25"
RIVAL = "rm3+links"
PLAIN = (BASELINE, RIVAL)
"""The ways without judging, which rank the whole collection: any other is compared with them at its own depth."""
WITHOUT: Mapping[str, Mapping[str, Any]] = {
    "spar": {},
    "spar-refchain": {"refchain": False},
    "spar-evolution": {"evolution": False},
    "spar-understanding": {"understanding": False},
    "spar-rerank": {"rerank": False},
    "spar-facets": {"facets": False},
    "spar+facets": {"facets": True},
    SEMANTIC: {},
}
"""The options of each system that differ from the usual ones."""
SYSTEMS = (*PLAIN, *(system for system in WITHOUT if system != SEMANTIC))
"""Those that need nothing but the collection."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A document in a system's answer, and the probability that it is relevant; None where nothing was judged.

    A judge that is not built in means its relevance as one.
    """

    document: str
    score: float
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a system did for one question: its answer, best first, and everything it retrieved on the way.

    `kept` are the documents judged relevant, None for a system that does not judge; `asked` is how often a source
    was asked for something, `calls` how often a language model.
    """

    ranking: tuple[Placed, ...]
    retrieved: tuple[str, ...]
    kept: tuple[str, ...] | None
    asked: int
    calls: int
    seconds: float


async def answer(system: str, case: Case, options: SearchOptions, judge: SimulatedJudge | None = None) -> Outcome:
    """What `system` answers to the question of `case`; `judge` judges in place of the search's own."""
    start = time.perf_counter()
    if system in PLAIN:
        ranking = plain(case, options.limit, system)
        return Outcome(ranking, tuple(placed.document for placed in ranking), None, 1, 0, time.perf_counter() - start)
    board = SEARCH.board()
    asked_before = _asked(board.state, case)
    embeddings = case.resources.embeddings if system == SEMANTIC else None
    resources = replace(case.resources, judge=judge, embeddings=embeddings)
    options = replace(options, **WITHOUT[system])
    async for _ in search(case.question.text, resources, options, board, today=case.today):
        pass
    asked = _asked(board.state, case) - asked_before
    return _outcome(board.state, case, asked, time.perf_counter() - start)


def _asked(state: SearchState, case: Case) -> int:
    return case.world.asked if case.world else sum(tally.asked for tally in state.sources.values())


def plain(case: Case, depth: int, system: str = BASELINE) -> tuple[Placed, ...]:
    """The first `depth` documents of the whole collection in the order of a plain way; none in live search."""
    if case.world is None:
        return ()
    if system == RIVAL:
        return tuple(Placed(*pair) for pair in case.world.rival_ranking(case.question.text, depth))
    return tuple(Placed(*pair) for pair in case.world.ranking(Query(case.question.text, limit=depth)))


def _outcome(state: SearchState, case: Case, asked: int, seconds: float) -> Outcome:
    documents = _documents(dict.fromkeys([*(ranked.work for ranked in state.ranking), *state.found]), state, case)
    ranking = [Placed(documents[ranked.work], ranked.score, _probability(state, ranked)) for ranked in state.ranking]
    kept = [documents[ranked.work] for ranked in state.ranking if ranked.relevance >= THRESHOLD]
    return Outcome(tuple(ranking), tuple(documents.values()), tuple(kept), asked, state.cost.calls, seconds)


def _probability(state: SearchState, ranked: Ranked) -> float:
    judgement = state.judgement(ranked.work)
    by_rule = judgement is None or judgement.by == "built-in"
    return probability_of(ranked.relevance) if by_rule else ranked.relevance


def _documents(works: Iterable[WorkId], state: SearchState, case: Case) -> dict[WorkId, str]:
    """The document that each work is, by the work's number; a known paper found twice counts once, the best placed."""
    documents: dict[WorkId, str] = {}
    taken: set[str] = set()
    for work in works:
        document = case.document_of(state.found[work].paper)
        if document is None or document in taken:
            document = f"work {work}"
        taken.add(document)
        documents[work] = document
    return documents
