"""Papers as a sparse matrix: their similarity to a reading history, and how much it supports each of them.

A paper is the set of its tokens, weighted by rarity (idf). There are two measures:

- *similarity* chooses the recall set (ARAG §2.2.1): the cosine of the idf vectors;
- *support* judges the recall set (ARAG §2.2.2): the same, but with a smaller penalty for candidates with many words and
  links.

The constants of both were chosen on one half of the libraries of citeulike_a and checked on histories of papers with
abstracts (cf, cacm, neurips_relatedwork); `docs/recommendations.md` has the results on the other half.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import accumulate, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from agents.builtin import lazy_numpy as np
from agents.builtin.ranking.bm25 import idf

if TYPE_CHECKING:
    _Numbered = tuple[np.Integers, np.Integers, list["_Rows"]]

_BUCKETS = 1 << 22
"""Number of distinct values of a token."""
_LOW_BITS = _BUCKETS - 1
_FEW = _BUCKETS >> 3
"""Number of tokens up to which sorting them takes less time and memory than counting all buckets."""
_HEAD = 3
"""Numbers before the tokens of a paper: the count of each kind."""
_CHUNK = 1 << 16
"""Tokens looked up at a time: as many as fit in a processor's cache."""
_SPREAD = 2_654_435_761
"""Knuth's multiplier, which spreads neighboring numbers far from each other."""


class _Measure(NamedTuple):
    """The sum of idf to the `power` over shared tokens, divided by powers of the same sum over each paper."""

    power: int
    of_history: float
    of_candidate: float


MOST_KEPT = 50_000
"""Maximum number of papers in cached catalogues; the last one is always kept. 10,000 papers take some 15 MB."""
_COSINE = _Measure(2, 0.5, 0.5)
_SUPPORT = _Measure(2, 0.5, 0.3)
_OVERLAP = _Measure(1, 0.5, 0.5)


def catalogue_of(packed: Sequence[bytes]) -> "Catalogue":
    """Return the catalogue of papers with these tokens, from the cache if it has it. A recommendation alternates
    between two catalogues: with and without papers that are not in the library."""
    digest = sha256(b"".join(packed)).digest()
    catalogue = next((entry for key, entry in _last if key == digest), None) or Catalogue(packed)
    others = [(key, entry) for key, entry in _last if key != digest]
    sizes = accumulate((entry.size for _, entry in others), initial=catalogue.size)
    fitting = sum(size <= MOST_KEPT for size in islice(sizes, 1, None))
    _last[:] = [(digest, catalogue), *others[:fitting]]
    return catalogue


class Catalogue:
    """Papers by index from 0, in the order of `packed` (`Tokens.packed`)."""

    def __init__(self, packed: Sequence[bytes]) -> None:
        self.size = len(packed)
        content, cites, names = _unpacked(packed)
        self._neighbours, links = _linked(cites, names)
        numbered = _by_sorting if len(content.values) + len(links.values) < _FEW else _by_counting
        self._buckets, self._having, self._rows = numbered((content, links))
        self._masses_by_power: dict[int, np.Floats] = {}
        self._worth_by_power: dict[int, np.Floats] = {}

    @cached_property
    def idf(self) -> "np.Floats":
        """The idf of each token, by number."""
        by_count = np.array([idf(count, self.size) for count in range(int(self._having.max(initial=0)) + 1)])
        return np.asarray(by_count[self._having], dtype=float)

    def similarity(self, history: Mapping[int, float]) -> "np.Floats":
        """Return the similarity of every paper to those of `history` (index to weight): a weighted sum of cosines."""
        masses = self._masses(_COSINE.power)
        indices = list(history)
        owners, tokens = self._of(indices)
        weights = np.array([history[index] for index in indices]) * masses[indices] ** -_COSINE.of_history
        query = np.bincount(tokens, weights=weights[owners], minlength=len(self.idf)) * self._worth(_COSINE.power)
        return self._sums(query) / masses**_COSINE.of_candidate

    def similarity_to(self, content: Sequence[int]) -> "np.Floats":
        """Return the cosine of every paper to a text with these tokens, which is not one of the papers. The index is
        reused, so that a question is cheap in a large library."""
        if not len(self._buckets):
            return np.zeros(self.size)
        buckets = np.array(content, dtype=np.int64) & _LOW_BITS
        tokens = np.minimum(np.searchsorted(self._buckets, buckets), len(self._buckets) - 1)
        present = tokens[self._buckets[tokens] == buckets]
        worth = self._worth(_COSINE.power)
        mass = worth[present].sum() + (len(buckets) - len(present)) * idf(1, self.size) ** _COSINE.power
        query = np.bincount(present, minlength=len(worth)) * worth * max(mass, 1e-9) ** -_COSINE.of_history
        return self._sums(query) / self._masses(_COSINE.power) ** _COSINE.of_candidate

    def support(self, history: Sequence[int], candidates: Sequence[int]) -> "np.Floats":
        """Return how much each paper of `history` (rows) supports each of `candidates` (columns)."""
        return self._pairs(_SUPPORT, history, candidates)

    def nearness(self, rows: Sequence[int], columns: Sequence[int]) -> "np.Floats":
        """Return the overlap in tokens of each of `rows` with each of `columns`."""
        return self._pairs(_OVERLAP, rows, columns)

    def _pairs(self, measure: _Measure, history: Sequence[int], candidates: Sequence[int]) -> "np.Floats":
        masses = self._masses(measure.power)
        shape = len(history), len(candidates)
        rows, tokens = self._of(history)
        columns, theirs = self._of(candidates)
        order = np.argsort(theirs)
        columns, theirs = columns[order], theirs[order]
        begins, ends = np.searchsorted(theirs, tokens), np.searchsorted(theirs, tokens, side="right")
        counts = ends - begins
        pairs = np.repeat(rows * shape[1], counts) + columns[_ranges(begins, counts)]
        worth = np.repeat(self._worth(measure.power)[tokens], counts)
        shared = np.bincount(pairs, weights=worth, minlength=shape[0] * shape[1]).reshape(shape)
        lengths = masses[list(history)] ** measure.of_history, masses[list(candidates)] ** measure.of_candidate
        return shared / np.maximum(np.outer(*lengths), 1e-9)

    def linked_to(self, index: int) -> "np.Integers":
        """Return the indexes of the papers that cite the one at `index` or are cited by it, without itself."""
        _, indices = self._neighbours.of([index])
        return indices

    def _sums(self, worth: "np.Floats") -> "np.Floats":
        """Return the total worth of each paper's tokens."""
        content, links = self._rows
        return content.sums(worth) + links.sums(worth)

    def _masses(self, power: int) -> "np.Floats":
        """Return the sum of each paper's idf to `power`."""
        if power not in self._masses_by_power:
            self._masses_by_power[power] = np.maximum(self._sums(self._worth(power)), 1e-9)
        return self._masses_by_power[power]

    def _worth(self, power: int) -> "np.Floats":
        """Return each token's idf to `power`."""
        if power not in self._worth_by_power:
            self._worth_by_power[power] = self.idf**power
        return self._worth_by_power[power]

    def _of(self, indices: Sequence[int]) -> "tuple[np.Integers, np.Integers]":
        """Return the tokens of the papers at `indices`, each with the index in `indices` of its paper."""
        rows_of = [rows.of(indices) for rows in self._rows]
        return np.concatenate([owners for owners, _ in rows_of]), np.concatenate([tokens for _, tokens in rows_of])


class _Rows:
    """Numbers by paper: `values` of all papers in a row, `counts` per paper."""

    def __init__(self, values: "np.Integers", counts: "np.Integers") -> None:
        self.values, self.counts = values, counts
        self._begins = np.cumsum(counts) - counts

    @property
    def papers(self) -> "np.Integers":
        """The paper of each value."""
        return np.repeat(np.arange(len(self.counts), dtype=np.int32), self.counts)

    def of(self, indices: Sequence[int]) -> "tuple[np.Integers, np.Integers]":
        """Return the values of the papers at `indices`, each with the index in `indices` of its paper."""
        rows = np.array(indices, dtype=np.int64)
        counts = self.counts[rows]
        return np.repeat(np.arange(len(rows)), counts), self.values[_ranges(self._begins[rows], counts)]

    def sums(self, worth: "np.Floats") -> "np.Floats":
        """Return for each paper the total worth of its values."""
        totals = np.zeros(len(self.counts))
        some = np.flatnonzero(self.counts)
        begins, ends = self._begins[some], self._begins[some] + self.counts[some]
        cuts = np.searchsorted(begins, np.arange(0, len(self.values), _CHUNK))
        for first, last in pairwise(np.unique([*cuts, len(some)]).tolist()):
            begin = begins[first]
            worths = worth.take(self.values[begin : ends[last - 1]])
            totals[some[first:last]] = np.add.reduceat(worths, begins[first:last] - begin)
        return totals


def _unpacked(packed: Sequence[bytes]) -> tuple[_Rows, _Rows, _Rows]:
    """Return the content, citations and names of all papers."""
    numbers = np.frombuffer(b"".join(packed), dtype="<u4")
    heads = np.cumsum([0, *map(len, packed)])[:-1] // 4
    sizes = numbers[heads[:, None] + np.arange(_HEAD)].astype(np.int64)
    lengths = np.column_stack([np.full(len(packed), _HEAD), sizes]).ravel()
    part = np.repeat(np.tile(np.arange(_HEAD + 1, dtype=np.int8), len(packed)), lengths)
    content, cites, names = (_Rows(numbers[part == 1 + at], sizes[:, at]) for at in range(_HEAD))
    return content, cites, names


def _linked(cites: _Rows, names: _Rows) -> tuple[_Rows, _Rows]:
    """Return the links of each paper, citing or cited: the indexes of linked papers, and the buckets of itself, of
    these papers, and of the other works that it cites.

    A paper of the catalogue is identified by its index, whichever name is cited; other works by name.
    """
    size = len(names.counts)
    citing, cited = cites.papers, _holders(names, cites.values)
    elsewhere = cited < 0
    within = ~elsewhere & (citing != cited)
    source, other = citing[within].astype(np.int64), cited[within].astype(np.int64)
    pairs = np.concatenate([source << 32 | other, other << 32 | source])
    pairs.sort(kind="stable")  # a stable sort is faster here, because one half is nearly in order
    pairs = pairs[np.concatenate([[True], pairs[1:] != pairs[:-1]])[: len(pairs)]]
    papers, others = (pairs >> 32).astype(np.int32), pairs.astype(np.int32)
    neighbours = _Rows(others, np.bincount(papers, minlength=size))
    everyone = np.arange(size, dtype=np.int32)
    buckets = _bucket_of(everyone)
    owners = np.concatenate([everyone, papers, citing[elsewhere]])
    links = np.concatenate([buckets, buckets[others], cites.values[elsewhere] & _LOW_BITS])
    links = links[np.argsort(owners, kind="stable")]
    return neighbours, _Rows(links, np.bincount(owners, minlength=size))


def _holders(names: _Rows, names_wanted: "np.Integers") -> "np.Integers":
    """Return the index of the first paper with each of `names_wanted`; -1 if there is none."""
    holder_of_name = np.full(len(names_wanted), -1, dtype=np.int32)
    if not len(names.values):
        return holder_of_name
    first = np.full(_BUCKETS, -1, dtype=np.int32)  # by the low bits, which rarely belong to another name
    first[(names.values & _LOW_BITS)[::-1]] = np.arange(len(names.values), dtype=np.int32)[::-1]
    at = first[names_wanted & _LOW_BITS]
    holders = np.flatnonzero(at >= 0)
    holder_of_name[holders] = names.papers[at[holders]]
    astray = holders[names.values[at[holders]] != names_wanted[holders]]
    order = np.argsort(names.values, kind="stable")
    values = names.values[order]
    at = np.searchsorted(values, names_wanted[astray])
    at[at == len(values)] = 0
    holder_of_name[astray] = np.where(values[at] == names_wanted[astray], names.papers[order[at]], -1)
    return holder_of_name


def _bucket_of(tokens: "np.Integers") -> "np.Integers":
    buckets: np.Integers = ((tokens.astype(np.int64) + 1) * _SPREAD & _LOW_BITS).astype(np.uint32)
    return buckets


def _ranges(begins: "np.Integers", counts: "np.Integers") -> "np.Integers":
    """Return the consecutive numbers from each of `begins`, as many as `counts`, one range after the other."""
    ends = np.cumsum(counts)
    numbers: np.Integers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins - (ends - counts), counts)
    return numbers


_last: list[tuple[bytes, Catalogue]] = []
"""The cached catalogues by digest, the last one requested first."""


def _by_counting(kinds: "Sequence[_Rows]") -> "_Numbered":
    """Number many tokens: return the used buckets, the number of papers in each, and rows of indexes into them."""
    frequency = np.zeros(_BUCKETS, dtype=np.int64)
    for rows in kinds:
        frequency += np.bincount(rows.values & _LOW_BITS, minlength=_BUCKETS)
    present = frequency > 0
    number_of = np.cumsum(present, dtype=np.int32) - 1
    numbered_rows = [_Rows(number_of[rows.values & _LOW_BITS], rows.counts) for rows in kinds]
    return np.flatnonzero(present), frequency[present], numbered_rows


def _by_sorting(kinds: "Sequence[_Rows]") -> "_Numbered":
    """Do the same for few tokens."""
    tokens = np.concatenate([rows.values & _LOW_BITS for rows in kinds])
    buckets, numbers, frequency = np.unique(tokens, return_inverse=True, return_counts=True)
    ends = np.cumsum([len(rows.values) for rows in kinds])[:-1]
    numbers_by_kind = np.split(numbers.astype(np.int32), ends)
    return buckets, frequency, [_Rows(values, rows.counts) for values, rows in zip(numbers_by_kind, kinds, strict=True)]
