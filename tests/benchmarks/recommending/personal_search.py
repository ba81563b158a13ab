"""Whether the person's taste helps a search: `python -m tests.benchmarks.recommending.personal_search [HALF]`.

Of each question of cf and cacm with enough relevant papers, three of them, drawn by chance, are the reading history; it
is measured how well the search ranks the others, with and without `personal`, those of the history left out of both
lists. Nothing else is in the library. As a check that taste does no harm where it has nothing to say, the same with
three papers that are relevant to another question (`foreign`). Prints nDCG@10 of each, the difference with its 95 %
interval over questions, and how many of the shown papers are moved.
"""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import cast

from agents.bench.closed_world import Case, Half, answerable, chosen, closed_cases
from agents.bench.collections import read_collection
from agents.bench.measures import difference, ranked_measures, relevant
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.ranking.personal import personally_ranked
from agents.search.state import SearchState
from agents.taste.context import ReaderContext, read_context
from agents.tools import shelf_actions
from cache.store import Store
from cache.timestamps import utc_now
from connectors.paper import WorkId

COLLECTIONS = Path(__file__).parents[4] / "shared" / "collections"
NAMES = ("cf", "cacm")
HISTORY = 3
OTHERS = 3
"""Relevant papers that are left to be found, at least."""


async def searched(case: Case) -> SearchState:
    """The state at the end of a search without a model."""
    board = SEARCH.board()
    async for _ in search(case.question.text, case.resources, SearchOptions(), board, today=case.today):
        pass
    return board.state


def reader_of(case: Case, saved: Sequence[str], store: Store) -> ReaderContext:
    """The person who has saved these documents."""
    assert case.world is not None
    shelf_actions.save(store, [paper for one in saved if (paper := case.world.paper(one))])
    now = utc_now()
    return ReaderContext(store, read_context(store, now), now)


def ndcg(case: Case, state: SearchState, works: Sequence[WorkId], known: Sequence[str]) -> float:
    documents = [case.document_of(state.found[work].paper) or f"work {work}" for work in works]
    grades = {document: grade for document, grade in case.grades.items() if document not in known}
    return ranked_measures([document for document in documents if document not in known], grades)["ndcg@10"]


def measured(name: str, half: Half) -> None:
    collection = read_collection(COLLECTIONS / name)
    questions = [
        question
        for question in chosen(answerable(collection), half)
        if len(relevant(collection.grades[question.id])) >= HISTORY + OTHERS
    ]
    rows: dict[str, list[tuple[float, float, int]]] = {"own": [], "foreign": []}
    for case in closed_cases(collection, questions):
        state = asyncio.run(searched(case))
        other = questions[(questions.index(case.question) + 1) % len(questions)]
        for kind, of in (("own", case.question), ("foreign", other)):
            dice = Random(f"{name} {of.id}")
            known = dice.sample(sorted(relevant(collection.grades[of.id])), HISTORY)
            with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "spar.db") as store:
                reader = reader_of(case, known, store)
                found = [one.paper for one in state.found.values()]
                papers = {work: one.paper for work, one in state.found.items()}
                event = personally_ranked(reader, state.shown, papers, found)
            after = state.apply(event)
            rows[kind].append(
                (
                    ndcg(case, state, [entry.work for entry in state.shown], known),
                    ndcg(case, after, [entry.work for entry in after.shown], known),
                    sum(place.before != place.after for place in event.places),
                )
            )
    for kind, row in rows.items():
        without, with_taste, moved = (list(column) for column in zip(*row, strict=True))
        told = difference(with_taste, without)
        print(
            f"{name:<6} {kind:<8} {len(row):>3} questions  nDCG@10 {fmean(without):.4f} -> {fmean(with_taste):.4f}"
            f"  {told.difference:+.4f} [{told.low:+.4f}, {told.high:+.4f}]  moved {fmean(moved):.1f} of 20"
        )


if __name__ == "__main__":
    half = cast(Half, sys.argv[1] if len(sys.argv) > 1 else "report")
    for name in NAMES:
        measured(name, half)
