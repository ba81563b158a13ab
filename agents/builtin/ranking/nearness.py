"""How near single words are to a whole text by what they mean, so that words beside its subject weigh little."""

from typing import TYPE_CHECKING

from agents.builtin.arithmetic import reckons
from agents.builtin.ranking.features import moved
from agents.builtin.ranking.topic_coverage import rarity
from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.terms import terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_LEAST = 0.02
"""How near a term counts at least, for the table may not know it."""


class Nearness:
    """The cosine of a term with what is `meant`, a vector of length 1; never less than a little."""

    def __init__(self, meant: "Floats") -> None:
        self._meant = meant

    @reckons
    def __call__(self, term: str) -> float:
        return max(float(vector({term: 1}) @ self._meant), _LEAST)

    @reckons
    def content(self, word: str) -> float:
        """What `word` says of the text's subject: how near its terms are, by how rare in science; one that the table of
        vectors does not know counts by its rarity alone."""
        return max((rarity(term) * (self(term) if vector({term: 1}).any() else 1.0) for term in terms(word)), default=0)


def nearness(text: str) -> Nearness:
    """How near a stemmed term is to what `text` says."""
    return Nearness(moved(text, [], []))
