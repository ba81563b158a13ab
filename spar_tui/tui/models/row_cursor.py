"""The new place of a list's cursor when the rows change."""

from collections.abc import Hashable, Sequence


def followed(before: Sequence[Hashable], index: int, after: Sequence[Hashable]) -> int:
    """Return the index in `after` of the row at `index` in `before`; rows are given by their keys.

    If that row is gone, return the nearest row below that remains, else the nearest above, else 0.
    """
    if not after or not before:
        return 0
    places = {key: at for at, key in enumerate(after)}
    below, above = before[index:], reversed(before[:index])
    return next((places[key] for rows in (below, above) for key in rows if key in places), 0)
