"""A small table of word vectors: texts on one subject are near each other even if their words differ.

Each term has a vector of a few dimensions; a text is the weighted sum of its terms' vectors.
`tools/fit_word_vectors.py` distilled the table from a transformer's vectors of words and texts (a static model, as in
Tulkens and van Dongen 2024); `word_vectors.md` names the transformer and its license. No judgements of relevance were
used. Rare terms have long vectors, and so weigh more.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import log
from typing import TYPE_CHECKING, NamedTuple

from agents.builtin import lazy_numpy as np
from agents.builtin.arithmetic import reckons

if TYPE_CHECKING:
    Floats = np.Floats32

TABLE = "word_vectors.npz"
"""`words`, joined by line feeds in UTF-8; `vectors`, a row for each, with four numbers of two bits per byte, the first
in the highest bits; `scales`, a byte for each: the factor of its row."""
_FIRST_OF_OTHERS = "00"
"""The first term of the table, in the order of the alphabet, that is not one of the transformer's own words."""
LEVELS = (-3, -1, 1, 3)
"""The numbers that two bits encode."""


@reckons
def vector(counts: Mapping[str, int]) -> "np.Floats32":
    """Return the vector, of length 1, of a text with these counts of terms; zeros if the table has none of them."""
    table = _table()
    rows = [(table.rows[term], 1 + log(count)) for term, count in counts.items() if term in table.rows]
    if not rows:
        return np.zeros(4 * table.vectors.shape[1], np.float32)
    indices, shares = zip(*rows, strict=True)
    selection = list(indices)
    weights: np.Floats32 = np.array(shares, np.float32) * table.scales[selection].astype(np.float32)
    summed: np.Floats32 = weights @ unpacked(table.vectors[selection])
    unit: np.Floats32 = summed / np.float32(np.linalg.norm(summed) or 1)
    return unit


def is_known(term: str) -> bool:
    """Whether the table has a vector for the term."""
    return term in _table().rows


def is_common(term: str) -> bool:
    """Whether the term is of everyday English: one of the transformer's own words, which come before all others."""
    rows = _table().rows
    return rows.get(term, len(rows)) < rows[_FIRST_OF_OTHERS]


def likely_terms(term: str) -> list[str]:
    """Return the terms of the table that share the longest ending, of 4 to 7 letters, with a term that it lacks: the
    endings of diseases, drugs and substances indicate their kind."""
    for length in range(min(7, len(term) - 1), 3, -1):
        if alike := [row for row in _table().rows if row.endswith(term[-length:])]:
            return alike
    return []


def packed(vectors: "np.Floats32") -> tuple["np.Bytes", "np.Bytes"]:
    """Pack rows of numbers into `vectors` and `scales`: each number becomes the nearest of `LEVELS` times the scale of
    its row, which is half of the root mean square; that suits normally distributed numbers (Max 1960). The width must
    be a multiple of four; a common factor gives the longest row the largest scale."""
    levels = np.sqrt((vectors**2).mean(axis=1)) / 2
    scales = np.round(levels * 255 / (levels.max() or 1)).astype(np.uint8)
    codes = np.clip(np.floor(vectors / (2 * np.maximum(levels, 1e-12))[:, None]) + 2, 0, 3).astype(np.uint8)
    return codes[:, 0::4] << 6 | codes[:, 1::4] << 4 | codes[:, 2::4] << 2 | codes[:, 3::4], scales


def unpacked(rows: "np.Bytes") -> "np.Floats32":
    """Return the levels encoded in `rows`, four per byte."""
    codes = np.stack([rows >> 6, rows >> 4 & 3, rows >> 2 & 3, rows & 3], axis=2)
    return np.array(LEVELS, np.float32)[codes].reshape(len(rows), -1)


class _Table(NamedTuple):
    """The row number of each term, the packed rows, and their scales."""

    rows: Mapping[str, int]
    vectors: "np.Bytes"
    scales: "np.Bytes"


@cache
def _table() -> _Table:
    with files("agents.builtin.ranking").joinpath(TABLE).open("rb") as file, np.load(file) as stored:
        words = stored["words"].tobytes().decode().split("\n")
        return _Table({word: row for row, word in enumerate(words)}, stored["vectors"], stored["scales"])
