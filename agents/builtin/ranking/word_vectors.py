"""What words mean, in a small table: texts in other words on one subject come out near each other.

Each term has a vector of a few dimensions, and a text is the sum of those of its terms. `tools/fit_word_vectors.py`
made the table out of what a transformer makes of words and texts (a static model distilled out of one that reads in
context, as in Tulkens and van Dongen 2024); `word_vectors.md` beside it tells of which, and under which license.
Nobody's judgement of what is relevant went into it. Rare terms have long vectors, so that they weigh more.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import log
from typing import TYPE_CHECKING, NamedTuple

from agents.builtin.arithmetic import reckons

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Bytes = NDArray[np.uint8]

TABLE = "word_vectors.npz"
"""`words`, joined by line feeds in UTF-8; `vectors`, a row for each, four numbers of two bits in each byte, the first
in the highest; `scales`, a byte for each: by what the numbers of its row are multiplied."""
LEVELS = (-3, -1, 1, 3)
"""What two bits stand for."""


@reckons
def vector(counts: Mapping[str, int]) -> "Floats":
    """The vector of a text that has each term as often as `counts` says, of length 1; zeros if the table knows none."""
    import numpy as np

    table = _table()
    having = [(table.rows[term], 1 + log(count)) for term, count in counts.items() if term in table.rows]
    if not having:
        return np.zeros(4 * table.vectors.shape[1], np.float32)
    places, shares = zip(*having, strict=True)
    chosen = list(places)
    weighed: Floats = np.array(shares, np.float32) * table.scales[chosen].astype(np.float32)
    summed: Floats = weighed @ unpacked(table.vectors[chosen])
    unit: Floats = summed / np.float32(np.linalg.norm(summed) or 1)
    return unit


def is_known(term: str) -> bool:
    """Whether the table has a vector of the term."""
    return term in _table().rows


def likely_terms(term: str) -> list[str]:
    """Return the terms of the table that share the longest ending with a term that it lacks, of 4 to 7 letters: names
    of diseases, drugs and substances tell by their endings what they are."""
    for length in range(min(7, len(term) - 1), 3, -1):
        if alike := [row for row in _table().rows if row.endswith(term[-length:])]:
            return alike
    return []


def packed(vectors: "Floats") -> tuple["Bytes", "Bytes"]:
    """Rows of numbers as `vectors` and `scales` of a table, each number as the nearest of the `LEVELS` times the scale
    of its row, half of the root of the mean square; that suits numbers spread as by the normal law (Max 1960). The
    width is a multiple of four; all are multiplied by the same, so that the longest row has the largest scale."""
    import numpy as np

    wanted = np.sqrt((vectors**2).mean(axis=1)) / 2
    scales = np.round(wanted * 255 / (wanted.max() or 1)).astype(np.uint8)
    codes = np.clip(np.floor(vectors / (2 * np.maximum(wanted, 1e-12))[:, None]) + 2, 0, 3).astype(np.uint8)
    return codes[:, 0::4] << 6 | codes[:, 1::4] << 4 | codes[:, 2::4] << 2 | codes[:, 3::4], scales


def unpacked(rows: "Bytes") -> "Floats":
    """The levels that stand in `rows`, four a byte."""
    import numpy as np

    codes = np.stack([rows >> 6, rows >> 4 & 3, rows >> 2 & 3, rows & 3], axis=2)
    return np.array(LEVELS, np.float32)[codes].reshape(len(rows), -1)


class _Table(NamedTuple):
    """The row of each term; what stands in the rows, and their scales."""

    rows: Mapping[str, int]
    vectors: "Bytes"
    scales: "Bytes"


@cache
def _table() -> _Table:
    import numpy as np

    with files("agents.builtin.ranking").joinpath(TABLE).open("rb") as file, np.load(file) as stored:
        words = stored["words"].tobytes().decode().split("\n")
        return _Table({word: row for row, word in enumerate(words)}, stored["vectors"], stored["scales"])
