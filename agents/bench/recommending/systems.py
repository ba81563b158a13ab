"""The recommendation systems to compare. `arag` is the program's own; `arag-X` is it without X, `arag+vectors` with
an embedding model. The others are plain systems."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from agents.bench.judges import chance
from agents.bench.recommending.world import World
from agents.builtin import lazy_numpy as np
from agents.builtin.taste.tokens import LEAST_SHARE, share_of, subjects_of, weighty, with_shares
from agents.recommendation.context_summary import accepted, in_common
from agents.recommendation.options import RecommendOptions
from agents.recommendation.ranking import less_common
from agents.recommendation.recall import recalled
from agents.taste.comparison import Compared, groups
from agents.taste.scoring import Scored, by_vectors, nearness, scored

BASELINE = "vanilla"
PROGRAM = "arag"
PLAIN = ("random", "popularity", "last", BASELINE)
WITHOUT: Mapping[str, frozenset[str]] = {
    PROGRAM: frozenset(),
    "arag-summary": frozenset({"summary"}),
    "arag-nli": frozenset({"nli"}),
    "arag-nli-summary": frozenset({"nli", "summary"}),
    "arag-understanding": frozenset({"understanding"}),
}
"""The agents that each system lacks. Without NLI alignment, similarity scores replace it and all candidates are
accepted; without User Understanding the history is one subject."""
SYSTEMS = (*PLAIN, *WITHOUT)
WITH_VECTORS = "arag+vectors"
"""Needs a world with vectors, so it is measured only on request."""
LAST = 5


class MeasuredRecommender:
    """One person's history (indices) in a world, and the indices that may be recommended."""

    def __init__(self, world: World, user: str, history: Sequence[int], candidates: Sequence[int], seed: int) -> None:
        self._world, self._user, self._seed = world, user, seed
        self._history, self._candidates = history, candidates
        self._recall: dict[bool, list[tuple[int, float]]] = {}
        self._scores: dict[int, Scored] = {}

    def ranking(self, system: str) -> list[int]:
        """Return the candidates ranked by `system`, best first; the program ranks only those that it recalls."""
        if system == WITH_VECTORS:
            return self._program(frozenset(), self._scored_with_vectors)
        if system in WITHOUT:
            return self._program(WITHOUT[system], self._scored)
        candidates = np.array(self._candidates)
        order = np.argsort(-self._plain(system)[candidates], kind="stable")
        return [int(index) for index in candidates[order]]

    def _plain(self, system: str) -> "np.Floats":
        if system == "random":
            rng = np.random.default_rng(int(chance(self._seed, "random", self._user) * 2**32))
            return rng.random(len(self._world.documents))
        if system == "popularity":
            return self._world.popularity
        return self._world.vanilla(self._history[-LAST:] if system == "last" else self._history)

    def _program(self, without: frozenset[str], scoring: Callable[[Sequence[int]], list[Scored]]) -> list[int]:
        subjects = [[*self._history]] if "understanding" in without else self._subjects
        recall_set = self._recalled("understanding" not in without)
        candidates = [position for position, _ in recall_set]
        by_place = dict(zip(candidates, scoring(candidates), strict=True))
        aligned = {position: of.score for position, of in by_place.items()}
        near = dict(recall_set)
        scores = near if "nli" in without else aligned
        if "summary" not in without:
            salient = candidates if "nli" in without else accepted(aligned)
            shared = in_common(
                self._compared.catalogue, candidates, {position: scores[position] for position in salient}
            )
            final = less_common([scores[position] for position in candidates], shared)
            scores = dict(zip(candidates, final, strict=True))
        rank = {position: index for index, position in enumerate(candidates)}
        order = sorted(candidates, key=lambda position: (-scores[position], rank[position]))
        if "understanding" in without:
            return order
        weights = self._compared.wanted
        large = weighty(subjects, weights, LEAST_SHARE)
        supports = {position: dict(of.shares) for position, of in by_place.items()}
        shares = [share_of(group, weights) for group in large]
        return with_shares(order, subjects_of(supports, large), shares, RecommendOptions().limit)[0]

    def _recalled(self, by_subject: bool) -> list[tuple[int, float]]:
        if by_subject not in self._recall:
            subjects = self._subjects if by_subject else [[*self._history]]
            recalled_papers = recalled(self._compared, subjects, {*self._candidates}, {})
            self._recall[by_subject] = [(index, similarity) for index, similarity, _ in recalled_papers]
        return self._recall[by_subject]

    def _scored(self, candidates: Sequence[int]) -> list[Scored]:
        new = [index for index in candidates if index not in self._scores]
        self._scores.update(zip(new, scored(self._compared, new), strict=True))
        return [self._scores[index] for index in candidates]

    def _scored_with_vectors(self, candidates: Sequence[int]) -> list[Scored]:
        history = list(self._compared.wanted)
        near = nearness(self._world.vectors, candidates, history) if candidates and by_vectors(len(history)) else None
        return scored(self._compared, candidates, near=near)

    @cached_property
    def _compared(self) -> Compared:
        catalogue = self._world.catalogue
        excluded = set(range(catalogue.size)) - {*self._candidates}
        return Compared(catalogue, dict.fromkeys(self._history, 1.0), {}, excluded, catalogue.size)

    @cached_property
    def _subjects(self) -> list[list[int]]:
        return groups(self._compared, self._compared.wanted)
