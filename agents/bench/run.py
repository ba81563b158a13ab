"""Measure searches by questions with known papers."""

import time
from collections.abc import Callable

from agents.bench.measures import Measures, qualities
from agents.bench.questions import Gold, GoldQuestion
from agents.run.resources import Resources
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import THRESHOLD, SearchState
from connectors.paper import Paper, WorkId


async def measured_search(question: GoldQuestion, resources: Resources, options: SearchOptions) -> Measures:
    """Return the measures of one search, with the papers judged relevant as those kept, and what it cost."""
    gold, board, start = Gold(question.papers), SEARCH.board(), time.perf_counter()
    async for _ in search(question.text, resources, options, board):
        pass
    state = board.state
    documents = retrieved_documents(state, gold.document_of)
    ranking = [documents[ranked.work] for ranked in state.ranking][: options.limit]
    relevant = [documents[ranked.work] for ranked in state.ranking if ranked.relevance >= THRESHOLD]
    return {
        **qualities(ranking, list(documents.values()), relevant, gold.grades),
        "papers": len(documents),
        "kept": len(relevant),
        "asked": sum(tally.asked for tally in state.sources.values()),
        "calls": state.cost.calls,
        "seconds": time.perf_counter() - start,
    }


def retrieved_documents(state: SearchState, document_of: Callable[[Paper], str | None]) -> dict[WorkId, str]:
    """Map every work found to a document, the ranked ones first; a known paper found twice counts once, at its best
    rank."""
    documents, seen = dict[WorkId, str](), set[str]()
    for work in dict.fromkeys([*(ranked.work for ranked in state.ranking), *state.found]):
        document = document_of(state.found[work].paper)
        documents[work] = document if document is not None and document not in seen else f"work {work}"
        seen.add(documents[work])
    return documents
