"""The built-in judge: a probability of relevance from the features of a paper, by logistic regression.

`tools/fit_weights.py` fitted and calibrated the weights on one half of the questions of open test collections. Files
beside this one: `weights.json`; `weights_words.json`, for searches without another judge, in which word vectors count
too; and `weights_meaning.json`, for papers compared by meaning. The features only compare papers with each other. Three
facts of the whole pool (`POOL_FACTS`) indicate how many may be relevant, and the doubt indicates whether any of them is
about the question.

A probability of .5 is a poor threshold. If papers at the threshold are relevant one time in three, keeping them is
still right (Lipton and others 2014: the threshold that maximizes F1 is half of that F1). So `relevance` rescales the
probability piecewise linearly, with the threshold at 0.5.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import fsum, log

from agents.builtin import lazy_numpy as np
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
from agents.builtin.ranking.topic_coverage import ENOUGH, TopicTerms, coverage
from agents.builtin.text.terms import terms

DOUBT = 16.0
"""Reduction of every paper's log-odds if none has a term of the question; smaller, the more the best one has. It and
`ENOUGH` were chosen on tuning halves, with the questions of one collection put to another and to the starter shelf:
`python -m tests.benchmarks.off_subject`."""
DOUBTED = "doubted"
"""The only feature given for papers if, because of the doubt, none is relevant."""


POOL_FACTS = {
    "linked": "share of the papers that another one of them cites: more are relevant if they cite each other",
    "terms": "how many terms the question has (logarithm): long questions have more relevant papers",
    "best": "log-odds of the best paper by its features",
}
_FEWEST_TERMS, _MOST_TERMS = 3, 40
"""Limits of the number of terms: few questions in the fitting data were shorter or longer."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the features and of the facts of the pool, in the order of `names` and `POOL_FACTS`; the intercept
    of the log-odds; and the least probability of a kept paper."""

    names: tuple[str, ...]
    features: tuple[float, ...]
    pool: tuple[float, ...]
    intercept: float
    keep: float


FILES = {(): "weights.json", WORD_VECTORS: "weights_words.json", (MEANING,): "weights_meaning.json"}
"""Files by the features beyond `FEATURES`."""


@cache
def weights(beyond: tuple[str, ...] = ()) -> Weights:
    """Return the fitted weights of `FEATURES` and of the features `beyond` them: none, `WORD_VECTORS` or `(MEANING,)`.
    All have the same threshold."""
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
    """The probability that a paper is relevant, and the features that distinguish it from the others."""

    probability: float
    top_features: tuple[str, ...]

    @property
    def relevance(self) -> float:
        """The probability rescaled to 0 to 1, with the threshold at 0.5."""
        keep = weights().keep
        if self.probability < keep:
            return _short(0.5 * self.probability / keep)
        return _short(0.5 + 0.5 * (self.probability - keep) / (1 - keep))


def probability_of(relevance: float) -> float:
    """Return the probability that corresponds to a built-in `relevance`."""
    keep = weights().keep
    return 2 * relevance * keep if relevance < 0.5 else keep + (2 * relevance - 1) * (1 - keep)


def _short(number: float) -> float:
    """Round to six significant digits: doubted papers differ only in small numbers, and must keep their order."""
    return float(f"{number:.6g}")


@reckons
def assess(
    pool: Pool, subject: str = "", rows: "np.Floats32 | None" = None, *, alone: bool = False
) -> list[Assessment]:
    """Return the assessment of each paper of `pool`, in order; without a `subject` there is no doubt. `rows` are the
    features, if known. With `alone`, no other judge is used: then word vectors count too, unless meanings are
    compared."""
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


def with_word_vectors(pool: Pool, rows: "np.Floats32") -> "np.Floats32":
    """Return the features `rows` of `pool`, with the columns `WORD_VECTORS` added."""
    return np.column_stack([rows, by_word_vectors(pool, rows @ np.array(weights().features, np.float32))])


def to_compare(assessments: Sequence[Assessment]) -> list[int]:
    """Return the indexes of the papers to compare by meaning: the first `NEAR` by the other features."""
    return sorted(range(len(assessments)), key=lambda index: -assessments[index].probability)[:NEAR]


def pool_facts(question: str, rows: "np.Floats32", evidence: "np.Floats") -> tuple[float, ...]:
    """Return the `POOL_FACTS` of papers with the features `rows` and the sums of weighted features `evidence`."""
    if not len(rows):
        return (0.0,) * len(POOL_FACTS)
    cited = rows[:, LINKS.stop - 1]
    linked = float((cited > cited.min()).mean())
    length = log(min(max(len(set(terms(question))), _FEWEST_TERMS), _MOST_TERMS))
    return linked, length, float(evidence.max())


def _doubt(pool: Pool, subject: str) -> float:
    """Return the reduction of the log-odds. A paper judged relevant reduces the doubt like one that has the words."""
    if not subject:
        return 0.0
    covered = coverage(subject, pool.papers) if TopicTerms(subject) else 0.0  # small words alone say nothing
    best = max(covered, *(pool.judged or {}).values(), 0.0)
    return DOUBT * (1 - min(best / ENOUGH, 1))


def _strongest(shares: Sequence[float], names: Sequence[str]) -> tuple[str, ...]:
    ranked = sorted(zip(shares, names, strict=True), reverse=True)
    return tuple(name for share, name in ranked[:3] if share > 0.1 and name != "bare")
