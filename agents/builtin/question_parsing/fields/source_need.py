"""How surely a special source is needed for a question, by what its words mean.

A logistic regression for each source on the vector of the question and on how much of it speaks for each field.
`tools/fit_source_need.py` fitted the weights on labelled topics. A question can need sources of several fields.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import exp
from typing import TYPE_CHECKING

from agents.builtin.question_parsing.fields.field_of import fields, spoken_for
from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.terms import terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

WEIGHTS = "source_need.json"
NEEDED = 0.25
"""A source that is needed with less probability is left out."""


def left_out(text: str) -> frozenset[str]:
    """Return the sources that a question with the words `text` surely does not need; none if no word is known."""
    row = features(text)
    if row is None:
        return frozenset()
    scores = {source: sum(map(float.__mul__, weights, row.tolist())) for source, weights in _weights().items()}
    return frozenset(source for source, score in scores.items() if 1 / (1 + exp(-score)) < NEEDED)


def learned() -> frozenset[str]:
    """Return the sources that `left_out` knows of."""
    return frozenset(_weights())


def features(text: str) -> "Floats | None":
    """Return what the regressions read of `text`: its vector, the share of each of `fields()`, and a constant; None if
    no word of it is known."""
    import numpy as np

    counts = Counter(terms(text))
    meaning = vector(counts)
    shares = defaultdict[str, float](float)
    for branch, score in spoken_for(text).items():
        shares[branch.split(":")[0]] += score
    if not meaning.any() and not shares:
        return None
    total = sum(shares.values()) + 1
    return np.concatenate([meaning.astype(np.float64), [shares[field] / total for field in fields()], [1.0]])


@cache
def _weights() -> Mapping[str, list[float]]:
    text = files("agents.builtin.question_parsing.fields").joinpath(WEIGHTS).read_text("utf-8")
    return {source: [float(one) for one in weights] for source, weights in json.loads(text).items()}
