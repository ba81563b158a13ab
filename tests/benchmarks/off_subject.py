"""What the built-in judge says where no paper is about the question: `python -m tests.benchmarks.off_subject [HALF]`.

Questions of one collection are put to the closed world of another that has nothing on them, and to the starter shelf;
`own` are the same collections with their own questions, where something should be left. Prints, without a model, the
share of questions for which any paper counts as relevant, how many do, and the mean of the best relevance.
"""

import asyncio
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean

from agents.bench.closed_world import Case, Half, answerable, chosen, closed_cases
from agents.bench.collections import Collection, Question, read_collection
from agents.run.resources import Resources
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import THRESHOLD, SearchState
from connectors.starter.shelf import StarterShelf
from tests.agents.builtin.ranking.off_subject import OFF_SUBJECT, ON_SUBJECT

COLLECTIONS = Path(__file__).parents[3] / "shared" / "collections"
STARTER = "starter"
OWN = (("cf", "cf"), ("cacm", "cacm"), ("csfcube", "csfcube"), ("neurips_relatedwork", "neurips_relatedwork"),
       ("aicorpus_small", "aicorpus_small"))  # fmt: skip
FOREIGN = (("cf", "cacm"), ("cf", "neurips_relatedwork"), ("cacm", "cf"), ("csfcube", "cf"), ("aicorpus_small", "cf"),
           ("neurips_relatedwork", "cf"), ("scifact", "cacm"), ("cf", STARTER), ("scifact", STARTER))  # fmt: skip
QUESTIONS = 25


async def searched(case: Case) -> SearchState:
    """The state at the end of a search without a model."""
    board = SEARCH.board()
    async for _ in search(case.question.text, case.resources, SearchOptions(limit=100), board, today=case.today):
        pass
    return board.state


def cases(asked: str, world: str, half: Half) -> Iterable[Case]:
    """Questions of the collection `asked` in `world`."""
    questions = chosen(answerable(collection(asked)), half, QUESTIONS)
    return on_the_shelf(questions) if world == STARTER else closed_cases(collection(world), questions)


@cache
def collection(name: str) -> Collection:
    return read_collection(COLLECTIONS / name)


def on_the_shelf(questions: Iterable[Question]) -> Iterator[Case]:
    """Questions put to the starter shelf."""
    for one in questions:
        yield Case(one, Resources(fallback={STARTER: StarterShelf()}), {}, lambda paper: None)


def tell(name: str, asked: Iterable[Case]) -> None:
    scores = [sorted(map(state.relevance, state.assessed), reverse=True) for state in _states(asked)]
    kept = [sum(score >= THRESHOLD for score in of_one) for of_one in scores]
    best = fmean(max(of_one, default=0.0) for of_one in scores)
    share = fmean(number > 0 for number in kept)
    print(f"{name:<44} {len(kept):>9} {share:>8.0%} {fmean(kept):>8.1f} {best:>8.2f}", flush=True)


def _states(asked: Iterable[Case]) -> Iterator[SearchState]:
    for case in asked:
        yield asyncio.run(searched(case))


def _made_up(texts: Sequence[str]) -> Iterator[Case]:
    return on_the_shelf(Question(str(number), text) for number, text in enumerate(texts))


def main() -> None:
    half: Half = "tune" if "tune" in sys.argv else "report"
    print(f"{half + ' half':<44} questions answered   papers     best")
    tell("everyday questions in the starter shelf", _made_up(OFF_SUBJECT[half]))
    for asked, world in FOREIGN:
        tell(f"{asked} in {world}", cases(asked, world, half))
    tell("own: questions on the starter shelf", _made_up(ON_SUBJECT[half]))
    for asked, world in OWN:
        tell(f"own: {asked}", cases(asked, world, half))


if __name__ == "__main__":
    main()
