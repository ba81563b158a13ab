"""Report a benchmark of recommendations: averages over people, differences, and the contribution of each agent."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.bench.closed_world import Half
from agents.bench.measures import Measures, averages, comparisons, ndcg
from agents.bench.recommending.systems import BASELINE, LAST, PROGRAM, WITH_VECTORS, WITHOUT, MeasuredRecommender
from agents.bench.recommending.world import User, World
from agents.bench.table import FigureColumn, figures, gain_lines

DEPTH = 5
WHOLE, HUNDRED = "", "_of_100"
"""Suffixes of measures over the whole catalogue, and over the held-out papers and negatives only."""
MEASURES = ("ndcg@5", "hit@5", "ndcg@5_of_100", "hit@5_of_100")


@dataclass(frozen=True, slots=True)
class RecommendRow:
    """A system's measures for one person, given `history` papers of theirs; None for all papers."""

    user: str
    system: str
    history: int | None
    measures: dict[str, float]


def measure(
    world: World, users: Iterable[User], systems: Sequence[str], histories: Sequence[int | None], seed: int = 0
) -> Iterator[list[RecommendRow]]:
    """Yield the rows of each person once every system has recommended to them."""
    for user in users:
        yield [row for most in histories for row in _rows(world, user, systems, most, seed)]


def _rows(world: World, user: User, systems: Sequence[str], most: int | None, seed: int) -> Iterator[RecommendRow]:
    own = {world.index_of[item] for item in user.items}
    history = [world.index_of[item] for item in user.history(most, seed)]
    held_out = {world.index_of[item] for item in user.held_out} - own
    everything = [index for index in range(len(world.documents)) if index not in own]
    hundred = sorted((held_out | {world.index_of[item] for item in user.negatives}) - own)
    recommenders = {WHOLE: MeasuredRecommender(world, user.user, history, everything, seed)}
    if user.negatives:
        recommenders[HUNDRED] = MeasuredRecommender(world, user.user, history, hundred, seed)
    for system in systems:
        measures = {
            f"{name}{where}": value
            for where, recommender in recommenders.items()
            for name, value in qualities(recommender.ranking(system), held_out).items()
        }
        yield RecommendRow(user.user, system, most, measures)


def qualities(ranking: Sequence[int], relevant: Collection[int]) -> dict[str, float]:
    """Return NDCG@5 (gain 1 per relevant paper) and Hit@5 (whether one is among the first five)."""
    hit = any(index in relevant for index in ranking[:DEPTH])
    return {"ndcg@5": ndcg(ranking, relevant, DEPTH), "hit@5": float(hit)}


_HEADINGS = {"ndcg@5": "NDCG@5", "hit@5": "Hit@5", "ndcg@5_of_100": "NDCG@5 of 100", "hit@5_of_100": "Hit@5 of 100"}
_COMPARISONS = {
    "vs_vanilla": f"{{}} against {BASELINE}",
    "worth": f"{PROGRAM} against {{}}",
    "vs_arag": f"{{}} against {PROGRAM}",
}
NO_TIME = (
    f"last: the {LAST} papers that stand last in a library. Libraries here have no order of time, so these need not be"
    " what was saved last."
)


@dataclass(frozen=True, slots=True)
class RecommendTerms:
    """The settings of a measurement; `histories` are the numbers of known papers per person, None for all.
    `embedding_model` names the encoder of the vectors; None for no vectors."""

    half: Half = "all"
    seed: int = 0
    histories: tuple[int | None, ...] = (None,)
    tag_free: bool = False
    embedding_model: str | None = None


def report(name: str, rows: Sequence[RecommendRow], terms: RecommendTerms) -> dict[str, Any]:
    """Return the `--json` object of one collection: for each history the averages of each system.

    `vs_vanilla` compares a system with the plain one; `worth` of a system without an agent compares the whole program
    with it, which is the agent's contribution; `vs_arag` compares the program with vectors to the one without. Each has
    the difference, the ratio of the means and their 95 % intervals.
    """
    return {
        "collection": name,
        "people": len({row.user for row in rows}),
        "half": terms.half,
        "seed": terms.seed,
        "tag_free": terms.tag_free,
        "embedding_model": terms.embedding_model,
        "time_order": False,
        "histories": [_of_history(most, rows, terms.seed) for most in terms.histories],
    }


def _of_history(most: int | None, rows: Sequence[RecommendRow], seed: int) -> dict[str, Any]:
    by_system: dict[str, list[Measures]] = {}
    for row in rows:
        if row.history == most:
            by_system.setdefault(row.system, []).append(row.measures)
    arms: dict[str, Any] = {}
    for system, measures_of_people in by_system.items():
        # People without negatives are not measured among 100, so only what every person has is averaged.
        names = [name for name in _HEADINGS if all(name in row for row in measures_of_people)]
        arms[system] = dict(averages(measures_of_people, names))
        if system != BASELINE:
            arms[system]["vs_vanilla"] = comparisons(measures_of_people, by_system[BASELINE], names, seed)
        if system in WITHOUT and system != PROGRAM and PROGRAM in by_system:
            arms[system]["worth"] = comparisons(by_system[PROGRAM], measures_of_people, names, seed)
        if system == WITH_VECTORS and PROGRAM in by_system:
            arms[system]["vs_arag"] = comparisons(measures_of_people, by_system[PROGRAM], names, seed)
    return {"history": "all" if most is None else most, "arms": arms}


def lines_of(result: Mapping[str, Any]) -> list[str]:
    """Return the printed lines of one collection."""
    count = result["people"]
    title = [result["collection"], f"{count} {'person' if count == 1 else 'people'}", f"half: {result['half']}"]
    remarks = ["without tags"] if result["tag_free"] else []
    vectors = [f"vectors by {result['embedding_model']}"] if result["embedding_model"] else []
    lines = [" · ".join([*title, *remarks, *vectors])]
    for of_history in result["histories"]:
        history, arms = of_history["history"], of_history["arms"]
        heading = "whole library known" if history == "all" else f"{history} paper{'' if history == 1 else 's'} known"
        columns = [
            FigureColumn(_HEADINGS[name], name) for name in _HEADINGS if all(name in arm for arm in arms.values())
        ]
        gains = [
            (title.format(system), _HEADINGS[name], gain)
            for comparison, title in _COMPARISONS.items()
            for system, arm in arms.items()
            for name, gain in arm.get(comparison, {}).items()
        ]
        lines += ["", *figures(heading, columns, arms), "", *gain_lines(gains)]
    if any("last" in of_history["arms"] for of_history in result["histories"]):
        lines += ["", NO_TIME]
    return lines
