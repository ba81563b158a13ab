"""A great many numbers of 64 bits, eight bytes each, in order: which of some are among them is told without a sort."""

from collections.abc import Iterable
from typing import Any

import numpy as np


class Keys:
    """A set of numbers."""

    def __init__(self, numbers: Any) -> None:
        self._sorted = np.unique(np.asarray(numbers, np.int64))

    def among(self, numbers: Iterable[int]) -> set[int]:
        """Those of `numbers` that are in the set."""
        asked = np.fromiter(numbers, np.int64)
        found: set[int] = set(asked[self._has(asked)].tolist())
        return found

    def add(self, numbers: Iterable[int]) -> None:
        """Take in `numbers`."""
        asked = np.unique(np.fromiter(numbers, np.int64))
        fresh = asked[~self._has(asked)]
        self._sorted = np.insert(self._sorted, np.searchsorted(self._sorted, fresh), fresh)

    def remove(self, numbers: Iterable[int]) -> None:
        """Leave out `numbers`."""
        asked = np.fromiter(numbers, np.int64)
        self._sorted = np.delete(self._sorted, np.searchsorted(self._sorted, asked[self._has(asked)]))

    def _has(self, asked: Any) -> Any:
        if not len(self._sorted):
            return np.zeros(len(asked), bool)
        places = np.minimum(np.searchsorted(self._sorted, asked), len(self._sorted) - 1)
        return self._sorted[places] == asked
