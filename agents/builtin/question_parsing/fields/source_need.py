"""How surely a special source is needed for a question, by what its words mean.

A kernel ridge regression (Saunders et al. 1998) on topics that were labeled for it: a question needs the sources that
topics like it need. It is compared by its vector and by how much of it speaks for each field, so it can need sources
of several fields. `tools/fit_source_need.py` made the file.
"""

from collections import Counter, defaultdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from agents.builtin.arithmetic import reckons
from agents.builtin.question_parsing.fields.field_of import fields, spoken_for
from agents.builtin.ranking.word_vectors import is_known, likely_terms, vector
from agents.builtin.text.terms import terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

TABLE = "source_need.npz"
"""`sources`, names joined by line feeds; `topics`, a row of features for each in steps of `STEP`; `shares`, what each
topic adds to the need of each source if the question is like it; `usual`, the need of each source by itself."""
STEP = 1 / 127
DEGREE = 6
"""Of the polynomial kernel."""
NEEDED = 0.41
"""A source that is needed less than this, of 0 to 1, is left out."""


class SourceNeed(NamedTuple):
    """The regression, by the names in the file."""

    sources: tuple[str, ...]
    topics: "Floats"
    shares: "Floats"
    usual: "Floats"


@reckons
def left_out(text: str) -> frozenset[str]:
    """Return the sources that a question with the words `text` surely does not need; none if no word is known."""
    row, fitted = features(text), _fitted()
    if row is None:
        return frozenset()
    needs: Floats = fitted.usual + likeness(row, fitted.topics) @ fitted.shares
    return frozenset(source for source, need in zip(fitted.sources, needs, strict=True) if need < NEEDED)


def learned() -> frozenset[str]:
    """Return the sources that `left_out` knows of."""
    return frozenset(_fitted().sources)


def features(text: str) -> "Floats | None":
    """Return what questions are compared by: the vector of `text`, and the share of each of `fields()`; None if no word
    of it is known."""
    import numpy as np

    counts = Counter(terms(text))
    meaning = vector(counts) * sum(map(is_known, counts)) ** 0.5
    for term in counts:
        meaning += 0 if is_known(term) else vector(dict.fromkeys(likely_terms(term), 1))
    meaning /= np.linalg.norm(meaning) or 1
    shares = defaultdict[str, float](float)
    for branch, score in spoken_for(text).items():
        shares[branch.split(":")[0]] += score
    if not meaning.any() and not shares:
        return None
    total = 2 * (sum(shares.values()) + 1)
    return np.array([*meaning, *(shares[field] / total for field in fields())], np.float32)


def likeness(rows: "Floats", others: "Floats") -> "Floats":
    """Return the kernel of features of questions."""
    import numpy as np

    alike: Floats = ((1 + rows @ others.T) / np.float32(2)) ** DEGREE
    return alike


@cache
def _fitted() -> SourceNeed:
    import numpy as np

    with files("agents.builtin.question_parsing.fields").joinpath(TABLE).open("rb") as file, np.load(file) as stored:
        sources = tuple(stored["sources"].tobytes().decode().split("\n"))
        return SourceNeed(sources, stored["topics"] * np.float32(STEP), stored["shares"], stored["usual"])
