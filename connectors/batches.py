"""Split sequences into batches, for services and queries that take only so many values at once."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def in_batches(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Split `items` into batches of at most `size`, in order."""
    return [items[start : start + size] for start in range(0, len(items), size)]
