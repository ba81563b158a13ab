"""The built-in judge: a probability of relevance out of the features of a paper, by logistic regression.

The weights were fitted and calibrated by `tools/fit_weights.py` on one half of the questions of open test collections;
they lie beside this file as `weights.json`, as `weights_words.json` those for where nobody else judges and word vectors
speak too, and as `weights_meaning.json` those for papers that are compared by meaning. The features compare the papers
found with each other; how many of them may be relevant, three facts of the whole pool say (`POOL_FACTS`), and whether
any of them is about the question at all is the doubt's business.

A probability of .5 is no good place to cut: of papers that are relevant one time in three, two in three of those kept
may be wrong, and to keep them is right all the same (Lipton and others 2014: the cut that makes F1 greatest is half of
that F1). So `relevance` is the probability on a scale whose middle is where to cut, straight on both sides.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import fsum, log
from typing import TYPE_CHECKING

from agents.builtin.arithmetic import medians, reckons
from agents.builtin.ranking.features import (
    FEATURES,
    LINKS,
    MEANING,
    NEAR,
    WORD_VECTORS,
    Pool,
    by_word_vectors,
    features,
    meanings,
)
from agents.builtin.ranking.topic_coverage import coverage
from agents.builtin.text.terms import terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


ENOUGH = 0.6
"""From this coverage of the question on there is no doubt that papers were found for it."""
DOUBT = 16.0
"""What is taken from the log-odds of every paper where none has a term of the question; less, the more one has.

Both were chosen on tuning halves, with the questions of one collection put to another and to the starter shelf:
`python -m tests.benchmarks.off_subject`.
"""
DOUBTED = "doubted"
"""The only feature given of papers none of which is relevant once they are doubted."""


POOL_FACTS = {
    "linked": "share of the papers that another one of them cites: where they cite each other, more are relevant",
    "terms": "how many terms the question has (logarithm): what is told at length has more answers",
    "best": "log-odds of the best paper, as far as its features say them",
}
_FEWEST_TERMS, _MOST_TERMS = 3, 40
"""Shorter and longer questions were hardly among those that the weights were fitted on."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature and each fact of the pool is worth, in the order of `names` and `POOL_FACTS`, the intercept
    of the log-odds, and the probability from which on a paper is kept."""

    names: tuple[str, ...]
    features: tuple[float, ...]
    pool: tuple[float, ...]
    intercept: float
    keep: float


FILES = {(): "weights.json", WORD_VECTORS: "weights_words.json", (MEANING,): "weights_meaning.json"}
"""By what there is beyond `FEATURES`."""


@cache
def weights(beyond: tuple[str, ...] = ()) -> Weights:
    """The fitted weights of `FEATURES` and what speaks `beyond` them: nothing, `WORD_VECTORS` or `(MEANING,)`. All keep
    papers from the same probability on."""
    stored = json.loads(files("agents.builtin.ranking").joinpath(FILES[beyond]).read_text("utf-8"))
    names = (*FEATURES, *beyond)
    return Weights(
        names,
        tuple(float(stored["evidence"][name]) for name in names),
        tuple(float(stored["pool"][name]) for name in POOL_FACTS),
        float(stored["intercept"]),
        float(stored["keep"]),
    )


@dataclass(frozen=True, slots=True)
class Assessment:
    """The probability that a paper is relevant, and the features that set it apart from the others."""

    probability: float
    top_features: tuple[str, ...]

    @property
    def relevance(self) -> float:
        """From 0 to 1, and 0.5 where the probability is that from which on a paper is kept."""
        keep = weights().keep
        if self.probability < keep:
            return _short(0.5 * self.probability / keep)
        return _short(0.5 + 0.5 * (self.probability - keep) / (1 - keep))


def probability_of(relevance: float) -> float:
    """The probability that the built-in judge means by `relevance`."""
    keep = weights().keep
    return 2 * relevance * keep if relevance < 0.5 else keep + (2 * relevance - 1) * (1 - keep)


def _short(number: float) -> float:
    """Six digits that count: papers that are doubted differ in small numbers only, and keep their order."""
    return float(f"{number:.6g}")


@reckons
def assess(
    pool: Pool, subject: str = "", rows: "NDArray[np.float32] | None" = None, *, alone: bool = False
) -> list[Assessment]:
    """Each paper of `pool` assessed, in its order; without a `subject`, what is asked for, no doubt is felt. `rows` are
    its features, if they are known. `alone` says that nobody judges beside the built-in judge: then word vectors speak,
    too, unless meanings are compared."""
    import numpy as np

    rows = features(pool) if rows is None else rows
    beyond: tuple[str, ...] = ()
    if pool.cosines:
        beyond, rows = (MEANING,), np.column_stack([rows, meanings(pool)])
    elif alone:
        beyond, rows = WORD_VECTORS, with_word_vectors(pool, rows)
    fitted = weights(beyond)
    shares = rows * np.array(fitted.features, np.float32)
    doubt = _doubt(pool, subject)
    evidence = shares.sum(axis=1).astype(np.float64)
    facts = pool_facts(pool.question, rows, evidence)
    of_pool = fsum(weight * fact for weight, fact in zip(fitted.pool, facts, strict=True))
    odds = evidence + of_pool + fitted.intercept - doubt
    chances = 1 / (1 + np.exp(-odds))
    if doubt and chances.max(initial=0) < fitted.keep:
        return [Assessment(_short(float(chance)), (DOUBTED,)) for chance in chances]
    apart = shares - medians(shares) if len(shares) else shares
    return [
        Assessment(_short(float(chance)), _strongest(share, fitted.names))
        for chance, share in zip(chances, apart, strict=True)
    ]


def with_word_vectors(pool: Pool, rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """The features `rows` of `pool` and `WORD_VECTORS` beside them."""
    import numpy as np

    return np.column_stack([rows, by_word_vectors(pool, rows @ np.array(weights().features, np.float32))])


def to_compare(assessments: Sequence[Assessment]) -> list[int]:
    """The places of the papers that are compared by meaning: the first `NEAR` by all the rest."""
    return sorted(range(len(assessments)), key=lambda index: -assessments[index].probability)[:NEAR]


def pool_facts(question: str, rows: "NDArray[np.float32]", evidence: "NDArray[np.float64]") -> tuple[float, ...]:
    """The `POOL_FACTS` of papers whose features are `rows`, and whose weighted features add up to `evidence`."""
    if not len(rows):
        return (0.0,) * len(POOL_FACTS)
    cited = rows[:, LINKS.stop - 1]
    linked = float((cited > cited.min()).mean())
    length = log(min(max(len(set(terms(question))), _FEWEST_TERMS), _MOST_TERMS))
    return linked, length, float(evidence.max())


def _doubt(pool: Pool, subject: str) -> float:
    """A paper that was judged relevant leaves no more doubt than one that has the words."""
    if not subject:
        return 0.0
    best = max(coverage(subject, pool.papers), *(pool.judged or {}).values(), 0.0)
    return DOUBT * (1 - min(best / ENOUGH, 1))


def _strongest(shares: Sequence[float], names: Sequence[str]) -> tuple[str, ...]:
    ranked = sorted(zip(shares, names, strict=True), reverse=True)
    return tuple(name for share, name in ranked[:3] if share > 0.1 and name != "bare")
