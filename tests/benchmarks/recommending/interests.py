"""Does a person with two subjects get both? `python -m tests.benchmarks.recommending.interests [LIBRARY|people]`.

A subject is the collection that a paper is from, where csfcube and aicorpus_small, which are both on language and AI,
are one; the library is all of them together (LIBRARY keeps it, which saves the minute of filling it).
The histories are papers of two subjects, 3 to 12 of each, from one to one up to four to one: either papers taken
blindly, or papers that answer one question of their collection, as a person with one interest would have saved them.
Each is given to a whole recommendation, offline and without a model. Prints how often both subjects are among the first
five papers, and of histories of one subject alone, what part of the first five is of it.

With `people` the library is citeulike_a, and a history is six papers of each of two people who saved none in common. A
recommended paper is of the one with whose library those of its other readers have more in common.
"""

import asyncio
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple

from agents.bench.collections import RELEVANT, Collection, Document, is_collection, read_collection
from agents.bench.recommending.world import read_libraries
from agents.recommendation.events import RecommendationEvent, RecommendationState
from agents.recommendation.loop import recommend
from agents.recommendation.options import RecommendOptions
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.taste.context import ReaderContext, UserContext, read_context
from cache import papers
from cache.store import PaperId, Store
from cache.timestamps import utc_now
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.build import author_from_name, build_paper, partial_date

COLLECTIONS = Path(__file__).parents[4] / "shared" / "collections"
SUBJECTS = {"cf": "medicine", "cacm": "programming", "csfcube": "language and AI", "aicorpus_small": "language and AI"}
MOST_DOCUMENTS = 4_500
"""Papers of a collection that are known; those that its questions ask for are among them."""
FIRST = 5
SIZES = ((3, 3), (6, 6), (12, 12), (6, 3), (8, 4), (12, 6), (9, 3), (12, 4), (12, 3))
"""Papers of the larger and of the smaller subject."""
SEED = 20_261_122
PAIRS, PEOPLE_PAPERS = 30, 6


class History(NamedTuple):
    """The numbers of the papers of each subject."""

    of: Mapping[str, Sequence[PaperId]]


@dataclass
class World:
    """A library of several collections: which papers are of which, and which of them answer one question."""

    store: Store
    of_subject: Mapping[str, Sequence[PaperId]]
    of_question: Mapping[str, Sequence[Sequence[PaperId]]]

    def subjects(self, number: PaperId) -> set[str]:
        """A paper that two collections hold is of both."""
        return {name for name, numbers in self.of_subject.items() if number in set(numbers)}


def available() -> list[str]:
    return [name for name in SUBJECTS if is_collection(COLLECTIONS / name)]


def world(path: Path) -> World:
    """The library at `path`, filled if it is not there."""
    store = Store.open(path)
    of_subject: defaultdict[str, list[PaperId]] = defaultdict(list)
    of_question: defaultdict[str, list[list[PaperId]]] = defaultdict(list)
    for name in available():
        collection = read_collection(COLLECTIONS / name)
        documents = _some(collection)
        numbers = dict(zip((one.id for one in documents), _remembered(store, name, documents), strict=True))
        of_subject[SUBJECTS[name]] += sorted(set(numbers.values()))
        of_question[SUBJECTS[name]] += [
            answers
            for question in collection.questions
            if len(answers := _answers(collection.grades.get(question.id, {}), numbers)) >= min(SIZES)[1]
        ]
    return World(store, of_subject, of_question)


def _some(collection: Collection) -> list[Document]:
    asked_for = {one for grades in collection.grades.values() for one, grade in grades.items() if grade >= RELEVANT}
    rest = [one for one in collection.documents if one.id not in asked_for]
    random.Random(SEED).shuffle(rest)
    chosen = [one for one in collection.documents if one.id in asked_for]
    return [*chosen, *rest[: max(MOST_DOCUMENTS - len(chosen), 0)]]


def _answers(grades: Mapping[str, int], numbers: Mapping[str, PaperId]) -> list[PaperId]:
    return sorted({numbers[one] for one, grade in grades.items() if grade >= RELEVANT and one in numbers})


def _remembered(store: Store, name: str, documents: Sequence[Document]) -> list[PaperId]:
    return papers.remember(store, (_paper(name, one) for one in documents))


def _paper(name: str, document: Document) -> Paper:
    return build_paper(
        name,
        title=document.title,
        abstract=document.abstract,
        authors=[person for one in document.authors if (person := author_from_name(one))],
        date=partial_date(document.year),
        venue=document.venue,
        identifiers=[_name(name, document.id)],
        references=[_name(name, one) for one in document.references],
        keywords=document.keywords,
    )


def _name(collection: str, document: str) -> Identifier:
    return Identifier("doi", f"10.5555/{collection}.{document}")


def blind(known: World, chance: random.Random, subject: str, size: int) -> list[PaperId] | None:
    """Papers of a subject, taken blindly."""
    return chance.sample(known.of_subject[subject], size)


def of_one_question(known: World, chance: random.Random, subject: str, size: int) -> list[PaperId] | None:
    """Papers that answer one question, half of what answers it at most, so that something is left to recommend."""
    enough = [answers for answers in known.of_question[subject] if len(answers) >= min(2 * size, size + 5)]
    return chance.sample(chance.choice(enough), size) if enough else None


WAYS = {"taken blindly": blind, "of one question": of_one_question}


def histories(known: World, way: str, each: int = 2) -> Iterator[History]:
    """For every pair of subjects, whichever is the larger, histories of all sizes."""
    chance = random.Random(SEED)
    for first, second in permutations(known.of_subject, 2):
        for sizes in SIZES * each:
            chosen = [WAYS[way](known, chance, one, size) for one, size in zip((first, second), sizes, strict=True)]
            if all(chosen):
                yield History({one: some or [] for one, some in zip((first, second), chosen, strict=True)})


def recommended(known: World, history: History) -> RecommendationState:
    """A whole recommendation from papers that were all liked a moment ago."""
    numbers = [number for some in history.of.values() for number in some]
    now = utc_now()
    context: UserContext = read_context(known.store, now, numbers)
    board: Board[RecommendationState, RecommendationEvent] = Board(RecommendationState())

    async def run() -> None:
        resources = Resources(reader=ReaderContext(known.store, context, now))
        async for _ in recommend(resources, RecommendOptions(), board):
            pass

    asyncio.run(run())
    return board.state


def first_subjects(known: World, state: RecommendationState) -> list[set[str]]:
    """The subjects of the first five papers."""
    return [known.subjects(number) for number in _shown(state)[:FIRST]]


def has_both(known: World, history: History) -> bool:
    found = set().union(*first_subjects(known, recommended(known, history)))
    return set(history.of) <= found


def tell(known: World, way: str) -> float:
    """Print the rate of each pair and each size; the rate of all."""
    by_pair: defaultdict[str, list[bool]] = defaultdict(list)
    by_size: defaultdict[str, list[bool]] = defaultdict(list)
    for history in histories(known, way):
        both = has_both(known, history)
        by_pair[" and ".join(history.of)].append(both)
        by_size[":".join(str(len(some)) for some in history.of.values())].append(both)
    found = [one for some in by_pair.values() for one in some]
    for name, some in (*by_pair.items(), *by_size.items()):
        print(f"  {name:<32} {fmean(some):>6.0%} of {len(some)}")
    print(f"{way:<34} {fmean(found):>6.1%} of {len(found)}", flush=True)
    return fmean(found)


def tell_single(known: World, way: str) -> None:
    """Of histories of one subject: the part of the first five that is of it."""
    chance = random.Random(SEED)
    shares = []
    for subject in known.of_subject:
        for size in (3, 6, 12):
            if some := WAYS[way](known, chance, subject, size):
                first = first_subjects(known, recommended(known, History({subject: some})))
                shares.append(fmean(subject in one for one in first) if first else 0.0)
    print(f"{way + ', one subject alone':<34} {fmean(shares):>6.1%} of the first five")


def tell_people() -> None:
    """Print how often the interests of both people are among the first five."""
    libraries = read_libraries(COLLECTIONS / "citeulike_a")
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "library.db") as store:
        ids = [one.id for one in libraries.documents]
        numbers = dict(zip(ids, _remembered(store, "citeulike", libraries.documents), strict=True))
        saved = {one.user: {numbers[name] for name in (*one.items, *one.held_out)} for one in libraries.users}
        chance, known, found, fewer = random.Random(SEED), World(store, {}, {}), list[bool](), list[int]()
        people = sorted(user for user, some in saved.items() if len(some) >= 2 * PEOPLE_PAPERS)
        while len(found) < PAIRS:
            pair = chance.sample(people, 2)
            if not saved[pair[0]] & saved[pair[1]]:
                of = {user: chance.sample(sorted(saved[user]), PEOPLE_PAPERS) for user in pair}
                sides = [_reader(number, pair, saved) for number in _shown(recommended(known, History(of)))]
                found.append(set(sides[:FIRST]) >= set(pair))
                fewer.append(min(map(sides.count, pair)))
        print(f"of two people {fmean(found):.1%} of {len(found)}; of ten papers {fmean(fewer):.1f} are of the one")


def _shown(state: RecommendationState) -> list[PaperId]:
    """The numbers of the papers of the list."""
    number_of = {one.work: one.number for one in state.recalled.candidates} if state.recalled else {}
    return [PaperId(number) for placed in state.shown if (number := number_of[placed.work]) is not None]


def _reader(number: PaperId, pair: Sequence[str], saved: Mapping[str, set[PaperId]]) -> str:
    """The one of `pair` whose paper it is; "" if it is of both alike."""
    own = [user for user in pair if number in saved[user]]
    others = [some for user, some in saved.items() if user not in pair and number in some]
    shared = {user: sum(len(some & saved[user]) for some in others) for user in pair}
    return own[0] if own else max(pair, key=shared.__getitem__) if len(set(shared.values())) > 1 else ""


def main() -> None:
    if sys.argv[1:] == ["people"]:
        tell_people()
        return
    if len(available()) < 2:
        print("no two collections are there")
        return
    with TemporaryDirectory() as folder:
        known = world(Path(sys.argv[1] if len(sys.argv) > 1 else folder) / "library.db")
        with known.store:
            for way in WAYS:
                tell(known, way)
                tell_single(known, way)


if __name__ == "__main__":
    main()
