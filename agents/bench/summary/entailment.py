"""Whether a text supports a claim, as far as words show it: the share of what the claim says that the text says too."""

import re
from collections import Counter
from collections.abc import Iterable

from agents.builtin.ranking.bm25 import idf
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms

SUPPORTED = 0.5
"""From this support on, a text is taken to say what the claim says: half of it, rare words counting more."""
_AT_ODDS = 0.4
"""What support is worth if a number of the claim is missing, or only one of both sides is negated."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATED = re.compile(
    r"\b(?:no|not|never|neither|without|fails?|failed|cannot|lack|lacks|little|in?sufficient|ineffective|unable)\b|n't\b",
    re.IGNORECASE,
)


def negated(text: str) -> bool:
    """Whether `text` says of something that it is not so."""
    return bool(_NEGATED.search(text))


class Lexicon:
    """How much each term says, by how few of some texts have it."""

    def __init__(self, texts: Iterable[str]) -> None:
        having: Counter[str] = Counter()
        self._size = 0
        for text in texts:
            having.update(set(terms(text)))
            self._size += 1
        self._having = having

    def share(self, claim: str, text: str) -> float:
        """The share of the claim's terms that `text` has, from 0 to 1, each weighted by its rarity (idf)."""
        asked = set(terms(claim))
        return self._weight(asked & set(terms(text))) / (self._weight(asked) or 1.0)

    def support(self, claim: str, text: str) -> float:
        """`share`, worth less where the two are at odds: a number that `text` lacks, or a "not" on one side only.

        Only the sentence of `text` that is nearest to the claim can deny it.
        """
        share = self.share(claim, text)
        nearest = max(sentences(text), key=lambda sentence: self.share(claim, sentence), default="")
        missing = set(_NUMBER.findall(claim)) - set(_NUMBER.findall(text))
        return share * (_AT_ODDS if missing or negated(claim) != negated(nearest) else 1.0)

    def _weight(self, some: set[str]) -> float:
        # Sorted, for a sum of floats depends on its order, and that of a set on the process.
        return sum(idf(self._having[term], self._size, gentle=True) for term in sorted(some))
