"""A judge that knows the labels, optionally with errors, to measure the effect of better or worse judgement."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from agents.bench.collections import RELEVANT
from agents.search.state import THRESHOLD
from connectors.paper import Paper


def chance(*parts: object) -> float:
    """Return a number in [0, 1) that depends on `parts` only, so that the order of events cannot change it."""
    return int.from_bytes(sha256("\0".join(map(str, parts)).encode()).digest()[:8]) / 2**64


def verdict(question: str, document: str, grade: int, best: int, error: float, seed: int) -> float:
    """Return the relevance of a document from 0 to 1: at least `THRESHOLD` if its grade means relevant, else 0.

    `best` is the question's highest grade and scores 1. With probability `error` the verdict is wrong, with a random
    score on the wrong side of `THRESHOLD`.
    """
    is_relevant = grade >= RELEVANT
    if chance(seed, "errs", question, document) < error:
        anywhere = chance(seed, "score", question, document)
        return THRESHOLD * anywhere if is_relevant else THRESHOLD + (1 - THRESHOLD) * anywhere
    return THRESHOLD + (1 - THRESHOLD) * grade / best if is_relevant else 0.0


@dataclass(frozen=True, slots=True)
class SimulatedJudge:
    """Judges the papers of one question by its labels; a paper outside the collection has grade 0. `document_of`
    returns a paper's id in the collection, as `ClosedWorld.document_id` does."""

    question: str
    grades: Mapping[str, int]
    document_of: Callable[[Paper], str | None]
    error: float = 0.0
    seed: int = 0

    def score(self, paper: Paper) -> float:
        """Return the relevance of `paper` from 0 to 1, the same on every call."""
        document = self.document_of(paper) or paper.id
        best = max(self.grades.values(), default=RELEVANT)
        return verdict(self.question, document, self.grades.get(document, 0), best, self.error, self.seed)
