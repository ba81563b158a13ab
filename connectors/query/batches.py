"""Identifiers looked up together: as many as one request takes."""

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
    """`names` in their order, at most `most` together and no more than `room` characters by `size`; one that would
    break the request, `alone`, in a request of its own."""
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
