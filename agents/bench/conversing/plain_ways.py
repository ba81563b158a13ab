"""Plain systems to compare the assistant with: they get the same information but parse no sentences."""

from collections.abc import Collection, Sequence
from functools import cached_property

from agents.bench.collections import Document
from agents.bench.conversing.simulated_person import Fact
from agents.bench.judges import chance
from agents.bench.recommending.world import World
from agents.builtin import lazy_numpy as np
from agents.builtin.ranking.bm25 import Bm25Index

RANDOM, POPULARITY, SIMILARITY, BM25, FACTS = "random", "popularity", "similarity", "bm25", "similarity+bm25"
OF_PEOPLE = (RANDOM, POPULARITY, SIMILARITY)
OF_DIALOGS = (POPULARITY, SIMILARITY, FACTS)
OF_QUESTIONS = (RANDOM, POPULARITY, BM25)


class PlainWays:
    """The documents of a collection, ordered by plain methods."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = documents
        self._world = World(documents)

    def order(
        self, method: str, among: Collection[str] | None = None, history: Sequence[str] = (), words: str = "", *,
        draw: Sequence[object] = (),
    ) -> list[str]:  # fmt: skip
        """Order the documents `among` (None: all), best first: randomly, by number of links to each, by cosine with
        the `history`, by BM25 for `words`, or by the last two together."""
        scores = self._scores(method, history, words, draw)
        index = self._world.index_of
        some = range(len(self.documents)) if among is None else sorted(index[document] for document in among)
        places = np.array(some, dtype=int)
        return [self.documents[index].id for index in places[np.argsort(-scores[places], kind="stable")].tolist()]

    def _scores(self, method: str, history: Sequence[str], words: str, draw: Sequence[object]) -> "np.Floats":
        if method == RANDOM:
            return np.random.default_rng(int(chance("random", *draw) * 2**32)).random(len(self.documents))
        if method == POPULARITY:
            return self._world.popularity
        near = self._world.vanilla([self._world.index_of[document] for document in history]) if history else 0.0
        if method == SIMILARITY:
            return np.zeros(len(self.documents)) + near
        scores = self._index.scores(words)
        return scores if method == BM25 else _scaled(scores) + _scaled(np.zeros(len(scores)) + near)

    @cached_property
    def _index(self) -> Bm25Index:
        return Bm25Index(
            " ".join((document.text, *document.authors, str(document.year or ""))) for document in self.documents
        )


def _scaled(scores: "np.Floats") -> "np.Floats":
    """Scale scores to at most 1, so that two kinds weigh the same."""
    return scores / (float(scores.max(initial=0.0)) or 1.0)


def as_words(facts: Sequence[Fact]) -> str:
    """Return facts as a plain query."""
    return " ".join(fact.text for fact in facts)
