"""Papers as one sparse matrix: which are near a reading history, and how far each of them is supported by it.

A paper is the set of its tokens. A token weighs the more the fewer papers have it (idf), so what two papers share
counts by how telling it is:

- *similarity*, by which the recall set is chosen (ARAG §2.2.1): the cosine of the vectors of idf;
- *support*, by which each of those is judged (ARAG §2.2.2): idf cubed, so that a rare thing in common says more than
  many ordinary ones, and a long text is less of a disadvantage than in a cosine.

Both figures were chosen on one half of the libraries of citeulike_a and looked at on histories of papers with
abstracts (cf, cacm, neurips_relatedwork); `docs/recommendations.md` tells what that gave on the other half.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from agents.builtin.ranking.bm25 import idf

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

    Floats = NDArray[float64]
    Integers = NDArray[int64]

_BITS = 22
_BUCKETS = 1 << _BITS
"""Tokens are counted in so many places, 32 MB of them."""
_SPREAD = 2_654_435_761
"""Knuth's multiplier: neighbouring numbers land far from each other."""


class _Measure(NamedTuple):
    """Two papers in common are worth the sum of idf to the `power`, over their own sums to the powers of lengths."""

    power: int
    of_history: float
    of_candidate: float


_COSINE = _Measure(2, 0.5, 0.5)
_SUPPORT = _Measure(3, 0.5, 0.4)


class Catalogue:
    """Papers by their places, from 0, in the order of `packed` (`Tokens.packed`)."""

    def __init__(self, packed: Sequence[bytes]) -> None:
        import numpy as np

        self.size = len(packed)
        data = np.frombuffer(b"".join(packed), dtype="<u4")
        starts = np.cumsum([0, *(len(blob) // 4 for blob in packed)])[:-1].astype(np.int64)
        counts = [data[starts + part].astype(np.int64) if self.size else starts for part in range(3)]
        begins = [starts + 3, starts + 3 + counts[0], starts + 3 + counts[0] + counts[1]]
        content, cites, names = (
            _Rows(data[_ranges(begin, count)].astype(np.int64), count)
            for begin, count in zip(begins, counts, strict=True)
        )
        self._content_starts = np.concatenate([[0], np.cumsum(counts[0])])
        self._content = content.values % _BUCKETS
        self._content_papers = content.papers
        self._link_papers, self._links = _linked(cites, names, self.size)

    @cached_property
    def idf(self) -> "Floats":
        """What a token says, by its bucket."""
        import numpy as np

        having = np.bincount(self._content, minlength=_BUCKETS) + np.bincount(self._links, minlength=_BUCKETS)
        by_count = np.array([idf(count, self.size) for count in range(int(having.max(initial=0)) + 1)])
        return np.asarray(by_count[having], dtype=float)

    def similarity(self, history: Mapping[int, float]) -> "Floats":
        """How near every paper is to those of `history`, given by place with their weights: a mean of cosines."""
        return self._scores(_COSINE, history)

    def support(self, history: Sequence[int], candidates: Sequence[int]) -> "Floats":
        """How far each of `candidates` (columns) is supported by each paper of `history` (rows)."""
        import numpy as np

        masses = self._masses(_SUPPORT.power)
        owners, buckets = self._rows(history)
        shared = np.zeros((len(history), len(candidates)))
        worth = self.idf[buckets] ** _SUPPORT.power
        there = np.zeros(_BUCKETS, dtype=bool)
        for column, candidate in enumerate(candidates):
            _, has = self._rows([candidate])
            there[has] = True
            both = there[buckets]
            shared[:, column] = np.bincount(owners[both], weights=worth[both], minlength=len(history))
            there[has] = False
        lengths = masses[list(history)] ** _SUPPORT.of_history, masses[list(candidates)] ** _SUPPORT.of_candidate
        return shared / np.maximum(np.outer(*lengths), 1e-9)

    def linked_to(self, place: int) -> "Integers":
        """The places of the papers that cite the one at `place` or that it cites, itself left out."""
        import numpy as np

        bucket = _bucket_of(np.array([place]))[0]
        found = self._link_papers[self._links == bucket]
        others: Integers = found[found != place]
        return others

    def _scores(self, measure: _Measure, history: Mapping[int, float]) -> "Floats":
        import numpy as np

        masses = np.maximum(self._masses(measure.power), 1e-9)
        places = list(history)
        owners, buckets = self._rows(places)
        weights = np.array([history[place] for place in places]) * masses[places] ** -measure.of_history
        wanted = np.bincount(buckets, weights=weights[owners], minlength=_BUCKETS) * self.idf**measure.power
        found = np.bincount(self._content_papers, weights=wanted[self._content], minlength=self.size)
        found += np.bincount(self._link_papers, weights=wanted[self._links], minlength=self.size)
        return found / masses**measure.of_candidate

    def _masses(self, power: int) -> "Floats":
        """The sum of each paper's idf to `power`."""
        import numpy as np

        if power not in self._known_masses:
            worth = self.idf**power
            mass = np.bincount(self._content_papers, weights=worth[self._content], minlength=self.size)
            mass += np.bincount(self._link_papers, weights=worth[self._links], minlength=self.size)
            self._known_masses[power] = mass.astype(float)
        return self._known_masses[power]

    @cached_property
    def _known_masses(self) -> "dict[int, Floats]":
        return {}

    def _rows(self, places: Sequence[int]) -> "tuple[Integers, Integers]":
        """The buckets of the papers at `places`, each with which of `places` has it."""
        import numpy as np

        wanted = np.array(places, dtype=np.int64)
        begins = self._content_starts[wanted]
        counts = self._content_starts[wanted + 1] - begins
        content = self._content[_ranges(begins, counts)]
        position = np.full(self.size, -1, dtype=np.int64)
        position[wanted] = np.arange(len(wanted))
        among = position[self._link_papers]
        mine = among >= 0
        owners = np.concatenate([np.repeat(np.arange(len(wanted)), counts), among[mine]])
        return owners, np.concatenate([content, self._links[mine]])


class _Rows:
    """Numbers by paper: `values`, and which paper each is of."""

    def __init__(self, values: "Integers", counts: "Integers") -> None:
        import numpy as np

        self.values, self.papers = values, np.repeat(np.arange(len(counts)), counts)


def _linked(cites: _Rows, names: _Rows, size: int) -> "tuple[Integers, Integers]":
    """Which paper is linked to what, as two columns: to itself, to what it cites, and to the papers that cite it.

    A work that is here goes by its place, under whatever name it is cited; others by the name.
    """
    import numpy as np

    everyone = np.arange(size)
    order = np.argsort(names.values, kind="stable")
    known, holders = names.values[order], names.papers[order]
    at = np.searchsorted(known, cites.values)
    at[at == len(known)] = 0
    here = known[at] == cites.values if len(known) else np.zeros(len(cites.values), dtype=bool)
    citing, cited = cites.papers[here], holders[at[here]] if len(known) else cites.papers[here]
    papers = np.concatenate([everyone, citing, cited, cites.papers[~here]])
    linked = np.concatenate(
        [_bucket_of(everyone), _bucket_of(cited), _bucket_of(citing), cites.values[~here] % _BUCKETS]
    )
    pairs = np.unique(papers * _BUCKETS + linked)
    return pairs // _BUCKETS, pairs % _BUCKETS


def _bucket_of(places: "Integers") -> "Integers":
    buckets: Integers = (places + 1) * _SPREAD % _BUCKETS
    return buckets


def _ranges(begins: "Integers", counts: "Integers") -> "Integers":
    """Every number from each of `begins` on, as many as `counts` says, one range after the other."""
    import numpy as np

    ends = np.cumsum(counts)
    numbers: Integers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins - (ends - counts), counts)
    return numbers


def best_places(scores: "Floats", among: Iterable[int], most: int) -> list[int]:
    """The places of the `most` highest scores above zero `among` some, best first, lower places first among equals."""
    import numpy as np

    places = np.fromiter(among, dtype=np.int64)
    places = places[scores[places] > 0]
    if most < len(places):
        least = np.partition(scores[places], -most)[-most]
        places = places[scores[places] >= least]
    order = np.lexsort((places, -scores[places]))[:most]
    return [int(place) for place in places[order]]
