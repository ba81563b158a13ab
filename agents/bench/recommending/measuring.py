"""Every way of recommending for every person, one after the other, so that what is finished can be compared."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.bench.measures import ndcg
from agents.bench.recommending.systems import Recommender
from agents.bench.recommending.users import User
from agents.bench.recommending.world import World

DEPTH = 5
WHOLE, HUNDRED = "", "_of_100"
"""What measures are called in the whole catalogue, and among what was held out and the negatives."""
MEASURES = ("ndcg@5", "hit@5", "ndcg@5_of_100", "hit@5_of_100")


@dataclass(frozen=True, slots=True)
class RecommendRow:
    """A system's measures for one person, given `history` papers of theirs; None for all."""

    user: str
    system: str
    history: int | None
    measures: dict[str, float]


def measure(
    world: World, users: Iterable[User], systems: Sequence[str], histories: Sequence[int | None], seed: int = 0
) -> Iterator[list[RecommendRow]]:
    """The rows of each person as soon as every system has recommended to them."""
    for user in users:
        yield [row for most in histories for row in _rows(world, user, systems, most, seed)]


def _rows(world: World, user: User, systems: Sequence[str], most: int | None, seed: int) -> Iterator[RecommendRow]:
    own = {world.place[item] for item in user.items}
    history = [world.place[item] for item in user.history(most, seed)]
    held_out = {world.place[item] for item in user.held_out} - own
    everything = [place for place in range(len(world.documents)) if place not in own]
    hundred = sorted((held_out | {world.place[item] for item in user.negatives}) - own)
    recommenders = {WHOLE: Recommender(world, user.user, history, everything, seed)}
    if user.negatives:
        recommenders[HUNDRED] = Recommender(world, user.user, history, hundred, seed)
    for system in systems:
        measures = {
            f"{name}{where}": value
            for where, recommender in recommenders.items()
            for name, value in qualities(recommender.ranking(system), held_out).items()
        }
        yield RecommendRow(user.user, system, most, measures)


def qualities(ranking: Sequence[int], relevant: Collection[int]) -> dict[str, float]:
    """NDCG@5 (each relevant one gains 1) and Hit@5: whether one is among the first five."""
    found = any(place in relevant for place in ranking[:DEPTH])
    return {"ndcg@5": ndcg(ranking, relevant, DEPTH), "hit@5": float(found)}
