"""Batches of identifiers for one look-up each."""

from collections.abc import Callable, Iterable, Iterator

from connectors.identifiers import Identifier


def batched(
    names: Iterable[Identifier],
    *,
    most: int,
    room: int,
    size: Callable[[Identifier], int],
    alone: Callable[[Identifier], bool] = lambda name: False,
) -> Iterator[list[Identifier]]:
    """Split `names` into batches of at most `most`, with at most `room` characters by `size`; one that would break
    the request, `alone`, gets its own batch."""
    batch: list[Identifier] = []
    length = 0
    for name in names:
        if alone(name):
            yield [name]
            continue
        needed = size(name)
        if batch and (len(batch) == most or length + needed > room):
            yield batch
            batch, length = [], 0
        batch.append(name)
        length += needed
    if batch:
        yield batch
